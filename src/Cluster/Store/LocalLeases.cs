namespace Raven.Cluster.Store;

/// <summary>The leases of a local store. One thread at a time.</summary>
internal sealed class LocalLeases
{
    private static readonly TimeSpan RetryAfter = TimeSpan.FromSeconds(1);

    /// <summary>Timers count milliseconds: one that fires a part of one early would fire again and again.</summary>
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(1);

    private readonly Dictionary<long, (TimeSpan TimeToLive, long EndsAt)> _leases = [];
    private readonly TimeProvider _clock;
    private long _last;

    internal LocalLeases(TimeProvider clock) => _clock = clock;

    /// <summary>How long it takes until the next one ends; null if there is none.</summary>
    internal TimeSpan? UntilNext => _leases.Count == 0
        ? null
        : Step + TimeSpan.FromTicks(Math.Max(0, _clock.GetElapsedTime(
            _clock.GetTimestamp(), _leases.Values.Min(each => each.EndsAt)).Ticks));

    internal long Grant(TimeSpan timeToLive)
    {
        _leases[++_last] = (timeToLive, EndOf(timeToLive));
        return _last;
    }

    internal bool IsAlive(long lease) =>
        _leases.TryGetValue(lease, out (TimeSpan TimeToLive, long EndsAt) found)
            && found.TimeToLive > TimeSpan.Zero && !IsOver(found.EndsAt);

    internal TimeSpan? KeepAlive(long lease)
    {
        if (!IsAlive(lease))
        {
            return null;
        }

        TimeSpan timeToLive = _leases[lease].TimeToLive;
        _leases[lease] = (timeToLive, EndOf(timeToLive));
        return timeToLive;
    }

    internal long[] Expired() => [.. _leases.Where(each => IsOver(each.Value.EndsAt)).Select(each => each.Key)];

    internal void Remove(long lease) => _leases.Remove(lease);

    /// <summary>One that could not be ended stays dead, and is ended later.</summary>
    internal void Retry(long lease) => _leases[lease] = (TimeSpan.Zero, EndOf(RetryAfter));

    private bool IsOver(long endsAt) => endsAt <= _clock.GetTimestamp();

    private long EndOf(TimeSpan timeToLive) =>
        _clock.GetTimestamp() + (long)(timeToLive.TotalSeconds * _clock.TimestampFrequency);
}
