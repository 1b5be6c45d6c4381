using FastTests.Support;
using Raven.Storage.Platform;

namespace FastTests.Storage;

/// <summary>The clock of a thread's own processor time.</summary>
public sealed class ThreadCpuClockTests
{
    [Fact]
    public void The_clock_stands_still_while_its_thread_waits_and_advances_while_it_works()
    {
        if (!ThreadCpuClock.TryCreate(out ThreadCpuClock? clock))
        {
            Assert.False(OperatingSystem.IsLinux());
            return;
        }

        long start = clock.GetTimestamp();
        using var never = new ManualResetEventSlim();
        never.Wait(Deadline.Grace);
        Assert.InRange(clock.GetElapsedTime(start), TimeSpan.Zero, Deadline.Grace / 2);

        // Until so much was worked: without end if the clock stands still.
        start = clock.GetTimestamp();
        while (clock.GetElapsedTime(start) < TimeSpan.FromMilliseconds(2))
        {
        }
    }
}
