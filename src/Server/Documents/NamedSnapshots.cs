namespace Raven.Server.Documents;

/// <summary>Snapshots that say what they are for.</summary>
internal static class NamedSnapshots
{
    /// <summary>Begins a snapshot of the last commit. Dispose it soon.</summary>
    /// <param name="database">Whose.</param>
    /// <param name="purpose">
    /// What it is for: who holds the storage back for too long is told by it, in the report, the log and the error.
    /// </param>
    /// <exception cref="DatabaseDeletedException">The database was deleted.</exception>
    internal static DocumentSnapshot BeginRead(this Database database, string purpose)
    {
        DocumentSnapshot snapshot = database.BeginRead();
        snapshot.Transaction.Purpose = purpose;
        return snapshot;
    }
}
