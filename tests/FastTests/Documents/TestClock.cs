namespace FastTests.Documents;

/// <summary>A clock that stands still until a test moves it.</summary>
internal sealed class TestClock : TimeProvider
{
    private readonly List<TestTimer> _timers = [];
    private TimeSpan _set;

    /// <summary>How often a timer was set.</summary>
    internal int Changes { get; private set; }

    /// <summary>The time; if a test moves it, so much has passed.</summary>
    internal DateTimeOffset Now { get; set; } = new(2026, 11, 21, 12, 0, 0, TimeSpan.Zero);

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override DateTimeOffset GetUtcNow() => Now;

    public override long GetTimestamp() => (Now - _set).UtcTicks;

    /// <summary>The clock is set forth, or back: no time passes.</summary>
    internal void Set(TimeSpan forth)
    {
        Now += forth;
        _set += forth;
    }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        TestTimer timer = new(() => callback(state), () => Changes++);
        _timers.Add(timer);
        return timer;
    }

    /// <summary>Moves on and lets every timer ring once.</summary>
    internal void Ring(TimeSpan elapsed)
    {
        Now += elapsed;
        foreach (TestTimer timer in _timers.ToArray())
        {
            timer.Ring();
        }
    }

    private sealed class TestTimer(Action ring, Action changed) : ITimer
    {
        private bool _isDisposed;

        internal void Ring()
        {
            if (!_isDisposed)
            {
                ring();
            }
        }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            changed();
            return true;
        }

        public void Dispose() => _isDisposed = true;

        public ValueTask DisposeAsync()
        {
            _isDisposed = true;
            return ValueTask.CompletedTask;
        }
    }
}
