namespace Raven.Documents.Backups;

/// <summary>What a run of a backup is to make. Immutable.</summary>
public sealed record BackupRequest
{
    /// <summary>The task; 0 for none.</summary>
    public long TaskId { get; init; }

    /// <summary>Whether only what has changed is wanted; all of it is made if that is not possible.</summary>
    public bool IsIncremental { get; init; }

    /// <summary>Whether a file with all of it is called a snapshot.</summary>
    public bool IsSnapshot { get; init; }

    /// <summary>The folder of the last full backup and those that follow it; null if there is none.</summary>
    public string? Folder { get; init; }

    /// <summary>How many pages a second it reads, at most; 0 for as many as it can.</summary>
    public int PagesPerSecondMax { get; init; }

    /// <summary>How the file is compressed.</summary>
    public BackupCompression Compression { get; init; }

    /// <summary>Encrypts the file; null if it is not encrypted.</summary>
    public IBackupCipher? Cipher { get; init; }

    /// <summary>The record of the database, JSON, without its secrets.</summary>
    public string Record { get; init; } = "{}";

    /// <summary>The secrets that the record has lost.</summary>
    public IReadOnlyList<string> Secrets { get; init; } = [];

    /// <summary>The time in the names of its files: that of the zone that the server is in.</summary>
    public required DateTimeOffset Now { get; init; }

    /// <summary>Whether the file is read again, and its hash compared, before the run ends.</summary>
    public bool IsVerified { get; init; } = true;

    /// <summary>Called with the name of a new folder, before anything of it is there.</summary>
    public Func<string, CancellationToken, ValueTask> Begun { get; init; } =
        (_, _) => ValueTask.CompletedTask;

    /// <summary>Called with the bytes that were read so far.</summary>
    public Action<long> Copied { get; init; } = _ => { };
}
