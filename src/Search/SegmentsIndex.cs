using System.Buffers.Binary;
using System.Collections.Concurrent;
using Raven.Blittable.Memory;
using Raven.Search.Fields;
using Raven.Search.Segments;
using Raven.Storage.Transactions;

namespace Raven.Search;

// INDEX-2  A segment never changes once it is written, except for the marks of its deleted entries.

/// <summary>The index of our own engine: segments in a storage environment.</summary>
internal sealed class SegmentsIndex : SearchIndex
{
    private readonly ConcurrentBag<SegmentsReader> _readers = [];
    private readonly SegmentsBatch _batch;
    private readonly Lock _largeMergeLock = new();
    private readonly LargeMerge _largeMerge;
    private readonly MergeChoice _choice;
    private readonly GraphMerge _graphs;
    private readonly long _partBytesMax;
    private SegmentMerger _merger;
    private readonly SegmentList _segments = new();
    private readonly SegmentStore _store = new();

    private SegmentsIndex(StorageEnvironment environment, SearchIndexOptions options, FieldCatalog fields)
        : base(environment, options, fields)
    {
        // An index that cuts texts is of a version that has no parts.
        _partBytesMax = fields.CutsTexts ? long.MaxValue : options.VectorPartBytesMax;
        _batch = new SegmentsBatch(this);
        _merger = new SegmentMerger(_partBytesMax);
        _choice = new MergeChoice(options.InlineMergeBytesMax);
        _graphs = new GraphMerge(environment, () => Catalog, options.GraphOf, options.GraphVectorsMin);
        _largeMerge = new LargeMerge(environment, options.InlineMergeBytesMax, _partBytesMax, _graphs);
    }

    /// <inheritdoc/>
    public override SearchEngineType Engine => SearchEngineType.Corax;

    internal long PartBytesMax => _partBytesMax;

    /// <summary>Makes the index of an environment that was opened.</summary>
    internal static SegmentsIndex Make(StorageEnvironment environment, SearchIndexOptions options) =>
        new(environment, options, ReadFields(environment, options));

    /// <inheritdoc/>
    public override IndexBatch BeginBatch()
    {
        EnterWrite();
        _batch.Begin();
        return _batch;
    }

    /// <inheritdoc/>
    public override IndexReader BeginRead()
    {
        if (!_readers.TryTake(out SegmentsReader? reader))
        {
            reader = new SegmentsReader(this);
        }

        try
        {
            ReadTransaction transaction = Environment.BeginRead();
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

    /// <inheritdoc/>
    public override bool Merge() => Merge(isWhole: false);

    /// <inheritdoc/>
    public override bool MergeLarge(Func<bool> isStopping)
    {
        ArgumentNullException.ThrowIfNull(isStopping);
        lock (_largeMergeLock)
        {
            return _largeMerge.Run(isStopping);
        }
    }

    /// <inheritdoc/>
    public override bool HasLargeMerge()
    {
        EnterWrite();
        try
        {
            using ReadTransaction transaction = Environment.BeginRead();
            _segments.Load(transaction);
            return _largeMerge.Reserved.Count == 0 && (_choice.Choose(_segments, isLarge: true, _largeMerge.Reserved)
                || _graphs.TryFind(_segments, out _, out _));
        }
        finally
        {
            LeaveWrite();
        }
    }

    /// <inheritdoc/>
    public override bool MergeAll() => Merge(isWhole: true);

    /// <inheritdoc/>
    public override void GiveIdleMemoryBack()
    {
        if (TryEnterWriteBeside())
        {
            _batch.GiveIdleMemoryBack();
            _merger = new SegmentMerger(_partBytesMax);
            LeaveWrite();
        }

        if (_largeMergeLock.TryEnter())
        {
            _largeMerge.GiveIdleMemoryBack();
            _largeMergeLock.Exit();
        }

        _readers.Clear();
        _ = Environment.Flush();
    }

    internal void Return(SegmentsReader reader) => _readers.Add(reader);

    private bool Merge(bool isWhole)
    {
        EnterWrite();
        try
        {
            using WriteTransaction transaction = Environment.BeginWrite();
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
            _merger.Run(_store, Catalog.Fields.Count);
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
        if (version == IndexNames.FormatVersionOfLucene)
        {
            throw new SearchIndexException("Lucene wrote the index, and it is to be of the engine Corax: index anew.");
        }

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
