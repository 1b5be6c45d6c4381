using System.Buffers;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Raven.Documents.Backups;
using Raven.Documents.Catalog;
using Raven.Documents.Settings;
using Raven.Server.Http.Security;

namespace Raven.Server.Http.Backups;

//   STATE-1  The state of a server is who is trusted and its tasks of all databases, with their secrets as they are
//            sealed: without the master key they are of no use. The key itself is never in it.

/// <summary>The state of a server beside its databases, as a file: <c>{"State":{..},"Sha256":".."}</c>.</summary>
internal static class ServerStateFile
{
    /// <summary>What its name ends with.</summary>
    internal const string Ending = ".ravendb-server-state";

    /// <summary>The same if it is encrypted.</summary>
    internal const string EncryptedEnding = ".ravendb-encrypted-server-state";

    private const int CurrentVersion = 1;

    private static readonly string[] Prefixes = ["server-wide/", "trust/"];

    /// <summary>The file.</summary>
    /// <param name="records">The state.</param>
    /// <param name="keyCheck">Tells the master key; null if nothing is sealed.</param>
    /// <param name="databases">The databases that there are.</param>
    /// <param name="now">The time.</param>
    internal static byte[] Write(
        ServerRecords records, string? keyCheck, IEnumerable<string> databases, DateTimeOffset now)
    {
        var body = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(body))
        {
            json.WriteStartObject();
            json.WriteNumber("Version"u8, CurrentVersion);
            json.WriteString("CreatedAt"u8, now.UtcDateTime.ToString("O", CultureInfo.InvariantCulture));
            json.WriteString("MasterKeyCheck"u8, keyCheck);
            json.WriteStartArray("Databases"u8);
            foreach (string name in databases.Order(StringComparer.Ordinal))
            {
                json.WriteStringValue(name);
            }

            json.WriteEndArray();
            json.WriteStartArray("Records"u8);
            foreach ((string key, byte[] value) in Prefixes.SelectMany(records.Read))
            {
                json.WriteStartObject();
                json.WriteString("Key"u8, key);
                json.WriteBase64String("Value"u8, value);
                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        var whole = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(whole))
        {
            json.WriteStartObject();
            json.WritePropertyName("State"u8);
            json.WriteRawValue(body.WrittenSpan, skipInputValidation: true);
            json.WriteString("Sha256"u8, HashOf(body.WrittenSpan));
            json.WriteEndObject();
        }

        return whole.WrittenSpan.ToArray();
    }

    /// <summary>Tells states apart, whenever they were written.</summary>
    internal static string HashOf(ServerRecords records, IEnumerable<string> databases) =>
        HashOf(Write(records, null, databases, DateTimeOffset.UnixEpoch));

    /// <summary>The bytes of a file that may be encrypted.</summary>
    /// <exception cref="BackupException">The key is missing, or another one.</exception>
    internal static byte[] Decrypt(byte[] file, string? key)
    {
        if (!file.AsSpan().StartsWith("RVENCR1\0"u8))
        {
            return file;
        }

        if (key == null)
        {
            throw new BackupException("The state is encrypted: its key is needed.");
        }

        using var source = new MemoryStream(file);
        using var plain = new MemoryStream();
        using Stream opened = BackupKey.Parse(key).Decrypt(source);
        opened.CopyTo(plain);
        return plain.ToArray();
    }

    /// <summary>Puts a state into a server that has none.</summary>
    /// <param name="file">The file.</param>
    /// <param name="records">Take it.</param>
    /// <param name="keyCheck">Tells the master key of this server; null if it has none.</param>
    /// <returns>The secrets that must be entered again, by their paths; none under the same master key.</returns>
    /// <exception cref="BackupException">The file is damaged, or the server has a state.</exception>
    internal static IReadOnlyList<string> Restore(ReadOnlyMemory<byte> file, ServerRecords records, string? keyCheck)
    {
        if (Prefixes.FirstOrDefault(prefix => records.Read(prefix).Count > 0) is { } taken)
        {
            throw new BackupException(
                taken == Prefixes[0]
                    ? "The server has tasks of all databases already: a state is restored into a server without one."
                    : "The server trusts somebody already: a state is restored into a server without one.");
        }

        try
        {
            using JsonDocument document = StoredJson.Parse(file);
            JsonElement state = document.RootElement.GetProperty("State"u8);
            if (document.RootElement.GetProperty("Sha256"u8).GetString()
                != HashOf(Encoding.UTF8.GetBytes(state.GetRawText())))
            {
                throw new BackupException("The state is damaged: it does not have its hash.");
            }

            if (state.GetProperty("Version"u8).GetInt32() > CurrentVersion)
            {
                throw new BackupException(
                    $"The state is of version {state.GetProperty("Version"u8)}; this build reads {CurrentVersion}.");
            }

            string? check = state.GetProperty("MasterKeyCheck"u8).GetString();
            List<string> secrets = [];
            records.Write([.. state.GetProperty("Records"u8).EnumerateArray().Select(
                one => RecordOf(one, check == null || check == keyCheck, secrets))]);
            return secrets;
        }
        catch (Exception e) when (e is JsonException or KeyNotFoundException or InvalidOperationException
            or FormatException or ArgumentException)
        {
            throw new BackupException($"The state is damaged: {e.Message}", e);
        }
    }

    private static KeyValuePair<string, byte[]?> RecordOf(JsonElement one, bool opens, List<string> secrets)
    {
        string key = one.GetProperty("Key"u8).GetString() ?? "";
        if (!Array.Exists(Prefixes, prefix => key.StartsWith(prefix, StringComparison.Ordinal)))
        {
            throw new BackupException($"The state has a record '{key}', which is none of a state.");
        }

        byte[] value = one.GetProperty("Value"u8).GetBytesFromBase64();
        return new(key, key.StartsWith(Prefixes[0], StringComparison.Ordinal) && !opens
            ? RecordSecrets.Masked(value, secrets)
            : value);
    }

    private static string HashOf(ReadOnlySpan<byte> bytes) => Convert.ToHexStringLower(SHA256.HashData(bytes));
}
