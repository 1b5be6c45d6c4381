using System.Globalization;
using Raven.Storage.Platform;

namespace FastTests.Storage.Platform;

/// <summary>What a thread gives away stays given, and is its own only.</summary>
public sealed class ThreadShareTests
{
    private const string Schedule = "/proc/thread-self/sched";

    [Fact]
    public void A_thread_that_takes_less_has_that_niceness_and_long_turns()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        int before = 0;
        int after = 0;
        long slice = 0;
        bool isTaken = false;
        var thread = new Thread(() =>
        {
            before = Niceness(out _);
            isTaken = ThreadShare.TryTakeLess(5);
            after = Niceness(out slice);
        });
        thread.Start();
        thread.Join();
        Assert.True(isTaken);
        Assert.Equal(Math.Min(19, before + 5), after);
        if (OperatingSystem.IsOSPlatformVersionAtLeast("linux", 6, 12))
        {
            Assert.Equal(100_000_000, slice);
        }
    }

    /// <summary>Of the calling thread: the nineteenth field of its state; the slice where the system tells.</summary>
    private static int Niceness(out long slice)
    {
        string stat = File.ReadAllText("/proc/thread-self/stat");
        string[] fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
        string? line = File.Exists(Schedule)
            ? File.ReadLines(Schedule).FirstOrDefault(text => text.StartsWith("se.slice", StringComparison.Ordinal))
            : null;
        slice = line is null ? 100_000_000 : long.Parse(line[(line.IndexOf(':') + 1)..], CultureInfo.InvariantCulture);
        return int.Parse(fields[16], CultureInfo.InvariantCulture);
    }
}
