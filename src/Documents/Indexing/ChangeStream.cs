using Raven.Documents.CompareExchange;
using Raven.Documents.Counters;
using Raven.Documents.TimeSeries;
using Raven.Documents.Rows;

namespace Raven.Documents.Indexing;

/// <summary>
/// A stream of changes of one kind in the order of their etags: the documents or tombstones of a collection or of all,
/// or the compare-exchange values, the counters, or the time series.
/// </summary>
internal sealed class ChangeStream(byte[]? collection, ChangeKind kind)
{
    internal ChangeKind Kind { get; } = kind;

    /// <summary>Whether the documents are those that maps may have read, not those that maps run over.</summary>
    internal bool IsOfReferences { get; init; }

    /// <summary>The etag of its next change; <see cref="long.MaxValue"/> at its end.</summary>
    internal long Next { get; set; }

    /// <summary>Finds the first change from an etag on.</summary>
    internal void Seek(DocumentSnapshot snapshot, long from)
    {
        Next = long.MaxValue;
        switch (Kind)
        {
            case ChangeKind.Documents:
                DocumentCursor documents = Documents(snapshot, from);
                Next = documents.MoveNext(out StoredDocument document) ? document.Etag : Next;
                break;
            case ChangeKind.Tombstones:
                TombstoneCursor tombstones = Tombstones(snapshot, from);
                Next = tombstones.MoveNext(out StoredTombstone tombstone) ? tombstone.Etag : Next;
                break;
            case ChangeKind.Counters:
                CounterChangeCursor counters = snapshot.CounterChanges(from);
                Next = counters.MoveNext(out StoredCounter counter) ? counter.Etag : Next;
                break;
            case ChangeKind.TimeSeries or ChangeKind.TimeSeriesDeletions:
                SeriesChangeCursor series = snapshot.TimeSeriesChanges(from, Kind == ChangeKind.TimeSeriesDeletions);
                Next = series.MoveNext(out long etag, out _) ? etag : Next;
                break;
            default:
                CompareExchangeChangeCursor values = snapshot.CompareExchangeChanges(from);
                Next = values.MoveNext(out long index, out _) ? index : Next;
                break;
        }
    }

    internal DocumentCursor Documents(DocumentSnapshot snapshot, long from) => collection is null
        ? snapshot.DocumentsByEtag(from)
        : snapshot.DocumentsOfCollection(collection, from);

    internal TombstoneCursor Tombstones(DocumentSnapshot snapshot, long from) => collection is null
        ? snapshot.TombstonesByEtag(from)
        : snapshot.TombstonesOfCollection(collection, from);
}
