namespace Shared.Storage;

/// <summary>
/// A clock that stands still until a test moves it, or advances by some ticks each time it is read. Its timers fire
/// when it is moved past their time, on the thread that moves it.
/// </summary>
internal sealed class ManualClock(long ticksPerLook = 0) : TimeProvider
{
    private readonly Lock _lock = new();
    private readonly List<ManualTimer> _timers = [];
    private long _now;
    private long _utc = new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc).Ticks;

    /// <summary>Whether a look at it throws.</summary>
    internal bool Fails { get; set; }

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() =>
        Fails ? throw new InvalidOperationException("no clock") : Interlocked.Add(ref _now, ticksPerLook);

    /// <summary>Goes on with the timestamps, and is set by <see cref="Set"/>.</summary>
    public override DateTimeOffset GetUtcNow() =>
        new(Volatile.Read(ref _utc) + Volatile.Read(ref _now), TimeSpan.Zero);

    /// <summary>Sets the time of the day forth or back; no timer notices.</summary>
    internal void Set(TimeSpan by) => Interlocked.Add(ref _utc, by.Ticks);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, () => callback(state));
        timer.Change(dueTime, period);
        lock (_lock)
        {
            _timers.Add(timer);
        }

        return timer;
    }

    internal void Advance(TimeSpan by)
    {
        long now = Interlocked.Add(ref _now, by.Ticks);
        ManualTimer[] timers;
        lock (_lock)
        {
            timers = [.. _timers];
        }

        foreach (ManualTimer timer in timers)
        {
            timer.RingIfDue(now);
        }
    }

    /// <summary>Rings once each time that it is set.</summary>
    private sealed class ManualTimer(ManualClock clock, Action ring) : ITimer
    {
        private long _dueAt = long.MaxValue;

        internal void RingIfDue(long now)
        {
            if (Volatile.Read(ref _dueAt) <= now)
            {
                Volatile.Write(ref _dueAt, long.MaxValue);
                ring();
            }
        }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            Volatile.Write(
                ref _dueAt,
                dueTime == Timeout.InfiniteTimeSpan ? long.MaxValue : Volatile.Read(ref clock._now) + dueTime.Ticks);
            return true;
        }

        public void Dispose()
        {
            Volatile.Write(ref _dueAt, long.MaxValue);
            lock (clock._lock)
            {
                clock._timers.Remove(this);
            }
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
