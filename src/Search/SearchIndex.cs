using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Search.Fields;
using Raven.Search.Segments;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Search;

// INDEX-1  Content and position change in one transaction: the index has exactly the documents up to its position.
// INDEX-3  A reader sees one snapshot; it neither waits for a batch nor holds one up.

/// <summary>
/// An inverted index in a storage environment of its own, kept by one of the engines. One batch at a time, any number
/// of readers; all members may be called from any thread. The formats on disk are in docs/formats/index.md.
/// </summary>
public abstract class SearchIndex : IDisposable
{
    /// <summary>The most numbers that a vector has.</summary>
    public const int VectorDimensionsMax = 8192;

    private readonly object _writeLock = new();
    private volatile FieldCatalog _fields;
    private bool _isWriting;
    private bool _isWritingBeside;

    internal SearchIndex(StorageEnvironment environment, SearchIndexOptions options, FieldCatalog fields)
    {
        Environment = environment;
        Options = options;
        _fields = fields;
    }

    /// <summary>The engine that keeps the index.</summary>
    public abstract SearchEngineType Engine { get; }

    /// <summary>The fields that any batch has written, or is committing now.</summary>
    public IReadOnlyList<IndexField> Fields => _fields.Fields;

    internal SearchIndexOptions Options { get; }

    internal FieldCatalog Catalog => _fields;

    internal StorageEnvironment Environment { get; }

    /// <summary>Opens the index of our own engine in a folder, or makes a new one.</summary>
    /// <exception cref="SearchIndexException">Another version or another engine wrote it, or an analyzer is missing.
    /// </exception>
    /// <exception cref="StorageCorruptedException">It is damaged: delete it and index again.</exception>
    public static SearchIndex Open(SearchIndexOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return Open(options, SegmentsIndex.Make);
    }

    /// <summary>Opens the environment of an index, and makes the index of it.</summary>
    internal static SearchIndex Open(
        SearchIndexOptions options, Func<StorageEnvironment, SearchIndexOptions, SearchIndex> make)
    {
        StorageEnvironment environment = StorageEnvironment.Open(
            options.Storage with { Durability = StorageDurability.Lazy });
        try
        {
            return make(environment, options);
        }
        catch
        {
            environment.Dispose();
            throw;
        }
    }

    /// <summary>The version of the format in which an index is written; 0 if nothing is.</summary>
    internal static int ReadFormat(StorageEnvironment environment)
    {
        using ReadTransaction transaction = environment.BeginRead();
        return transaction.TryOpenTree(IndexNames.Meta) is { } meta
            && meta.TryGet(IndexNames.FormatKey, out NativeSlice format)
            ? BinaryPrimitives.ReadInt32LittleEndian(format.Span)
            : 0;
    }

    /// <summary>
    /// Begins a batch. There is one at a time; it must be committed or disposed of before the next one.
    /// </summary>
    /// <exception cref="InvalidOperationException">A batch or a merge is under way.</exception>
    public abstract IndexBatch BeginBatch();

    /// <summary>Begins to read the last committed batch. Never waits.</summary>
    public abstract IndexReader BeginRead();

    /// <summary>
    /// Begins to read structures that were written beside the index (<see cref="IndexBatch.Transaction"/>).
    /// </summary>
    public ReadTransaction BeginReadStructures() => Environment.BeginRead();

    /// <summary>Changes structures that were written beside the index, in a transaction of its own.</summary>
    public void ChangeStructures(Action<WriteTransaction> change)
    {
        ArgumentNullException.ThrowIfNull(change);
        using WriteTransaction transaction = Environment.BeginWrite();
        change(transaction);
        transaction.Commit();
    }

    /// <summary>The position of the last committed batch; empty for a new index.</summary>
    public byte[] ReadPosition()
    {
        using ReadTransaction transaction = Environment.BeginRead();
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
    public abstract bool Merge();

    /// <summary>
    /// Merges one group of large segments or, if there is none, builds the graph of a segment with many vectors.
    /// Batches and readers continue: a batch waits at most for the write of a part of it. Needs a thread of its own;
    /// one call works at a time.
    /// </summary>
    /// <param name="isStopping">Polled: whether to end soon, without a result.</param>
    /// <returns>False if there was nothing to merge, or it was stopped.</returns>
    public abstract bool MergeLarge(Func<bool> isStopping);

    /// <summary>Whether <see cref="MergeLarge"/> has something to do that is not under way. For the indexer.</summary>
    public abstract bool HasLargeMerge();

    /// <summary>Merges all segments into one, and drops deleted entries. Takes as long as writing all of it.</summary>
    public abstract bool MergeAll();

    /// <summary>
    /// Waits until all commits are on the medium. Without it a power cut may lose the last batches, whole and from the
    /// end only; the indexer calls it every second.
    /// </summary>
    public void Sync() => Environment.SyncJournal();

    /// <summary>
    /// Frees what batches, merges and readers keep for the next one, and writes the journal into the data file, so that
    /// the pages that wait for it are freed. For an idle indexer: a batch or a merge under way keeps its memory.
    /// </summary>
    public abstract void GiveIdleMemoryBack();

    /// <summary>The figures of the environment.</summary>
    public StorageStatistics GetStorageStatistics() => Environment.GetStatistics();

    /// <inheritdoc/>
    public virtual void Dispose()
    {
        Environment.Dispose();
        GC.SuppressFinalize(this);
    }

    /// <summary>Begins a batch or a merge. Waits for work that was begun beside the batches.</summary>
    /// <exception cref="InvalidOperationException">Another batch or merge is under way.</exception>
    internal void EnterWrite()
    {
        lock (_writeLock)
        {
            while (_isWritingBeside)
            {
                Monitor.Wait(_writeLock);
            }

            if (_isWriting)
            {
                throw new InvalidOperationException("Another batch or merge of this index is under way.");
            }

            _isWriting = true;
        }
    }

    /// <summary>
    /// Begins short work of a thread that is not the one of the batches, if none of these is under way: a batch that
    /// comes meanwhile waits for it.
    /// </summary>
    internal bool TryEnterWriteBeside()
    {
        lock (_writeLock)
        {
            if (_isWriting)
            {
                return false;
            }

            _isWriting = _isWritingBeside = true;
            return true;
        }
    }

    internal void LeaveWrite()
    {
        lock (_writeLock)
        {
            _isWriting = _isWritingBeside = false;
            Monitor.PulseAll(_writeLock);
        }
    }

    /// <summary>Sets the fields of a batch that is about to be committed, or restores them.</summary>
    internal void PublishFields(FieldCatalog fields) => _fields = fields;

    /// <summary>
    /// Writes the position of a batch and, if they are new, the fields and the version of the format.
    /// </summary>
    internal void WriteMeta(Tree meta, FieldCatalog fields, int formatVersion, ReadOnlySpan<byte> position)
    {
        meta.Put(IndexNames.PositionKey, position);
        if (fields == Catalog && meta.Contains(IndexNames.FormatKey))
        {
            return;
        }

        Span<byte> version = stackalloc byte[4];
        int before = meta.TryGet(IndexNames.FormatKey, out NativeSlice written)
            ? BinaryPrimitives.ReadInt32LittleEndian(written.Span)
            : 0;
        BinaryPrimitives.WriteInt32LittleEndian(version, Math.Max(before, formatVersion));
        meta.Put(IndexNames.FormatKey, version);
        meta.Put(IndexNames.FieldsKey, fields.ToBytes());
    }
}
