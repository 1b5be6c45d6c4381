namespace Raven.Security.Registry;

/// <summary>When an identity was last used. Written by each request's thread, without a lock.</summary>
public sealed class LastUse
{
    /// <summary>Finer than this nothing is kept: a record is not written anew for each request.</summary>
    public static readonly TimeSpan Precision = TimeSpan.FromMinutes(1);

    private long _ticks;
    private long _storedTicks;

    /// <summary>Makes one.</summary>
    /// <param name="at">What is stored; null if it was never used.</param>
    public LastUse(DateTimeOffset? at)
    {
        _ticks = _storedTicks = at?.UtcTicks ?? 0;
    }

    /// <summary>When; null if never.</summary>
    public DateTimeOffset? At =>
        Volatile.Read(ref _ticks) is var ticks and > 0 ? new DateTimeOffset(ticks, TimeSpan.Zero) : null;

    /// <summary>True if what is stored is older than the precision.</summary>
    internal bool IsOwed => Volatile.Read(ref _ticks) - _storedTicks >= Precision.Ticks;

    /// <summary>Notes a use. Costs a read, and a write once a minute.</summary>
    public void Note(DateTimeOffset now)
    {
        if (now.UtcTicks - Volatile.Read(ref _ticks) >= Precision.Ticks)
        {
            Volatile.Write(ref _ticks, now.UtcTicks);
        }
    }

    internal void Stored() => _storedTicks = Volatile.Read(ref _ticks);
}
