using Raven.Storage.Platform;

namespace FastTests.Storage.Platform;

/// <summary>All threads that sleep are woken by one call, and none sleeps through it.</summary>
public sealed class SharedSignalTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    [Fact]
    public void A_signal_that_was_set_since_its_count_was_read_lets_nobody_sleep()
    {
        var signal = new SharedSignal();
        int count = signal.Count;
        signal.Set();
        signal.SleepWhile(count);
        Assert.NotEqual(count, signal.Count);
    }

    [Fact]
    public async Task Whoever_sleeps_is_woken_by_one_call()
    {
        const int Sleepers = 3;
        var signal = new SharedSignal();
        for (int round = 0; round < 2; round++)
        {
            bool isThere = false;
            Task[] sleeping =
                [.. Enumerable.Range(0, Sleepers).Select(_ => Sleeping(() => Volatile.Read(ref isThere)))];
            await Task.Delay(20);
            Assert.DoesNotContain(sleeping, task => task.IsCompleted);
            Volatile.Write(ref isThere, true);
            signal.Set();
            await Task.WhenAll(sleeping).WaitAsync(Patience);
        }

        Task Sleeping(Func<bool> isThere) =>
            Task.Factory.StartNew(() => SleepUntil(signal, isThere), TaskCreationOptions.LongRunning);
    }

    [Fact]
    public async Task No_waking_is_lost_when_threads_meet_at_every_moment()
    {
        const int Rounds = 20_000;
        const int Threads = 3;
        var signal = new SharedSignal();
        int turn = 0;
        Task[] players = [.. Enumerable.Range(0, Threads).Select(player => Task.Factory.StartNew(
            () =>
            {
                for (int next = player; next < Rounds; next += Threads)
                {
                    SleepUntil(signal, () => Volatile.Read(ref turn) == next);
                    Volatile.Write(ref turn, next + 1);
                    signal.Set();
                }
            },
            TaskCreationOptions.LongRunning))];
        await Task.WhenAll(players).WaitAsync(Patience);
        Assert.Equal(Rounds, turn);
    }

    private static void SleepUntil(SharedSignal signal, Func<bool> isThere)
    {
        int count = signal.Count;
        while (!isThere())
        {
            signal.SleepWhile(count);
            count = signal.Count;
        }
    }
}
