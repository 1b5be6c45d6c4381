using System.Text;
using Raven.Documents.Ids;
using Raven.Documents.Schemas;

namespace Raven.Documents;

/// <summary>Documents that break the schema of their collection: those from before it. A page of them.</summary>
public sealed class SchemaReport
{
    /// <summary>The most documents that are checked for a page.</summary>
    public const int CheckedMax = 10_000;

    private readonly List<(string Id, SchemaViolation Violation)> _results = [];

    private SchemaReport()
    {
    }

    /// <summary>What was found.</summary>
    public IReadOnlyList<(string Id, SchemaViolation Violation)> Results => _results;

    /// <summary>How many documents were checked.</summary>
    public int Checked { get; private set; }

    /// <summary>Where the next page begins; null if this is the last one.</summary>
    public long? NextEtag { get; private set; }

    /// <summary>Checks documents of a collection, in the order of their etags.</summary>
    /// <param name="database">The database.</param>
    /// <param name="collection">The collection.</param>
    /// <param name="fromEtag">Where to begin.</param>
    /// <param name="countMax">The most that are named.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <returns>Null if the collection has no schema.</returns>
    public static SchemaReport? Of(
        Database database, string collection, long fromEtag, int countMax, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(database);
        using DocumentSnapshot snapshot = database.BeginRead();
        byte[] key = Encoding.UTF8.GetBytes(DocumentId.FoldedText(Encoding.UTF8.GetBytes(collection)));
        if (database.Settings?.Schemas?.Of(key) is not { } schema)
        {
            return null;
        }

        SchemaReport report = new();
        DocumentCursor documents = snapshot.DocumentsOfCollection(key, fromEtag);
        while (documents.MoveNext(out StoredDocument document))
        {
            if (report.Checked == CheckedMax || report._results.Count == countMax)
            {
                report.NextEtag = document.Etag;
                break;
            }

            cancellation.ThrowIfCancellationRequested();
            report.Checked++;
            if (SchemaRun.OfThread.Check(schema.Schema, document.Data) is { } violation)
            {
                report._results.Add((Encoding.UTF8.GetString(document.Id.Span), violation));
            }
        }

        return report;
    }
}
