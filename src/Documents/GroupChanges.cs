using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Documents.Changes;
using Raven.Documents.Counters;
using Raven.Documents.Rows;
using Raven.Documents.Rows.Series;
using Raven.Documents.TimeSeries;

namespace Raven.Documents;

//   GCHG-1  A follower tells what the trees of etags have: documents that were written or deleted, counters that have
//           another value (always as "Put", since the rows do not say whether it is a new one), and of time series the
//           segments that were written and the ranges that were deleted. Of a deleted counter it tells the change of
//           its document, as the pages keep no more of it. What was changed several times since it last told is told
//           once.

/// <summary>Tells the listeners of a follower what another node has changed.</summary>
internal ref struct GroupChanges
{
    private readonly DocumentSnapshot _snapshot;
    private readonly DocumentChanges _changes;
    private DocumentCursor _documents;
    private TombstoneCursor _tombstones;
    private CounterChangeCursor _counters;
    private SeriesChangeCursor _segments;
    private SeriesChangeCursor _ranges;
    private StoredDocument _document;
    private StoredTombstone _tombstone;
    private StoredCounter _counter;
    private long _documentEtag;
    private long _tombstoneEtag;
    private long _counterEtag;
    private long _segmentEtag;
    private long _rangeEtag;

    private GroupChanges(DocumentSnapshot snapshot, DocumentChanges changes, long from)
    {
        _snapshot = snapshot;
        _changes = changes;
        _documents = snapshot.DocumentsByEtag(from);
        _tombstones = snapshot.TombstonesByEtag(from);
        _counters = snapshot.CounterChanges(from);
        _segments = snapshot.TimeSeriesChanges(from, isOfDeletions: false);
        _ranges = snapshot.TimeSeriesChanges(from, isOfDeletions: true);
        NextDocument();
        NextTombstone();
        NextCounter();
        NextSegment();
        NextRange();
    }

    /// <summary>Tells of all changes, in the order of their etags (CHG-3).</summary>
    /// <param name="snapshot">What can be read now.</param>
    /// <param name="changes">The listeners.</param>
    /// <param name="from">The first etag.</param>
    /// <param name="last">The last one.</param>
    internal static void Tell(DocumentSnapshot snapshot, DocumentChanges changes, long from, long last)
    {
        var walk = new GroupChanges(snapshot, changes, from);
        while (walk.TellNext(last))
        {
        }
    }

    /// <summary>Tells of the change with the lowest etag.</summary>
    /// <returns>False if there is none up to the last one.</returns>
    private bool TellNext(long last)
    {
        long etag = Math.Min(
            Math.Min(Math.Min(_documentEtag, _tombstoneEtag), Math.Min(_segmentEtag, _rangeEtag)), _counterEtag);
        if (etag > last)
        {
            return false;
        }

        if (etag == _documentEtag)
        {
            Tell(DocumentChangeType.Put, _document.Id, _document.Collection, _document.ChangeVector, etag);
            NextDocument();
        }
        else if (etag == _tombstoneEtag)
        {
            Tell(DocumentChangeType.Delete, _tombstone.Id, _tombstone.Collection, _tombstone.ChangeVector, etag);
            NextTombstone();
        }
        else if (etag == _counterEtag)
        {
            TellCounter();
            NextCounter();
        }
        else if (etag == _segmentEtag)
        {
            NativeSlice body = RowLayout.Body(_segments.Row);
            SegmentHead head = SegmentHead.Read(body.Span);
            Tell("Put"u8, _segments.Row, body.Slice(head.NameOffset, head.NameLength), head.First, head.Last);
            NextSegment();
        }
        else
        {
            NativeSlice body = RowLayout.Body(_ranges.Row);
            Tell(
                "Delete"u8, _ranges.Row, body.Slice(DeletedRange.NameOffset),
                BinaryPrimitives.ReadInt64LittleEndian(body.Span),
                BinaryPrimitives.ReadInt64LittleEndian(body.Span[sizeof(long)..]));
            NextRange();
        }

        return true;
    }

    private readonly void Tell(
        DocumentChangeType type, NativeSlice id, ReadOnlySpan<byte> collection, NativeSlice changeVector, long etag) =>
        _changes.Notify(new DocumentChange
        {
            Type = type,
            Id = id.Span,
            Collection = collection,
            ChangeVector = changeVector.Span,
            Etag = etag,
        });

    private readonly void TellCounter() => _changes.Notify(new CounterChange
    {
        Type = "Put"u8,
        Name = _counter.Name.Span,
        Value = _counter.Value,
        DocumentId = _counter.DocumentId.Span,
        Collection = _snapshot.CollectionName(_counter.CollectionId),
        ChangeVector = _counter.ChangeVector.Span,
    });

    private readonly void Tell(ReadOnlySpan<byte> type, NativeSlice row, NativeSlice name, long from, long to) =>
        _changes.Notify(new TimeSeriesChange
        {
            Type = type,
            Name = name.Span,
            DocumentId = RowLayout.Id(row).Span,
            Collection = _snapshot.CollectionName(RowLayout.ReadHeader(row.Span).CollectionId),
            ChangeVector = RowLayout.ChangeVector(row).Span,
            From = from,
            To = to,
        });

    private void NextDocument() =>
        _documentEtag = _documents.MoveNext(out _document) ? _document.Etag : long.MaxValue;

    private void NextTombstone()
    {
        do
        {
            _tombstoneEtag = _tombstones.MoveNext(out _tombstone) ? _tombstone.Etag : long.MaxValue;
        }
        while (_tombstoneEtag != long.MaxValue && _tombstone.Kind != RowKind.Document);
    }

    private void NextCounter() => _counterEtag = _counters.MoveNext(out _counter) ? _counter.Etag : long.MaxValue;

    private void NextSegment() => _segmentEtag = _segments.MoveNext(out long etag, out _) ? etag : long.MaxValue;

    private void NextRange() => _rangeEtag = _ranges.MoveNext(out long etag, out _) ? etag : long.MaxValue;
}
