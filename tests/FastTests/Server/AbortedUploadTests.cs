using System.IO.Compression;
using System.Net.Sockets;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Support;
using Microsoft.Extensions.Logging;
using Raven.Server;
using Raven.Server.Options;

namespace FastTests.Server;

/// <summary>Uploads that their client gives up, or an operator: that is no news for a log.</summary>
public sealed class AbortedUploadTests
{
    private const string Chunked = "Host: localhost\r\nTransfer-Encoding: chunked\r\n";

    /// <summary>Kestrel reads these on the connection itself, and others through a separate pipe.</summary>
    private const string WithLength = "Host: localhost\r\nContent-Length: 1000000\r\n";

    [Theory]
    [InlineData("PUT", "attachments?id=a&name=n", "", false)]
    [InlineData("PUT", "attachments?id=a&name=n", "gzip", false)]
    [InlineData("POST", "bulk_insert", "", false)]
    [InlineData("POST", "bulk_insert", "gzip", true)]
    [InlineData("PUT", "docs?id=b", "", false)]
    [InlineData("PUT", "attachments?id=a&name=n", "", true)]
    public async Task An_upload_that_its_client_or_an_operator_aborts_logs_no_warning(
        string method, string path, string encoding, bool isKilled)
    {
        foreach (string framing in new[] { Chunked, WithLength })
        {
            foreach (bool isReset in new[] { true, false })
            {
                await GiveUpAsync($"{method} /databases/db/{path} HTTP/1.1\r\n{framing}", encoding, isKilled, isReset);
            }
        }
    }

    private static async Task GiveUpAsync(string start, string encoding, bool isKilled, bool isReset)
    {
        string path = start.Split(' ', '?')[1];
        using var log = new WarningsLog();
        using ServerHost host = Start(log);
        using var client = new HttpClient { BaseAddress = new Uri(host.Url) };
        await CreateAsync(client);
        using var upload = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await upload.ConnectAsync("127.0.0.1", new Uri(host.Url).Port);
        string head = start + (encoding.Length > 0 ? $"Content-Encoding: {encoding}\r\n\r\n" : "\r\n");
        byte[] part = Part(encoding);
        bool isChunked = start.EndsWith(Chunked, StringComparison.Ordinal);
        upload.Send(Encoding.ASCII.GetBytes(isChunked ? $"{head}{part.Length:x}\r\n" : head));
        upload.Send(isChunked ? [.. part, .. "\r\n"u8] : part);
        JsonNode running = await WaitForAsync(client, path);
        await Deadline.GraceAsync();
        if (isKilled)
        {
            using HttpResponseMessage killed = await client.PostAsync($"/admin/requests/kill?id={running["Id"]}", null);
            killed.EnsureSuccessStatusCode();
            Assert.True(await HasEndedAsync(upload));
        }
        else
        {
            upload.LingerState = new LingerOption(isReset, 0);
            upload.Close();
        }

        await WaitForEndAsync(client, path);
        (await client.PutAsync("/databases/db/docs?id=after", new StringContent("{}"))).EnsureSuccessStatusCode();
        await Deadline.GraceAsync();

        // On a machine that stood still for seconds a request is slow, and that is said.
        string[] lines = [.. log.Lines.Where(line => !line.Contains("Slow request", StringComparison.Ordinal))];
        Assert.True(lines.Length == 0, string.Join('\n', lines));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_bulk_insert_whose_operation_is_killed_is_answered_with_400_and_logs_no_warning(bool isChunked)
    {
        using var log = new WarningsLog();
        using ServerHost host = Start(log);
        using var client = new HttpClient { BaseAddress = new Uri(host.Url) };
        await CreateAsync(client);
        using var upload = new RawConnection(new Uri(host.Url).Port);
        const string part = "[{\"Id\":\"x\",\"Type\":\"PUT\",\"Document\":{}}";
        upload.Send("POST /databases/db/bulk_insert?id=77 HTTP/1.1\r\n");
        upload.Send(isChunked ? $"{Chunked}\r\n{part.Length:x}\r\n{part}\r\n" : $"{WithLength}\r\n{part}");
        await WaitForAsync(client, "bulk_insert");
        await Deadline.GraceAsync();
        using HttpResponseMessage killed = await client.PostAsync("/databases/db/operations/kill?id=77", null);
        killed.EnsureSuccessStatusCode();
        Assert.Equal(400, upload.Receive().Status);
        upload.Send(isChunked ? "0\r\n\r\n" : new string(' ', 1_000_000 - part.Length));
        Assert.Null(upload.ReceiveStatusOrClose());

        // On a machine that stood still for seconds a request is slow, and that is said.
        string[] lines = [.. log.Lines.Where(line => !line.Contains("Slow request", StringComparison.Ordinal))];
        Assert.True(lines.Length == 0, string.Join('\n', lines));
    }

    private static ServerHost Start(WarningsLog log) => ServerHost.Start(
        new ServerOptions { ServerUrl = new Uri("http://127.0.0.1:0"), RunInMemory = true, DrainMax = TimeSpan.Zero },
        LoggerFactory.Create(builder => builder.AddProvider(log)));

    private static async Task CreateAsync(HttpClient client)
    {
        using var body = new StringContent("{\"DatabaseName\":\"db\"}", Encoding.UTF8, "application/json");
        (await client.PutAsync("/admin/databases?name=db", body)).EnsureSuccessStatusCode();
        (await client.PutAsync("/databases/db/docs?id=a", new StringContent("{}"))).EnsureSuccessStatusCode();
    }

    private static byte[] Part(string encoding)
    {
        byte[] plain = Encoding.ASCII.GetBytes("[" + new string(' ', 5000));
        if (encoding.Length == 0)
        {
            return plain;
        }

        using var packed = new MemoryStream();
        using (var gzip = new GZipStream(packed, CompressionLevel.NoCompression, leaveOpen: true))
        {
            gzip.Write(plain);
            gzip.Flush();
            return packed.ToArray();
        }
    }

    private static async Task<JsonNode> WaitForAsync(HttpClient client, string path)
    {
        JsonNode? found = null;
        await Deadline.UntilAsync(
            async () => (found = await FindAsync(client, path)) is not null, $"{path} did not begin.");
        return found!;
    }

    private static Task WaitForEndAsync(HttpClient client, string path) =>
        Deadline.UntilAsync(async () => await FindAsync(client, path) is null, $"{path} still runs.");

    private static async Task<JsonNode?> FindAsync(HttpClient client, string path)
    {
        string list = await client.GetStringAsync("/admin/requests/running");
        return JsonNode.Parse(list)!["Results"]!.AsArray()
            .FirstOrDefault(one => ((string)one!["Path"]!).EndsWith(path, StringComparison.Ordinal));
    }

    private static async Task<bool> HasEndedAsync(Socket socket)
    {
        byte[] rest = new byte[1000];
        try
        {
            while (await socket.ReceiveAsync(rest).WaitAsync(Deadline.Hang) > 0)
            {
            }
        }
        catch (SocketException)
        {
            // A reset ends it too.
        }

        return true;
    }
}
