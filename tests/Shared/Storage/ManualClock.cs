namespace Shared.Storage;

/// <summary>A clock that stands still until a test moves it.</summary>
internal sealed class ManualClock : TimeProvider
{
    private long _now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Volatile.Read(ref _now);

    internal void Advance(TimeSpan by) => Interlocked.Add(ref _now, by.Ticks);
}
