using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Search;
using Raven.Storage.Transactions;

namespace Raven.Documents.Indexing;

//   NAME   STRUCTURE  KEY          VALUE
//   Usage  Tree       "LastQuery"  when the index was last queried: UTC, 100 ns since 0001-01-01 (8)
//
//   USE-1  The time of the last query is stored with the index: at most a minute late while the index is queried, and
//          exactly when it is closed. So a restart does not count as a use, and after a crash the index seems to be
//          unused for at most a minute longer than it was.
//
//   USE-2  The time since then is measured by time stamps while the process lives, so that an index is neither unused
//          nor kept because the clock was set. The clock is compared once: when the stored time is read.

/// <summary>When an index was last queried. Any thread.</summary>
public sealed class IndexUse(TimeProvider clock)
{
    private static readonly TimeSpan SaveInterval = TimeSpan.FromMinutes(1);

    /// <summary>The time stamp of the last query; for a query of an earlier process, the time stamp that corresponds to
    /// its time.</summary>
    private long _lastStamp = clock.GetTimestamp();
    private long _lastTicks;
    private long _savedTicks;
    private int _isLoaded;

    /// <summary>When the index was last queried; null if no query is known.</summary>
    public DateTimeOffset? LastTime =>
        Interlocked.Read(ref _lastTicks) is > 0 and long ticks ? new DateTimeOffset(ticks, TimeSpan.Zero) : null;

    /// <summary>Whether the index was not queried for a long time.</summary>
    internal bool IsIdle { get; set; }

    /// <summary>Whether the last notification said that it is idle.</summary>
    internal bool IsNotifiedIdle { get; set; }

    /// <summary>Whether the stored time is too old.</summary>
    internal bool IsUnsaved =>
        Math.Abs(Interlocked.Read(ref _lastTicks) - Interlocked.Read(ref _savedTicks)) >= SaveInterval.Ticks;

    private static ReadOnlySpan<byte> TreeName => "Usage"u8;

    private static ReadOnlySpan<byte> LastQueryKey => "LastQuery"u8;

    /// <summary>Notes a query.</summary>
    internal void Note()
    {
        IsIdle = false;
        Interlocked.Exchange(ref _lastTicks, clock.GetUtcNow().UtcTicks);
        Interlocked.Exchange(ref _lastStamp, clock.GetTimestamp());
    }

    /// <summary>Whether it was not queried for so long; if the time of the last query is unknown, since this process
    /// first knew the index.</summary>
    internal bool IsUnusedFor(TimeSpan time) => clock.GetElapsedTime(Volatile.Read(ref _lastStamp)) > time;

    /// <summary>Whether the stored time has to be read: true once.</summary>
    internal bool TryBeginLoad() => Interlocked.Exchange(ref _isLoaded, 1) == 0 && LastTime is null;

    /// <summary>Takes the stored time of an index that was opened.</summary>
    internal void Load(SearchIndex search)
    {
        using ReadTransaction transaction = search.BeginReadStructures();
        long kept = transaction.TryOpenTree(TreeName) is { } tree && tree.TryGet(LastQueryKey, out NativeSlice value)
            ? BinaryPrimitives.ReadInt64LittleEndian(value.Span)
            : 0;
        Volatile.Write(ref _isLoaded, 1);
        Interlocked.Exchange(ref _savedTicks, kept);
        if (kept > 0)
        {
            // A concurrent query stores first its time and then its stamp, so that in the end both are of that query.
            long stamp = Volatile.Read(ref _lastStamp);
            if (Interlocked.CompareExchange(ref _lastTicks, kept, 0) == 0)
            {
                Interlocked.CompareExchange(ref _lastStamp, StampOf(kept), stamp);
            }
        }
    }

    private long StampOf(long ticks)
    {
        double seconds = Math.Max(0, clock.GetUtcNow().UtcTicks - ticks) / (double)TimeSpan.TicksPerSecond;
        return clock.GetTimestamp() - (long)(seconds * clock.TimestampFrequency);
    }

    /// <summary>Stores the time with the index, if it has changed. No batch may run.</summary>
    /// <returns>Whether it was written.</returns>
    internal bool Save(SearchIndex search)
    {
        long last = Interlocked.Read(ref _lastTicks);
        if (last == Interlocked.Read(ref _savedTicks))
        {
            return false;
        }

        search.ChangeStructures(transaction =>
        {
            Span<byte> bytes = stackalloc byte[sizeof(long)];
            BinaryPrimitives.WriteInt64LittleEndian(bytes, last);
            transaction.OpenOrCreateTree(TreeName).Put(LastQueryKey, bytes);
        });
        Interlocked.Exchange(ref _savedTicks, last);
        return true;
    }
}
