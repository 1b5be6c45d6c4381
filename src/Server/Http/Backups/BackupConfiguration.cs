using System.Globalization;
using System.Text.Json;
using Cronos;
using Raven.Documents.Backups;
using Raven.Server.Http.Backups.S3;

namespace Raven.Server.Http.Backups;

/// <summary>What a task, or a single backup, is to do: what this server uses of its JSON. Immutable.</summary>
internal sealed record BackupConfiguration
{
    private static readonly string[] OtherDestinations =
        ["GlacierSettings", "AzureSettings", "FtpSettings", "GoogleCloudSettings"];

    /// <summary>The number of the task; 0 for none.</summary>
    internal long TaskId { get; init; }

    /// <summary>Its name.</summary>
    internal string Name { get; init; } = "";

    /// <summary>Whether it does nothing by itself.</summary>
    internal bool IsDisabled { get; init; }

    /// <summary>Whether it makes snapshots.</summary>
    internal bool IsSnapshot { get; init; }

    /// <summary>When all is backed up; null for never.</summary>
    internal CronExpression? Full { get; init; }

    /// <summary>When changes are backed up; null for never.</summary>
    internal CronExpression? Incremental { get; init; }

    /// <summary>The folder that it goes to; null for none.</summary>
    internal string? FolderPath { get; init; }

    /// <summary>The bucket that it goes to, beside the folder or alone; null for none.</summary>
    internal S3Settings? S3 { get; init; }

    /// <summary>The task of all databases that this one is of; null for one of a database alone.</summary>
    internal BackupConfiguration? ServerWide { get; init; }

    /// <summary>Where it goes to, for people.</summary>
    internal string Places => string.Join(
        ", ", new[] { FolderPath, S3?.Description }.Where(static place => place != null));

    /// <summary>How many pages a second it reads at most; 0 for as many as it can.</summary>
    internal int PagesPerSecondMax { get; init; }

    /// <summary>How it is compressed.</summary>
    internal BackupCompression Compression { get; init; }

    /// <summary>The key; null without encryption. Asterisks in place of a secret that was not opened.</summary>
    internal string? Key { get; init; }

    /// <summary>How old a backup gets before it is removed; null for as old as it may.</summary>
    internal TimeSpan? Retention { get; init; }

    /// <summary>Whether the journal is archived beside its backups, for restores to a time.</summary>
    internal bool ArchivesJournal { get; init; }

    /// <summary>The node that is to run it, as it was sent.</summary>
    internal string? MentorNode { get; init; }

    /// <summary>Reads one.</summary>
    /// <param name="json">Its JSON.</param>
    /// <param name="isPeriodic">Whether it says when it runs.</param>
    /// <exception cref="BadRequestException">It is not valid: the message says where.</exception>
    internal static BackupConfiguration Parse(JsonElement json, bool isPeriodic)
    {
        RequireObject(json, "The configuration");
        foreach (string name in OtherDestinations)
        {
            if (Member(json, name) is { ValueKind: JsonValueKind.Object } other && !IsTrue(other, "Disabled"))
            {
                throw new BadRequestException(
                    501, ErrorType.NotSupported,
                    $"{name}: backups go to local folders and to S3 alone; leave it out, or set its Disabled.");
            }
        }

        string? folder = FolderOf(Member(json, "LocalSettings"));
        S3Settings? s3 = Member(json, "S3Settings") is { ValueKind: JsonValueKind.Object } bucket
            && !IsTrue(bucket, "Disabled")
            ? S3Settings.Parse(bucket)
            : null;
        if (folder == null && s3 == null)
        {
            throw Wrong(
                "There is no destination: LocalSettings.FolderPath must name a folder, or S3Settings a bucket.");
        }

        CronExpression? full = Cron(json, "FullBackupFrequency");
        CronExpression? incremental = Cron(json, "IncrementalBackupFrequency");
        if (isPeriodic && full == null && incremental == null)
        {
            throw Wrong("FullBackupFrequency or IncrementalBackupFrequency must say when the task runs.");
        }

        return new BackupConfiguration
        {
            TaskId = Member(json, "TaskId") is { ValueKind: JsonValueKind.Number } id && id.TryGetInt64(out long number)
                ? number
                : 0,
            Name = Text(json, "Name") ?? "",
            IsDisabled = IsTrue(json, "Disabled"),
            IsSnapshot = Choice(json, "BackupType", "Backup", "Backup", "Snapshot") == "Snapshot",
            Full = full,
            Incremental = incremental,
            FolderPath = folder,
            S3 = s3,
            PagesPerSecondMax = PagesOf(json),
            Compression = CompressionOf(Member(json, "SnapshotSettings")),
            Key = KeyOf(Member(json, "BackupEncryptionSettings")),
            Retention = RetentionOf(Member(json, "RetentionPolicy")),
            ArchivesJournal = isPeriodic && IsTrue(json, "ArchiveJournal"),
            MentorNode = Text(json, "MentorNode"),
        };
    }

    /// <summary>The cipher; null without encryption.</summary>
    internal BackupKey? ToKey() => Key == null ? null : BackupKey.Parse(Key);

    private static CronExpression? Cron(JsonElement json, string name)
    {
        const int lengthMax = 200;
        if (Text(json, name) is not { Length: > 0 } text)
        {
            return null;
        }

        return TryCron(text, out CronExpression? cron, out string problem) && text.Length <= lengthMax
            ? cron
            : throw Wrong($"{name}: '{text[..Math.Min(text.Length, lengthMax)]}' is no schedule: {problem}");
    }

    /// <summary>Reads a schedule of five fields.</summary>
    internal static bool TryCron(string text, out CronExpression? cron, out string problem)
    {
        problem = "it must have five fields, such as '0 3 * * *', and come true at some time.";
        cron = null;
        try
        {
            CronExpression? parsed = text.StartsWith('@') ? null : CronExpression.Parse(text, CronFormat.Standard);
            cron = parsed?.GetNextOccurrence(DateTime.UnixEpoch) == null ? null : parsed;
        }
        catch (CronFormatException e)
        {
            problem = e.Message;
        }

        return cron != null;
    }

    private static string? FolderOf(JsonElement? local)
    {
        if (local is not { ValueKind: JsonValueKind.Object } settings || IsTrue(settings, "Disabled"))
        {
            return null;
        }

        if (Member(settings, "GetBackupConfigurationScript") is { ValueKind: not JsonValueKind.Null })
        {
            throw Wrong("LocalSettings.GetBackupConfigurationScript: no request names a program to be run.");
        }

        return Text(settings, "FolderPath") is { Length: > 0 } folder ? folder : null;
    }

    private static int PagesOf(JsonElement json) => Member(json, "MaxReadOpsPerSecond") switch
    {
        null or { ValueKind: JsonValueKind.Null } => 0,
        { ValueKind: JsonValueKind.Number } number when number.TryGetInt32(out int value) && value > 0 => value,
        _ => throw Wrong("MaxReadOpsPerSecond must be a whole number above 0, or null."),
    };

    private static BackupCompression CompressionOf(JsonElement? settings)
    {
        if (settings is not { ValueKind: JsonValueKind.Object } snapshot)
        {
            return BackupCompression.Zstd;
        }

        string algorithm = Choice(snapshot, "CompressionAlgorithm", "Zstd", "Zstd", "Deflate");
        string level = Choice(
            snapshot, "CompressionLevel", "Fastest", "Optimal", "Fastest", "SmallestSize", "NoCompression");
        return level == "NoCompression" ? BackupCompression.None
            : algorithm == "Deflate" ? BackupCompression.Deflate
            : BackupCompression.Zstd;
    }

    private static string? KeyOf(JsonElement? settings)
    {
        if (settings is not { ValueKind: JsonValueKind.Object } encryption)
        {
            return null;
        }

        switch (Choice(encryption, "EncryptionMode", "None", "None", "UseDatabaseKey", "UseProvidedKey"))
        {
            case "UseDatabaseKey":
                throw Wrong("BackupEncryptionSettings.EncryptionMode: databases have no keys; use UseProvidedKey.");
            case "UseProvidedKey":
                return Text(encryption, "Key") is { Length: > 0 } key
                    ? key
                    : throw Wrong("BackupEncryptionSettings.Key is missing.");
            default:
                return null;
        }
    }

    private static TimeSpan? RetentionOf(JsonElement? policy)
    {
        if (policy is not { ValueKind: JsonValueKind.Object } retention || IsTrue(retention, "Disabled")
            || Text(retention, "MinimumBackupAgeToKeep") is not { Length: > 0 } age)
        {
            return null;
        }

        return TimeSpan.TryParse(age, CultureInfo.InvariantCulture, out TimeSpan kept) && kept >= TimeSpan.Zero
            ? kept
            : throw Wrong($"RetentionPolicy.MinimumBackupAgeToKeep: '{age}' is no time such as 7.00:00:00.");
    }

    internal static JsonElement? Member(JsonElement json, string name) =>
        json.TryGetProperty(name, out JsonElement value) ? value : null;

    internal static string? Text(JsonElement json, string name) => Member(json, name) switch
    {
        null or { ValueKind: JsonValueKind.Null } => null,
        { ValueKind: JsonValueKind.String } text => text.GetString(),
        _ => throw Wrong($"{name} must be a text."),
    };

    internal static bool IsTrue(JsonElement json, string name) => Member(json, name) switch
    {
        null or { ValueKind: JsonValueKind.Null or JsonValueKind.False } => false,
        { ValueKind: JsonValueKind.True } => true,
        _ => throw Wrong($"{name} must be true or false."),
    };

    internal static void RequireObject(JsonElement json, string what)
    {
        if (json.ValueKind != JsonValueKind.Object)
        {
            throw Wrong($"{what} must be an object.");
        }
    }

    internal static string Choice(JsonElement json, string name, string otherwise, params string[] choices)
    {
        string text = Text(json, name) ?? otherwise;
        return Array.Find(choices, choice => choice.Equals(text, StringComparison.OrdinalIgnoreCase))
            ?? throw Wrong($"{name} must be one of {string.Join(", ", choices)}, not '{text}'.");
    }

    private static BadRequestException Wrong(string message) => new(400, ErrorType.Argument, message);
}
