using System.Net;
using System.Net.Sockets;
using System.Text;
using FastTests.Support;
using Raven.Tools.Load;

namespace FastTests.Tools;

public sealed class LoadTests
{
    private static readonly TimeSpan Stall = TimeSpan.FromMilliseconds(300);

    [Theory]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, false)]
    [InlineData("HTTP/1.1 204 No Content\r\nServer: x\r\n\r\n", 204, false)]
    [InlineData("HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\nConnection: close\r\n\r\n{}", 404, true)]
    [InlineData(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n",
        200,
        false)]
    [InlineData("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nTrailer: x\r\n\r\n", 200, false)]
    public void A_response_that_is_cut_anywhere_ends_at_the_same_byte(string response, int status, bool isLast)
    {
        byte[] bytes = Encoding.ASCII.GetBytes(response);
        for (int first = 1; first < bytes.Length; first++)
        {
            for (int second = first; second < bytes.Length; second++)
            {
                var reader = new ResponseReader();
                reader.Reset();

                Assert.False(reader.Feed(bytes.AsSpan(0, first)));
                Assert.False(reader.Feed(bytes.AsSpan(first, second - first)));
                Assert.True(reader.Feed(bytes.AsSpan(second)), $"cut at {first} and {second}");
                Assert.Equal((status, isLast), (reader.Status, reader.IsLast));
            }
        }
    }

    [Fact]
    public void Percentiles_of_the_load_tool_are_exact_to_two_percent()
    {
        const int Seed = 4711;
        var random = new Random(Seed);
        var histogram = new LatencyHistogram();
        long[] values = [.. Enumerable.Range(0, 20_000).Select(_ => (long)Math.Pow(10, random.NextDouble() * 9))];
        Array.ForEach(values, histogram.Record);
        Array.Sort(values);

        foreach (double share in (double[])[0.001, 0.5, 0.9, 0.99, 0.999, 1])
        {
            long exact = values[(int)Math.Ceiling(share * values.Length) - 1];
            Assert.InRange(histogram.GetPercentile(share), exact, (exact * 1.02) + 1);
        }

        Assert.Equal(values[^1], histogram.MaxNanoseconds);
    }

    [Fact]
    public void The_load_tool_writes_the_number_of_a_request_into_its_path_and_body()
    {
        RequestTemplate template = RequestTemplate.Create(
            "PUT", "http://h:1/docs?id=u/{n}", Encoding.UTF8.GetBytes("""{"n":"{n}","m":"{n}"}"""), true, []);
        byte[] buffer = template.CreateBuffer();

        template.SetNumber(buffer, 42);

        string text = Encoding.UTF8.GetString(buffer);
        Assert.StartsWith("PUT /docs?id=u/0000000042 HTTP/1.1\r\nHost: h:1\r\n", text, StringComparison.Ordinal);
        string body = """{"n":"0000000042","m":"0000000042"}""";
        Assert.EndsWith($"Content-Length: {body.Length}\r\nContent-Type: application/json\r\n\r\n{body}", text,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Every_request_of_a_load_is_counted_by_its_outcome()
    {
        await using var server = new FakeServer(
            n => n % 10 == 3 ? "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n" : Ok);

        LoadReport report = await LoadRun.RunAsync(Options(server) with { Clients = 4, RequestsPerClient = 25 });

        Assert.Equal((100, 90, 10, 0), (report.Requests, report.Successful, report.BadFailed, report.NetworkFailed));
        Assert.Equal(100, report.Latency.Count);
        Assert.Contains("503", report.FirstFailure, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_connection_cut_within_an_answer_is_a_network_failure_and_the_next_request_reconnects()
    {
        await using var server = new FakeServer(n => n == 2 ? null : Ok);

        LoadReport report = await LoadRun.RunAsync(Options(server) with { Clients = 1, RequestsPerClient = 5 });

        Assert.Equal((5, 4, 1), (report.Requests, report.Successful, report.NetworkFailed));
    }

    [Fact]
    public async Task A_paced_load_counts_a_stall_of_the_server_for_all_requests_that_were_due_in_it()
    {
        Assert.InRange(await CountSlowAsync(ratePerSecond: 0), 1, 20);

        // 60 requests were due within the first half of the stall; a client that does not keep the pace reports only
        // the one it sent.
        Assert.InRange(await CountSlowAsync(ratePerSecond: 400), 30, 200);
    }

    [Fact]
    public async Task A_paced_load_ends_on_any_thread_on_which_its_last_client_ends()
    {
        // The time ends the run, so the last thing a client does is to wake up on the pacer's thread and to leave.
        await using var server = new FakeServer(_ => Ok);

        LoadReport report = await LoadRun.RunAsync(
            Options(server) with { Clients = 3, Duration = TimeSpan.FromMilliseconds(100), RatePerSecond = 2000 })
            .WaitAsync(Deadline.Hang);

        Assert.InRange(report.Requests, 1, 200);
        Assert.Equal(report.Requests, report.Successful);
    }

    /// <summary>How many took at least half as long as the slowest.</summary>
    private static async Task<int> CountSlowAsync(double ratePerSecond)
    {
        await using var server = new FakeServer(n =>
        {
            if (n == 20)
            {
                for (TimeSpan stalled = default; stalled < Stall; stalled += Deadline.Grace)
                {
                    Deadline.LetGracePass();
                }
            }

            return Ok;
        });
        LoadReport report = await LoadRun.RunAsync(
            Options(server) with { Clients = 1, RequestsPerClient = 200, RatePerSecond = ratePerSecond });
        double slow = report.Latency.GetPercentile(1) / 2.0;
        return Enumerable.Range(1, 200).Count(rank => report.Latency.GetPercentile(rank / 200.0) > slow);
    }

    private const string Ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

    private static LoadOptions Options(FakeServer server) => new()
    {
        Server = server.EndPoint,
        Requests = [RequestTemplate.Create("GET", $"http://{server.EndPoint}/x", null, true, [])],
    };

    /// <summary>Answers the n-th request of all connections as the test says; null cuts the connection.</summary>
    private sealed class FakeServer : IAsyncDisposable
    {
        private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
        private readonly Func<int, string?> _answer;
        private readonly Task _accepting;
        private int _count;

        internal FakeServer(Func<int, string?> answer)
        {
            _answer = answer;
            _listener.Start();
            _accepting = AcceptAsync();
        }

        internal IPEndPoint EndPoint => (IPEndPoint)_listener.LocalEndpoint;

        public async ValueTask DisposeAsync()
        {
            _listener.Stop();
            await _accepting;
        }

        private async Task AcceptAsync()
        {
            var connections = new List<Task>();
            while (await Accepting.NextAsync(_listener) is { } client)
            {
                connections.Add(ServeAsync(client));
            }

            await Task.WhenAll(connections);
        }

        private async Task ServeAsync(TcpClient client)
        {
            using TcpClient closing = client;
            byte[] buffer = new byte[4096];
            while (await client.GetStream().ReadAsync(buffer) > 0)
            {
                if (_answer(Interlocked.Increment(ref _count) - 1) is not { } text)
                {
                    return;
                }

                await client.GetStream().WriteAsync(Encoding.ASCII.GetBytes(text));
            }
        }
    }
}
