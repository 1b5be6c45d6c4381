using System.Net;
using FastTests.Support;
using Raven.Server.Diagnostics;

namespace FastTests.Server;

/// <summary>A server that is short of memory refuses requests, and continues when there is enough again.</summary>
public sealed class MemoryGateTests
{
    [Fact]
    public void The_memory_gate_opens_and_closes_with_the_used_memory_which_it_reads_ten_times_a_second()
    {
        StandingClock clock = new();
        long used = 10;
        int looks = 0;
        MemoryGate gate = new(clock, limitBytes: 100, () =>
        {
            looks++;
            return used;
        }, () => { });
        Assert.True(gate.IsOpen);
        used = 100;
        Assert.True(gate.IsOpen);
        Assert.Equal(1, looks);
        clock.Milliseconds += 101;
        Assert.False(gate.IsOpen);
        used = 99;
        clock.Milliseconds += 101;
        Assert.True(gate.IsOpen);
        Assert.Equal(3, looks);
    }

    [Fact]
    public void A_closed_memory_gate_asks_for_memory_once_a_second()
    {
        StandingClock clock = new();
        using SemaphoreSlim reliefs = new(0);
        MemoryGate gate = new(clock, limitBytes: 100, () => 100, () => reliefs.Release());
        for (int i = 0; i < 25; i++)
        {
            Assert.False(gate.IsOpen);
            clock.Milliseconds += 101;
        }

        for (int i = 0; i < 3; i++)
        {
            Assert.True(reliefs.Wait(Deadline.Hang));
        }

        Assert.False(reliefs.Wait(Deadline.Grace));
    }

    [Fact]
    public void The_used_memory_of_the_process_is_read_from_the_system() =>
        Assert.InRange(MemoryGate.UsedBytes(), 1024 * 1024, 64L * 1024 * 1024 * 1024);

    [Fact]
    public async Task Without_memory_requests_are_refused_with_503_and_Retry_After_but_those_of_operators_are_served()
    {
        using TestServer server = new(o => o with { MemoryBytesMax = 1 });
        HttpAnswer answer = await server.SendAsync("GET", "/databases");
        answer.ExpectError(503, "memory");
        Assert.Equal("1", answer.Message.Headers.RetryAfter!.ToString());
        (await server.SendAsync("GET", "/healthz")).Expect(HttpStatusCode.OK);
        (await server.SendAsync("GET", "/admin/requests/running")).Expect(HttpStatusCode.OK);
    }

    private sealed class StandingClock : TimeProvider
    {
        internal long Milliseconds { get; set; } = 1;

        public override long TimestampFrequency => 1000;

        public override long GetTimestamp() => Milliseconds;
    }
}
