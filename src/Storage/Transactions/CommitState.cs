using Raven.Storage.Journal;
using Raven.Storage.Options;
using Raven.Storage.Paging;

namespace Raven.Storage.Transactions;

/// <summary>
/// The last commit of an environment, and how many bytes were written since the last flush. Changed under the write
/// lock; the counts of bytes may be read by any thread.
/// </summary>
internal sealed class CommitState
{
    private readonly StorageOptions _options;
    private readonly FreeSpace _freeSpace;
    private CommitPoint _last;
    private long _boundary;
    private long _bytesSinceBoundary;
    private long _bytesTowardsFlush;
    private long _bytesCommitted;
    private long _directBytes;
    private long _directBytesAtBoundary;
    private long _directBytesApplied;

    /// <param name="options">The options of the environment.</param>
    /// <param name="freeSpace">Its free pages.</param>
    /// <param name="applied">What the data file holds after recovery.</param>
    internal CommitState(StorageOptions options, FreeSpace freeSpace, in CommitPoint applied)
    {
        _options = options;
        _freeSpace = freeSpace;
        _last = applied;
        _boundary = applied.TransactionId;
    }

    /// <summary>The state that the next write transaction starts from; durable or on its way.</summary>
    internal ref readonly CommitPoint Last => ref _last;

    /// <summary>The transaction up to which the last flush writes pages. The first change of a page after it goes whole
    /// into the journal. Under the write lock.</summary>
    internal long Boundary => _boundary;

    /// <summary>Journal and direct bytes written since the last boundary of a flush.</summary>
    internal long BytesSinceBoundary => Volatile.Read(ref _bytesSinceBoundary);

    /// <summary>The same, as <see cref="RecordPacking.TowardsFlush"/> counts them.</summary>
    internal long BytesTowardsFlush => Volatile.Read(ref _bytesTowardsFlush);

    /// <summary>Journal and direct bytes since the environment was opened; only grows.</summary>
    internal long BytesCommitted => Volatile.Read(ref _bytesCommitted);

    /// <summary>Bytes of direct runs since the last flush, all of which recovery would have to check.</summary>
    internal long DirectBacklogBytes => Volatile.Read(ref _directBytes) - Volatile.Read(ref _directBytesApplied);

    /// <summary>
    /// Whether enough was written for a flush. Records that were not packed count less than their bytes, unless all
    /// bytes together reach half of the backlog at which writers have to wait: a later flush would delay them.
    /// </summary>
    internal bool IsFlushDue =>
        BytesTowardsFlush >= _options.FlushAfterBytes
        || BytesSinceBoundary >= Math.Max(_options.FlushAfterBytes, _options.BacklogBytesMax / 2);

    /// <summary>Makes a commit, which has its place in the journal, the last one. Under the write lock.</summary>
    /// <param name="point">The state that it makes.</param>
    /// <param name="recordBytes">The bytes of its record.</param>
    /// <param name="recordBytesTowardsFlush">As many as these count towards a flush.</param>
    /// <param name="directBytes">The bytes that it wrote directly to the data file.</param>
    internal void Advance(in CommitPoint point, long recordBytes, long recordBytesTowardsFlush, long directBytes)
    {
        Volatile.Write(ref _bytesTowardsFlush, _bytesTowardsFlush + recordBytesTowardsFlush + directBytes);
        Volatile.Write(ref _bytesSinceBoundary, _bytesSinceBoundary + recordBytes + directBytes);
        Volatile.Write(ref _bytesCommitted, _bytesCommitted + recordBytes + directBytes);
        Volatile.Write(ref _directBytes, _directBytes + directBytes);
        _last = point;
    }

    /// <summary>
    /// From now on the first change of a page goes whole into the journal (FLUSH-1). Under the write lock.
    /// </summary>
    internal void BeginBoundary()
    {
        _options.Hooks.Mark(CoverageMark.BoundaryChosen);
        _boundary = _last.TransactionId;
        Volatile.Write(ref _bytesSinceBoundary, 0);
        Volatile.Write(ref _bytesTowardsFlush, 0);
        _directBytesAtBoundary = _directBytes;
        _freeSpace.BeginBoundary();
    }

    /// <summary>
    /// Called when a flush has ended: pages that were freed before its boundary are clean now. Under the write lock.
    /// </summary>
    internal void EndFlush()
    {
        Volatile.Write(ref _directBytesApplied, _directBytesAtBoundary);
        _freeSpace.EndFlush();
    }
}
