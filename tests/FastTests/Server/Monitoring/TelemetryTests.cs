using System.Diagnostics;
using System.Net;
using OpenTelemetry.Trace;
using Raven.Server.Http.Telemetry;
using Raven.Server.Options;

namespace FastTests.Server.Monitoring;

/// <summary>What goes to a collector of OpenTelemetry.</summary>
public sealed class TelemetryTests
{
    private const string Trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    private const string Above = "00f067aa0ba902b7";

    [Fact]
    [Trait("Invariant", "OTEL-2")]
    public async Task Spans_metrics_and_lines_arrive_and_no_value_is_in_them()
    {
        using var collector = new OtlpCollector();
        using (TestServer server = await TestServer.WithDatabaseAsync(o => With(o, collector, 1)))
        {
            (await server.SendAsync(
                "PUT", "~/docs?id=as/canary-id", """{"X":"canary-value","@metadata":{"@collection":"As"}}""",
                $"traceparent: 00-{Trace}-{Above}-01")).Expect(HttpStatusCode.Created);
            (await server.SendAsync(
                "POST", "~/queries",
                """{"Query":"from As where X = 'canary-value' or X = $p","QueryParameters":{"p":"canary-value"}}"""))
                .Expect(HttpStatusCode.OK);
            (await server.SendAsync("GET", "~/docs?id=canary-id", (string?)null, "x-api: canary-value"))
                .Expect(HttpStatusCode.NotFound);
        }

        // The server has stopped: what it had to send is sent.
        List<OtlpSpan> spans = collector.Spans();
        OtlpSpan put = spans.Single(one => one.Name == "PUT /databases/*/docs");
        Assert.Equal((Trace, Above), (put.Trace, put.Parent));
        Assert.Contains("http.response.status_code=201", put.Tags);
        Assert.Contains("db.namespace=db", put.Tags);
        Assert.Contains(spans, one => one.Name == "commit" && one.Parent == put.Id);
        OtlpSpan request = spans.Single(one => one.Name == "POST /databases/*/queries");
        OtlpSpan query = spans.Single(one => one.Name == "query");
        Assert.Equal((request.Trace, request.Id), (query.Trace, query.Parent));
        Assert.Contains("raven.index=Auto/As/ByX", query.Tags);
        OtlpSpan batch = spans.First(one => one.Name == "index batch");
        Assert.Equal("", batch.Parent);
        Assert.Contains("raven.documents=1", batch.Tags);
        Assert.Contains(collector.Taken, one => one.Path == "/v1/metrics");
        Assert.True(collector.Has("raven.database.documents"));
        Assert.Contains(collector.Taken, one => one.Path == "/v1/logs");
        Assert.All(collector.Taken, one => Assert.Equal("canary", one.Secret));
        Assert.False(collector.Has("canary-value"), "A value has left the server.");
        Assert.False(collector.Has("canary-id"), "An id has left the server.");
    }

    [Theory]
    [Trait("Invariant", "OTEL-1")]
    [InlineData(false, 1.0)]
    [InlineData(true, 0.0)]
    public async Task Nothing_is_sent_that_is_switched_off_or_not_sampled_whatever_a_request_asks_for(
        bool isOn, double ratio)
    {
        using var collector = new OtlpCollector();
        using (TestServer server = await TestServer.WithDatabaseAsync(o => With(o, collector, ratio, isOn)))
        {
            Assert.Equal(isOn, server.Host.State.Telemetry != null);
            (await server.SendAsync("GET", "/build/version", (string?)null, $"traceparent: 00-{Trace}-{Above}-01"))
                .Expect(HttpStatusCode.OK);
        }

        Assert.Empty(collector.Spans());
        Assert.Equal(isOn, !collector.Taken.IsEmpty);
    }

    [Theory]
    [Trait("Row", "92")]
    [Trait("Invariant", "OTEL-3")]
    [InlineData(500)]
    [InlineData(307)]
    [InlineData(0)]
    public async Task A_collector_that_fails_redirects_or_is_gone_harms_nobody(int status)
    {
        using var elsewhere = new OtlpCollector();
        using var collector = new OtlpCollector(status == 0 ? 200 : status, elsewhere.Url + "/v1/traces");
        if (status == 0)
        {
            collector.Dispose();
        }

        using (TestServer server = await TestServer.WithDatabaseAsync(o => With(o, collector, 1)))
        {
            for (int i = 0; i < 20; i++)
            {
                (await server.SendAsync("PUT", $"~/docs?id=d/{i}", "{}")).Expect(HttpStatusCode.Created);
            }

            await server.AssertServesAsync();
        }

        Assert.Equal(status == 0, collector.Taken.IsEmpty);
        Assert.Empty(elsewhere.Taken);
    }

    [Theory]
    [InlineData("")]
    [InlineData("nonsense")]
    [InlineData("00-00000000000000000000000000000000-0000000000000000-01")]
    [InlineData("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-\u007f")]
    public async Task A_request_with_a_parent_that_is_none_is_a_trace_of_its_own(string parent)
    {
        using var collector = new OtlpCollector();
        using (TestServer server = await TestServer.WithDatabaseAsync(o => With(o, collector, 1)))
        {
            (await server.SendAsync("GET", "/build/version", (string?)null, $"traceparent: {parent}"))
                .Expect(HttpStatusCode.OK);
        }

        OtlpSpan span = collector.Spans().Single(one => one.Name == "GET /build/version");
        Assert.Equal("", span.Parent);
        Assert.NotEqual(Trace, span.Trace);
    }

    [Fact]
    public void The_sampler_takes_its_part_of_the_traces_of_others_and_goes_with_its_own()
    {
        var sampler = new RatioSampler(0.25, seed: 42);
        int taken = 0;
        for (int i = 1; i <= 4000; i++)
        {
            // Ids that a client would choose if the choice depended on them alone.
            var trace = ActivityTraceId.CreateFromString($"{i:x32}");
            taken += Decide(sampler, trace, isRemote: true, isAsked: true) ? 1 : 0;
            Assert.False(Decide(sampler, trace, isRemote: true, isAsked: false));
            Assert.True(Decide(sampler, trace, isRemote: false, isAsked: true));
            Assert.False(Decide(sampler, trace, isRemote: false, isAsked: false));
        }

        Assert.InRange(taken, 850, 1150);
        Assert.Equal(
            SamplingDecision.RecordAndSample,
            new RatioSampler(1, 7).ShouldSample(new SamplingParameters(
                default, ActivityTraceId.CreateFromString(Trace), "", ActivityKind.Server)).Decision);
    }

    [Theory]
    [InlineData("Endpoint", "collector:4317")]
    [InlineData("Endpoint", "http://name:password@collector")]
    [InlineData("Headers", "canary")]
    [InlineData("Protocol", "Udp")]
    [InlineData("SampleRatio", "1.5")]
    [InlineData("SampleRatio", "-1")]
    [InlineData("Enabled", "perhaps")]
    public void A_wrong_option_is_refused_and_a_secret_is_not_repeated(string key, string value)
    {
        ServerOptionException refused = Assert.Throws<ServerOptionException>(() => OptionReader.Read(
            [$"--Monitoring.OpenTelemetry.{key}={value}"], new Dictionary<string, string>(), Path.GetTempPath()));
        Assert.Contains(key, refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("canary", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_headers_are_not_shown()
    {
        ServerOptions options = OptionReader.Read(
            ["--Monitoring.OpenTelemetry.Headers=authorization=canary"], new Dictionary<string, string>(),
            Path.GetTempPath());
        Assert.Equal("authorization=canary", options.Telemetry.Headers);
        Assert.DoesNotContain("canary", OptionTable.Print(options), StringComparison.Ordinal);
    }

    private static bool Decide(RatioSampler sampler, ActivityTraceId trace, bool isRemote, bool isAsked)
    {
        var parent = new ActivityContext(
            trace, ActivitySpanId.CreateFromString(Above),
            isAsked ? ActivityTraceFlags.Recorded : ActivityTraceFlags.None, isRemote: isRemote);
        return sampler.ShouldSample(new SamplingParameters(parent, trace, "", ActivityKind.Server)).Decision
            == SamplingDecision.RecordAndSample;
    }

    private static ServerOptions With(ServerOptions options, OtlpCollector collector, double ratio, bool isOn = true) =>
        options with
        {
            Telemetry = new TelemetryOptions
            {
                IsEnabled = isOn, Endpoint = new Uri(collector.Url), IsGrpc = false, SampleRatio = ratio,
                HasLogs = true, Headers = "x-secret=canary",
            },
        };
}
