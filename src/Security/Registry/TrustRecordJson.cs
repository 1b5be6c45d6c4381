using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Raven.Security.Certificates;
using Raven.Security.Rights;

namespace Raven.Security.Registry;

/// <summary>The records of the registry as JSON, and back. What cannot be read throws.</summary>
internal static class TrustRecordJson
{
    private const string CertificatePrefix = "certificates/";
    private const string KeyPrefix = "keys/";

    internal static bool IsCertificate(string key) => key.StartsWith(CertificatePrefix, StringComparison.Ordinal);

    internal static bool IsKey(string key) => key.StartsWith(KeyPrefix, StringComparison.Ordinal);

    internal static TrustRecord Write(RegisteredCertificate entry) => new(entry.Key, Write(json =>
    {
        WriteRights(json, entry.Name, entry.Clearance, entry.Permissions);
        json.WriteBase64String("Certificate", entry.Certificate.Der);
        json.WriteString("RenewalOf", entry.RenewalOf);
        WriteHistory(json, entry.CreatedAt, entry.CreatedBy, entry.LastUse);
    }));

    internal static TrustRecord Write(RegisteredKey entry) => new(entry.Key, Write(json =>
    {
        WriteRights(json, entry.Name, entry.Clearance, entry.Permissions);
        json.WriteBase64String("Hash", entry.Hash);
        if (entry.FormerHash != null)
        {
            json.WriteBase64String("FormerHash", entry.FormerHash);
            json.WriteNumber("FormerEndsAt", entry.FormerEndsAt.UtcTicks);
        }

        json.WriteBoolean("MayMonitor", entry.MayMonitor);
        json.WriteStartArray("AllowedAddresses");
        foreach (IPNetwork network in entry.AllowedAddresses)
        {
            json.WriteStringValue(network.ToString());
        }

        json.WriteEndArray();
        if (entry.ExpiresAt is { } end)
        {
            json.WriteNumber("ExpiresAt", end.UtcTicks);
        }

        json.WriteBoolean("IsDisabled", entry.IsDisabled);
        WriteHistory(json, entry.CreatedAt, entry.CreatedBy, entry.LastUse);
    }));

    internal static RegisteredCertificate ReadCertificate(TrustRecord record)
    {
        using JsonDocument document = JsonDocument.Parse(record.Json!);
        JsonElement json = document.RootElement;
        using X509Certificate2 certificate =
            X509CertificateLoader.LoadCertificate(json.GetProperty("Certificate").GetBytesFromBase64());
        ClientCertificate client = ClientCertificate.Of(certificate);
        if (RegisteredCertificate.KeyOf(client.Digest) != record.Key)
        {
            throw new CryptographicException("The digest of a certificate is not that of its record.");
        }

        return new RegisteredCertificate
        {
            Name = Text(json, "Name"),
            Certificate = client,
            Clearance = ReadClearance(json),
            Permissions = ReadPermissions(json),
            RenewalOf = Text(json, "RenewalOf"),
            CreatedAt = Time(json.GetProperty("CreatedAt")),
            CreatedBy = Text(json, "CreatedBy"),
            LastUse = ReadLastUse(json),
        };
    }

    internal static RegisteredKey ReadKey(TrustRecord record)
    {
        using JsonDocument document = JsonDocument.Parse(record.Json!);
        JsonElement json = document.RootElement;
        bool hasFormer = json.TryGetProperty("FormerHash", out JsonElement former);
        return new RegisteredKey
        {
            Id = record.Key[KeyPrefix.Length..],
            Name = Text(json, "Name"),
            Hash = json.GetProperty("Hash").GetBytesFromBase64(),
            FormerHash = hasFormer ? former.GetBytesFromBase64() : null,
            FormerEndsAt = hasFormer ? Time(json.GetProperty("FormerEndsAt")) : default,
            Clearance = ReadClearance(json),
            Permissions = ReadPermissions(json),
            MayMonitor = json.GetProperty("MayMonitor").GetBoolean(),
            AllowedAddresses =
                [.. json.GetProperty("AllowedAddresses").EnumerateArray().Select(a => IPNetwork.Parse(a.GetString()!))],
            ExpiresAt = json.TryGetProperty("ExpiresAt", out JsonElement end) ? Time(end) : null,
            IsDisabled = json.GetProperty("IsDisabled").GetBoolean(),
            CreatedAt = Time(json.GetProperty("CreatedAt")),
            CreatedBy = Text(json, "CreatedBy"),
            LastUse = ReadLastUse(json),
        };
    }

    private static byte[] Write(Action<Utf8JsonWriter> members)
    {
        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream))
        {
            json.WriteStartObject();
            members(json);
            json.WriteEndObject();
        }

        return stream.ToArray();
    }

    private static void WriteRights(Utf8JsonWriter json, string name, Clearance clearance, Permissions permissions)
    {
        json.WriteString("Name", name);
        json.WriteString("SecurityClearance", Clearances.NameOf(clearance));
        json.WriteStartObject("Permissions");
        foreach ((string database, DatabaseRight right) in permissions.All)
        {
            json.WriteString(database, Clearances.NameOf(right));
        }

        json.WriteEndObject();
    }

    private static void WriteHistory(Utf8JsonWriter json, DateTimeOffset createdAt, string createdBy, LastUse lastUse)
    {
        json.WriteNumber("CreatedAt", createdAt.UtcTicks);
        json.WriteString("CreatedBy", createdBy);
        if (lastUse.At is { } at)
        {
            json.WriteNumber("LastUsedAt", at.UtcTicks);
        }
    }

    private static Clearance ReadClearance(JsonElement json) =>
        Clearances.TryParse(Text(json, "SecurityClearance"), out Clearance clearance)
            ? clearance
            : throw new JsonException($"There is no clearance '{Text(json, "SecurityClearance")}'.");

    private static Permissions ReadPermissions(JsonElement json) => Permissions.Of(
        json.GetProperty("Permissions").EnumerateObject().Select(member => KeyValuePair.Create(
            member.Name,
            Clearances.TryParse(member.Value.GetString(), out DatabaseRight right)
                ? right
                : throw new JsonException($"There is no right '{member.Value}'."))));

    private static LastUse ReadLastUse(JsonElement json) =>
        new(json.TryGetProperty("LastUsedAt", out JsonElement at) ? Time(at) : null);

    private static string Text(JsonElement json, string name) =>
        json.GetProperty(name).GetString() ?? throw new JsonException($"'{name}' is null.");

    private static DateTimeOffset Time(JsonElement ticks) => new(ticks.GetInt64(), TimeSpan.Zero);
}
