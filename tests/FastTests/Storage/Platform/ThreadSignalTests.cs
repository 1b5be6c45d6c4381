using Raven.Storage.Platform;

namespace FastTests.Storage.Platform;

/// <summary>A thread that sleeps is woken, whichever of the two comes first.</summary>
public sealed class ThreadSignalTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    [Fact]
    public void A_signal_that_is_set_lets_nobody_sleep()
    {
        var signal = new ThreadSignal();
        signal.Set();
        signal.Wait();
        signal.Wait();
    }

    [Fact]
    public async Task Who_sleeps_is_woken()
    {
        var signal = new ThreadSignal();
        Task sleeping = Task.Run(signal.Wait);
        await Task.Delay(20);
        Assert.False(sleeping.IsCompleted);
        signal.Set();
        await sleeping.WaitAsync(Patience);
        signal.Reset();
        sleeping = Task.Run(signal.Wait);
        await Task.Delay(20);
        Assert.False(sleeping.IsCompleted);
        signal.Set();
        await sleeping.WaitAsync(Patience);
    }

    [Fact]
    public async Task No_waking_is_lost_when_two_threads_meet_at_every_moment()
    {
        const int Rounds = 30_000;
        var ping = new ThreadSignal();
        var pong = new ThreadSignal();
        int seen = 0;
        Task other = Task.Run(() =>
        {
            for (int i = 0; i < Rounds; i++)
            {
                ping.Wait();
                ping.Reset();
                seen++;
                pong.Set();
            }
        });
        Task mine = Task.Run(() =>
        {
            for (int i = 0; i < Rounds; i++)
            {
                ping.Set();
                pong.Wait();
                pong.Reset();
                Assert.Equal(i + 1, seen);
            }
        });
        await Task.WhenAll(mine, other).WaitAsync(Patience);
    }
}
