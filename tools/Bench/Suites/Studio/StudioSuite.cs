using System.Diagnostics;
using System.Globalization;
using Raven.Tools.Bench.Suites.Documents;

namespace Raven.Tools.Bench.Suites.Studio;

/// <summary>
/// The Studio in a browser on this machine, beside the server: what a page weighs, how soon it can be used, whether it
/// keeps up with long lists, long documents and many changes, and what an open page costs the server.
/// </summary>
internal sealed class StudioSuite : IBenchSuite
{
    private const int Documents = 1_000_000;
    private static readonly TimeSpan Watched = TimeSpan.FromSeconds(20);

    public string Name => "studio";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (StudioBrowser.FindObstacle() is { } obstacle)
        {
            yield return BenchRow.Skip("the Studio in a browser", "ms", obstacle);
            yield break;
        }

        int count = Math.Max(10_000, (int)(Documents * context.Scale));
        using BenchDatabase ours = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "studio"));
        ours.Load(count);
        var browser = new StudioBrowser(ours.Server.Url, "bench");
        var sizes = new SharedRuns(() => browser.Measure("sizes"));
        yield return Row("the first list: files over the wire", "KB", 300, sizes.Metric(0), runs: 1);
        yield return Row("the first list: requests", "requests", 80, sizes.Metric(1), runs: 1);
        yield return Row("with a document: files over the wire", "KB", 450, sizes.Metric(2), runs: 1);
        yield return Row("with a query: files over the wire", "KB", 450, sizes.Metric(3), runs: 1);

        var loads = new SharedRuns(() => browser.Measure("load"));
        yield return Row("the first list can be used, cold", "ms", 800, loads.Metric(0));
        yield return Row("the first list can be used, warm", "ms", 300, loads.Metric(1));

        string many = string.Create(CultureInfo.InvariantCulture, $"{count:N0} documents");
        var grid = new SharedRuns(() => browser.Measure("grid"));
        yield return Row($"{many}: jump anywhere, the longest of 9", "ms", 300, grid.Metric(0));
        yield return Row($"{many}: scrolling, the longest frame", "ms", 50, grid.Metric(1));

        var editor = new SharedRuns(() => browser.Measure("editor"));
        yield return Row("a document of 1 MB: from key to paint, p90", "ms", 50, editor.Metric(0));
        yield return Row("a document of 10 MB: from key to paint, p90", "ms", 100, editor.Metric(1));
        yield return Row("a document of 10 MB: opened", "ms", 4000, editor.Metric(2));
        yield return Row("a document of 10 MB: longest task of the page meanwhile, CPU", "ms", 100, editor.Metric(3));

        var changes = new SharedRuns(() => browser.Measure("changes"));
        yield return Row("changes at 5,000 events/s: the longest frame", "ms", 50, changes.Metric(0));
        yield return new BenchRow
        {
            Name = "changes: written meanwhile",
            Unit = "events/s",
            Target = BenchTarget.AtLeast(4500),
            WarmUpRuns = 0,
            Ours = changes.Metric(1),
        };

        yield return Row("CPU of the server without a page", "% of a core", null, () => CpuOf(ours, null), runs: 1);
        yield return Row(
            "CPU of the server, a page open that shows a database", "% of a core", 0.5,
            () => CpuOf(ours, action => browser.Measure("idle", action)), runs: 1);
        yield return Row(
            "CPU of the server, a page open that shows running requests", "% of a core", 0.5,
            () => CpuOf(ours, action => browser.Measure("live", action)), runs: 1);
    }

    private static BenchRow Row(string name, string unit, double? most, Func<double> measure, int? runs = null) => new()
    {
        Name = name,
        Unit = unit,
        Target = most is { } value ? BenchTarget.AtMost(value) : BenchTarget.None,
        WarmUpRuns = 0,
        Runs = runs,
        Ours = measure,
    };

    /// <summary>Percent of a core that the server uses for a while, once the page is there.</summary>
    private static double CpuOf(BenchDatabase ours, Action<Action>? open)
    {
        double percent = 0;
        bool isRead = false;
        void Read()
        {
            if (isRead)
            {
                return; // the line at its end
            }

            isRead = true;
            long start = Stopwatch.GetTimestamp();
            double before = ours.Server.ReadCpuSeconds();
            Thread.Sleep(Watched);
            double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
            percent = (ours.Server.ReadCpuSeconds() - before) * 100 / seconds;
        }

        if (open is null)
        {
            Read();
        }
        else
        {
            open(Read);
        }

        return percent;
    }
}
