using System.Text;

namespace Raven.Documents.Backups;

/// <summary>What is restored. Immutable.</summary>
public sealed record RestoreRequest
{
    /// <summary>The files, in their order (<see cref="BackupFolder.ReadChainAsync"/>).</summary>
    public required IReadOnlyList<BackupManifest> Chain { get; init; }

    /// <summary>The pieces of the journal behind them (<see cref="ArchivedJournal.FindAsync"/>).</summary>
    public IReadOnlyList<BackupManifest> Journal { get; init; } = [];

    /// <summary>The time up to which transactions of the journal are restored; null for none of them.</summary>
    public DateTimeOffset? To { get; init; }

    /// <summary>Decrypts those that are encrypted.</summary>
    public IBackupCipher? Cipher { get; init; }

    /// <summary>Whether the database comes without its indexes.</summary>
    public bool SkipsIndexes { get; init; }

    /// <summary>Gives the record of the database by its name; null for the record of the last file.</summary>
    public Func<string, byte[]>? Record { get; init; }

    /// <summary>Called with the bytes that are restored so far.</summary>
    public Action<long> Restored { get; init; } = _ => { };

    /// <summary>Called with what the restored database has, and when its last transaction was committed.</summary>
    public Action<long, long, DateTimeOffset?> Checked { get; init; } = (_, _, _) => { };

    /// <summary>All files.</summary>
    public IReadOnlyList<BackupManifest> Files => [.. Chain, .. Journal];

    internal byte[] RecordOf(string name) => Record?.Invoke(name) ?? Encoding.UTF8.GetBytes(Chain[^1].Record);
}
