using System.Diagnostics.CodeAnalysis;

namespace Raven.Storage.Platform;

/// <summary>
/// The processor time of the thread that asks, in nanoseconds: it stands while the thread has no core. Two times may be
/// compared only where the same thread asked for both. Only Linux tells it.
/// </summary>
public sealed class ThreadCpuClock : TimeProvider
{
    private const long NanosecondsPerSecond = 1_000_000_000;

    private ThreadCpuClock()
    {
    }

    /// <inheritdoc/>
    public override long TimestampFrequency => NanosecondsPerSecond;

    /// <summary>The clock; false where the system has none.</summary>
    public static bool TryCreate([NotNullWhen(true)] out ThreadCpuClock? clock)
    {
        clock = OperatingSystem.IsLinux() && Libc.GetTime(Libc.ThreadCpuTime, out _) == 0 ? new() : null;
        return clock is not null;
    }

    /// <inheritdoc/>
    public override long GetTimestamp()
    {
        _ = Libc.GetTime(Libc.ThreadCpuTime, out Libc.TimeSpec time);
        return (time.Seconds * NanosecondsPerSecond) + time.Nanoseconds;
    }
}
