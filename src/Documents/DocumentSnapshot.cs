using System.Buffers.Binary;
using System.Diagnostics;
using System.Text;
using Raven.Blittable.Memory;
using Raven.Documents.CompareExchange;
using Raven.Documents.Counters;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Documents.Rows.Series;
using Raven.Documents.Scripts;
using Raven.Documents.TimeSeries;
using Raven.Storage.Errors;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents;

/// <summary>
/// The documents of a database as of its last commit before the snapshot began. Handles and cursors that it gives point
/// into mapped memory and end with it. One thread at a time; disposing gives it back to its database's pool, so it must
/// not be used after that. While it lives, the pages it can see cannot be used again: be brief.
/// </summary>
public sealed class DocumentSnapshot : IDatabaseView, IDisposable
{
    private readonly DatabaseStorage _storage;
    private ReadTransaction? _transaction;
    private Tree _byId = null!;
    private RowHeap _documents = null!;
    private FixedTree? _byEtag;
    private RowHeap? _tombstones;

    internal DocumentSnapshot(DatabaseStorage storage) => _storage = storage;

    /// <summary>The storage that it holds.</summary>
    internal DatabaseStorage Storage => _storage;

    /// <summary>The last etag given out before the snapshot began.</summary>
    public long LastEtag
    {
        get
        {
            Tree database = Open(DocumentSchema.Database);
            return database.TryGet(DocumentSchema.LastEtagKey, out NativeSlice value)
                ? BinaryPrimitives.ReadInt64LittleEndian(value.Span)
                : 0;
        }
    }

    /// <summary>How many documents there are.</summary>
    public long DocumentCount => _byId.Count;

    /// <summary>How many tombstones there are.</summary>
    internal long TombstoneCount => OpenFixed(DocumentSchema.TombstonesByEtag).Count;

    /// <summary>How many identities there are.</summary>
    internal long IdentityCount => Transaction.TryOpenTree(DocumentSchema.Identities)?.Count ?? 0;

    /// <summary>How many collections there are.</summary>
    internal long CollectionCount => Open(DocumentSchema.Collections).Count;

    /// <summary>The storage transaction, for features that have structures of their own.</summary>
    public ReadTransaction Transaction
    {
        get
        {
            Debug.Assert(_transaction is not null, "A snapshot is used after it was disposed.");
            return _transaction;
        }
    }

    /// <summary>Finds a document. An id that is not valid is not found.</summary>
    /// <param name="id">The id in any case, UTF-8.</param>
    /// <param name="document">The document.</param>
    public bool TryGet(ReadOnlySpan<byte> id, out StoredDocument document)
    {
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        if (DocumentId.TryFold(id, key, out int length, out _))
        {
            return TryGetByKey(key[..length], out document);
        }

        document = default;
        return false;
    }

    /// <summary>Finds a document by its folded id.</summary>
    public bool TryGetByKey(ReadOnlySpan<byte> key, out StoredDocument document)
    {
        if (_byId.TryGet(key, out NativeSlice rowId))
        {
            document = ReadDocument(BinaryPrimitives.ReadInt64LittleEndian(rowId.Span));
            return true;
        }

        document = default;
        return false;
    }

    /// <summary>All documents in the order of their changes, from an etag on.</summary>
    /// <param name="fromEtag">The first etag that may be in it.</param>
    public DocumentCursor DocumentsByEtag(long fromEtag) => new(this, ByEtag, fromEtag, isForward: true);

    /// <summary>All documents, the last change first.</summary>
    /// <param name="fromEtag">The last etag that may be in it.</param>
    public DocumentCursor DocumentsByEtagDescending(long fromEtag = long.MaxValue) =>
        new(this, ByEtag, fromEtag, isForward: false);

    /// <summary>The documents of a collection in the order of their changes.</summary>
    /// <param name="collection">Its name in any case, UTF-8.</param>
    /// <param name="fromEtag">The first etag that may be in it.</param>
    public DocumentCursor DocumentsOfCollection(ReadOnlySpan<byte> collection, long fromEtag) =>
        DocumentsOfCollection(collection, fromEtag, isForward: true);

    /// <summary>The documents of a collection, the last change first.</summary>
    /// <param name="collection">Its name in any case, UTF-8.</param>
    /// <param name="fromEtag">The last etag that may be in it.</param>
    public DocumentCursor DocumentsOfCollectionDescending(ReadOnlySpan<byte> collection, long fromEtag) =>
        DocumentsOfCollection(collection, fromEtag, isForward: false);

    /// <summary>The etags of the first and the last change of a collection's documents, and how many documents there
    /// are; zeros if there is none.</summary>
    /// <param name="collection">Its name in any case, UTF-8; empty for all documents.</param>
    public (long First, long Last, long Count) EtagsOf(ReadOnlySpan<byte> collection)
    {
        int id = collection.IsEmpty ? 0 : FindCollection(collection);
        if (id == 0 && !collection.IsEmpty)
        {
            return default;
        }

        FixedTree tree = id == 0 ? ByEtag : OpenFixed(DocumentSchema.CollectionDocuments(id));
        return tree.TryGetFirst(out long first) && tree.TryGetLast(out long last) ? (first, last, tree.Count) : default;
    }

    /// <summary>The documents whose ids start with a prefix, in the order of their keys.</summary>
    /// <param name="query">The prefix and its conditions; its memory must live as long as the cursor.</param>
    public PrefixCursor DocumentsByPrefix(in PrefixQuery query) => new(this, _byId.GetCursor(), in query);

    /// <summary>Deletions in their order, from an etag on.</summary>
    /// <param name="fromEtag">The first etag that may be in it.</param>
    internal TombstoneCursor TombstonesByEtag(long fromEtag) =>
        new(this, OpenFixed(DocumentSchema.TombstonesByEtag), fromEtag);

    /// <summary>The deletions of a collection in their order.</summary>
    /// <param name="collection">Its name in any case, UTF-8.</param>
    /// <param name="fromEtag">The first etag that may be in it.</param>
    internal TombstoneCursor TombstonesOfCollection(ReadOnlySpan<byte> collection, long fromEtag)
    {
        int id = FindCollection(collection);
        return id == 0 ? default : new(this, OpenFixed(DocumentSchema.CollectionTombstones(id)), fromEtag);
    }

    /// <summary>All collections with their counts, in the order of their folded names.</summary>
    public CollectionCursor Collections() => new(this, Open(DocumentSchema.Collections).GetCursor());

    /// <summary>How many documents a collection has; 0 if there is none of that name.</summary>
    internal long CountOfCollection(ReadOnlySpan<byte> collection)
    {
        int id = FindCollection(collection);
        return id == 0 ? 0 : OpenFixed(DocumentSchema.CollectionDocuments(id)).Count;
    }

    /// <summary>The last change or deletion of a collection, also of one that is forgotten: an index that has not seen
    /// it is stale. 0 if there is none.</summary>
    internal long LastEtagOfCollection(ReadOnlySpan<byte> collection)
    {
        int id = FindCollection(collection);
        if (id == 0)
        {
            return 0;
        }

        FixedTreeCursor documents = OpenFixed(DocumentSchema.CollectionDocuments(id)).GetCursor();
        FixedTreeCursor tombstones = OpenFixed(DocumentSchema.CollectionTombstones(id)).GetCursor();
        long last = Math.Max(
            documents.SeekLast() ? documents.Key : 0, tombstones.SeekLast() ? tombstones.Key : 0);
        return Math.Max(last, TombstoneFloor.Of(Transaction, id));
    }

    /// <summary>All identities and their last values.</summary>
    public IdentityCursor Identities() => new(Transaction.TryOpenTree(DocumentSchema.Identities));

    /// <summary>How many counters there are.</summary>
    public long CounterCount => Transaction.TryOpenTree(CounterTables.ByKey)?.Count ?? 0;

    /// <summary>How many compare-exchange values there are.</summary>
    public long CompareExchangeCount => Transaction.TryOpenTree(CompareExchangeTables.ByKey)?.Count ?? 0;

    /// <summary>How many keys have tombstones of compare-exchange values.</summary>
    public long CompareExchangeTombstoneCount =>
        Transaction.TryOpenTree(CompareExchangeTables.Removed)?.Count ?? 0;

    /// <summary>The last change or removal of a compare-exchange value; 0 if there is none.</summary>
    internal long LastCompareExchangeIndex
    {
        get
        {
            long last = 0;
            if (Transaction.TryOpenFixedTree(CompareExchangeTables.ByIndex) is { } byIndex)
            {
                FixedTreeCursor set = byIndex.GetCursor();
                last = set.SeekLast() ? set.Key : 0;
            }

            if (Transaction.TryOpenTree(CompareExchangeTables.RemovedAt) is { } removedAt)
            {
                TreeCursor removed = removedAt.GetCursor();
                last = Math.Max(last, removed.SeekLast() ? BinaryPrimitives.ReadInt64BigEndian(removed.Key) : 0);
            }

            return last;
        }
    }

    /// <summary>Keys whose compare-exchange values were set or removed, in the order of the changes.</summary>
    /// <param name="fromIndex">The first change that may be in it.</param>
    internal CompareExchangeChangeCursor CompareExchangeChanges(long fromIndex) => new(Transaction, fromIndex);

    /// <summary>The last change of a counter that exists; 0 if there is none.</summary>
    internal long LastCounterEtag => CounterChangeCursor.Last(Transaction);

    /// <summary>Counters that were created or have another value, in the order of the changes.</summary>
    /// <param name="fromEtag">The first change that may be in it.</param>
    internal CounterChangeCursor CounterChanges(long fromEtag) => new(Transaction, fromEtag);

    /// <summary>The last change of a time series that is still there, or of a range that was deleted; 0 if there is
    /// none.</summary>
    internal long LastTimeSeriesEtag => SeriesChangeCursor.Last(Transaction);

    /// <summary>The changes of time series in their order.</summary>
    /// <param name="fromEtag">The first change that may be in it.</param>
    /// <param name="isOfDeletions">Whether they are the ranges that were deleted, not the segments.</param>
    internal SeriesChangeCursor TimeSeriesChanges(long fromEtag, bool isOfDeletions) =>
        new(Transaction, fromEtag, isOfDeletions);

    /// <summary>The counters of a document.</summary>
    /// <param name="documentKey">The folded id of the document; its memory must live as long as the cursor.</param>
    public CounterCursor CountersOf(ReadOnlySpan<byte> documentKey) =>
        Transaction.TryOpenTree(CounterTables.ByKey) is { } byKey
            ? new(documentKey, byKey, OpenHeap(CounterTables.Rows))
            : default;

    /// <summary>The time series of a document.</summary>
    /// <param name="documentKey">The folded id of the document; its memory must live as long as the cursor.</param>
    public TimeSeriesCursor TimeSeriesOf(ReadOnlySpan<byte> documentKey) =>
        Transaction.TryOpenTree(SeriesTables.NamesTree) is { } names ? new(documentKey, names) : default;

    /// <summary>Finds a time series by its key.</summary>
    public bool TryGetTimeSeries(ReadOnlySpan<byte> key, out StoredSeries series) =>
        SeriesTables.TryFind(Transaction, key, out series);

    /// <summary>How many segments of time series there are.</summary>
    public long TimeSeriesSegmentCount => Transaction.TryOpenTree(SeriesTables.ByKey)?.Count ?? 0;

    /// <summary>How many ranges that were deleted from time series are kept.</summary>
    public long TimeSeriesDeletedRangeCount =>
        Transaction.TryOpenFixedTree(SeriesTables.DeletedByEtag)?.Count ?? 0;

    /// <summary>The compare-exchange values whose keys begin with a prefix.</summary>
    /// <param name="prefix">What the folded keys begin with.</param>
    public CompareExchangeCursor CompareExchangeByPrefix(NativeSlice prefix) =>
        Transaction.TryOpenTree(CompareExchangeTables.ByKey) is { } byKey
            ? new(prefix, byKey, OpenHeap(CompareExchangeTables.Rows))
            : default;

    /// <summary>Finds a compare-exchange value by its folded key.</summary>
    public bool TryGetCompareExchange(ReadOnlySpan<byte> key, out CompareExchangeValue value) =>
        CompareExchangeTables.TryFind(Transaction, key, out value);

    /// <summary>Finds a counter by its key.</summary>
    public bool TryGetCounter(ReadOnlySpan<byte> key, out StoredCounter counter) =>
        CounterTables.TryFind(Transaction, key, out counter);

    /// <summary>Finds the row of a document by its folded id, without reading it.</summary>
    internal bool TryFindRow(ReadOnlySpan<byte> key, out NativeSlice row)
    {
        bool isThere = _byId.TryGet(key, out NativeSlice rowId);
        row = isThere ? _documents.Read(BinaryPrimitives.ReadInt64LittleEndian(rowId.Span)) : default;
        return isThere;
    }

    /// <summary>
    /// Begins to find a document that is read soon, after others: their cache misses overlap. Next is
    /// <see cref="ApproachRow"/>, then <see cref="ReadRow"/>.
    /// </summary>
    internal TreeLeaf Approach(ReadOnlySpan<byte> key) => _byId.Approach(key);

    /// <summary>Finds the number of a document's row, and prefetches the row's place in the data file.</summary>
    /// <returns>The number of the row; 0 if there is no such document.</returns>
    internal long ApproachRow(in TreeLeaf leaf, ReadOnlySpan<byte> key)
    {
        if (!_byId.TryGet(in leaf, key, out NativeSlice value))
        {
            return 0;
        }

        long rowId = BinaryPrimitives.ReadInt64LittleEndian(value.Span);
        _documents.Approach(rowId);
        return rowId;
    }

    /// <summary>Reads the row that was found.</summary>
    internal NativeSlice ReadRow(long rowId) => _documents.Read(rowId);

    bool IDatabaseView.TryFindRow(ReadOnlySpan<byte> key, out NativeSlice row) => TryFindRow(key, out row);

    long IDatabaseView.Identity(ReadOnlySpan<byte> key) =>
        Transaction.TryOpenTree(DocumentSchema.Identities) is { } identities
            && identities.TryGet(key, out NativeSlice value)
            ? BinaryPrimitives.ReadInt64LittleEndian(value.Span)
            : 0;

    bool IDatabaseView.TryFindCounter(ReadOnlySpan<byte> key, out StoredCounter counter) =>
        TryGetCounter(key, out counter);

    long IDatabaseView.TimeSeriesVersion(ReadOnlySpan<byte> key) =>
        TryGetTimeSeries(key, out StoredSeries series) ? series.Etag : 0;

    void IDatabaseView.ReadTimeSeries(ReadOnlySpan<byte> key, long from, long to, PointList target)
    {
        var reader = new TimeSeriesReader(Transaction);
        reader.Begin(key, from, to);
        while (reader.MoveNext())
        {
            target.AddRange(reader.Points, reader.Start, reader.End - reader.Start);
        }
    }

    bool IDatabaseView.TryFindCompareExchange(ReadOnlySpan<byte> key, out CompareExchangeValue value) =>
        TryGetCompareExchange(key, out value);

    /// <inheritdoc/>
    public void Dispose()
    {
        ReadTransaction? transaction = _transaction;
        if (transaction is null)
        {
            return;
        }

        _transaction = null;
        _byEtag = null;
        _tombstones = null;
        transaction.Dispose();
        _storage.Return(this);
    }

    internal void Begin(ReadTransaction transaction)
    {
        Debug.Assert(_transaction is null);
        _transaction = transaction;
        _byId = Open(DocumentSchema.DocumentsById);
        _documents = OpenHeap(DocumentSchema.Documents);
    }

    internal StoredDocument ReadDocument(long rowId) => new(_documents.Read(rowId), this);

    internal StoredTombstone ReadTombstone(long rowId)
    {
        _tombstones ??= OpenHeap(DocumentSchema.Tombstones);
        return new(_tombstones.Read(rowId), this);
    }

    /// <summary>The name of a collection, UTF-8, that lives as long as the process.</summary>
    internal ReadOnlySpan<byte> CollectionName(int id) =>
        _storage.Collections.TryGet(id, out byte[]? name) ? name : _storage.Collections.Load(id, Transaction);

    internal FixedTree OpenFixed(ReadOnlySpan<byte> name) =>
        Transaction.TryOpenFixedTree(name) ?? throw Missing(name);

    internal Tree Open(ReadOnlySpan<byte> name) => Transaction.TryOpenTree(name) ?? throw Missing(name);

    /// <summary>The number of a collection, or 0.</summary>
    internal int FindCollection(ReadOnlySpan<byte> collection)
    {
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        return DocumentId.TryFold(collection, key, out int length, out _)
            && Open(DocumentSchema.Collections).TryGet(key[..length], out NativeSlice value)
            ? BinaryPrimitives.ReadInt32LittleEndian(value.Span)
            : 0;
    }

    private DocumentCursor DocumentsOfCollection(ReadOnlySpan<byte> collection, long fromEtag, bool isForward)
    {
        int id = FindCollection(collection);
        return id == 0
            ? default
            : new(this, OpenFixed(DocumentSchema.CollectionDocuments(id)), fromEtag, isForward);
    }

    private FixedTree ByEtag => _byEtag ??= OpenFixed(DocumentSchema.DocumentsByEtag);

    private RowHeap OpenHeap(ReadOnlySpan<byte> name) => Transaction.TryOpenRowHeap(name) ?? throw Missing(name);

    private static StorageCorruptedException Missing(ReadOnlySpan<byte> name) =>
        new("documents", -1, $"'{Encoding.UTF8.GetString(name)}', which every database has, is not there");
}
