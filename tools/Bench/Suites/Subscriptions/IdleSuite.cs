using System.Diagnostics;
using System.Net.Sockets;
using System.Text;
using Raven.Tools.Bench.Suites.Documents;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Subscriptions;

/// <summary>What those cost that only wait: 1,000 subscriptions, each with its worker, and 1,000 readers of the feed.
/// </summary>
internal sealed class IdleSuite : IBenchSuite
{
    private const string SubscriptionsName = "1,000 idle subscriptions with a worker each";
    private const string WritesName = "PUT docs 1 KB of another collection beside them, server CPU";
    private const string AgainName = "the same of a server without beside another one";
    private const string FeedName = "1,000 idle readers of the feed, long polls";
    private const int Subscriptions = 1000;
    private const int Readers = 1000;
    private const int ReadersBefore = 1000;
    private const int Connections = 16;
    private const int WriteWarmUps = 4; // a server that has just begun is compiled anew for seconds
    private const int WriteRuns = 11;
    private static readonly TimeSpan SettleTime = TimeSpan.FromSeconds(10); // the runtime compiles what was used anew
    private static readonly TimeSpan PollTime = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan WatchTime = TimeSpan.FromSeconds(15); // more than a round of heartbeats

    public string Name => "subscriptions";

    public IEnumerable<BenchRow> GetRows(BenchContext context) => GetFeedRows(context).Concat(GetIdleRows(context));

    private static IEnumerable<BenchRow> GetIdleRows(BenchContext context)
    {
        if (!context.Wants(SubscriptionsName) && !context.Wants(WritesName))
        {
            yield break;
        }

        using BenchDatabase ours = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "idle"));
        using BenchDatabase bare = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "bare"));
        double before = ours.Server.ReadAnonymousMegabytes();
        Socket[] workers = [.. Enumerable.Range(0, Subscriptions).Select(i => Connect(ours, i))];
        try
        {
            double kilobytes = (ours.Server.ReadAnonymousMegabytes() - before) * 1000 / Subscriptions;
            yield return Absolute($"{SubscriptionsName}: memory of each", "kB", kilobytes, 50);
            yield return Absolute($"{SubscriptionsName}: CPU", "% of a core", IdlePercent(ours), 1);
            yield return new BenchRow
            {
                Name = WritesName,
                Unit = "us/request",
                PeerName = "a server without",
                Target = BenchTarget.RatioAtMost(1.05),
                WarmUpRuns = WriteWarmUps,
                Runs = WriteRuns,
                Ours = () => WriteCpu(ours),
                Peer = () => WriteCpu(bare),
            };
            using BenchDatabase again = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "again"));
            yield return new BenchRow
            {
                Name = AgainName,
                Unit = "us/request",
                PeerName = "a server without",
                WarmUpRuns = WriteWarmUps,
                Runs = WriteRuns,
                Ours = () => WriteCpu(again),
                Peer = () => WriteCpu(bare),
            };
        }
        finally
        {
            Array.ForEach(workers, worker => worker.Dispose());
        }
    }

    private static IEnumerable<BenchRow> GetFeedRows(BenchContext context)
    {
        if (!context.Wants(FeedName))
        {
            yield break;
        }

        using BenchDatabase ours = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "feed"));
        double idle = IdlePercent(ours);
        var readers = new List<Socket>();
        try
        {
            // Code and garbage of the first requests are no cost of a reader: what is counted are those that come to
            // many, one after the other, as the threads for a thousand at once are none either.
            readers.AddRange(Enumerable.Range(0, ReadersBefore).Select(_ => Poll(ours)));
            Thread.Sleep(PollTime);
            double before = ours.Server.ReadAnonymousMegabytes();
            readers.AddRange(Enumerable.Range(0, Readers).Select(_ => Poll(ours)));
            Thread.Sleep(PollTime);
            double kilobytes = (ours.Server.ReadAnonymousMegabytes() - before) * 1000 / Readers;
            double more = IdlePercent(ours) - idle;
            yield return Absolute($"{FeedName}: memory of each", "kB", kilobytes, 20);
            yield return Absolute($"{FeedName}: CPU of the server without them", "% of a core", idle, null);
            yield return Absolute($"{FeedName}: CPU more", "% of a core", more, 0.1);
        }
        finally
        {
            readers.ForEach(reader => reader.Dispose());
        }
    }

    private static Socket Poll(BenchDatabase ours)
    {
        Socket socket = Open(ours);
        socket.Send(Encoding.ASCII.GetBytes(
            $"GET /databases/bench/feed?since=now&wait=5m HTTP/1.1\r\nHost: {ours.Server.Url.Authority}\r\n\r\n"));
        return socket;
    }

    private static Socket Open(BenchDatabase ours)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Connect(ours.Server.Url.Host, ours.Server.Url.Port);
        return socket;
    }

    /// <summary>A worker of a subscription of its own, as other languages' clients connect.</summary>
    private static Socket Connect(BenchDatabase ours, int number)
    {
        using var definition = new StringContent($"{{\"Name\":\"idle{number}\",\"Query\":\"from Nothing\"}}");
        using HttpResponseMessage made = ours.Client.PutAsync(
            new Uri("/databases/bench/subscriptions", UriKind.Relative), definition).GetAwaiter().GetResult();
        made.EnsureSuccessStatusCode();
        Socket socket = Open(ours);
        socket.Send(Encoding.UTF8.GetBytes(
            "{\"DatabaseName\":\"bench\",\"Operation\":\"Subscription\",\"OperationVersion\":53000}"
            + $"{{\"SubscriptionName\":\"idle{number}\"}}"));
        byte[] buffer = new byte[4096];
        for (string received = ""; !received.Contains("\"Accepted\"", StringComparison.Ordinal);)
        {
            int count = socket.Receive(buffer);
            received += count > 0
                ? Encoding.UTF8.GetString(buffer, 0, count)
                : throw new InvalidOperationException($"closed after '{received}'");
        }

        return socket;
    }

    private static double IdlePercent(BenchDatabase ours)
    {
        Thread.Sleep(SettleTime);
        double before = ours.Server.ReadCpuSeconds();
        long start = Stopwatch.GetTimestamp();
        Thread.Sleep(WatchTime);
        return (ours.Server.ReadCpuSeconds() - before) / Stopwatch.GetElapsedTime(start).TotalSeconds * 100;
    }

    private static double WriteCpu(BenchDatabase database)
    {
        double before = database.Server.ReadCpuSeconds();
        LoadReport report = database.Run("PUT", "docs?id=", Connections);
        return (database.Server.ReadCpuSeconds() - before) * 1e6 / report.Requests;
    }

    private static BenchRow Absolute(string name, string unit, double value, double? most) => new()
    {
        Name = name,
        Unit = unit,
        Target = most is { } limit ? BenchTarget.AtMost(limit) : BenchTarget.None,
        WarmUpRuns = 0,
        Runs = 1,
        Ours = () => value,
    };
}
