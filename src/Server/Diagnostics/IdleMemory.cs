namespace Raven.Server.Diagnostics;

//   IDLE-1  Nothing is given back while the process is busy: what is kept is used again, and a collection stops it.
//   IDLE-2  After work, after growth, or after requests that were running then have ended, memory is given back once.

/// <summary>
/// Gives memory that is kept for reuse back when there is little to do: no garbage is made then, so that nothing else
/// would start a collection. Looks every two seconds, by a timer of its own.
/// </summary>
internal sealed class IdleMemory : IDisposable
{
    /// <summary>How often it looks.</summary>
    internal static readonly TimeSpan LookEvery = TimeSpan.FromSeconds(2);

    /// <summary>How many looks in a row have to find the process quiet.</summary>
    internal const int QuietLooksMin = 3;

    /// <summary>Growth that is worth a collection if no work was seen.</summary>
    internal const long GrowthBytesMin = 32L << 20;

    /// <summary>The part of one processor from which on the process is busy.</summary>
    private const double BusyShare = 0.25;

    private readonly TimeProvider _time;
    private readonly Func<TimeSpan> _worked;
    private readonly Func<long> _usedBytes;
    private readonly Func<long> _running;
    private readonly Action _giveBack;
    private readonly ITimer _timer;
    private long _lookedAt;
    private TimeSpan _workedBefore;
    private long _usedAfter;
    private long _runningThen;
    private int _quietLooks;
    private bool _isDue;
    private int _isLooking;

    /// <summary>Begins to look.</summary>
    /// <param name="time">Gives the time stamps.</param>
    /// <param name="worked">Returns the processor time that the process has used.</param>
    /// <param name="usedBytes">Returns the bytes of memory that only the process can give back.</param>
    /// <param name="running">Returns how many requests run.</param>
    /// <param name="giveBack">Gives back what is only kept for reuse; may take a while.</param>
    internal IdleMemory(
        TimeProvider time, Func<TimeSpan> worked, Func<long> usedBytes, Func<long> running, Action giveBack)
    {
        _time = time;
        _worked = worked;
        _usedBytes = usedBytes;
        _running = running;
        _giveBack = giveBack;
        _lookedAt = time.GetTimestamp();
        _workedBefore = worked();
        _usedAfter = usedBytes();
        _timer = time.CreateTimer(static idle => ((IdleMemory)idle!).Look(), this, LookEvery, LookEvery);
    }

    /// <summary>How often memory was given back.</summary>
    internal long Count { get; private set; }

    /// <inheritdoc/>
    public void Dispose() => _timer.Dispose();

    private void Look()
    {
        if (Interlocked.Exchange(ref _isLooking, 1) != 0)
        {
            return;
        }

        try
        {
            if (IsQuiet() && IsWorthIt())
            {
                _giveBack();
                Count++;
                Note();
            }
        }
        catch (OutOfMemoryException)
        {
            // An exception that left the thread of a timer would end the process; the next look tries again.
        }
        finally
        {
            Volatile.Write(ref _isLooking, 0);
        }
    }

    private bool IsQuiet()
    {
        long now = _time.GetTimestamp();
        TimeSpan worked = _worked();
        bool isBusy = worked - _workedBefore > _time.GetElapsedTime(_lookedAt, now) * BusyShare;
        _lookedAt = now;
        _workedBefore = worked;
        _isDue |= isBusy;
        _quietLooks = isBusy ? 0 : _quietLooks + 1;
        return _quietLooks >= QuietLooksMin;
    }

    private bool IsWorthIt() =>
        _isDue || _running() < _runningThen || _usedBytes() > _usedAfter + GrowthBytesMin;

    /// <summary>Takes the state that later looks are compared with. The processor time of giving back does not count
    /// as work.</summary>
    private void Note()
    {
        _isDue = false;
        _quietLooks = 0;
        _workedBefore = _worked();
        _lookedAt = _time.GetTimestamp();
        _usedAfter = _usedBytes();
        _runningThen = _running();
    }
}
