using System.Text;
using Raven.Documents.Rows;

namespace Raven.Documents.Indexing;

/// <summary>Which deletions a database remembers, and who still needs them.</summary>
/// <param name="SeenEtag">The last change that all indexes have seen.</param>
/// <param name="Count">How many deletions there are.</param>
/// <param name="Collections">Those of each collection.</param>
public sealed record TombstoneReport(
    long SeenEtag, long Count, IReadOnlyList<TombstoneReport.OfCollection> Collections)
{
    /// <summary>The deletions of one collection.</summary>
    /// <param name="Name">The collection.</param>
    /// <param name="Count">How many deletions there are.</param>
    /// <param name="ForgottenEtag">The etag of the last one that is forgotten; 0 if none is.</param>
    /// <param name="Index">The index that is least far of those that read the collection; null if none does.</param>
    /// <param name="IndexEtag">How far that is.</param>
    public sealed record OfCollection(string Name, long Count, long ForgottenEtag, string? Index, long IndexEtag);

    /// <summary>Makes the report.</summary>
    public static TombstoneReport Of(Database database)
    {
        ArgumentNullException.ThrowIfNull(database);
        using DocumentSnapshot snapshot = database.BeginRead();
        long seen = Math.Min(database.Indexes.SeenByAll(), snapshot.LastEtag);
        List<OfCollection> all = [];
        CollectionCursor collections = snapshot.Collections();
        while (collections.MoveNext(out CollectionInfo collection))
        {
            string name = Encoding.UTF8.GetString(collection.Name.Span);
            DatabaseIndex? last = null;
            foreach (DatabaseIndex index in database.Indexes.All)
            {
                bool reads = index.Followed.Count == 0
                    || index.Followed.Contains(name, StringComparer.OrdinalIgnoreCase);
                last = reads && (last is null || index.CoveredEtag < last.CoveredEtag) ? index : last;
            }

            all.Add(new OfCollection(
                name, collection.TombstoneCount, TombstoneFloor.Of(snapshot.Transaction, collection.Name.Span),
                last?.Name, last?.CoveredEtag ?? snapshot.LastEtag));
        }

        return new TombstoneReport(seen, snapshot.TombstoneCount, all);
    }
}
