namespace Shared.Storage;

/// <summary>A clock that stands still until a test moves it, or goes on by some ticks with each look.</summary>
internal sealed class ManualClock(long ticksPerLook = 0) : TimeProvider
{
    private long _now;

    /// <summary>Whether a look at it throws.</summary>
    internal bool Fails { get; set; }

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() =>
        Fails ? throw new InvalidOperationException("no clock") : Interlocked.Add(ref _now, ticksPerLook);

    internal void Advance(TimeSpan by) => Interlocked.Add(ref _now, by.Ticks);
}
