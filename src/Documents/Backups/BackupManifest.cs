using System.Buffers;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Raven.Documents.Settings;

namespace Raven.Documents.Backups;

//   BKP-1  A file without a whole manifest beside it is no backup: the manifest is written last, and has the hash and
//          the length of the file, and a hash of itself.

/// <summary>What a file of a backup says of itself; stored beside it as JSON. Immutable.</summary>
public sealed record BackupManifest
{
    /// <summary>The end of the name of a manifest, behind that of its file.</summary>
    public const string Suffix = ".manifest.json";

    private const int CurrentVersion = 2;

    /// <summary>That of all kinds but <see cref="BackupKind.Journal"/>: older builds read them.</summary>
    private const int FirstVersion = 1;

    /// <summary>The name of the file.</summary>
    public required string File { get; init; }

    /// <summary>What it has.</summary>
    public required BackupKind Kind { get; init; }

    /// <summary>The name of the database.</summary>
    public required string Database { get; init; }

    /// <summary>The id of the database.</summary>
    public required string DatabaseId { get; init; }

    /// <summary>The task that made it; 0 for none.</summary>
    public long TaskId { get; init; }

    /// <summary>When it was begun.</summary>
    public required DateTimeOffset CreatedAt { get; init; }

    /// <summary>The file that it follows; null for one that follows none.</summary>
    public string? Parent { get; init; }

    /// <summary>The state that it follows; 0 for none.</summary>
    public required long BaseTransactionId { get; init; }

    /// <summary>The state that it ends with.</summary>
    public required long TransactionId { get; init; }

    /// <summary>When that state was committed; null if it is not known.</summary>
    public DateTimeOffset? CommittedAt { get; init; }

    /// <summary>Of a piece of the journal: when its first transaction was committed.</summary>
    public DateTimeOffset? FirstCommittedAt { get; init; }

    /// <summary>The environment whose states these are.</summary>
    public required ulong EnvironmentId { get; init; }

    /// <summary>The opening of the database that gave out its last change.</summary>
    public required long Opening { get; init; }

    /// <summary>The last change that it has.</summary>
    public required long LastEtag { get; init; }

    /// <summary>How many documents there are at its end.</summary>
    public required long Documents { get; init; }

    /// <summary>The bytes that the database takes when it is restored up to here; 0 if that was not noted.</summary>
    public long StorageBytes { get; init; }

    /// <summary>How it is compressed.</summary>
    public required BackupCompression Compression { get; init; }

    /// <summary>Tells the key that it is encrypted by; null if it is not encrypted.</summary>
    public string? KeyCheck { get; init; }

    /// <summary>The bytes of the file.</summary>
    public required long LengthBytes { get; init; }

    /// <summary>Their SHA-256, in hexadecimal digits.</summary>
    public required string Sha256 { get; init; }

    /// <summary>The record of the database, JSON, without its secrets.</summary>
    public required string Record { get; init; }

    /// <summary>The secrets that the record has lost, by their paths.</summary>
    public IReadOnlyList<string> Secrets { get; init; } = [];

    /// <summary>Whether nothing is before it in its chain.</summary>
    public bool IsFull => Kind is BackupKind.Full or BackupKind.Snapshot;

    /// <summary>Writes it, with a hash of itself.</summary>
    public byte[] ToBytes()
    {
        var body = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(body))
        {
            Write(json);
        }

        var whole = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(whole))
        {
            json.WriteStartObject();
            json.WritePropertyName("Manifest"u8);
            json.WriteRawValue(body.WrittenSpan, skipInputValidation: true);
            json.WriteString("Sha256"u8, HashOf(body.WrittenSpan));
            json.WriteEndObject();
        }

        return whole.WrittenSpan.ToArray();
    }

    /// <summary>Reads one.</summary>
    /// <param name="name">The name of its file, for messages.</param>
    /// <param name="bytes">What is in it.</param>
    /// <exception cref="BackupException">It is not whole.</exception>
    public static BackupManifest Parse(string name, ReadOnlyMemory<byte> bytes)
    {
        try
        {
            using JsonDocument document = StoredJson.Parse(bytes);
            JsonElement body = document.RootElement.GetProperty("Manifest"u8);
            string hash = document.RootElement.GetProperty("Sha256"u8).GetString()!;
            if (hash != HashOf(Encoding.UTF8.GetBytes(body.GetRawText())))
            {
                throw new BackupException($"The manifest '{name}' is damaged: it does not have its hash.");
            }

            if (body.GetProperty("Version"u8).GetInt32() > CurrentVersion)
            {
                throw new BackupException(
                    $"The manifest '{name}' is of version {body.GetProperty("Version"u8)}; this build reads "
                    + $"{CurrentVersion}.");
            }

            BackupManifest manifest = Read(body);
            return manifest.File + Suffix == name
                ? manifest
                : throw new BackupException($"The manifest '{name}' is that of another file, '{manifest.File}'.");
        }
        catch (Exception e) when (e is JsonException or KeyNotFoundException or InvalidOperationException
            or FormatException or ArgumentException or OverflowException)
        {
            throw new BackupException($"The manifest '{name}' is damaged: {e.Message}", e);
        }
    }

    private void Write(Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteNumber("Version"u8, Kind == BackupKind.Journal ? CurrentVersion : FirstVersion);
        json.WriteString("File"u8, File);
        json.WriteString("Kind"u8, Kind.ToString());
        json.WriteString("Database"u8, Database);
        json.WriteString("DatabaseId"u8, DatabaseId);
        json.WriteNumber("TaskId"u8, TaskId);
        json.WriteString("CreatedAt"u8, CreatedAt.UtcDateTime.ToString("O", CultureInfo.InvariantCulture));
        json.WriteString("Parent"u8, Parent);
        json.WriteNumber("BaseTransactionId"u8, BaseTransactionId);
        json.WriteNumber("TransactionId"u8, TransactionId);
        WriteTime(json, "CommittedAt", CommittedAt);
        WriteTime(json, "FirstCommittedAt", FirstCommittedAt);
        json.WriteString("EnvironmentId"u8, EnvironmentId.ToString("x16", CultureInfo.InvariantCulture));
        json.WriteNumber("Opening"u8, Opening);
        json.WriteNumber("LastEtag"u8, LastEtag);
        json.WriteNumber("Documents"u8, Documents);
        json.WriteNumber("StorageBytes"u8, StorageBytes);
        json.WriteString("Compression"u8, Compression.ToString());
        json.WriteString("KeyCheck"u8, KeyCheck);
        json.WriteNumber("LengthBytes"u8, LengthBytes);
        json.WriteString("Sha256"u8, Sha256);
        json.WriteString("Record"u8, Record);
        json.WriteStartArray("Secrets"u8);
        foreach (string secret in Secrets)
        {
            json.WriteStringValue(secret);
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static BackupManifest Read(JsonElement body) => new()
    {
        File = Text(body, "File"),
        Kind = Choice<BackupKind>(body, "Kind"),
        Database = Text(body, "Database"),
        DatabaseId = Text(body, "DatabaseId"),
        TaskId = body.GetProperty("TaskId"u8).GetInt64(),
        CreatedAt = Time(Text(body, "CreatedAt")),
        CommittedAt = TimeOf(body, "CommittedAt"),
        FirstCommittedAt = TimeOf(body, "FirstCommittedAt"),
        Parent = body.GetProperty("Parent"u8).GetString(),
        BaseTransactionId = Count(body, "BaseTransactionId"),
        TransactionId = Count(body, "TransactionId"),
        EnvironmentId = ulong.Parse(
            Text(body, "EnvironmentId"), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture),
        Opening = body.GetProperty("Opening"u8).GetInt64(),
        LastEtag = Count(body, "LastEtag"),
        Documents = Count(body, "Documents"),
        StorageBytes = body.TryGetProperty("StorageBytes"u8, out JsonElement bytes) ? bytes.GetInt64() : 0,
        Compression = Choice<BackupCompression>(body, "Compression"),
        KeyCheck = body.GetProperty("KeyCheck"u8).GetString(),
        LengthBytes = Count(body, "LengthBytes"),
        Sha256 = Text(body, "Sha256"),
        Record = Text(body, "Record"),
        Secrets = [.. body.GetProperty("Secrets"u8).EnumerateArray().Select(secret => secret.GetString()!)],
    };

    private static void WriteTime(Utf8JsonWriter json, string name, DateTimeOffset? time)
    {
        if (time is { } at)
        {
            json.WriteString(name, at.UtcDateTime.ToString("O", CultureInfo.InvariantCulture));
        }
    }

    private static DateTimeOffset? TimeOf(JsonElement body, string name) =>
        body.TryGetProperty(name, out JsonElement time) ? Time(time.GetString()!) : null;

    private static DateTimeOffset Time(string text) =>
        DateTimeOffset.Parse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal);

    private static long Count(JsonElement body, string name) => body.GetProperty(name).GetInt64() is >= 0 and var count
        ? count
        : throw new FormatException($"{name} is negative.");

    /// <summary>One of the names of a kind; a number is none.</summary>
    private static T Choice<T>(JsonElement body, string name)
        where T : struct, Enum =>
        Text(body, name) is var text && Enum.IsDefined(typeof(T), text)
            ? Enum.Parse<T>(text)
            : throw new FormatException($"{name} is '{text}'.");

    private static string Text(JsonElement body, string name) =>
        body.GetProperty(name).GetString() ?? throw new FormatException($"{name} is null.");

    private static string HashOf(ReadOnlySpan<byte> bytes) => Convert.ToHexStringLower(SHA256.HashData(bytes));
}
