using Raven.Documents.Attachments;
using Raven.Documents.Indexing;
using Raven.Documents.Revisions;
using Raven.Storage.GroupCommit;
using Raven.Storage.Transactions;

namespace Raven.Documents.Monitoring;

/// <summary>
/// The figures of an open database. Reading them opens nothing, and is no use of it: a database that is only watched
/// is closed when it is idle.
/// </summary>
public sealed class DatabaseFigures
{
    private DatabaseFigures()
    {
    }

    /// <summary>The stored counts.</summary>
    public required DatabaseStatistics Counts { get; init; }

    /// <summary>The number of revisions.</summary>
    public required long RevisionCount { get; init; }

    /// <summary>The number of attachments, and of their different contents.</summary>
    public required (long All, long Unique) Attachments { get; init; }

    /// <summary>The files of the documents.</summary>
    public required StorageStatistics Storage { get; init; }

    /// <summary>How its writes share commits; it goes on counting.</summary>
    public required MergerStatistics Merger { get; init; }

    /// <summary>The indexes, by name.</summary>
    public required IReadOnlyList<IndexFigures> Indexes { get; init; }

    /// <summary>Reads the figures of a database; null if it is not open.</summary>
    public static DatabaseFigures? ReadIfOpen(Database database)
    {
        ArgumentNullException.ThrowIfNull(database);
        if (!database.TryBeginReadIfOpen(out DocumentSnapshot? snapshot))
        {
            return null;
        }

        using (snapshot)
        {
            var attachments = new AttachmentReader(snapshot.Transaction);
            return new DatabaseFigures
            {
                Counts = DatabaseStatistics.Of(snapshot),
                RevisionCount = new RevisionReader(snapshot).Count,
                Attachments = (attachments.Count, attachments.UniqueCount),
                Storage = snapshot.Transaction.Environment.GetStatistics(),
                Merger = snapshot.Storage.Merger.Statistics,
                Indexes = IndexesOf(database, snapshot),
            };
        }
    }

    /// <summary>Reads the collections of a database with their estimated sizes; null if it is not open.</summary>
    /// <param name="database">The database.</param>
    /// <param name="countMax">The most collections that are given.</param>
    public static IReadOnlyList<CollectionFigures>? ReadCollectionsIfOpen(Database database, int countMax)
    {
        ArgumentNullException.ThrowIfNull(database);
        if (!database.TryBeginReadIfOpen(out DocumentSnapshot? snapshot))
        {
            return null;
        }

        using (snapshot)
        {
            List<CollectionFigures> all = [];
            CollectionCursor cursor = snapshot.Collections();
            while (all.Count < countMax && cursor.MoveNext(out CollectionInfo collection))
            {
                all.Add(new CollectionFigures(
                    System.Text.Encoding.UTF8.GetString(collection.Name.Span), collection.DocumentCount,
                    CollectionSizes.Of(snapshot, in collection)));
            }

            return all;
        }
    }

    private static List<IndexFigures> IndexesOf(Database database, DocumentSnapshot snapshot)
    {
        List<IndexFigures> figures = [];
        if (database.IndexesOrNone is DatabaseIndexes { IsLoaded: true } indexes)
        {
            foreach (DatabaseIndex index in indexes.All)
            {
                figures.Add(IndexFigures.Read(snapshot, index));
            }
        }

        return figures;
    }
}
