using Raven.Blittable.Memory;
using Raven.Documents;
using Raven.Server.Diagnostics;

namespace FastTests.Server;

/// <summary>Memory kept only for reuse is released when there is little to do, once, and by a timer.</summary>
public sealed class IdleMemoryTests
{
    private readonly SteppedClock _clock = new();
    private TimeSpan _worked;
    private long _used = 1000 << 20;
    private long _running;
    private int _given;

    [Fact]
    [Trait("Fault", "C1b")]
    [Trait("Invariant", "IDLE-2")]
    public void Memory_is_given_back_once_when_the_process_is_quiet_after_work()
    {
        using IdleMemory idle = Begin();
        Pass(looks: 10);
        Assert.Equal(0, _given);
        Work(looks: 5);
        Assert.Equal(0, _given);
        Pass(looks: IdleMemory.QuietLooksMin - 1);
        Assert.Equal(0, _given);
        Pass(looks: 1);
        Assert.Equal(1, _given);
        Pass(looks: 50);
        Assert.Equal((1, 1L), (_given, idle.Count));
        Work(looks: 1);
        Pass(looks: 50);
        Assert.Equal(2, _given);
    }

    [Fact]
    [Trait("Fault", "C1b")]
    [Trait("Invariant", "IDLE-1")]
    public void Memory_is_never_given_back_while_the_process_is_busy()
    {
        using IdleMemory idle = Begin();
        Work(looks: 100);
        Assert.Equal(0, _given);
    }

    [Fact]
    [Trait("Fault", "C1b")]
    [Trait("Invariant", "IDLE-2")]
    public void Memory_is_given_back_once_after_growth_without_work()
    {
        using IdleMemory idle = Begin();
        _used += IdleMemory.GrowthBytesMin + 1;
        Pass(looks: 10);
        Assert.Equal(1, _given);
        Pass(looks: 50);
        Assert.Equal(1, _given);
    }

    [Fact]
    [Trait("Fault", "C1")]
    [Trait("Invariant", "IDLE-2")]
    public void Memory_is_given_back_again_when_requests_that_were_running_then_have_ended()
    {
        using IdleMemory idle = Begin();
        _running = 40;
        Work(looks: 1);
        Pass(looks: 20);
        Assert.Equal(1, _given);
        _running = 0;
        Pass(looks: 20);
        Assert.Equal(2, _given);
        Pass(looks: 50);
        Assert.Equal(2, _given);
    }

    [Fact]
    [Trait("Fault", "C1b")]
    public void Large_scratch_arrays_are_kept_for_reuse_until_they_are_trimmed()
    {
        byte[] first = ScratchArrays.Rent(ScratchArrays.SharedLengthMax + 1);
        ScratchArrays.Return(first);
        ScratchArrays.Trim();
        byte[] second = ScratchArrays.Rent(ScratchArrays.SharedLengthMax + 1);
        Assert.NotSame(first, second);
        ScratchArrays.Return(first);
        ScratchArrays.Return(second);
        NativeHeap.GiveBack();
    }

    [Fact]
    [Trait("Fault", "C1b")]
    public async Task An_idle_server_flushes_its_databases_and_serves_on()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{\"N\":1}");
        (await server.SendAsync("GET", "~/queries?query=from%20%40all_docs%20where%20N=1")).Expect(
            System.Net.HttpStatusCode.OK);
        Assert.True(server.Host.State.Databases.TryGet("db", out Database? database));
        Assert.True(database.TryGetStorageStatistics(out Raven.Storage.Transactions.StorageStatistics? before));
        server.Host.State.GiveIdleMemoryBack();
        Assert.True(database.TryGetStorageStatistics(out Raven.Storage.Transactions.StorageStatistics? after));
        Assert.True(after.Flushes > before.Flushes);
        HttpAnswer found = await server.SendAsync("GET", "~/queries?query=from%20%40all_docs%20where%20N=1");
        Assert.Single(found.Expect(System.Net.HttpStatusCode.OK).Json["Results"]!.AsArray());
        await server.AssertServesAsync();
    }

    private IdleMemory Begin() => new(_clock, () => _worked, () => _used, () => _running, () => _given++);

    private void Pass(int looks)
    {
        for (int i = 0; i < looks; i++)
        {
            _clock.Step(IdleMemory.LookEvery);
        }
    }

    private void Work(int looks)
    {
        for (int i = 0; i < looks; i++)
        {
            _worked += IdleMemory.LookEvery / 2;
            _clock.Step(IdleMemory.LookEvery);
        }
    }

    /// <summary>A clock of one timer that runs as it is stepped.</summary>
    private sealed class SteppedClock : TimeProvider
    {
        private Action? _tick;
        private long _milliseconds;

        public override long TimestampFrequency => 1000;

        public override long GetTimestamp() => _milliseconds;

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            _tick = () => callback(state);
            return new NoTimer();
        }

        internal void Step(TimeSpan time)
        {
            _milliseconds += (long)time.TotalMilliseconds;
            _tick!();
        }
    }

    private sealed class NoTimer : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose()
        {
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
