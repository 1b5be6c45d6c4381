using System.Net;
using System.Text.Json;
using Raven.Security.Certificates;
using Raven.Security.Registry;
using Raven.Security.Rights;

namespace Raven.Server.Http.Security;

/// <summary>Identities in answers. Neither a private key nor the hash of a key is in any of them.</summary>
internal static class IdentityJson
{
    /// <summary>The scope of a key that may read the metrics.</summary>
    internal const string Monitoring = "monitoring";

    /// <summary>Writes a registered certificate.</summary>
    /// <param name="json">The answer.</param>
    /// <param name="entry">The certificate.</param>
    /// <param name="trust">All identities, in which its renewals are.</param>
    /// <param name="withCertificate">Whether to write its bytes, too.</param>
    internal static void Write(
        Utf8JsonWriter json, RegisteredCertificate entry, TrustSnapshot trust, bool withCertificate)
    {
        ClientCertificate certificate = entry.Certificate;
        json.WriteStartObject();
        json.WriteString("Name"u8, entry.Name);
        if (withCertificate)
        {
            json.WriteBase64String("Certificate"u8, certificate.Der);
        }

        json.WriteString("Thumbprint"u8, certificate.Thumbprint);
        json.WriteString("PublicKeyPinningHash"u8, certificate.PinningHash);
        WriteRights(json, Clearances.NameOf(entry.Clearance), entry.Permissions);
        json.WriteTime("NotBefore"u8, certificate.NotBefore);
        json.WriteTime("NotAfter"u8, certificate.NotAfter);
        json.WriteString(
            "CollectionPrimaryKey"u8, trust.FindCertificate(entry.RenewalOf)?.Certificate.Thumbprint ?? "");
        json.WriteStartArray("CollectionSecondaryKeys"u8);
        foreach (RegisteredCertificate renewal in trust.Certificates)
        {
            if (renewal.RenewalOf == certificate.Digest)
            {
                json.WriteStringValue(renewal.Certificate.Thumbprint);
            }
        }

        json.WriteEndArray();
        json.WriteTime("CreatedAt"u8, entry.CreatedAt);
        json.WriteString("CreatedBy"u8, entry.CreatedBy);
        json.WriteTime("LastSeenAt"u8, entry.LastUse.At);
        json.WriteNull("Usage"u8);
        json.WriteEndObject();
    }

    /// <summary>Writes an API key.</summary>
    /// <param name="json">The answer.</param>
    /// <param name="entry">What is kept of it.</param>
    /// <param name="key">The key itself, where it is shown; null elsewhere.</param>
    internal static void Write(Utf8JsonWriter json, RegisteredKey entry, string? key)
    {
        json.WriteStartObject();
        json.WriteString("Id"u8, entry.Id);
        if (key != null)
        {
            json.WriteString("Key"u8, key);
        }

        json.WriteString("Name"u8, entry.Name);
        WriteRights(json, Clearances.NameOf(entry.Clearance), entry.Permissions);
        json.WriteStartArray("Scopes"u8);
        if (entry.MayMonitor)
        {
            json.WriteStringValue(Monitoring);
        }

        json.WriteEndArray();
        json.WriteStartArray("AllowedAddresses"u8);
        foreach (IPNetwork network in entry.AllowedAddresses)
        {
            json.WriteStringValue(network.ToString());
        }

        json.WriteEndArray();
        json.WriteTime("CreatedAt"u8, entry.CreatedAt);
        json.WriteString("CreatedBy"u8, entry.CreatedBy);
        json.WriteTime("ExpiresAt"u8, entry.ExpiresAt);
        json.WriteTime("LastUsedAt"u8, entry.LastUse.At);
        json.WriteBoolean("Disabled"u8, entry.IsDisabled);
        json.WriteEndObject();
    }

    /// <summary>Writes who a caller is, for that caller.</summary>
    /// <param name="json">The answer.</param>
    /// <param name="identity">The caller.</param>
    /// <param name="pinningHash">The hash of the public key of its certificate; null if it has none.</param>
    internal static void Write(Utf8JsonWriter json, Identity identity, string? pinningHash)
    {
        json.WriteStartObject();
        json.WriteString("Name"u8, identity.Name);
        if (identity.Kind == IdentityKind.Certificate)
        {
            json.WriteString("Thumbprint"u8, identity.Key);
        }
        else if (identity.Kind == IdentityKind.ApiKey)
        {
            json.WriteString("KeyId"u8, identity.Key);
        }

        json.WriteString("Kind"u8, NameOf(identity.Kind));
        WriteRights(
            json,
            identity.Kind == IdentityKind.Unsecured
                ? Clearances.Unauthenticated
                : Clearances.NameOf(identity.Clearance),
            identity.Permissions);
        json.WriteTime(
            "NotAfter"u8, identity.NotAfter == DateTimeOffset.MaxValue ? null : identity.NotAfter);
        if (pinningHash != null)
        {
            json.WriteString("PublicKeyPinningHash"u8, pinningHash);
        }

        json.WriteEndObject();
    }

    private static void WriteRights(Utf8JsonWriter json, string clearance, Permissions permissions)
    {
        json.WriteString("SecurityClearance"u8, clearance);
        json.WriteStartObject("Permissions"u8);
        foreach ((string database, DatabaseRight right) in
            permissions.All.OrderBy(pair => pair.Key, StringComparer.OrdinalIgnoreCase))
        {
            json.WriteString(database, Clearances.NameOf(right));
        }

        json.WriteEndObject();
    }

    private static string NameOf(IdentityKind kind) => kind switch
    {
        IdentityKind.Certificate => "Certificate",
        IdentityKind.ApiKey => "ApiKey",
        IdentityKind.Jwt => "Jwt",
        IdentityKind.Local => "Local",
        _ => "Unsecured",
    };
}
