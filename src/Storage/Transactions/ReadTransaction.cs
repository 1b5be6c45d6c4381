using System.Runtime.CompilerServices;
using Raven.Blittable.Memory;
using Raven.Storage.Checks;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace Raven.Storage.Transactions;

// READER-1  A transaction object belongs to the code that began it until that disposes it, even if it was ended before:
//           only Dispose gives it back to the pool. What it held is released when it ends.

/// <summary>
/// Sees the last durable commit before it began, and nothing later. Never waits, and no writer waits for it; but how
/// long it may hold back a flush is bounded: see <see cref="StorageOptions.SnapshotAgeMax"/>.
/// </summary>
public sealed class ReadTransaction : Transaction
{
    private readonly DataFile _data;
    private readonly ReaderSlot _slot;
    private Snapshot _snapshot = null!;
    private PageTable _table = null!;
    private long _id;
    private long _number;
    private bool _isRented;
    private bool _isOpen;

    internal ReadTransaction(StorageEnvironment environment, ReaderSlot slot)
        : base(environment)
    {
        _data = environment.Data;
        _slot = slot;
    }

    /// <inheritdoc/>
    public override long Id => _id;

    /// <summary>What the reader is for, as messages about it say; empty if it was not set.</summary>
    public string Purpose
    {
        get => _slot.Purpose;
        set => _slot.Purpose = value;
    }

    /// <summary>When what it sees was committed; null if that was by a build that did not write it down.</summary>
    public DateTime? CommittedAt =>
        Point.CommitTimeTicks == 0 ? null : new DateTime(Point.CommitTimeTicks, DateTimeKind.Utc);

    internal override long NextPageNumber => _snapshot.Point.NextPageNumber;

    internal override ReadOnlySpan<byte> CatalogRecord => _snapshot.Point.CatalogRecord;

    internal ReaderSlot Slot => _slot;

    internal ref readonly CommitPoint Point => ref _snapshot.Point;

    /// <inheritdoc/>
    public override void Dispose()
    {
        if (_isRented)
        {
            _isRented = false;
            End();
            _slot.Purpose = "";
            Environment.ReturnReader(this);
        }
    }

    /// <summary>
    /// Checks all that the transaction sees: each page has one owner or is free, keys are in order, counts match. It
    /// reads every page, and so verifies their hashes.
    /// </summary>
    public CheckReport Check() => EnvironmentCheck.Run(this, Point);

    internal void Begin(Snapshot snapshot)
    {
        _snapshot = snapshot;
        _table = snapshot.Table;
        _id = snapshot.Point.TransactionId;
        _number = _slot.Number;
        _isRented = true;
        _isOpen = true;
        Catalog.Begin(this, snapshot.Point.CatalogRecord);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal override NativeSlice GetPage(long pageNumber)
    {
        if (_slot.CancelledNumber == _number || !_isOpen)
        {
            ThrowEnded();
        }

        if ((ulong)pageNumber >= (ulong)_snapshot.Point.NextPageNumber)
        {
            ThrowNoSuchPage(pageNumber);
        }

        return _table.TryGet(pageNumber, _id, out NativeSlice place) ? place : _data.GetPage(pageNumber);
    }

    /// <summary>True if a page is read from the data file, and not from memory.</summary>
    internal bool IsInDataFile(long pageNumber) => !_table.TryGet(pageNumber, _id, out _);

    private void ThrowEnded()
    {
        ObjectDisposedException.ThrowIf(!_isOpen, this);
        End();
        throw new SnapshotExpiredException(_id, Purpose);
    }

    /// <summary>Releases the snapshot, if that is not done yet.</summary>
    private void End()
    {
        if (_isOpen)
        {
            _isOpen = false;
            Catalog.End();
            Interlocked.Exchange(ref _slot.Version, 0);
            Environment.EndRead();
        }
    }
}
