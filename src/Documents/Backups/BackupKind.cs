namespace Raven.Documents.Backups;

/// <summary>What a file of a backup has.</summary>
public enum BackupKind
{
    /// <summary>All of a database.</summary>
    Full,

    /// <summary>What has changed since the file before.</summary>
    Incremental,

    /// <summary>All of a database, as a task of snapshots makes it.</summary>
    Snapshot,

    /// <summary>The transactions that follow the other files: a piece of the journal.</summary>
    Journal,
}
