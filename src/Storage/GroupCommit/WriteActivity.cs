namespace Raven.Storage.GroupCommit;

/// <summary>Knows whether there are writers at work, for work that gives way to them. One thread at a time.</summary>
/// <param name="count">Returns a number that changes with each write.</param>
/// <param name="time">Its clock.</param>
public sealed class WriteActivity(Func<long> count, TimeProvider time)
{
    private static readonly TimeSpan Lately = TimeSpan.FromMilliseconds(100);

    private long _seen = count();
    private long? _seenAt;

    /// <summary>Whether there was a write lately, as far as one was seen by the calls before.</summary>
    public bool IsRecent()
    {
        long now = time.GetTimestamp();
        long counted = count();
        if (counted != _seen)
        {
            _seen = counted;
            _seenAt = now;
        }

        return _seenAt is { } seen && time.GetElapsedTime(seen, now) <= Lately;
    }
}
