namespace Raven.Tools.Stress.Cluster;

/// <summary>The clock of storage in a simulation: it has the time of the world, and nobody waits by it.</summary>
internal sealed class SimulatedClock(SimulatedWorld world) : TimeProvider
{
    private static readonly DateTimeOffset Start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    public override long TimestampFrequency => 1_000_000;

    public override long GetTimestamp() => world.Now;

    public override DateTimeOffset GetUtcNow() => Start.AddMicroseconds(world.Now);

    /// <summary>A pause is over at once; what comes again and again never does.</summary>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        if (period == Timeout.InfiniteTimeSpan && dueTime != Timeout.InfiniteTimeSpan)
        {
            callback(state);
        }

        return new Timer();
    }

    private sealed class Timer : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose()
        {
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
