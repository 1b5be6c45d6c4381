using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Raven.Tools.Bench.Suites.Http;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>The cost of many: 500 idle databases, 20 loaded ones, 10,000 clients that wait for changes.</summary>
internal sealed class ManySuite : IBenchSuite
{
    private const string IdleName = "500 idle databases";
    private const string LoadedName = "20 databases of 20,000 documents with Limits.MemoryBytesMax of 512 MB";
    private const string WatchersName = "10,000 idle watchers";
    private const int IdleDatabases = 500;
    private const int LoadedDatabases = 20;
    private const int LoadedDocuments = 20_000;
    private const int Watchers = 10_000;
    private static readonly TimeSpan WatchTime = TimeSpan.FromSeconds(12); // more than a round of heartbeats

    public string Name => "documents";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        foreach (BenchRow row in GetIdleRows(context).Concat(GetLoadedRows(context)).Concat(GetWatcherRows(context)))
        {
            yield return row;
        }
    }

    private static IEnumerable<BenchRow> GetIdleRows(BenchContext context)
    {
        if (!context.Wants(IdleName))
        {
            yield break;
        }

        string folder = Path.Combine(context.ScratchDirectory, "idle");
        using ServerUnderTest ours = ServerUnderTest.StartOurs(folder);
        using var client = new HttpClient { BaseAddress = ours.Url };
        int threads = ours.ReadThreads();
        for (int i = 0; i < IdleDatabases; i++)
        {
            CreateDatabase(client, $"idle{i}");
            Put(client, $"/databases/idle{i}/docs?id=a", "{\"A\":1}");
        }

        long disk = new DirectoryInfo(folder).EnumerateFiles("*", SearchOption.AllDirectories).Sum(file => file.Length);
        yield return Absolute($"{IdleName}, each written to: memory", "MB", ours.ReadResidentMegabytes(), 300);
        yield return Absolute($"{IdleName}: threads more than before", "threads", ours.ReadThreads() - threads, 50);
        yield return Absolute($"{IdleName}: disk of each", "MB", disk / 1e6 / IdleDatabases, 1);
    }

    private static IEnumerable<BenchRow> GetLoadedRows(BenchContext context)
    {
        if (!context.Wants(LoadedName))
        {
            yield break;
        }

        using ServerUnderTest ours = ServerUnderTest.StartOurs(
            Path.Combine(context.ScratchDirectory, "loaded"), "--Limits.MemoryBytesMax=536870912");
        using var client = new HttpClient { BaseAddress = ours.Url, Timeout = TimeSpan.FromMinutes(5) };
        double most = 0;
        using var stop = new CancellationTokenSource();
        Task watching = Task.Run(async () =>
        {
            while (!stop.IsCancellationRequested)
            {
                most = Math.Max(most, ours.ReadAnonymousMegabytes());
                await Task.Delay(20);
            }
        });
        Parallel.For(0, LoadedDatabases, new ParallelOptions { MaxDegreeOfParallelism = 4 }, database =>
        {
            CreateDatabase(client, $"loaded{database}");
            var body = new StringBuilder("[");
            for (int n = 0; n < LoadedDocuments; n++)
            {
                body.Append(n == 0 ? "" : ",").Append(CultureInfo.InvariantCulture, $"{{\"Id\":\"{n}\",")
                    .Append("\"Type\":\"PUT\",\"Document\":").Append(BenchDatabase.BodyOf(n)).Append('}');
            }

            using var content = new StringContent(body.Append(']').ToString(), Encoding.UTF8, "application/json");
            client.PostAsync($"/databases/loaded{database}/bulk_insert", content)
                .GetAwaiter().GetResult().EnsureSuccessStatusCode();
            Put(client, $"/databases/loaded{database}/docs?id=last", "{\"A\":1}");
        });
        stop.Cancel();
        watching.GetAwaiter().GetResult();
        yield return Absolute($"{LoadedName}: memory at most", "MB", most, 512 * 1.048576);
    }

    private static IEnumerable<BenchRow> GetWatcherRows(BenchContext context)
    {
        if (!context.Wants(WatchersName))
        {
            yield break;
        }

        using ServerUnderTest ours = ServerUnderTest.StartOurs(Path.Combine(context.ScratchDirectory, "watchers"));
        using var client = new HttpClient { BaseAddress = ours.Url };
        CreateDatabase(client, "watched");
        Put(client, "/databases/watched/docs?id=a", "{}");
        Watch(ours.Url.Port).Dispose();
        double before = ours.ReadAnonymousMegabytes();
        List<Socket> sockets = [];
        try
        {
            for (int i = 0; i < Watchers; i++)
            {
                sockets.Add(Watch(ours.Url.Port));
            }

            double kilobytes = (ours.ReadAnonymousMegabytes() - before) * 1000 / Watchers;
            Thread.Sleep(WatchTime); // the first round compiles
            double cpu = ours.ReadCpuSeconds();
            Thread.Sleep(WatchTime);
            double share = (ours.ReadCpuSeconds() - cpu) / WatchTime.TotalSeconds * 100;
            yield return Absolute($"{WatchersName}: memory of each", "KB", kilobytes, 16);
            yield return Absolute($"{WatchersName}: CPU, of one core", "%", share, 2);
        }
        finally
        {
            sockets.ForEach(socket => socket.Dispose());
        }
    }

    /// <summary>A connection that watches all documents, and whose confirmation has come.</summary>
    private static Socket Watch(int port)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = 30_000 };
        socket.Connect(IPAddress.Loopback, port);
        socket.Send(Encoding.ASCII.GetBytes(
            "GET /databases/watched/changes HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"));
        ReceiveUntil(socket, "\r\n\r\n");

        // One whole text frame, masked by zeros.
        byte[] command = Encoding.ASCII.GetBytes("""{"CommandId":1,"Command":"watch-docs"}""");
        socket.Send([0x81, (byte)(0x80 | command.Length), 0, 0, 0, 0, .. command]);
        ReceiveUntil(socket, "Confirm");
        return socket;
    }

    private static void ReceiveUntil(Socket socket, string text)
    {
        byte[] buffer = new byte[4096];
        string received = "";
        while (!received.Contains(text, StringComparison.Ordinal))
        {
            int count = socket.Receive(buffer);
            received += count > 0
                ? Encoding.Latin1.GetString(buffer, 0, count)
                : throw new InvalidOperationException($"closed after '{received}'");
        }
    }

    private static void CreateDatabase(HttpClient client, string name) =>
        Put(client, $"/admin/databases?name={name}", $"{{\"DatabaseName\":\"{name}\"}}");

    private static void Put(HttpClient client, string path, string json)
    {
        using var body = new StringContent(json, Encoding.UTF8, "application/json");
        using HttpResponseMessage answer = client.PutAsync(path, body).GetAwaiter().GetResult();
        answer.EnsureSuccessStatusCode();
    }

    private static BenchRow Absolute(string name, string unit, double value, double most) => new()
    {
        Name = name,
        Unit = unit,
        Target = BenchTarget.AtMost(most),
        WarmUpRuns = 0,
        Ours = () => value,
    };
}
