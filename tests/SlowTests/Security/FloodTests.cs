using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using FastTests.Server;
using FastTests.Support;

namespace SlowTests.Security;

/// <summary>Floods of handshakes and of frames of HTTP/2, beside clients that go on working.</summary>
[Trait(Category.Shard, "floods")]
public sealed class FloodTests(SecuredProcess server, ITestOutputHelper output) : IClassFixture<SecuredProcess>
{
    private const int HalfOpen = 2000;
    private const int Requests = 300;
    private const int Streams = 10_000;
    private const byte Whole = Http2Frames.EndHeaders | Http2Frames.EndStream;
    private const int LogLinesMax = 100;
    private const long GrowthBytesMax = 128 << 20;

    private static readonly TimeSpan ServedWithin = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Storm = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    [Fact]
    [Trait("Security", "11")]
    public async Task Half_open_handshakes_delay_no_open_connection_and_end_soon()
    {
        await UntilServedAsync();
        using HttpClient open = server.Client(server.Admin);
        await MeasureAsync(open);
        TimeSpan before = await MeasureAsync(open);
        List<RawConnection> slow = [];
        long start = Stopwatch.GetTimestamp();
        try
        {
            // A byte of a handshake each second, of those that the server has not closed.
            byte[] hello = RawTls.ClientHello(RawTls.Tls12, 0xC02F);
            for (int i = 0; i < HalfOpen; i++)
            {
                if (TryConnect(server.Port) is { } connection)
                {
                    slow.Add(connection);
                }
            }

            List<RawConnection> left = [.. slow];
            for (int i = 0; i < 3; i++)
            {
                left.RemoveAll(one => !TrySend(one, hello.AsSpan(i, 1)));
                await Task.Delay(TimeSpan.FromSeconds(1));
            }

            TimeSpan beside = await MeasureAsync(open);
            output.WriteLine($"p99 {before.TotalMilliseconds:F1} ms, beside {left.Count} half-open handshakes "
                + $"{beside.TotalMilliseconds:F1} ms");
            Assert.InRange(left.Count, 0, HalfOpen / 2);
            Assert.InRange(beside, TimeSpan.Zero, (2 * before) + TimeSpan.FromMilliseconds(50));
            await UntilServedAsync();
            TimeSpan served = Stopwatch.GetElapsedTime(start);
            output.WriteLine($"a new client is served after {served.TotalSeconds:F1} s");
            Assert.InRange(served, TimeSpan.Zero, ServedWithin);
        }
        finally
        {
            slow.ForEach(one => one.Dispose());
        }
    }

    [Fact]
    [Trait("Security", "11")]
    public async Task An_open_connection_is_served_beside_a_storm_of_whole_handshakes()
    {
        await UntilServedAsync();
        using HttpClient open = server.Client(server.Admin);
        await MeasureAsync(open);
        using var over = new CancellationTokenSource(Storm);
        Task<int>[] storm = [.. Enumerable.Range(0, 8).Select(_ => Task.Run(() => HandshakesAsync(over.Token)))];
        TimeSpan beside = await MeasureAsync(open);
        int handshakes = (await Task.WhenAll(storm)).Sum();
        output.WriteLine($"p99 {beside.TotalMilliseconds:F1} ms beside {handshakes} handshakes");
        Assert.True(handshakes > 100, $"only {handshakes} handshakes");
        Assert.InRange(beside, TimeSpan.Zero, TimeSpan.FromMilliseconds(500));
    }

    [Fact]
    [Trait("Security", "12")]
    public async Task Floods_of_frames_are_ended_and_cost_neither_memory_nor_lines_of_the_log()
    {
        await UntilServedAsync();
        using HttpClient open = server.Client(server.Admin);
        await MeasureAsync(open);
        long before = server.Server.AnonymousBytes();
        int lines = server.Server.Printed.Count;
        byte[] get = Http2Frames.Get("/build/version");
        byte[] junk = new byte[16 * 1024];
        Dictionary<string, byte[]> floods = new()
        {
            ["rapid reset"] = Repeat(Streams, i =>
            [
                .. Http2Frames.Frame(Http2Frames.Headers, Whole, (2 * i) + 1, get),
                .. Http2Frames.Frame(Http2Frames.Reset, 0, (2 * i) + 1, [0, 0, 0, 8]),
            ]),
            ["continuation"] =
            [
                .. Http2Frames.Frame(Http2Frames.Headers, Http2Frames.EndStream, 1, get),
                .. Repeat(2000, _ => Http2Frames.Frame(Http2Frames.Continuation, 0, 1, junk)),
            ],
            ["empty continuation"] =
            [
                .. Http2Frames.Frame(Http2Frames.Headers, Http2Frames.EndStream, 1, get),
                .. Repeat(100_000, _ => Http2Frames.Frame(Http2Frames.Continuation, 0, 1, [])),
            ],
            ["settings"] = Repeat(Streams, _ => Http2Frames.Frame(Http2Frames.Settings, 0, 0, [0, 3, 0, 0, 0, 100])),
            ["pings"] = Repeat(Streams, _ => Http2Frames.Frame(Http2Frames.Ping, 0, 0, new byte[8])),
            ["large headers"] = Repeat(1000, i => Http2Frames.Frame(
                Http2Frames.Headers, Whole, (2 * i) + 1,
                [.. get, .. Repeat(100, _ => [0x00, 0x01, (byte)'x', 0x64, .. new byte[100]])])),
            ["empty data"] =
            [
                .. Http2Frames.Frame(Http2Frames.Headers, Http2Frames.EndHeaders, 1, get),
                .. Repeat(100_000, _ => Http2Frames.Frame(Http2Frames.Data, 0, 1, [])),
            ],
        };
        foreach ((string name, byte[] flood) in floods)
        {
            await FloodAsync(name, flood, allowsAnswers: true);
        }

        await FloodAsync(
            "a window of nothing",
            Repeat(100, i => Http2Frames.Frame(Http2Frames.Headers, Whole, (2 * i) + 1, get)), allowsAnswers: false);
        long growth = server.Server.AnonymousBytes() - before;
        int printed = server.Server.Printed.Count - lines;
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"{growth >> 20} MB more, {printed} lines of the log"));
        Assert.InRange(growth, long.MinValue, GrowthBytesMax);
        Assert.InRange(printed, 0, LogLinesMax);
        await server.AssertServesAsync();
    }

    private async Task FloodAsync(string name, byte[] flood, bool allowsAnswers)
    {
        SslStreamCertificateContext own = SslStreamCertificateContext.Create(server.Admin, null, offline: true);
        await using SslStream tls = await server.OpenAsync(own, SslApplicationProtocol.Http2);
        using var over = new CancellationTokenSource(Patience);
        Task<List<byte>> reading = Http2Frames.ReadAsync(tls, over.Token);
        long start = Stopwatch.GetTimestamp();
        try
        {
            await tls.WriteAsync(Http2Frames.Begin(allowsAnswers), over.Token);
            await tls.WriteAsync(flood, over.Token);
        }
        catch (Exception end) when (end is IOException or OperationCanceledException)
        {
            // The server has had enough.
        }

        List<byte> types = await reading;
        output.WriteLine($"{name}: {types.Count} frames in {Stopwatch.GetElapsedTime(start).TotalSeconds:F1} s, "
            + $"{(types.Contains(Http2Frames.GoAway) ? "sent away" : "not sent away")}");
        using HttpClient beside = server.Client(server.Admin);
        using HttpResponseMessage answer = await beside.GetAsync(new Uri("/databases", UriKind.Relative));
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
    }

    private async Task<int> HandshakesAsync(CancellationToken over)
    {
        int done = 0;
        while (!over.IsCancellationRequested)
        {
            try
            {
                await using SslStream tls = await server.OpenAsync(null, SslApplicationProtocol.Http11);
                done++;
            }
            catch (Exception refused) when (refused is IOException or SocketException)
            {
                // Too many at one time.
            }
        }

        return done;
    }

    private async Task UntilServedAsync() => await Deadline.UntilAsync(async () =>
    {
        try
        {
            using HttpClient next = server.Client(server.Admin);
            using HttpResponseMessage answer = await next.GetAsync(new Uri("/databases", UriKind.Relative));
            return answer.IsSuccessStatusCode;
        }
        catch (Exception refused) when (refused is HttpRequestException or SocketException)
        {
            return false;
        }
    });

    /// <summary>What 99 of 100 requests take at most, on one connection.</summary>
    private static async Task<TimeSpan> MeasureAsync(HttpClient client)
    {
        List<TimeSpan> times = [];
        for (int i = 0; i < Requests; i++)
        {
            long start = Stopwatch.GetTimestamp();
            await client.GetStringAsync(new Uri("/databases", UriKind.Relative));
            times.Add(Stopwatch.GetElapsedTime(start));
        }

        times.Sort();
        return times[(int)(Requests * 0.99) - 1];
    }

    /// <summary>Null if the server closes it at once.</summary>
    private static RawConnection? TryConnect(int port)
    {
        try
        {
            return new RawConnection(port);
        }
        catch (SocketException)
        {
            return null;
        }
    }

    private static bool TrySend(RawConnection connection, ReadOnlySpan<byte> bytes)
    {
        try
        {
            connection.Send(bytes);
            return !connection.HasEnded();
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private static byte[] Repeat(int count, Func<int, byte[]> make) =>
        [.. Enumerable.Range(0, count).SelectMany(make)];
}
