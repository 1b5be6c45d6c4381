using System.Diagnostics;
using System.Globalization;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Text;
using FastTests.Server;
using SlowTests.Support;

namespace SlowTests.Server;

/// <summary>Thousands of connections: idle, slow, and such that do not read what they asked for.</summary>
[Trait(Category.Shard, "server")]
public sealed class ConnectionLoadTests(ITestOutputHelper output)
{
    private const int IdleConnections = 10_000;
    private const int IdleConnectionSizeBytesMax = 16 * 1024;
    private const int SlowClients = 290;
    private const int Unread = 40;
    private const long UnreadGrowthBytesMax = 400L << 20;

    [Fact]
    public async Task Ten_thousand_idle_connections_take_little_memory_and_delay_no_other_request()
    {
        using ServerProcess server = ServerProcess.Start();
        using var client = new HttpClient { BaseAddress = new Uri(server.Url) };
        await CreateDatabaseAsync(client);
        await WriteAsync(client, 200);
        long before = server.AnonymousBytes();
        List<RawConnection> connections = [];
        try
        {
            for (int i = 0; i < IdleConnections; i++)
            {
                var connection = new RawConnection(new Uri(server.Url).Port);
                connections.Add(connection);
                connection.Send("GET /build/version HTTP/1.1\r\nHost: localhost\r\n\r\n");
                Assert.Equal(200, connection.Receive().Status);
            }

            long each = (server.AnonymousBytes() - before) / IdleConnections;
            double p99 = Percentile99(await WriteAsync(client, 500));
            output.WriteLine($"{each} bytes an idle connection; PUT p99 beside them {p99:F1} ms");
            Assert.InRange(each, 0, IdleConnectionSizeBytesMax);
            Assert.InRange(p99, 0, 50);
        }
        finally
        {
            connections.ForEach(connection => connection.Dispose());
        }
    }

    [Fact]
    public async Task All_slow_clients_are_disconnected_within_35_seconds_and_the_server_serves_on()
    {
        using ServerProcess server = ServerProcess.Start();
        using var client = new HttpClient { BaseAddress = new Uri(server.Url) };
        await CreateDatabaseAsync(client);
        int port = new Uri(server.Url).Port;

        // A client that has sent nothing is not slow yet: that is an idle connection, which is kept for longer.
        using var silent = new RawConnection(port);
        SlowClient[] slow = [.. Enumerable.Range(0, SlowClients).Select(i => new SlowClient(port, i))];
        try
        {
            Task<double[]> writing = WriteAsync(client, 500);
            while (!Array.TrueForAll(slow, one => one.IsOver))
            {
                Array.ForEach(slow, one => one.Continue());
                await Task.Delay(200);
            }

            double p99 = Percentile99(await writing);
            output.WriteLine($"PUT p99 beside them {p99:F1} ms; the last cut of each kind:");
            foreach (IGrouping<string, SlowClient> kind in slow.GroupBy(one => one.Kind))
            {
                output.WriteLine($"{kind.Max(one => one.CutAfter)?.TotalSeconds ?? double.NaN:F1} s  {kind.Key}");
            }

            Assert.Empty(slow.Where(one => one.CutAfter is null).CountBy(one => one.Kind));
            Assert.InRange(p99, 0, 50);
        }
        finally
        {
            Array.ForEach(slow, one => one.Dispose());
        }

        silent.Send("GET /build/version HTTP/1.1\r\nHost: localhost\r\n\r\n");
        Assert.Equal(200, silent.Receive().Status);
        await WriteAsync(client, 10);
    }

    [Fact]
    public async Task Answers_that_their_clients_do_not_read_do_not_fill_the_memory()
    {
        using ServerProcess server = ServerProcess.Start();
        using var client = new HttpClient { BaseAddress = new Uri(server.Url) };
        await CreateDatabaseAsync(client);
        string text = new('x', 1000);
        var body = new StringBuilder("[");
        for (int i = 0; i < 20_000; i++)
        {
            body.Append(i == 0 ? "" : ",").Append(CultureInfo.InvariantCulture,
                $"{{\"Id\":\"big/{i}\",\"Type\":\"PUT\",\"Document\":{{\"n\":{i},\"Text\":\"{text}{i}\"}}}}");
        }

        (await client.PostAsync("/databases/db/bulk_insert", new StringContent(body.Append(']').ToString())))
            .EnsureSuccessStatusCode();
        double alone = Percentile99(await WriteAsync(client, 200));
        long before = server.AnonymousBytes();
        long most = 0;
        RawConnection[] unread = [.. Enumerable.Range(0, Unread).Select(i =>
        {
            var connection = new RawConnection(new Uri(server.Url).Port);
            string what = i % 2 == 0 ? "streams/docs?format=jsonl" : "docs?startsWith=big/";
            connection.Send($"GET /databases/db/{what} HTTP/1.1\r\nHost: localhost\r\n\r\n");
            return connection;
        })];
        for (int i = 0; i < 30; i++)
        {
            most = Math.Max(most, server.AnonymousBytes() - before);
            await Task.Delay(100);
        }

        double beside = Percentile99(await WriteAsync(client, 200));
        output.WriteLine(
            $"{Unread} unread answers of 20 MB: {most >> 20} MB more; "
            + $"PUT p99 {alone:F1} ms alone, {beside:F1} ms beside");
        Assert.InRange(most, 0, UnreadGrowthBytesMax);
        Assert.InRange(beside, 0, 50);
        Array.ForEach(unread, connection => connection.Dispose());
    }

    [Fact]
    public async Task A_hundred_thousand_mutated_requests_never_cause_a_server_error()
    {
        using ServerProcess server = ServerProcess.Start();
        using var client = new HttpClient { BaseAddress = new Uri(server.Url) };
        await CreateDatabaseAsync(client);
        int port = new Uri(server.Url).Port;
        int seed = Environment.TickCount;
        output.WriteLine($"seeds {seed} to {seed + 3}");
        await Task.WhenAll(Enumerable.Range(0, 4).Select(i => Task.Run(
            () => RequestMutation.Send(port, seed + i, requests: 25_000))));
        await WriteAsync(client, 10);
    }

    private static async Task CreateDatabaseAsync(HttpClient client)
    {
        using var body = new StringContent("{}", new MediaTypeHeaderValue("application/json"));
        (await client.PutAsync("/admin/databases?name=db", body)).EnsureSuccessStatusCode();
    }

    /// <summary>Writes documents one by one and gives how long each took, in milliseconds.</summary>
    private static async Task<double[]> WriteAsync(HttpClient client, int count)
    {
        double[] times = new double[count];
        for (int i = 0; i < count; i++)
        {
            using var body = new StringContent("{\"a\":1}");
            long start = Stopwatch.GetTimestamp();
            (await client.PutAsync($"/databases/db/docs?id=beside/{i}", body)).EnsureSuccessStatusCode();
            times[i] = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        }

        return times;
    }

    private static double Percentile99(double[] times) => times.Order().ElementAt((int)(times.Length * 0.99));

    /// <summary>
    /// Begins a request and never ends it: it waits, or sends a little every second so as not to seem gone.
    /// </summary>
    private sealed class SlowClient : IDisposable
    {
        private static readonly TimeSpan CutAfterMax = TimeSpan.FromSeconds(35);

        private static readonly (string Kind, string Begins, string Adds)[] Kinds =
        [
            ("half a request line", "GET /build/ver", ""),
            ("half a header", "GET /build/version HTTP/1.1\r\nHost: loc", ""),
            ("a header each second", "GET /build/version HTTP/1.1\r\nHost: localhost\r\n", "X-More: 1\r\n"),
            ("a byte of the body each second",
                "PUT /databases/db/docs?id=slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{", " "),
            ("half a chunk of the body",
                "POST /databases/db/bulk_docs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "5\r\n{\"Com", ""),
        ];

        private readonly RawConnection _connection;
        private readonly string _adds;
        private readonly long _start;
        private int _added;

        internal SlowClient(int port, int number)
        {
            (Kind, string begins, _adds) = Kinds[number % Kinds.Length];
            _connection = new RawConnection(port);
            _start = Stopwatch.GetTimestamp();
            _connection.Send(begins);
        }

        internal string Kind { get; }

        /// <summary>How long after its beginning the server has closed; null if it has not.</summary>
        internal TimeSpan? CutAfter { get; private set; }

        /// <summary>Whether it was cut, or has waited for longer than any may.</summary>
        internal bool IsOver { get; private set; }

        /// <summary>Sees whether it was cut, and if not adds what it adds.</summary>
        internal void Continue()
        {
            if (IsOver)
            {
                return;
            }

            TimeSpan passed = Stopwatch.GetElapsedTime(_start);
            if (_connection.HasEnded())
            {
                CutAfter = passed;
            }
            else if (_adds.Length > 0 && passed.TotalSeconds >= _added + 1)
            {
                _added = (int)passed.TotalSeconds;
                TryAdd();
            }

            IsOver = CutAfter is not null || passed > CutAfterMax;
        }

        public void Dispose() => _connection.Dispose();

        private void TryAdd()
        {
            try
            {
                _connection.Send(_adds);
            }
            catch (SocketException)
            {
                // It was cut just now, which the next look sees.
            }
        }
    }
}
