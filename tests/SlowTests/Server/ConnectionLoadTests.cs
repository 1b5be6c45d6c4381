using System.Diagnostics;
using System.Globalization;
using System.Net.Http.Headers;
using System.Text;
using FastTests.Server;
using SlowTests.Support;
using Xunit.Abstractions;

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

    private static readonly TimeSpan CutAfterMax = TimeSpan.FromSeconds(40);

    [Fact]
    public async Task Ten_thousand_idle_connections_are_cheap_and_hold_nobody_up()
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
    public async Task Slow_clients_are_cut_and_the_server_goes_on()
    {
        using ServerProcess server = ServerProcess.Start();
        using var client = new HttpClient { BaseAddress = new Uri(server.Url) };
        await CreateDatabaseAsync(client);
        string[] beginnings =
        [
            "", "GET /build/ver", "GET /build/version HTTP/1.1\r\nHost: loc",
            "PUT /databases/db/docs?id=slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
            "POST /databases/db/bulk_docs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"Com",
        ];
        RawConnection[] slow = [.. Enumerable.Range(0, SlowClients).Select(i =>
        {
            var connection = new RawConnection(new Uri(server.Url).Port);
            connection.Send(beginnings[i % beginnings.Length]);
            return connection;
        })];
        long start = Stopwatch.GetTimestamp();
        double p99 = Percentile99(await WriteAsync(client, 500));
        Assert.InRange(p99, 0, 50);

        // The first kind has sent nothing: that is an idle connection, which is kept for longer.
        RawConnection[] begun = [.. slow.Index().Where(s => s.Index % beginnings.Length != 0).Select(s => s.Item)];
        while (!begun.All(connection => connection.HasEnded()))
        {
            Assert.True(Stopwatch.GetElapsedTime(start) < CutAfterMax, "A slow client was not cut.");
            await Task.Delay(200);
        }

        output.WriteLine($"cut after {Stopwatch.GetElapsedTime(start).TotalSeconds:F0} s; PUT p99 beside {p99:F1} ms");
        await WriteAsync(client, 10);
        Array.ForEach(slow, connection => connection.Dispose());
    }

    [Fact]
    public async Task Answers_that_nobody_reads_do_not_fill_the_memory()
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
    public async Task A_hundred_thousand_mutated_requests_are_never_a_server_error()
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
}
