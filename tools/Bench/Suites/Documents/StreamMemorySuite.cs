using Raven.Tools.Bench.Suites.Http;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>
/// What a server's memory grows by while it streams: nothing that goes with how many documents there are. Each run has
/// a fresh server on the same data, as memory that another work has left would take in what the stream wants. Until the
/// first collection of garbage comes memory grows slowly, whatever it is of; so all is streamed twenty times.
/// </summary>
internal sealed class StreamMemorySuite : IBenchSuite
{
    private const string OnceName = "stream 200,000 documents: memory of the server more than before";
    private const string OftenName = "stream 200,000 documents, 20 times: memory of the server more than before";
    private const string ResidentName = "stream 200,000 documents, 20 times: resident with the mapped file, at most";
    private const int Times = 20;
    private const int ServerRuns = 3;
    private const double GrowthMegabytesMax = 32; // of 200 MB, and of 4 GB
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(5);

    public string Name => "documents";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!Array.Exists([OnceName, OftenName, ResidentName], context.Wants))
        {
            yield break;
        }

        string folder = Path.Combine(context.ScratchDirectory, "stream-memory");
        using (BenchDatabase loaded = BenchDatabase.Start(folder))
        {
            loaded.Load();
        }

        var runs = new SharedRuns(() => Measure(folder));
        yield return Absolute(OnceName, runs.Metric(0), BenchTarget.AtMost(GrowthMegabytesMax));
        yield return Absolute(OftenName, runs.Metric(1), BenchTarget.AtMost(GrowthMegabytesMax));
        yield return Absolute(ResidentName, runs.Metric(2), BenchTarget.None);
    }

    /// <summary>
    /// How far memory that is in no file grew at the first stream, and at all; the most that was resident. In MB.
    /// </summary>
    private static double[] Measure(string folder)
    {
        using ServerUnderTest server = ServerUnderTest.StartOurs(folder);
        using var client = new HttpClient { BaseAddress = server.Url, Timeout = TimeSpan.FromMinutes(5) };

        // Opens the database, and brings in the code: what remains is the stream's own, its garbage too.
        Read(client, 1000);
        double before = server.ReadAnonymousMegabytes();
        double most = before;
        double resident = 0;
        using var stop = new CancellationTokenSource();
        Task watching = Task.Run(async () =>
        {
            while (!stop.IsCancellationRequested)
            {
                most = Math.Max(most, server.ReadAnonymousMegabytes());
                resident = Math.Max(resident, server.ReadResidentMegabytes());
                await Task.Delay(Interval);
            }
        });
        Read(client, BenchDatabase.DocumentCount);
        double once = Math.Max(most, server.ReadAnonymousMegabytes()) - before;
        for (int i = 1; i < Times; i++)
        {
            Read(client, BenchDatabase.DocumentCount);
        }

        stop.Cancel();
        watching.GetAwaiter().GetResult();
        return [once, most - before, resident];
    }

    private static void Read(HttpClient client, int documents)
    {
        using HttpResponseMessage answer = client.GetAsync(
            $"/databases/bench/streams/docs?format=jsonl&pageSize={documents}",
            HttpCompletionOption.ResponseHeadersRead).GetAwaiter().GetResult();
        using Stream body = answer.EnsureSuccessStatusCode().Content.ReadAsStream();
        byte[] buffer = new byte[1024 * 1024];
        long lines = 0;
        for (int read = body.Read(buffer); read > 0; read = body.Read(buffer))
        {
            lines += buffer.AsSpan(0, read).Count((byte)'\n');
        }

        if (lines < documents)
        {
            throw new InvalidOperationException($"only {lines} of {documents} documents came");
        }
    }

    private static BenchRow Absolute(string name, Func<double> measure, BenchTarget target) => new()
    {
        Name = name,
        Unit = "MB",
        Target = target,
        WarmUpRuns = 0,
        Runs = ServerRuns,
        Ours = measure,
    };
}
