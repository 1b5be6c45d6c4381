namespace FastTests.Documents;

/// <summary>A clock that stands until it is told to go on.</summary>
internal sealed class TestClock : TimeProvider
{
    private readonly List<TestTimer> _timers = [];

    /// <summary>How often a timer was set.</summary>
    internal int Changes { get; private set; }

    internal DateTimeOffset Now { get; set; } = new(2026, 11, 21, 12, 0, 0, TimeSpan.Zero);

    public override DateTimeOffset GetUtcNow() => Now;

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
