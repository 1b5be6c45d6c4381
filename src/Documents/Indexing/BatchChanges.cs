using Raven.Blittable.Memory;
using Raven.Documents.CompareExchange;
using Raven.Documents.Counters;
using Raven.Documents.Ids;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Rows;
using Raven.Documents.TimeSeries;

namespace Raven.Documents.Indexing;

//   BATCH-1  Changes are taken in the order of their etags, all collections of the index together: the position is one
//            etag, and everything of its collections up to it is in the index.

/// <summary>
/// Takes the changes of a batch from a snapshot: documents, tombstones, counters and compare-exchange values. If
/// something has changed that maps have read, the documents whose maps read it are mapped again. Kept from batch to
/// batch; one thread at a time.
/// </summary>
/// <param name="batch">Maps and deletes documents, and says when it is full.</param>
/// <param name="maps">Its maps.</param>
/// <param name="references">What its maps have read.</param>
internal sealed class BatchChanges(BatchIndexer batch, MapsByCollection maps, ReferenceTracker references)
{
    private readonly ChangeStreams _streams = new();

    /// <summary>A change may have more readers (documents whose maps have read what was changed) than a batch has room
    /// for. This is the reader at which this batch ends, below that of the last committed batch: readers before it were
    /// mapped since the change, and are not mapped again (REF-2).</summary>
    private (long Etag, byte[] Reader) _interrupted = (0, []);
    private (long Etag, byte[] Reader) _resumed = (0, []);

    /// <summary>The etag of the next change; <see cref="long.MaxValue"/> at the end.</summary>
    internal long Next => _streams.Next;

    /// <summary>Forgets the last batch. Called after the index was opened.</summary>
    internal void Forget() => _resumed = (0, []);

    /// <summary>Finds the first changes from an etag on.</summary>
    internal void Open(DocumentSnapshot snapshot, long from)
    {
        _interrupted = (0, []);
        _streams.Open(snapshot, from, maps.Collections, references, batch.Followed.Others);
    }

    /// <summary>Called after the batch was committed.</summary>
    internal void Committed() => _resumed = _interrupted;

    /// <summary>Takes changes until there are no more (true) or the batch is large enough (false).</summary>
    internal bool Drain(DocumentSnapshot snapshot)
    {
        while (true)
        {
            ChangeStream first = _streams.First(out long bound);
            if (first.Next == long.MaxValue)
            {
                return true;
            }

            bool isTaken = first.Kind switch
            {
                ChangeKind.Documents => TakeDocuments(snapshot, first, bound),
                ChangeKind.Tombstones => TakeTombstones(snapshot, first, bound),
                ChangeKind.Counters => TakeCounters(snapshot, first, bound),
                ChangeKind.TimeSeries or ChangeKind.TimeSeriesDeletions => TakeTimeSeries(snapshot, first, bound),
                _ => TakeValues(snapshot, first, bound),
            };
            if (!isTaken)
            {
                return false;
            }
        }
    }

    private bool TakeDocuments(DocumentSnapshot snapshot, ChangeStream stream, long bound)
    {
        DocumentLookahead<DocumentCursor> cursor = new(stream.Documents(snapshot, stream.Next));
        while (cursor.MoveNext(out StoredDocument document))
        {
            stream.Next = document.Etag;
            if (document.Etag > bound)
            {
                return true;
            }

            if (batch.IsFull())
            {
                return false;
            }

            if (!stream.IsOfReferences)
            {
                batch.Map(in document);
            }
            else if (!MapReaders(snapshot, references.Documents, document.Etag, document.Id.Span))
            {
                return false;
            }
        }

        stream.Next = long.MaxValue;
        return true;
    }

    private bool TakeTombstones(DocumentSnapshot snapshot, ChangeStream stream, long bound)
    {
        TombstoneCursor cursor = stream.Tombstones(snapshot, stream.Next);
        while (cursor.MoveNext(out StoredTombstone tombstone))
        {
            stream.Next = tombstone.Etag;
            if (tombstone.Etag > bound)
            {
                return true;
            }

            if (batch.IsFull())
            {
                return false;
            }

            if (stream.IsOfReferences)
            {
                if (!MapReaders(snapshot, references.Documents, tombstone.Etag, tombstone.Id.Span))
                {
                    return false;
                }

                continue;
            }

            // An index of all documents has it under its new collection.
            if (tombstone.Kind == RowKind.Document
                || (tombstone.Kind == RowKind.LeftCollection && maps.Collections.Count > 0))
            {
                batch.Delete(tombstone.Id.Span);
            }
        }

        stream.Next = long.MaxValue;
        return true;
    }

    private bool TakeValues(DocumentSnapshot snapshot, ChangeStream stream, long bound)
    {
        CompareExchangeChangeCursor cursor = snapshot.CompareExchangeChanges(stream.Next);
        while (cursor.MoveNext(out long index, out NativeSlice key))
        {
            stream.Next = index;
            if (index > bound)
            {
                return true;
            }

            if (batch.IsFull() || !MapReaders(snapshot, references.Values, index, key.Span))
            {
                return false;
            }
        }

        stream.Next = long.MaxValue;
        return true;
    }

    /// <summary>Maps documents again whose counters changed: once a batch, whose snapshot has all counters.</summary>
    private bool TakeCounters(DocumentSnapshot snapshot, ChangeStream stream, long bound)
    {
        CounterChangeCursor cursor = snapshot.CounterChanges(stream.Next);
        while (cursor.MoveNext(out StoredCounter counter))
        {
            stream.Next = counter.Etag;
            if (counter.Etag > bound)
            {
                return true;
            }

            if (batch.IsFull())
            {
                return false;
            }

            if (snapshot.TryGet(counter.DocumentId.Span, out StoredDocument document)
                && maps.TryTakeForCounter(in document))
            {
                batch.MapAgain(in document);
            }
        }

        stream.Next = long.MaxValue;
        return true;
    }

    /// <summary>Maps documents again whose time series changed: once a batch, whose snapshot has all entries.</summary>
    private bool TakeTimeSeries(DocumentSnapshot snapshot, ChangeStream stream, long bound)
    {
        SeriesChangeCursor cursor =
            snapshot.TimeSeriesChanges(stream.Next, stream.Kind == ChangeKind.TimeSeriesDeletions);
        while (cursor.MoveNext(out long etag, out NativeSlice id))
        {
            stream.Next = etag;
            if (etag > bound)
            {
                return true;
            }

            if (batch.IsFull())
            {
                return false;
            }

            if (snapshot.TryGet(id.Span, out StoredDocument document) && maps.TryTakeForCounter(in document))
            {
                batch.MapAgain(in document);
            }
        }

        stream.Next = long.MaxValue;
        return true;
    }

    /// <summary>Maps the documents again whose maps may have read something that was changed or
    /// deleted (REF-1).</summary>
    /// <returns>False if the batch is full before all of its readers are mapped (REF-2).</returns>
    private bool MapReaders(DocumentSnapshot snapshot, ReferencePairs references, long etag, ReadOnlySpan<byte> id)
    {
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        if (!DocumentId.TryFold(id, key, out int length, out _))
        {
            return true;
        }

        List<byte[]> readers;
        byte[] last = _resumed.Etag == etag ? _resumed.Reader : [];
        do
        {
            readers = references.ReadersOf(key[..length], etag, last);
            foreach (byte[] reader in readers)
            {
                if (batch.IsFull())
                {
                    _interrupted = (etag, last);
                    return false;
                }

                last = reader;
                if (snapshot.TryGetByKey(reader, out StoredDocument document) && maps.Of(in document).Length > 0)
                {
                    batch.MapReader(in document);
                }
            }
        }
        while (readers.Count == ReferencePairs.PageSize);
        return true;
    }
}
