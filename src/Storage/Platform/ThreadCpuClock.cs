using System.Diagnostics.CodeAnalysis;

namespace Raven.Storage.Platform;

/// <summary>
/// The processor time of the calling thread, in nanoseconds: it stands still while the thread has no core. Two times
/// may be compared only if the same thread read both. Only on Linux.
/// </summary>
public sealed class ThreadCpuClock : TimeProvider
{
    private const long NanosecondsPerSecond = 1_000_000_000;

    private ThreadCpuClock()
    {
    }

    /// <inheritdoc/>
    public override long TimestampFrequency => NanosecondsPerSecond;

    /// <summary>The clock; false if the system has none.</summary>
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
