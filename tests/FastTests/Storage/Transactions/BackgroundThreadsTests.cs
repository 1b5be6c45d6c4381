using FastTests.Support;
using Raven.Storage.Options;

namespace FastTests.Storage.Transactions;

/// <summary>Background work if the system starts no more threads.</summary>
public sealed class BackgroundThreadsTests
{
    [Fact]
    public void Work_is_done_even_if_no_thread_can_be_started_and_threads_are_counted_right()
    {
        var system = new RefusingSystem { Refuses = true };
        var threads = new BackgroundThreads(1, system.Start);
        using var done = new CountdownEvent(2);
        threads.Schedule(() => done.Signal());
        threads.Schedule(() => done.Signal());
        Assert.True(done.Wait(Deadline.Hang), "Work was lost.");
        Assert.Equal(0, threads.Count);

        system.Refuses = false;
        using var more = new ManualResetEventSlim();
        threads.Schedule(more.Set);
        Assert.True(more.Wait(Deadline.Hang));
        Assert.Equal(1, threads.Count);
    }

    [Fact]
    public void A_running_thread_does_the_work_of_one_that_cannot_be_started()
    {
        var system = new RefusingSystem();
        var threads = new BackgroundThreads(2, system.Start);
        using var gate = new ManualResetEventSlim();
        using var isRunning = new ManualResetEventSlim();
        int first = 0;
        threads.Schedule(() =>
        {
            first = Environment.CurrentManagedThreadId;
            isRunning.Set();
            gate.Wait();
        });
        Assert.True(isRunning.Wait(Deadline.Hang));
        system.Refuses = true;
        int second = 0;
        using var done = new ManualResetEventSlim();
        threads.Schedule(() =>
        {
            second = Environment.CurrentManagedThreadId;
            done.Set();
        });
        Assert.Equal(1, threads.Count);
        gate.Set();
        Assert.True(done.Wait(Deadline.Hang));
        Assert.Equal(first, second);
    }
}
