namespace Raven.Server.Http;

/// <summary>
/// One timer for all connections that wait: in each turn every connection has its heartbeat once, spread over it so
/// that they are not all woken at the same time. Without connections there is no timer. Any thread.
/// </summary>
internal sealed class HeartbeatWheel : IDisposable
{
    /// <summary>In how many steps a turn goes round.</summary>
    internal const int SlotCount = 16;

    private readonly Lock _gate = new();
    private readonly List<IHeartbeat>[] _slots = new List<IHeartbeat>[SlotCount];
    private readonly List<IHeartbeat> _due = [];
    private readonly TimeProvider _time;
    private readonly TimeSpan _interval;
    private ITimer? _timer;
    private int _count;
    private int _nextSlot;
    private int _tick;
    private bool _isStopping;

    /// <summary>A wheel whose turn takes this long.</summary>
    internal HeartbeatWheel(TimeProvider time, TimeSpan turn)
    {
        _time = time;
        _interval = turn / SlotCount;
        for (int i = 0; i < SlotCount; i++)
        {
            _slots[i] = [];
        }
    }

    /// <summary>How many connections it beats for.</summary>
    internal int Count
    {
        get
        {
            lock (_gate)
            {
                return _count;
            }
        }
    }

    internal void Add(IHeartbeat connection)
    {
        bool isStopping;
        lock (_gate)
        {
            connection.Slot = _nextSlot++ % SlotCount;
            _slots[connection.Slot].Add(connection);
            _count++;
            _timer ??= _time.CreateTimer(state => ((HeartbeatWheel)state!).Tick(), this, _interval, _interval);
            isStopping = _isStopping;
        }

        if (isStopping)
        {
            connection.End("The server is stopping.");
        }
    }

    internal void Remove(IHeartbeat connection)
    {
        lock (_gate)
        {
            if (_slots[connection.Slot].Remove(connection) && --_count == 0)
            {
                _timer?.Dispose();
                _timer = null;
            }
        }
    }

    /// <summary>Ends all connections with a message that the server stops.</summary>
    internal void Stop()
    {
        IHeartbeat[] all;
        lock (_gate)
        {
            _isStopping = true;
            all = [.. _slots.SelectMany(slot => slot)];
        }

        foreach (IHeartbeat connection in all)
        {
            connection.End("The server is stopping.");
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
        {
            _timer?.Dispose();
            _timer = null;
        }
    }

    private void Tick()
    {
        // A step that takes longer than the interval is not overtaken, and the timer does not wait for it.
        if (!Monitor.TryEnter(_due))
        {
            return;
        }

        try
        {
            lock (_gate)
            {
                int slot = _tick++ % SlotCount;

                // A connection that was asked to end and does not has only one step of the wheel for it.
                _due.AddRange(_isStopping ? _slots.SelectMany(each => each) : _slots[slot]);
            }

            // They send on this thread, so that the wheel stays unlocked meanwhile.
            _due.ForEach(connection => connection.OnHeartbeat());
        }
        finally
        {
            _due.Clear();
            Monitor.Exit(_due);
        }
    }
}
