using FastTests.Server;
using FastTests.Server.Monitoring;
using Microsoft.AspNetCore.Http;
using Raven.Server.Options;

namespace SlowTests.Server;

/// <summary>A hundred thousand requests whose traces strangers ask to be sampled, beside a collector that takes what it
/// is sent, and beside one that does not answer.</summary>
[Trait("Row", "92")]
[Trait(Category.Run, Category.Ci)]
[Trait(Category.Shard, "server")]
public sealed class TelemetryFloodTests(ITestOutputHelper output)
{
    private const int Requests = 100_000;
    private const int Warm = 2_000;
    private const long HeldBytesMax = 32 << 20;

    [Fact]
    public void No_more_are_sampled_than_the_ratio_says()
    {
        using var collector = new OtlpCollector();
        using (InMemoryServer server = Start(collector, ratio: 0.01))
        {
            Flood(server, Requests);
        }

        // Some 1,000, of which the queue has room for twice as many; five deviations to either side.
        int sampled = collector.Spans().Count(one => one.Name == "GET /build/version");
        output.WriteLine($"{sampled} of {Requests} were sampled.");
        Assert.InRange(sampled, 840, 1160);
    }

    [Fact]
    public void A_collector_that_does_not_answer_costs_no_request_and_bounded_memory()
    {
        var gate = new TaskCompletionSource();
        using var collector = new OtlpCollector(stalls: gate.Task);
        using (InMemoryServer server = Start(collector, ratio: 1))
        {
            Flood(server, Warm);
            long before = GC.GetTotalMemory(forceFullCollection: true);
            Flood(server, Requests);
            long held = GC.GetTotalMemory(forceFullCollection: true) - before;
            output.WriteLine($"{held:N0} bytes are held for a collector that does not answer.");
            Assert.True(held < HeldBytesMax, $"{held:N0} bytes are held.");
            gate.SetResult();
        }

        Assert.NotEmpty(collector.Taken);
    }

    private static void Flood(InMemoryServer server, int count)
    {
        var request = new InMemoryRequest("GET", "/build/version");
        for (int i = 1; i <= count; i++)
        {
            ((IHeaderDictionary)request.Request).TraceParent = $"00-{i:x32}-00f067aa0ba902b7-01";
            Assert.Equal(200, server.Send(request));
        }
    }

    private static InMemoryServer Start(OtlpCollector collector, double ratio) => new(configure: options => options with
    {
        Telemetry = new TelemetryOptions
        {
            IsEnabled = true, Endpoint = new Uri(collector.Url), IsGrpc = false, SampleRatio = ratio,
        },
    });
}
