using System.Net.Http.Headers;
using Raven.Tools.Bench.Suites.Documents;

namespace Raven.Tools.Bench.Suites.Operations;

/// <summary>A dump of a database out and in, beside pg_dump and pg_restore of the same documents.</summary>
internal sealed class DumpSuite : IBenchSuite
{
    private const string ExportName = "export of 1 KB documents";
    private const string SizeName = "its dump";
    private const string ExportMemoryName = "memory of the server beside that export";
    private const string ImportName = "import of that dump";
    private const string ImportMemoryName = "memory of the server beside that import";
    private const double MemoryMegabytesMax = 100;

    private static readonly string[] Formats = [", zstd", ", gzip"];

    public string Name => "operations";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        string[] names = [ExportName, SizeName, ExportMemoryName, ImportName, ImportMemoryName];
        if (!Formats.Any(format => names.Any(name => context.Wants(name + format))))
        {
            yield break;
        }

        string folder = Directory.CreateDirectory(Path.Combine(context.ScratchDirectory, "dumps")).FullName;
        string ourDump = Path.Combine(folder, "ours.ravendbdump");
        string theirDump = Path.Combine(folder, "theirs.dump");
        using BenchDatabase ours = BenchDatabase.Start(Path.Combine(folder, "data"));
        using PostgresPeer? postgres = PostgresPeer.TryStart(Path.Combine(folder, "postgres"), out string why);
        if (postgres is null)
        {
            yield return BenchRow.Skip(ExportName, "documents/s", why);
            yield break;
        }

        ours.Load(OperationsServer.DocumentCount, BenchDatabase.WordsBody);
        postgres.Copy(OperationsServer.DocumentCount, BenchDatabase.WordsBody);
        foreach (BenchRow row in Formats.SelectMany(format => GetRows(ours, postgres, ourDump, theirDump, format)))
        {
            yield return row;
        }
    }

    private static IEnumerable<BenchRow> GetRows(
        BenchDatabase ours, PostgresPeer postgres, string ourDump, string theirDump, string format)
    {
        double export() => Export(ours, ourDump, format[2..]);
        var exports = new RunMemo<(double Rate, double Megabytes)>(_ => Watch(ours, export));
        yield return Row(ExportName + format, "documents/s", "pg_dump -Fc -Z1", BenchTarget.RatioAtLeast(2)) with
        {
            Ours = exports.Metric(run => run.Rate),
            Peer = () => OperationsServer.DocumentCount / postgres.Dump(theirDump),
        };
        yield return Row(SizeName + format, "MB", "pg_dump -Fc -Z1", BenchTarget.RatioAtMost(1.1)) with
        {
            WarmUpRuns = 0,
            Runs = 1,
            Ours = () => Length(ourDump, () => export()),
            Peer = () => Length(theirDump, () => postgres.Dump(theirDump)),
        };
        yield return Row(ExportMemoryName + format, "MB", "", BenchTarget.AtMost(MemoryMegabytesMax)) with
        {
            Ours = exports.Metric(run => run.Megabytes),
        };
        int copies = 0;
        var imports = new RunMemo<(double Rate, double Megabytes)>(
            _ => Watch(ours, () => Import(ours, ourDump, $"copy{copies++}")));
        Length(ourDump, () => export());
        Length(theirDump, () => postgres.Dump(theirDump));
        yield return Row(ImportName + format, "documents/s", "pg_restore", BenchTarget.RatioAtLeast(2)) with
        {
            Ours = imports.Metric(run => run.Rate),
            Peer = () => OperationsServer.DocumentCount / postgres.Restore(theirDump),
        };
        yield return Row(ImportMemoryName + format, "MB", "", BenchTarget.None) with
        {
            Ours = imports.Metric(run => run.Megabytes),
        };
    }

    private static BenchRow Row(string name, string unit, string peer, BenchTarget target) =>
        new() { Name = name, Unit = unit, PeerName = peer, Target = target, WarmUpRuns = 1 };

    private static double Export(BenchDatabase ours, string file, string format) => OperationsServer.DocumentCount
        / Measure.WallSeconds(() => ExportAsync(ours, file, format).GetAwaiter().GetResult());

    private static async Task ExportAsync(BenchDatabase ours, string file, string format)
    {
        using var request = new HttpRequestMessage(
            HttpMethod.Post, new Uri("/databases/bench/smuggler/export", UriKind.Relative))
        {
            Content = new StringContent($$"""{"CompressionAlgorithm":"{{format}}"}"""),
        };
        using HttpResponseMessage answer = await ours.Client.SendAsync(
            request, HttpCompletionOption.ResponseHeadersRead);
        answer.EnsureSuccessStatusCode();
        await using FileStream target = File.Create(file);
        await answer.Content.CopyToAsync(target);
        target.Flush(flushToDisk: true);
    }

    /// <summary>Into a new database, which is removed behind the measurement.</summary>
    private static double Import(BenchDatabase ours, string file, string name)
    {
        ours.Send("PUT", $"/admin/databases?name={name}", $$"""{"DatabaseName":"{{name}}"}""");
        double seconds = Measure.WallSeconds(() => ImportAsync(ours, file, name).GetAwaiter().GetResult());
        long count = (long)ours.Send("GET", $"/databases/{name}/stats")["CountOfDocuments"]!;
        ours.Send("DELETE", "/admin/databases", $$"""{"HardDelete":true,"DatabaseNames":["{{name}}"]}""");
        return count == OperationsServer.DocumentCount
            ? count / seconds
            : throw new InvalidOperationException($"{count} documents were imported");
    }

    private static async Task ImportAsync(BenchDatabase ours, string file, string name)
    {
        await using FileStream source = File.OpenRead(file);
        using var content = new StreamContent(source);
        content.Headers.ContentType = new MediaTypeHeaderValue("application/octet-stream");
        using HttpResponseMessage answer = await ours.Client.PostAsync(
            new Uri($"/databases/{name}/smuggler/import", UriKind.Relative), content);
        answer.EnsureSuccessStatusCode();
    }

    private static double Length(string file, Action make)
    {
        make();
        return new FileInfo(file).Length / 1e6;
    }

    /// <summary>The rate of some work, and by how much the memory of the server that is in no file has grown in it.
    /// </summary>
    private static (double Rate, double Megabytes) Watch(BenchDatabase ours, Func<double> work)
    {
        double before = ours.Server.ReadAnonymousMegabytes();
        double most = before;
        using var stop = new ManualResetEventSlim();
        var watch = new Thread(() =>
        {
            while (!stop.Wait(TimeSpan.FromMilliseconds(20)))
            {
                most = Math.Max(most, ours.Server.ReadAnonymousMegabytes());
            }
        });
        watch.Start();
        try
        {
            return (work(), most - before);
        }
        finally
        {
            stop.Set();
            watch.Join();
        }
    }
}
