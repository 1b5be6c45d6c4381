using System.Buffers.Binary;
using System.Collections.Concurrent;
using Raven.Blittable.Memory;
using Raven.Search.Fields;
using Raven.Search.Segments;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace Raven.Search;

// INDEX-1  Content and position change in one transaction: the index has exactly the documents up to its position.
// INDEX-2  A segment never changes once it is written, except for the marks of its deleted entries.
// INDEX-3  A reader sees one snapshot; it neither waits for a batch nor holds one up.

/// <summary>
/// An inverted index in a storage environment of its own. One batch at a time, any number of readers; all members may
/// be called from any thread. The formats on disk are in docs/formats/index.md.
/// </summary>
public sealed class SearchIndex : IDisposable
{
    /// <summary>The most numbers that a vector has.</summary>
    public const int VectorDimensionsMax = 8192;

    private readonly ConcurrentBag<IndexReader> _readers = [];
    private readonly StorageEnvironment _environment;
    private readonly Lock _batchLock = new();
    private readonly IndexBatch _batch;
    private readonly Lock _largeMergeLock = new();
    private readonly LargeMerge _largeMerge;
    private readonly MergeChoice _choice;
    private readonly GraphMerge _graphs;
    private readonly long _partBytesMax;
    private SegmentMerger _merger;
    private readonly SegmentList _segments = new();
    private readonly SegmentStore _store = new();
    private volatile FieldCatalog _fields;
    private bool _isWriting;

    private SearchIndex(StorageEnvironment environment, SearchIndexOptions options, FieldCatalog fields)
    {
        _environment = environment;
        _fields = fields;
        Options = options;

        // An index that cuts texts is of a version that has no parts.
        _partBytesMax = fields.CutsTexts ? long.MaxValue : options.VectorPartBytesMax;
        _batch = new IndexBatch(this);
        _merger = new SegmentMerger(_partBytesMax);
        _choice = new MergeChoice(options.InlineMergeBytesMax);
        _graphs = new GraphMerge(environment, () => _fields, options.GraphOf, options.GraphVectorsMin);
        _largeMerge = new LargeMerge(environment, options.InlineMergeBytesMax, _partBytesMax, _graphs);
    }

    /// <summary>The fields that any batch has written, or is committing now.</summary>
    public IReadOnlyList<IndexField> Fields => _fields.Fields;

    internal SearchIndexOptions Options { get; }

    internal FieldCatalog Catalog => _fields;

    internal long PartBytesMax => _partBytesMax;

    internal StorageEnvironment Environment => _environment;

    /// <summary>Opens the index in a folder, or makes a new one.</summary>
    /// <exception cref="SearchIndexException">Another version wrote it, or an analyzer is missing.</exception>
    /// <exception cref="StorageCorruptedException">It is damaged: delete it and index again.</exception>
    public static SearchIndex Open(SearchIndexOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        StorageEnvironment environment = StorageEnvironment.Open(
            options.Storage with { Durability = StorageDurability.Lazy });
        try
        {
            return new SearchIndex(environment, options, ReadFields(environment, options));
        }
        catch
        {
            environment.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Begins a batch. There is one at a time; it must be committed or disposed of before the next one.
    /// </summary>
    /// <exception cref="InvalidOperationException">A batch or a merge is under way.</exception>
    public IndexBatch BeginBatch()
    {
        EnterWrite();
        _batch.Begin();
        return _batch;
    }

    /// <summary>Begins to read the last committed batch. Never waits.</summary>
    public IndexReader BeginRead()
    {
        if (!_readers.TryTake(out IndexReader? reader))
        {
            reader = new IndexReader(this);
        }

        try
        {
            ReadTransaction transaction = _environment.BeginRead();
            transaction.Purpose = "a query";
            reader.Begin(transaction, this);
            return reader;
        }
        catch
        {
            reader.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Begins to read structures that were written beside the index (<see cref="IndexBatch.Transaction"/>).
    /// </summary>
    public ReadTransaction BeginReadStructures() => _environment.BeginRead();

    /// <summary>Changes structures that were written beside the index, in a transaction of its own.</summary>
    public void ChangeStructures(Action<WriteTransaction> change)
    {
        ArgumentNullException.ThrowIfNull(change);
        using WriteTransaction transaction = _environment.BeginWrite();
        change(transaction);
        transaction.Commit();
    }

    /// <summary>The position of the last committed batch; empty for a new index.</summary>
    public byte[] ReadPosition()
    {
        using ReadTransaction transaction = _environment.BeginRead();
        return transaction.TryOpenTree(IndexNames.Meta) is { } meta
            && meta.TryGet(IndexNames.PositionKey, out NativeSlice position)
            ? position.Span.ToArray()
            : [];
    }

    /// <summary>
    /// Merges one group of small segments into a larger one, or rewrites one that is mostly deleted: some ten
    /// milliseconds. The indexer calls it between batches until nothing is left to merge.
    /// </summary>
    /// <returns>False if there was nothing to merge.</returns>
    public bool Merge() => Merge(isWhole: false);

    /// <summary>
    /// Merges one group of large segments or, if there is none, builds the graph of a segment with many vectors.
    /// Batches and readers continue: a batch waits at most for the write of one field. Needs a thread of its own; one
    /// call works at a time.
    /// </summary>
    /// <param name="isStopping">Polled: whether to end soon, without a result.</param>
    /// <returns>False if there was nothing to merge, or it was stopped.</returns>
    public bool MergeLarge(Func<bool> isStopping)
    {
        ArgumentNullException.ThrowIfNull(isStopping);
        lock (_largeMergeLock)
        {
            return _largeMerge.Run(isStopping);
        }
    }

    /// <summary>Whether <see cref="MergeLarge"/> has something to do that is not under way. For the indexer.</summary>
    public bool HasLargeMerge()
    {
        EnterWrite();
        try
        {
            using ReadTransaction transaction = _environment.BeginRead();
            _segments.Load(transaction);
            return _largeMerge.Reserved.Count == 0 && (_choice.Choose(_segments, isLarge: true, _largeMerge.Reserved)
                || _graphs.TryFind(_segments, out _, out _));
        }
        finally
        {
            LeaveWrite();
        }
    }

    /// <summary>Merges all segments into one, and drops deleted entries. Takes as long as writing all of it.</summary>
    public bool MergeAll() => Merge(isWhole: true);

    /// <summary>
    /// Waits until all commits are on the medium. Without it a power cut may lose the last batches, whole and from the
    /// end only; the indexer calls it every second.
    /// </summary>
    public void Sync() => _environment.SyncJournal();

    /// <summary>
    /// Frees what batches, merges and readers keep for the next one, and writes the journal into the data file, so that
    /// the pages that wait for it are freed. For an idle indexer: a batch or a merge under way keeps its memory.
    /// </summary>
    public void GiveIdleMemoryBack()
    {
        lock (_batchLock)
        {
            if (!_isWriting)
            {
                _batch.GiveIdleMemoryBack();
                _merger = new SegmentMerger(_partBytesMax);
            }
        }

        if (_largeMergeLock.TryEnter())
        {
            _largeMerge.GiveIdleMemoryBack();
            _largeMergeLock.Exit();
        }

        _readers.Clear();
        _ = _environment.Flush();
    }

    /// <summary>The figures of the environment.</summary>
    public StorageStatistics GetStorageStatistics() => _environment.GetStatistics();

    /// <inheritdoc/>
    public void Dispose() => _environment.Dispose();

    internal void Return(IndexReader reader) => _readers.Add(reader);

    internal void EnterWrite()
    {
        lock (_batchLock)
        {
            if (_isWriting)
            {
                throw new InvalidOperationException("Another batch or merge of this index is under way.");
            }

            _isWriting = true;
        }
    }

    internal void LeaveWrite()
    {
        lock (_batchLock)
        {
            _isWriting = false;
        }
    }

    /// <summary>Sets the fields of a batch that is about to be committed, or restores them.</summary>
    internal void PublishFields(FieldCatalog fields) => _fields = fields;

    private bool Merge(bool isWhole)
    {
        EnterWrite();
        try
        {
            using WriteTransaction transaction = _environment.BeginWrite();
            _segments.Load(transaction);
            IReadOnlySet<int> reserved = _largeMerge.Reserved;
            if (!(isWhole
                ? _choice.ChooseAll(_segments, reserved)
                : _choice.Choose(_segments, isLarge: false, reserved)))
            {
                return false;
            }

            _store.Open(transaction);
            _merger.Begin(_choice.Segments);
            _merger.Run(_store, _fields.Fields.Count);
            transaction.Commit();
            _merger.Trim();
            return true;
        }
        finally
        {
            LeaveWrite();
        }
    }

    private static FieldCatalog ReadFields(StorageEnvironment environment, SearchIndexOptions options)
    {
        using ReadTransaction transaction = environment.BeginRead();
        if (transaction.TryOpenTree(IndexNames.Meta) is not { } meta
            || !meta.TryGet(IndexNames.FormatKey, out NativeSlice format))
        {
            return FieldCatalog.New;
        }

        int version = BinaryPrimitives.ReadInt32LittleEndian(format.Span);
        if (version is < IndexNames.FormatVersionWithoutVectors or > IndexNames.FormatVersionOfParts)
        {
            throw new SearchIndexException(
                $"The index has format {version}, this build reads {IndexNames.FormatVersionOfParts}: index anew.");
        }

        return meta.TryGet(IndexNames.FieldsKey, out NativeSlice fields)
            ? FieldCatalog.Read(fields.Span, options.Analyzers, version)
            : FieldCatalog.New;
    }
}
