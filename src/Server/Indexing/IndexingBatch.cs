using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Memory;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Server.Documents;
using Raven.Server.Documents.CompareExchange;
using Raven.Server.Documents.Counters;
using Raven.Server.Documents.Ids;
using Raven.Server.Documents.Rows;
using Raven.Server.Indexing.Definitions;
using Raven.Server.Indexing.Maps;
using Raven.Server.Indexing.Reduce;
using Raven.Server.Indexing.Storage;

namespace Raven.Server.Indexing;

//   BATCH-1  Changes are taken in the order of their etags, all collections of the index together: the position is one
//            etag, and everything of its collections up to it is in the index.
//   BATCH-2  A document's former entries are deleted before its new ones are added: a version counts once.
//   BATCH-3  One document is in memory at a time: its context is reset before the next one.

/// <summary>
/// Reads changes from a snapshot, runs maps over them and fills a batch of the search index. Kept by its index from run
/// to run; one thread at a time.
/// </summary>
internal sealed class IndexingBatch : IDisposable
{
    private const int ClockEvery = 32;

    private readonly OperationContext _context = new();
    private readonly ChangeStreams _streams = new();
    private readonly BatchFailures _failures;
    private readonly MapsByCollection _maps;
    private readonly ReduceStage? _reduce;
    private readonly IndexMapSink _sink;
    private readonly IndexReduceOutput _output;
    private readonly ReferenceTracker _references = new();
    private readonly string? _collection;
    private readonly IndexingOptions _options;
    private readonly TimeProvider _clock;
    private volatile bool _isStopping;
    private OutputCollection? _documents;
    private IndexBatch? _batch;
    private long _began;
    private bool _isFresh;

    /// <summary>The reader of a change at which this batch ends, and that of the last committed one: readers before it
    /// have seen the change and are not mapped again (REF-2).</summary>
    private (long Etag, byte[] Reader) _interrupted = (0, []);
    private (long Etag, byte[] Reader) _resumed = (0, []);

    /// <summary>Makes the batches of one index.</summary>
    /// <param name="definition">The definition.</param>
    /// <param name="maps">Its maps.</param>
    /// <param name="reduce">Its reduce, or null.</param>
    /// <param name="options">Limits of a batch.</param>
    /// <param name="clock">Measures the time of a batch.</param>
    /// <param name="analyzers">Finds the analyzers that users wrote.</param>
    internal IndexingBatch(
        IndexDefinition definition, IReadOnlyList<DocumentMap> maps, ReduceStage? reduce, IndexingOptions options,
        TimeProvider clock, Func<string, Analyzer?> analyzers)
    {
        _maps = new MapsByCollection(maps);
        _reduce = reduce;
        _options = options;
        _clock = clock;
        _failures = new BatchFailures(Math.Max(1, options.FailuresKept));
        _sink = new IndexMapSink(definition, _context, analyzers, clock, _failures) { References = _references };
        _output = new IndexReduceOutput(_sink, reduce?.HasDurations == true, failure => _failures.Add(new(
            clock.GetUtcNow(), null, "Reduce", failure.Message)));
        if (reduce is not null)
        {
            reduce.References = _sink;
        }

        _collection = definition.OutputReduceToCollection;
        Followed = new FollowedChanges(_maps, _references, definition.MayReadValues);
    }

    /// <summary>The collections that the maps read; empty if they read all documents.</summary>
    internal IReadOnlyList<string> Collections => _maps.Collections;

    /// <summary>The changes that the index follows.</summary>
    internal FollowedChanges Followed { get; }

    /// <summary>Called after the index was opened.</summary>
    internal void Load(SearchIndex search)
    {
        _resumed = (0, []);
        _references.Load(search);
    }

    /// <summary>Whether the batch must end soon. Set by any thread.</summary>
    internal bool IsStopping { get => _isStopping; set => _isStopping = value; }

    /// <summary>The counts of the last run.</summary>
    internal BatchCounts Counts { get; } = new();

    /// <summary>Groups that the last run reduced, and how many of them failed.</summary>
    internal (int All, int Failed) Reduced => (_reduce?.GroupCount ?? 0, _reduce?.FailedGroupCount ?? 0);

    /// <summary>The memory of the document that is mapped.</summary>
    internal Arena Memory => _context.Arena;

    /// <summary>Indexes new changes, up to the limits of a batch.</summary>
    /// <param name="database">The database to read.</param>
    /// <param name="search">The index.</param>
    /// <param name="failures">Takes failures, which are stored in the batch's own transaction.</param>
    /// <param name="position">The position of the index; afterwards that of the committed batch.</param>
    /// <param name="isMore">Whether there is more to do.</param>
    /// <returns>False if nothing was new: no batch was committed, and the position is that of the documents.</returns>
    internal bool Run(
        Database database, SearchIndex search, IndexFailures failures, ref IndexPosition position, out bool isMore)
    {
        _failures.Clear();
        Counts.Clear();
        _interrupted = (0, []);
        _began = _clock.GetTimestamp();
        long reached;
        using (DocumentSnapshot snapshot = database.BeginRead("indexing"))
        {
            long last = snapshot.LastEtag;
            position = position with { Opening = OpeningHistory.Last(snapshot.Transaction), SeenEtag = last };
            _maps.Clear();
            _streams.Open(snapshot, position.LastEtag + 1, Collections, _references, Followed.Others);
            if (_streams.Next == long.MaxValue)
            {
                position = position with { LastEtag = Math.Max(last, position.LastEtag) };
                isMore = false;
                return false;
            }

            try
            {
                Begin(database, search, last);
                isMore = !Drain(snapshot);
                reached = isMore ? _streams.Next - 1 : last;
            }
            catch
            {
                Drop();
                throw;
            }
        }

        position = position with
        {
            LastEtag = reached,
            MapAttempts = position.MapAttempts + Counts.Mapped,
            MapErrors = position.MapErrors + _failures.WholeCount,
        };
        Commit(in position, failures);
        _resumed = _interrupted;
        return true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _maps.Dispose();
        _reduce?.Dispose();
        _documents?.Dispose();
        _context.Dispose();
    }

    private void Begin(Database database, SearchIndex search, long seenEtag)
    {
        using (IndexReader reader = search.BeginRead())
        {
            _isFresh = reader.EntryCount == 0;
        }

        _batch = search.BeginBatch();
        _sink.Begin(_batch);
        _output.Begin(_batch);
        _reduce?.Begin(_batch.Transaction);
        _references.Begin(_batch.Transaction, seenEtag);
        BeginDocuments(database);
    }

    /// <summary>Prepares results that become documents; those of an index that begins anew are deleted first.</summary>
    private void BeginDocuments(Database database)
    {
        if (_collection is { Length: > 0 } && _reduce is not null)
        {
            _documents ??= new OutputCollection(_output, database, _collection);
            if (_isFresh)
            {
                _documents.DeleteAll();
            }
        }
    }

    private void Commit(in IndexPosition position, IndexFailures failures)
    {
        IndexingThreads.GiveWay();
        try
        {
            _reduce?.Complete(_documents ?? (ReduceOutput)_output);
            _documents?.Submit();
            bool hasFailures = _failures.Last.Count > 0 || failures.HasUnwritten;
            if (hasFailures)
            {
                failures.Write(_batch!.Transaction, _failures.Last);
            }

            Span<byte> bytes = stackalloc byte[IndexPosition.SizeBytes];
            position.WriteTo(bytes);
            _batch!.Commit(bytes);
            if (hasFailures)
            {
                failures.Written();
            }
        }
        finally
        {
            Drop();
        }
    }

    /// <summary>Ends the batch, and drops it if it is not committed.</summary>
    private void Drop()
    {
        _batch?.Dispose();
        _batch = null;
        _documents?.Drop();
        _sink.End();
        _reduce?.End();
        _references.End();
        _context.Reset();
    }

    /// <summary>Takes changes until there are no more (true) or the batch is large enough (false).</summary>
    private bool Drain(DocumentSnapshot snapshot)
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

            if (IsFull())
            {
                return false;
            }

            if (!stream.IsOfReferences)
            {
                Map(in document);
            }
            else if (!MapReaders(snapshot, _references.Documents, document.Etag, document.Id.Span))
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

            if (IsFull())
            {
                return false;
            }

            if (stream.IsOfReferences)
            {
                if (!MapReaders(snapshot, _references.Documents, tombstone.Etag, tombstone.Id.Span))
                {
                    return false;
                }

                continue;
            }

            // An index of all documents has it under its new collection.
            if (tombstone.Kind == RowKind.Document
                || (tombstone.Kind == RowKind.LeftCollection && Collections.Count > 0))
            {
                Delete(tombstone.Id.Span);
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

            if (IsFull() || !MapReaders(snapshot, _references.Values, index, key.Span))
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

            if (IsFull())
            {
                return false;
            }

            if (snapshot.TryGet(counter.DocumentId.Span, out StoredDocument document)
                && _maps.TryTakeForCounter(in document))
            {
                // It may come once more, as a change of its own.
                _isFresh = false;
                Map(in document);
            }
        }

        stream.Next = long.MaxValue;
        return true;
    }

    private bool IsFull()
    {
        int count = Counts.Documents;
        if (count == 0 || count % ClockEvery != 0)
        {
            return count > 0 && (_isStopping || count >= _options.BatchDocumentsMax);
        }

        IndexingThreads.GiveWay();
        return _isStopping || count >= _options.BatchDocumentsMax
            || _clock.GetElapsedTime(_began) > _options.BatchTimeMax;
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
                if (IsFull())
                {
                    _interrupted = (etag, last);
                    return false;
                }

                last = reader;
                if (snapshot.TryGetByKey(reader, out StoredDocument document) && _maps.Of(in document).Length > 0)
                {
                    // It may come once more, as a change of its own.
                    _isFresh = false;
                    long failed = _failures.WholeCount;
                    Map(in document);
                    Counts.References++;
                    Counts.ReferenceErrors += (int)(_failures.WholeCount - failed);
                }
            }
        }
        while (readers.Count == ReferencePairs.PageSize);
        return true;
    }

    private void Map(in StoredDocument document)
    {
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        if (!DocumentId.TryFold(document.Id.Span, folded, out int length, out _))
        {
            return;
        }

        ReadOnlySpan<byte> key = folded[..length];
        Counts.Mapped++;
        _reduce?.BeginDocument(key);
        if (_reduce is null && !_isFresh)
        {
            _batch!.Delete(key);
        }

        _references.BeginDocument(key);
        _sink.BeginDocument(key, document.Id.Span);
        try
        {
            foreach (DocumentMap map in _maps.Of(in document))
            {
                map.Run(in document, _reduce?.Sink ?? _sink);
            }

            _reduce?.EndDocument(isFailed: false);
        }
        catch (Exception failure) when (IndexFailure.IsOfDocument(failure))
        {
            Fail(in document, failure);
            _reduce?.EndDocument(isFailed: true);
        }

        Counts.Entries += _sink.EntryCount;
        Counts.OutputsMax = Math.Max(Counts.OutputsMax, _reduce?.EmittedCount ?? _sink.EntryCount);
        _context.Reset();
    }

    private void Fail(in StoredDocument document, Exception failure)
    {
        if (_reduce is null)
        {
            _sink.DropDocument();
        }

        _failures.Add(new IndexFailure(
            _clock.GetUtcNow(), Encoding.UTF8.GetString(document.Id.Span), "Map", failure.Message));
    }

    private void Delete(ReadOnlySpan<byte> id)
    {
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        if (!DocumentId.TryFold(id, key, out int length, out _))
        {
            return;
        }

        Counts.Deleted++;
        _references.BeginDocument(key[..length]);
        if (_reduce is null)
        {
            _batch!.Delete(key[..length]);
        }
        else
        {
            _reduce.DeleteDocument(key[..length]);
        }
    }
}
