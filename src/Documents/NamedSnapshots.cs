namespace Raven.Documents;

/// <summary>Snapshots with the name of their purpose.</summary>
public static class NamedSnapshots
{
    /// <summary>Begins a snapshot of the last commit. Dispose it soon.</summary>
    /// <param name="database">The database to read.</param>
    /// <param name="purpose">What it is for: the report, the log and the error name the purpose of a snapshot that
    /// holds the storage back for too long.</param>
    /// <exception cref="DatabaseDeletedException">The database was deleted.</exception>
    public static DocumentSnapshot BeginRead(this Database database, string purpose)
    {
        DocumentSnapshot snapshot = database.BeginRead();
        snapshot.Transaction.Purpose = purpose;
        return snapshot;
    }
}
