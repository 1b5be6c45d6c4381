namespace FastTests.Queries;

/// <summary>A clock that stands, time stamps too, until it is told to go on.</summary>
internal sealed class IndexClock : TimeProvider
{
    private long _ticks = new DateTimeOffset(2026, 11, 21, 12, 0, 0, TimeSpan.Zero).UtcTicks;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override DateTimeOffset GetUtcNow() => new(Volatile.Read(ref _ticks), TimeSpan.Zero);

    public override long GetTimestamp() => Volatile.Read(ref _ticks);

    internal void Advance(TimeSpan time) => Interlocked.Add(ref _ticks, time.Ticks);
}
