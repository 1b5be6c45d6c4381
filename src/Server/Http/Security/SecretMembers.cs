using System.Text.Json;
using Raven.Security.Secrets;

namespace Raven.Server.Http.Security;

/// <summary>
/// The one list of what is secret in the record of a database: members by their names, wherever they are but in code.
/// What is one of these is sealed when it is stored and masked when it is shown.
/// </summary>
internal static class SecretMembers
{
    /// <summary>The member of an object that stands for a sealed secret.</summary>
    internal const string Sealed = "$sealed";

    /// <summary>Its value where the server's own key has sealed the secret.</summary>
    internal const int SealedByServer = 1;

    /// <summary>Its value where a key of the cluster has.</summary>
    internal const int SealedByCluster = 2;

    /// <summary>The member with its text.</summary>
    internal const string SealedText = "v";

    /// <summary>How the names of secrets end, in either case: of members, of settings, of options of other services.
    /// </summary>
    private static readonly string[] Endings =
    [
        "Password", "Passphrase", "Secret", "SecretKey", "PrivateKey", "ApiKey", "AccountKey", "StorageKey",
        "EncryptionKey", "Token", "ConnectionString", "CredentialsJson", "CertificateAsBase64",
        "CertificatesBase64", "CertificateWithPrivateKey", "sasl.jaas.config", "ssl.key.pem", "ssl.keystore.key",
    ];

    /// <summary>Secrets whose names say it only within a certain object.</summary>
    private static readonly (string Within, string Name)[] Within = [("BackupEncryptionSettings", "Key")];

    /// <summary>Members of a record that hold definitions and code, or what the server says of itself.</summary>
    private static readonly string[] Others =
    [
        "DatabaseName", "Topology", "Indexes", "AutoIndexes", "IndexesHistory", "RollingIndexes", "Sorters",
        "Analyzers", "Revisions", "RevisionsForConflicts", "Expiration", "Refresh", "Client",
        "UniqueConstraints", "SchemaValidation", "DataArchival", "RevisionsBin",
    ];

    /// <summary>What of a task may change while its secret stays: it still goes to the same place.</summary>
    private static readonly string[] Harmless = ["Disabled", "RemoteFolderName", "StorageClass", "MentorNode"];

    /// <summary>Whether a member of the record itself may have secrets in it.</summary>
    internal static bool MayHold(string root) => !Others.Contains(root, StringComparer.Ordinal);

    /// <summary>Whether the text of a member is secret.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="within">The name of the object that it is in; empty if it is in none.</param>
    internal static bool IsSecret(string name, string within) =>
        Array.Exists(Endings, ending => name.EndsWith(ending, StringComparison.OrdinalIgnoreCase))
        || Array.Exists(Within, one =>
            name.Equals(one.Name, StringComparison.OrdinalIgnoreCase)
            && within.Equals(one.Within, StringComparison.OrdinalIgnoreCase));

    /// <summary>Whether a secret may stay as it is although this member of its task changes.</summary>
    internal static bool IsHarmless(string name) => Harmless.Contains(name, StringComparer.Ordinal);

    /// <summary>The text of a sealed secret; false if it is something else.</summary>
    internal static bool TryGetSealed(JsonElement value, out string text)
    {
        bool isSealed = value.ValueKind == JsonValueKind.Object && value.TryGetProperty(Sealed, out _)
            && value.TryGetProperty(SealedText, out JsonElement found) && found.ValueKind == JsonValueKind.String;
        text = isSealed ? value.GetProperty(SealedText).GetString()! : "";
        return isSealed;
    }

    /// <summary>Whether a sealed secret is sealed under a key that several servers have together.</summary>
    internal static bool IsShared(JsonElement value) =>
        value.TryGetProperty(Sealed, out JsonElement how) && how.ValueKind == JsonValueKind.Number
        && how.TryGetInt32(out int number) && number == SealedByCluster;

    /// <summary>Writes a member of a record as callers see it: secrets, sealed or not, as asterisks.</summary>
    internal static void WriteMasked(Utf8JsonWriter json, JsonProperty member)
    {
        if (!MayHold(member.Name))
        {
            member.WriteTo(json);
            return;
        }

        json.WritePropertyName(member.Name);
        SecretCopy.Write(json, member, static (writer, _, _) => writer.WriteStringValue(SecretSealer.Mask));
    }
}
