using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Memory;
using Raven.Documents.Ids;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Indexing.Reduce;
using Raven.Documents.Indexing.Storage;
using Raven.Documents.Rows;
using Raven.Documents.Sweeps;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Storage.Errors;

namespace Raven.Documents.Indexing;

//   BATCH-2  A document's former entries are deleted before its new ones are added: a version counts once.
//   BATCH-3  One document is in memory at a time: its context is reset before the next one.

/// <summary>
/// Runs maps over the changes of a snapshot of the documents and fills a batch of the search index. An index has one,
/// and uses it for every batch. One thread at a time.
/// </summary>
internal sealed class BatchIndexer : IDisposable
{
    private const int DocumentsPerClockCheck = 32;

    private readonly OperationContext _context = new();
    private readonly BatchFailures _failures;
    private readonly MapsByCollection _maps;
    private readonly ReduceStage? _reduce;
    private readonly IndexMapSink _sink;
    private readonly IndexReduceOutput _output;
    private readonly ReferenceTracker _references = new();
    private readonly BatchChanges _changes;
    private readonly string? _collection;
    private readonly bool _takesArchived;
    private readonly bool _takesOthers;
    private readonly IndexingOptions _options;
    private readonly string _name;
    private readonly TimeProvider _clock;
    private volatile bool _isStopping;
    private OutputCollection? _documents;
    private IndexBatch? _batch;
    private long _began;
    private bool _hasNoEntries;

    /// <summary>Makes the batches of one index.</summary>
    /// <param name="definition">The definition.</param>
    /// <param name="maps">Its maps.</param>
    /// <param name="reduce">Its reduce, or null.</param>
    /// <param name="options">Limits of a batch.</param>
    /// <param name="clock">Measures the time of a batch.</param>
    /// <param name="analyzers">Finds the analyzers that users wrote.</param>
    internal BatchIndexer(
        IndexDefinition definition, IReadOnlyList<DocumentMap> maps, ReduceStage? reduce, IndexingOptions options,
        TimeProvider clock, Func<string, Analyzer?> analyzers)
    {
        _maps = new MapsByCollection(maps);
        _reduce = reduce;
        _options = options;
        _name = definition.Name;
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
        _takesArchived = definition.ArchivedDataProcessingBehavior is "IncludeArchived" or "ArchivedOnly";
        _takesOthers = definition.ArchivedDataProcessingBehavior != "ArchivedOnly";
        Followed = new FollowedChanges(_maps, _references, definition.MayReadValues);
        _changes = new BatchChanges(this, _maps, _references);
    }

    /// <summary>The collections that the maps read; empty if they read all documents.</summary>
    internal IReadOnlyList<string> Collections => _maps.Collections;

    /// <summary>The changes that the index follows.</summary>
    internal FollowedChanges Followed { get; }

    /// <summary>Reads what the index stores about references. Called after the index was opened.</summary>
    internal void Load(SearchIndex search)
    {
        _changes.Forget();
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
    /// <returns>
    /// False if there were no changes: no batch was committed, and the position is the last etag of the documents.
    /// </returns>
    internal bool Run(
        Database database, SearchIndex search, IndexFailures failures, ref IndexPosition position, out bool isMore)
    {
        _failures.Clear();
        Counts.Clear();
        _began = _clock.GetTimestamp();
        long reached;
        using BatchSpan? span = BatchSpan.Of(_options.Activities, database.Name, _name);
        using (DocumentSnapshot snapshot = database.BeginRead("indexing"))
        {
            long last = snapshot.LastEtag;
            position = position with { Opening = OpeningHistory.Last(snapshot.Transaction), SeenEtag = last };
            if (TombstoneFloor.FindLoss(snapshot.Transaction, Followed.Collections, position.LastEtag) is { } loss)
            {
                throw new StorageCorruptedException("index", -1, loss);
            }

            _maps.Clear();
            _changes.Open(snapshot, position.LastEtag + 1);
            if (_changes.Next == long.MaxValue)
            {
                position = position with { LastEtag = Math.Max(last, position.LastEtag) };
                isMore = false;
                return false;
            }

            span?.Begin();
            try
            {
                Begin(database, search, last);
                isMore = !_changes.Drain(snapshot);
                reached = isMore ? _changes.Next - 1 : last;
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
        Counts.Failed = (int)_failures.WholeCount;
        Commit(in position, failures);
        _changes.Committed();
        span?.Committed(Counts);
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
            _hasNoEntries = reader.EntryCount == 0;
        }

        _batch = search.BeginBatch();
        _sink.Begin(_batch);
        _output.Begin(_batch);
        _reduce?.Begin(_batch.Transaction);
        _references.Begin(_batch.Transaction, seenEtag);
        BeginDocuments(database);
    }

    /// <summary>Prepares for an index whose results become documents of a collection. If the index is empty, the
    /// documents that former contents of the index have made are deleted first.</summary>
    private void BeginDocuments(Database database)
    {
        if (_collection is { Length: > 0 } && _reduce is not null)
        {
            _documents ??= new OutputCollection(_output, database, _collection);
            if (_hasNoEntries)
            {
                _documents.DeleteAll();
            }
        }
    }

    private void Commit(in IndexPosition position, IndexFailures failures)
    {
        IndexingThreads.YieldThread();
        try
        {
            long reducing = _clock.GetTimestamp();
            _reduce?.Complete(_documents ?? (ReduceOutput)_output);
            _documents?.Submit();
            long committing = _clock.GetTimestamp();
            Counts.ReduceTime = _reduce is null ? default : _clock.GetElapsedTime(reducing, committing);
            bool hasFailures = _failures.Last.Count > 0 || failures.HasUnwritten;
            if (hasFailures)
            {
                failures.Write(_batch!.Transaction, _failures.Last);
            }

            Span<byte> bytes = stackalloc byte[IndexPosition.SizeBytes];
            position.WriteTo(bytes);
            _batch!.Commit(bytes);
            Counts.CommitTime = _clock.GetElapsedTime(committing);
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

    /// <summary>Whether the batch has reached a limit and must take no more changes.</summary>
    internal bool IsFull()
    {
        int count = Counts.Documents;
        if (count == 0 || count % DocumentsPerClockCheck != 0)
        {
            return count > 0 && (_isStopping || count >= _options.BatchDocumentsMax);
        }

        IndexingThreads.YieldThread();
        return _isStopping || count >= _options.BatchDocumentsMax
            || _clock.GetElapsedTime(_began) > _options.BatchTimeMax;
    }

    /// <summary>Maps a document that is indexed already and has not changed. A change of it may follow in the same
    /// batch, which then must delete these entries.</summary>
    internal void MapAgain(in StoredDocument document)
    {
        _hasNoEntries = false;
        Map(in document);
    }

    /// <summary>Maps a document again because something has changed that its map has read: a document that it
    /// references, say.</summary>
    internal void MapReader(in StoredDocument document)
    {
        long failed = _failures.WholeCount;
        MapAgain(in document);
        Counts.References++;
        Counts.ReferenceErrors += (int)(_failures.WholeCount - failed);
    }

    /// <summary>Runs the maps over a document.</summary>
    internal void Map(in StoredDocument document)
    {
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        if (!DocumentId.TryFold(document.Id.Span, folded, out int length, out _))
        {
            return;
        }

        ReadOnlySpan<byte> key = folded[..length];
        Counts.Mapped++;
        _reduce?.BeginDocument(key);
        if (_reduce is null && !_hasNoEntries)
        {
            _batch!.Delete(key);
        }

        _references.BeginDocument(key);
        _sink.BeginDocument(key, document.Id.Span);
        try
        {
            if (Takes(in document))
            {
                foreach (DocumentMap map in _maps.Of(in document))
                {
                    map.Run(in document, _reduce?.Sink ?? _sink);
                }
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

    /// <summary>Whether a document has entries: by default not once it is archived.</summary>
    private bool Takes(in StoredDocument document) =>
        (_takesArchived && _takesOthers) || (ArchivedMark.IsOf(document.Data) ? _takesArchived : _takesOthers);

    private void Fail(in StoredDocument document, Exception failure)
    {
        if (_reduce is null)
        {
            _sink.DropDocument();
        }

        _failures.Add(new IndexFailure(
            _clock.GetUtcNow(), Encoding.UTF8.GetString(document.Id.Span), "Map", failure.Message));
    }

    /// <summary>Deletes the entries of a document.</summary>
    internal void Delete(ReadOnlySpan<byte> id)
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
