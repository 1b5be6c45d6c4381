using System.Globalization;
using System.IO.Compression;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Text;
using FastTests.Server;
using FastTests.Support;
using SlowTests.Support;

namespace SlowTests.Server;

/// <summary>
/// All attacks at once: bombs, large and cut bodies, depth, floods, garbage frames, answers that are not read, changed
/// requests. The memory of the server stays bounded, none of them is answered with a 500, and it continues to serve.
/// </summary>
[Trait(Category.Shard, "attacks")]
public sealed class AttackMemoryTests(ITestOutputHelper output)
{
    private const long Megabyte = 1 << 20;
    private const int LargeBodies = 12;
    private const int LargeBodySizeBytes = 20 * (int)Megabyte;
    private const long LimitBytes = 512 * Megabyte;
    private const string LimitOption = "--Limits.MemoryBytesMax=536870912";

    /// <summary>What a server may keep of the memory that attacks took: for the next requests, and garbage.</summary>
    private const long KeptBytesMax = 192 * Megabyte;

    private const string Handshake =
        "GET /databases/db/changes HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

    private static readonly TimeSpan Duration = TimeSpan.FromSeconds(20);

    private int _refused;
    private int _serverErrors;

    [Fact]
    public Task Under_all_attacks_the_memory_of_the_server_grows_by_less_than_a_gigabyte() =>
        AttackAsync(growthBytesMax: 1024 * Megabyte);

    /// <summary>What is under way when the limit is met is served to its end: some of the large bodies.</summary>
    [Fact]
    public Task A_server_limited_to_512_MB_stays_close_to_the_limit_under_all_attacks() =>
        AttackAsync(LimitBytes + (192 * Megabyte), LimitOption);

    /// <summary>All at once would want 1.2 GB: bodies that begin and do not end, one after the other.</summary>
    [Fact]
    public async Task A_server_limited_to_512_MB_refuses_requests_instead_of_using_more()
    {
        const int bodies = 60;
        using ServerProcess server = ServerProcess.Start(null, LimitOption);
        using var client = new HttpClient { BaseAddress = new Uri(server.Url), Timeout = Deadline.Hang };
        (await client.PutAsync("/admin/databases?name=db", Json("{}"))).EnsureSuccessStatusCode();
        byte[] body = Encoding.ASCII.GetBytes($"{{\"T\":\"{new string('h', LargeBodySizeBytes)}");
        int port = new Uri(server.Url).Port;
        long before = server.AnonymousBytes();
        long most = 0;
        var held = new List<RawConnection>();
        try
        {
            for (int i = 0; i < bodies; i++)
            {
                var connection = new RawConnection(port);
                held.Add(connection);
                Hold(connection, body);
                most = Math.Max(most, server.AnonymousBytes() - before);
            }

            using HttpResponseMessage refused = await client.GetAsync("/databases/db/docs?id=a");
            most = Math.Max(most, server.AnonymousBytes() - before);
            RawConnection[] answered = [.. held.Where(connection => connection.HasAnswer())];
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{most / Megabyte} MB more at most; {answered.Length} of {bodies} were refused"));
            Assert.Equal(503, (int)refused.StatusCode);
            Assert.NotNull(refused.Headers.RetryAfter?.Delta);
            Assert.InRange(answered.Length, bodies / 6, bodies - 1);
            Assert.All(answered, one => Assert.True(one.ReceiveStatusOrClose() is null or 503));

            // What comes in between two looks at the memory, and what those that are being read still grow by.
            Assert.InRange(most, 0, LimitBytes + (160 * Megabyte));
        }
        finally
        {
            held.ForEach(connection => connection.Dispose());
        }

        await AssertServesAsync(client);
        await AssertMemoryIsBackAsync(server, before);
    }

    [Fact]
    public async Task The_memory_for_many_small_attachments_of_one_document_grows_linearly_with_their_number()
    {
        const int count = 4000;
        using ServerProcess server = ServerProcess.Start(null);
        using var client = new HttpClient { BaseAddress = new Uri(server.Url), Timeout = Deadline.Hang };
        (await client.PutAsync("/admin/databases?name=db", Json("{}"))).EnsureSuccessStatusCode();
        (await client.PostAsync(
            "/databases/db/admin/revisions/config", Json("{\"Default\":{\"Disabled\":false},\"Collections\":{}}")))
            .EnsureSuccessStatusCode();
        string puts = string.Join(',', Enumerable.Range(0, count).Select(i =>
            $"{{\"Type\":\"AttachmentPUT\",\"Id\":\"a\",\"Name\":\"n{i}\"}}"));
        using var body = new MultipartFormDataContent
        {
            { Json($"{{\"Commands\":[{{\"Type\":\"PUT\",\"Id\":\"a\",\"Document\":{{}}}},{puts}]}}"), "main" },
        };
        for (int i = 0; i < count; i++)
        {
            body.Add(new ByteArrayContent([(byte)i]), $"attachment_{i}");
        }

        long before = server.AnonymousBytes();
        Task<HttpResponseMessage> answer = client.PostAsync("/databases/db/bulk_docs", body);
        long most = 0;
        while (!answer.IsCompleted)
        {
            most = Math.Max(most, server.AnonymousBytes() - before);
            await Task.WhenAny(answer, Task.Delay(5));
        }

        Assert.Equal(201, (int)(await answer).StatusCode);
        most = Math.Max(most, server.AnonymousBytes() - before);
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{most / Megabyte} MB more at most"));
        Assert.InRange(most, 0, 128 * Megabyte);
        string revisions = await client.GetStringAsync("/databases/db/revisions/count?id=a");
        Assert.Equal("{\"RevisionsCount\":1}", revisions);
    }

    [Fact]
    public async Task A_command_with_many_large_fields_is_refused_before_it_exceeds_the_memory_of_a_request()
    {
        using ServerProcess server = ServerProcess.Start(null, "--Limits.RequestMemoryBytesMax=134217728");
        using var client = new HttpClient { BaseAddress = new Uri(server.Url), Timeout = Deadline.Hang };
        (await client.PutAsync("/admin/databases?name=db", Json("{}"))).EnsureSuccessStatusCode();
        long before = server.AnonymousBytes();
        byte[] noise = new byte[24 * Megabyte];
        new Random(1).NextBytes(noise);
        string field = Convert.ToHexString(noise);
        Task<HttpResponseMessage> answer = client.PostAsync("/databases/db/bulk_insert", new FieldsContent(field, 30));
        long most = 0;
        while (!answer.IsCompleted)
        {
            most = Math.Max(most, server.AnonymousBytes() - before);
            await Task.WhenAny(answer, Task.Delay(5));
        }

        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{most / Megabyte} MB more at most"));
        Assert.InRange(most, 0, 512 * Megabyte);
        try
        {
            Assert.Equal(413, (int)(await answer).StatusCode);
        }
        catch (Exception refused) when (refused is HttpRequestException or SocketException)
        {
            // The server closes the connection if the client continues to send behind the refusal.
        }

        await AssertServesAsync(client);
    }

    private async Task AttackAsync(long growthBytesMax, params string[] options)
    {
        using ServerProcess server = ServerProcess.Start(null, options);
        using var client = new HttpClient { BaseAddress = new Uri(server.Url), Timeout = Deadline.Hang };
        (await client.PutAsync("/admin/databases?name=db", Json("{}"))).EnsureSuccessStatusCode();
        string text = new('t', 1000);
        for (int i = 0; i < 2000; i++)
        {
            (await client.PutAsync($"/databases/db/docs?id=some/{i}", Json($"{{\"T\":\"{text}{i}\"}}")))
                .EnsureSuccessStatusCode();
        }

        long before = server.AnonymousBytes();
        long most = 0;
        int port = new Uri(server.Url).Port;
        using var stop = new CancellationTokenSource(Duration);
        Task[] attacks =
        [
            .. Enumerable.Range(0, LargeBodies).Select(i => RepeatAsync(() => LargeAsync(client, i), stop.Token)),
            RepeatAsync(() => BombAsync(client), stop.Token), RepeatAsync(() => DeepAsync(client), stop.Token),
            RepeatAsync(() => CutAsync(port), stop.Token), RepeatAsync(() => FramesAsync(port), stop.Token),
            RepeatAsync(() => FloodAsync(port), stop.Token), RepeatAsync(() => OddPathsAsync(port), stop.Token),
            RepeatAsync(() => UnreadAsync(port), stop.Token), RepeatAsync(() => HalfBulkAsync(port), stop.Token),
            RepeatAsync(() => Task.Run(() => RequestMutation.Send(port, Random.Shared.Next(), 200)), stop.Token),
        ];
        Task all = Task.WhenAll(attacks);
        while (!all.IsCompleted)
        {
            most = Math.Max(most, server.AnonymousBytes() - before);
            await Task.WhenAny(all, Task.Delay(50));
        }

        await all;
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"memory before {before / Megabyte} MB, {most / Megabyte} MB more at most; {_refused} refused with 503"));
        Assert.InRange(most, 0, growthBytesMax);
        Assert.Equal(0, _serverErrors);
        await AssertServesAsync(client);
    }

    private static void Hold(RawConnection connection, byte[] body)
    {
        try
        {
            connection.Send(
                "PUT /databases/db/docs?id=held HTTP/1.1\r\nHost: localhost\r\n"
                + $"Content-Length: {body.Length + 2}\r\n\r\n");
            connection.Send(body);
        }
        catch (SocketException)
        {
            // It was refused and closed before all was sent.
        }
    }

    /// <summary>What the attacks took is given back, with no more than ordinary requests afterwards.</summary>
    private async Task AssertMemoryIsBackAsync(ServerProcess server, long before)
    {
        long kept = long.MaxValue;
        for (int i = 0; i < 300 && kept > KeptBytesMax; i++)
        {
            await Task.Delay(100);
            kept = server.AnonymousBytes() - before;
        }

        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{kept / Megabyte} MB more afterwards"));
        Assert.InRange(kept, long.MinValue, KeptBytesMax);
    }

    /// <summary>It may still be over its limit for a moment; then it serves as before.</summary>
    private static async Task AssertServesAsync(HttpClient client)
    {
        const int tries = 100;
        for (int i = 0; i < tries; i++)
        {
            using HttpResponseMessage put = await client.PutAsync("/databases/db/docs?id=after", Json("{\"A\":1}"));
            if (put.IsSuccessStatusCode)
            {
                (await client.GetAsync("/databases/db/docs?id=after")).EnsureSuccessStatusCode();
                return;
            }

            Assert.Equal(503, (int)put.StatusCode);
            await Task.Delay(100);
        }

        Assert.Fail("The server goes on refusing after the attacks have ended.");
    }

    private static async Task RepeatAsync(Func<Task> attack, CancellationToken stop)
    {
        await Task.Yield();
        while (!stop.IsCancellationRequested)
        {
            try
            {
                await attack();
            }
            catch (Exception cut) when (cut is HttpRequestException or IOException or SocketException)
            {
                // The server may close a connection on an attacker.
            }
        }
    }

    private async Task LargeAsync(HttpClient client, int number)
    {
        string body = $"{{\"T\":\"{new string('l', LargeBodySizeBytes)}\"}}";
        await SendAsync(client, HttpMethod.Put, $"/databases/db/docs?id=large/{number}", Json(body));
    }

    private async Task BombAsync(HttpClient client)
    {
        using var packed = new MemoryStream();
        await using (var gzip = new GZipStream(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            await gzip.WriteAsync("{\"a\":\""u8.ToArray());
            byte[] zeros = new byte[Megabyte];
            Array.Fill(zeros, (byte)'0');
            for (int i = 0; i < 200; i++)
            {
                await gzip.WriteAsync(zeros);
            }
        }

        var body = new ByteArrayContent(packed.ToArray());
        body.Headers.ContentEncoding.Add("gzip");
        await SendAsync(client, HttpMethod.Put, "/databases/db/docs?id=bomb", body);
    }

    private Task DeepAsync(HttpClient client) => SendAsync(
        client, HttpMethod.Post, "/databases/db/bulk_docs",
        Json("{\"Commands\":[" + string.Concat(Enumerable.Repeat("{\"a\":[", 300_000))));

    private async Task SendAsync(HttpClient client, HttpMethod method, string path, HttpContent body)
    {
        using var request = new HttpRequestMessage(method, path) { Content = body };
        using HttpResponseMessage answer = await client.SendAsync(request);
        _ = (int)answer.StatusCode == 503 ? Interlocked.Increment(ref _refused) : 0;
        _ = (int)answer.StatusCode == 500 ? Interlocked.Increment(ref _serverErrors) : 0;
    }

    private static Task CutAsync(int port) => Task.Run(() =>
    {
        using var connection = new RawConnection(port);
        connection.Send(
            "PUT /databases/db/docs?id=cut HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20000000\r\n\r\n{\"a\":\"");
        connection.Send(new string('c', 5_000_000));
    });

    private static Task FramesAsync(int port) => Task.Run(() =>
    {
        using var connection = new RawConnection(port);
        connection.Send(Handshake);
        _ = connection.ReceiveStatusOrClose();
        byte[] garbage = new byte[100_000];
        Random.Shared.NextBytes(garbage);
        connection.Send(garbage);
        _ = connection.HasEnded();
    });

    private static Task FloodAsync(int port) => Task.Run(() =>
    {
        using var connection = new RawConnection(port);
        string request = "GET /databases/db/docs?id=some/1 HTTP/1.1\r\nHost: localhost\r\n\r\n";
        connection.Send(string.Concat(Enumerable.Repeat(request, 2_000)));
        _ = connection.HasEnded();
    });

    private static Task OddPathsAsync(int port) => Task.Run(() =>
    {
        foreach (string path in (string[])["/" + new string('p', 60_000), "/%00", "/databases/../../etc/passwd",
            "/databases/%2e%2e/docs?id=a", "/databases/db/docs?" + string.Concat(Enumerable.Repeat("id=a&", 5_000))])
        {
            using var connection = new RawConnection(port);
            connection.Send($"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
            int? status = connection.ReceiveStatusOrClose();
            Assert.True(status is null or < 500 or 503 or 505, $"{status} for {path[..Math.Min(50, path.Length)]}");
        }
    });

    private static async Task UnreadAsync(int port)
    {
        RawConnection[] connections = [.. Enumerable.Range(0, 40).Select(_ => new RawConnection(port))];
        Array.ForEach(connections, connection => connection.Send(
            "GET /databases/db/streams/docs HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        await Task.Delay(500);
        Array.ForEach(connections, connection => connection.Dispose());
    }

    private static async Task HalfBulkAsync(int port)
    {
        RawConnection[] connections = [.. Enumerable.Range(0, 50).Select(_ => new RawConnection(port))];
        string half = $"[{{\"Id\":\"half\",\"Type\":\"PUT\",\"Document\":{{\"a\":\"{new string('h', 50_000)}";
        Array.ForEach(connections, connection => connection.Send(
            "POST /databases/db/bulk_insert HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            + $"{half.Length:x}\r\n{half}\r\n"));
        await Task.Delay(500);
        Array.ForEach(connections, connection => connection.Dispose());
    }

    /// <summary>A bulk insert of one command that has the same text many times.</summary>
    private sealed class FieldsContent(string text, int count) : HttpContent
    {
        protected override async Task SerializeToStreamAsync(Stream stream, System.Net.TransportContext? context)
        {
            byte[] bytes = Encoding.ASCII.GetBytes(text);
            await stream.WriteAsync("[{\"Id\":\"a\",\"Type\":\"PUT\",\"Document\":{}"u8.ToArray());
            for (int i = 0; i < count; i++)
            {
                await stream.WriteAsync(Encoding.ASCII.GetBytes($",\"F{i}\":\""));
                await stream.WriteAsync(bytes);
                await stream.WriteAsync("\""u8.ToArray());
            }

            await stream.WriteAsync("}]"u8.ToArray());
        }

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }

    private static StringContent Json(string text) =>
        new(text, Encoding.UTF8, new MediaTypeHeaderValue("application/json"));
}
