namespace Raven.Storage.Platform;

/// <summary>
/// A clock whose timestamps also count the time in which the machine sleeps (CLOCK_BOOTTIME), so that what was promised
/// for a while is over after it. Its timers and the time of the day are the system's.
/// </summary>
public sealed class BootClock : TimeProvider
{
    private const long NanosecondsPerSecond = 1_000_000_000;
    private const int BootTime = 7;

    private BootClock()
    {
    }

    /// <summary>The clock; the system's own where that counts sleep, as on Windows, or where there is no other.
    /// </summary>
    public static TimeProvider Instance { get; } =
        OperatingSystem.IsLinux() && Libc.GetTime(BootTime, out _) == 0 ? new BootClock() : System;

    /// <inheritdoc/>
    public override long TimestampFrequency => NanosecondsPerSecond;

    /// <inheritdoc/>
    public override long GetTimestamp()
    {
        _ = Libc.GetTime(BootTime, out Libc.TimeSpec time);
        return (time.Seconds * NanosecondsPerSecond) + time.Nanoseconds;
    }
}
