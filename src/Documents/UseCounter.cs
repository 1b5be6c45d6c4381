namespace Raven.Documents;

/// <summary>How often something was used, and how long that took. Any thread.</summary>
public sealed class UseCounter
{
    private long _count;
    private long _ticks;

    /// <summary>How often it was used.</summary>
    public long Count => Volatile.Read(ref _count);

    /// <summary>How long all uses took together, in ticks of the clock that measured them.</summary>
    public long Ticks => Volatile.Read(ref _ticks);

    /// <summary>Counts a use.</summary>
    /// <param name="ticks">How long it took.</param>
    public void Add(long ticks)
    {
        Interlocked.Increment(ref _count);
        Interlocked.Add(ref _ticks, ticks);
    }
}
