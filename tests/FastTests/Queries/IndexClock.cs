namespace FastTests.Queries;

/// <summary>A clock that stands still, time stamps too, until a test moves it.</summary>
internal sealed class IndexClock : TimeProvider
{
    private long _ticks = new DateTimeOffset(2026, 11, 21, 12, 0, 0, TimeSpan.Zero).UtcTicks;
    private long _setTicks;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override DateTimeOffset GetUtcNow() =>
        new(Volatile.Read(ref _ticks) + Volatile.Read(ref _setTicks), TimeSpan.Zero);

    public override long GetTimestamp() => Volatile.Read(ref _ticks);

    internal void Advance(TimeSpan time) => Interlocked.Add(ref _ticks, time.Ticks);

    /// <summary>The clock is set forth, or back: no time passes.</summary>
    internal void Set(TimeSpan forth) => Interlocked.Add(ref _setTicks, forth.Ticks);
}
