using FastTests.Support;
using Raven.Storage.Platform;

namespace FastTests.Storage.Platform;

/// <summary>All threads that sleep are woken by one call, and none sleeps through it.</summary>
public sealed class SharedSignalTests
{
    [Fact]
    public async Task A_thread_does_not_sleep_if_the_signal_was_set_since_it_read_the_count()
    {
        var signal = new SharedSignal();
        int count = signal.Count;
        signal.Set();
        await Run(() => signal.SleepWhile(count)).WaitAsync(Deadline.Hang);
    }

    [Fact]
    [Trait("Invariant", "WAKE-1")]
    public async Task One_call_wakes_all_threads_that_sleep_on_a_signal()
    {
        const int Sleepers = 3;
        var signal = new SharedSignal();
        for (int round = 0; round < 2; round++)
        {
            int count = signal.Count;
            int looks = 0;
            bool isThere = false;
            Task[] sleeping = [.. Enumerable.Range(0, Sleepers).Select(_ => Run(() => SleepUntil(
                signal,
                () =>
                {
                    Interlocked.Increment(ref looks);
                    return Volatile.Read(ref isThere);
                })))];
            Deadline.Until(() => Volatile.Read(ref looks) >= Sleepers);
            await Deadline.GraceAsync();

            // Once each, and a few more if the system wakes one for reasons of its own.
            Assert.InRange(Volatile.Read(ref looks), Sleepers, 10 * Sleepers);
            Assert.Equal(count, signal.Count);
            Volatile.Write(ref isThere, true);
            signal.Set();
            await Task.WhenAll(sleeping).WaitAsync(Deadline.Hang);
        }
    }

    [Fact]
    public async Task No_wake_up_is_lost_between_threads_that_take_turns()
    {
        const int Rounds = 20_000;
        const int Threads = 3;
        var signal = new SharedSignal();
        int turn = 0;
        Task[] players = [.. Enumerable.Range(0, Threads).Select(player => Run(() =>
        {
            for (int next = player; next < Rounds; next += Threads)
            {
                SleepUntil(signal, () => Volatile.Read(ref turn) == next);
                Volatile.Write(ref turn, next + 1);
                signal.Set();
            }
        }))];
        await Task.WhenAll(players).WaitAsync(Deadline.Hang);
        Assert.Equal(Rounds, turn);
    }

    private static Task Run(Action action) => Task.Factory.StartNew(action, TaskCreationOptions.LongRunning);

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
