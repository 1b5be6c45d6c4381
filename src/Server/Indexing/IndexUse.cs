using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Search;
using Raven.Storage.Transactions;

namespace Raven.Server.Indexing;

//   NAME   STRUCTURE  KEY          VALUE
//   Usage  Tree       "LastQuery"  when the index was last asked: UTC, 100 ns since 0001-01-01 (8)
//
//   USE-1  The time is kept with the index, at most a minute late while it is asked and exactly when it is closed: a
//          restart is no use of an index, and a crash makes it seem unused for a minute longer than it was.
//
//   USE-2  How long ago that was is measured by time stamps while the process lives, so that an index is neither unused
//          nor kept because the clock was set. The clock is compared once: when what is kept is read.

/// <summary>When an index was last asked. Any thread.</summary>
internal sealed class IndexUse(TimeProvider clock)
{
    private static readonly TimeSpan KeepInterval = TimeSpan.FromMinutes(1);

    /// <summary>The time stamp at which it was last asked, or would have been in a process that lived then.</summary>
    private long _lastStamp = clock.GetTimestamp();
    private long _lastTicks;
    private long _keptTicks;
    private int _isLookedUp;

    /// <summary>When it was last asked; null where nobody ever has, as far as is known.</summary>
    internal DateTimeOffset? LastTime =>
        Interlocked.Read(ref _lastTicks) is > 0 and long ticks ? new DateTimeOffset(ticks, TimeSpan.Zero) : null;

    /// <summary>Whether nobody has asked it for a long time.</summary>
    internal bool IsIdle { get; set; }

    /// <summary>Whether those who watch were told last that it is idle.</summary>
    internal bool IsToldIdle { get; set; }

    /// <summary>Whether the time that is kept is too far behind.</summary>
    internal bool IsToBeKept =>
        Math.Abs(Interlocked.Read(ref _lastTicks) - Interlocked.Read(ref _keptTicks)) >= KeepInterval.Ticks;

    private static ReadOnlySpan<byte> TreeName => "Usage"u8;

    private static ReadOnlySpan<byte> LastQueryKey => "LastQuery"u8;

    /// <summary>Notes that it is asked.</summary>
    internal void Note()
    {
        IsIdle = false;
        Interlocked.Exchange(ref _lastTicks, clock.GetUtcNow().UtcTicks);
        Interlocked.Exchange(ref _lastStamp, clock.GetTimestamp());
    }

    /// <summary>Whether nobody has asked it for so long; where it is not known when anybody did, since the process
    /// knows of it.</summary>
    internal bool IsUnusedFor(TimeSpan time) => clock.GetElapsedTime(Volatile.Read(ref _lastStamp)) > time;

    /// <summary>Whether nobody knows yet what is kept, and nobody has looked: true once.</summary>
    internal bool TryLookUp() => Interlocked.Exchange(ref _isLookedUp, 1) == 0 && LastTime is null;

    /// <summary>The index was opened: takes what is kept with it.</summary>
    internal void Load(SearchIndex search)
    {
        using ReadTransaction transaction = search.BeginReadStructures();
        long kept = transaction.TryOpenTree(TreeName) is { } tree && tree.TryGet(LastQueryKey, out NativeSlice value)
            ? BinaryPrimitives.ReadInt64LittleEndian(value.Span)
            : 0;
        Volatile.Write(ref _isLookedUp, 1);
        Interlocked.Exchange(ref _keptTicks, kept);
        if (kept > 0)
        {
            // Who asks meanwhile notes first the time and then the stamp: both are his in the end.
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

    /// <summary>Keeps the time with the index, where it has moved. No batch may be under way.</summary>
    /// <returns>Whether something was written.</returns>
    internal bool Keep(SearchIndex search)
    {
        long last = Interlocked.Read(ref _lastTicks);
        if (last == Interlocked.Read(ref _keptTicks))
        {
            return false;
        }

        search.ChangeStructures(transaction =>
        {
            Span<byte> bytes = stackalloc byte[sizeof(long)];
            BinaryPrimitives.WriteInt64LittleEndian(bytes, last);
            transaction.OpenOrCreateTree(TreeName).Put(LastQueryKey, bytes);
        });
        Interlocked.Exchange(ref _keptTicks, last);
        return true;
    }
}
