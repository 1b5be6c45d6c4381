namespace Raven.Cluster.Store;

/// <summary>What every store refuses.</summary>
internal static class StoreLimits
{
    private static readonly TimeSpan LeaseMax = TimeSpan.FromDays(1);

    /// <summary>Why a lease cannot be that long; null if it can.</summary>
    internal static string? ProblemOfLease(TimeSpan timeToLive) =>
        timeToLive < TimeSpan.FromSeconds(1) || timeToLive > LeaseMax || timeToLive.Ticks % TimeSpan.TicksPerSecond != 0
            ? $"A lease lives for whole seconds, from one to a day; not {timeToLive}."
            : null;
}
