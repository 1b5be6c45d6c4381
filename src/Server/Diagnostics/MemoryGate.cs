using System.Globalization;

namespace Raven.Server.Diagnostics;

/// <summary>
/// Says whether there is memory for one more request. What counts is the memory that only this process can give back:
/// pages of mapped files are the system's to take. Measured forty times a second at most: requests between two
/// measurements can go above the limit. While there is too little, what is kept for reuse is given back, once a second
/// at most. Safe for all threads.
/// </summary>
internal sealed class MemoryGate
{
    /// <summary>The part of the process's memory from which on requests are refused.</summary>
    private const double DefaultShare = 0.9;

    private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(25);
    private static readonly TimeSpan RelieveEvery = TimeSpan.FromSeconds(1);

    private readonly TimeProvider _time;
    private readonly Func<long> _usedBytes;
    private readonly Action _relieve;
    private readonly long _ticksBetween;
    private readonly long _ticksBetweenReliefs;
    private long _lookAt;
    private long _relieveAt;
    private volatile bool _isOpen = true;

    /// <summary>Makes a gate over the memory of the process.</summary>
    /// <param name="time">Gives the time stamps.</param>
    /// <param name="limitBytes">From how many bytes on it is closed; 0 for 90% of what the process may have.</param>
    /// <param name="usedBytes">Returns how many bytes are used.</param>
    /// <param name="relieve">Gives back what is only kept for reuse; may take a while.</param>
    internal MemoryGate(TimeProvider time, long limitBytes, Func<long> usedBytes, Action relieve)
    {
        _time = time;
        _usedBytes = usedBytes;
        _relieve = relieve;
        _ticksBetween = (long)(LookEvery.TotalSeconds * time.TimestampFrequency);
        _ticksBetweenReliefs = (long)(RelieveEvery.TotalSeconds * time.TimestampFrequency);
        LimitBytes = limitBytes > 0
            ? limitBytes
            : (long)(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes * DefaultShare);
    }

    /// <summary>From how many bytes on requests are refused.</summary>
    internal long LimitBytes { get; }

    /// <summary>True if there is memory for one more request.</summary>
    internal bool IsOpen
    {
        get
        {
            long now = _time.GetTimestamp();
            long lookAt = Volatile.Read(ref _lookAt);
            if (now >= lookAt && Interlocked.CompareExchange(ref _lookAt, now + _ticksBetween, lookAt) == lookAt)
            {
                if (!(_isOpen = _usedBytes() < LimitBytes))
                {
                    // Refused requests make no garbage, so that no collection would start by itself.
                    ReleaseMemory();
                }
            }

            return _isOpen;
        }
    }

    /// <summary>Has what is only kept for reuse given back, once a second at most.</summary>
    internal void ReleaseMemory()
    {
        long now = _time.GetTimestamp();
        long relieveAt = Volatile.Read(ref _relieveAt);
        if (now >= relieveAt
            && Interlocked.CompareExchange(ref _relieveAt, now + _ticksBetweenReliefs, relieveAt) == relieveAt)
        {
            try
            {
                ThreadPool.UnsafeQueueUserWorkItem(static gate => gate.RunRelease(), this, preferLocal: false);
            }
            catch (OutOfMemoryException)
            {
                // A request after that second tries it again.
            }
        }
    }

    /// <summary>An exception that left this thread of the pool would end the process.</summary>
    private void RunRelease()
    {
        try
        {
            _relieve();
        }
        catch (OutOfMemoryException)
        {
            // There is not even memory for this: it is tried again in a second.
        }
    }

    /// <summary>The bytes of this process that are in no file.</summary>
    internal static long UsedBytes()
    {
        const string path = "/proc/self/statm";
        if (!File.Exists(path))
        {
            return Environment.WorkingSet;
        }

        // size resident shared text lib data dt, in pages; shared are those of files.
        string[] fields = File.ReadAllText(path).Split(' ');
        return (long.Parse(fields[1], CultureInfo.InvariantCulture)
            - long.Parse(fields[2], CultureInfo.InvariantCulture)) * Environment.SystemPageSize;
    }
}
