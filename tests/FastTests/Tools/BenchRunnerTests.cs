using System.Text.Json;
using Raven.Tools.Bench;

namespace FastTests.Tools;

public sealed class BenchRunnerTests
{
    [Fact]
    public void A_benchmark_runs_ours_and_the_peer_in_turns_after_the_warm_up()
    {
        var order = new List<char>();
        BenchRow row = Row(() => Note('o', 10), () => Note('p', 5)) with { WarmUpRuns = 1 };

        BenchResult result = Runner(4).Run(row);

        Assert.Equal("op" + "op" + "po" + "op" + "po", string.Concat(order));
        Assert.Equal(2, result.Ratio);
        return;

        double Note(char side, double value)
        {
            order.Add(side);
            return value;
        }
    }

    [Fact]
    public void The_figure_of_a_benchmark_row_is_the_median_of_its_runs()
    {
        var values = new Queue<double>([7, 1, 1000, 8, 9]);

        BenchResult result = Runner(5).Run(Row(values.Dequeue, null) with { WarmUpRuns = 0 });

        Assert.Equal(8, result.Ours);
        Assert.Equal(2.5, BenchRunner.Median([4, 1, 3, 2]));
    }

    [Theory]
    [InlineData(5, 3)]
    [InlineData(1, 1)]
    public void A_benchmark_row_has_at_most_as_many_runs_as_the_command_line_says(int asked, int expected)
    {
        int measured = 0;
        Runner(asked).Run(Row(() => ++measured, null) with { WarmUpRuns = 0, Runs = 3 });
        Assert.Equal(expected, measured);
    }

    [Fact]
    public void The_figure_of_runs_that_were_made_before_is_the_median_of_them_all()
    {
        var values = new Queue<double>([1, 1, 1, 9, 9, 9, 9]);
        BenchResult result = Runner(3).Run(Row(values.Dequeue, null) with { WarmUpRuns = 0, RunsMade = 7 });
        Assert.Equal(9, result.Ours);
    }

    [Theory]
    [InlineData(2.0, true)]
    [InlineData(1.99, false)]
    public void A_benchmark_target_of_a_ratio_of_at_least_two_is_met_from_two_on(double ours, bool met) =>
        Assert.Equal(met, Runner(1).Run(Row(() => ours, () => 1) with
        {
            Target = BenchTarget.RatioAtLeast(2),
        }).Met);

    [Theory]
    [InlineData(150, true)]
    [InlineData(151, false)]
    public void A_benchmark_target_of_a_cost_of_at_most_150_is_met_up_to_150(double ours, bool met) =>
        Assert.Equal(met, Runner(1).Run(Row(() => ours, null) with { Target = BenchTarget.AtMost(150) }).Met);

    [Fact]
    public void A_benchmark_run_that_throws_becomes_a_missed_row_with_its_message()
    {
        BenchResult result = Runner(1).Run(Row(() => throw new InvalidDataException("no such file"), null));

        Assert.False(result.Met);
        Assert.Contains("no such file", result.Failure, StringComparison.Ordinal);
    }

    [Fact]
    public void The_JSON_of_a_benchmark_has_the_fields_that_other_tools_read()
    {
        BenchResult measured = Runner(1).Run(
            Row(() => 30, () => 10) with { Target = BenchTarget.RatioAtLeast(3) });
        BenchResult skipped = Runner(1).Run(BenchRow.Skip("other", "ns", "no peer here"));
        using var stream = new MemoryStream();

        BenchReport.WriteJson(stream, [measured, skipped]);

        JsonElement rows = JsonDocument.Parse(stream.ToArray()).RootElement;
        Assert.Equal(
            """{"name":"work","ours":30,"peer":10,"unit":"MB/s","ratio":3,"target":"\u003E= 3x","met":true}""",
            JsonSerializer.Serialize(rows[0]));
        Assert.Equal(JsonValueKind.Null, rows[1].GetProperty("met").ValueKind);
        Assert.Equal("no peer here", rows[1].GetProperty("skipped").GetString());
    }

    [Fact]
    public void The_Markdown_of_a_benchmark_has_a_row_per_workload_with_its_peers_side_by_side()
    {
        var runner = Runner(1);
        BenchRow row = Row(() => 30, () => 20) with { PeerName = "one", Target = BenchTarget.RatioAtLeast(3) };
        BenchResult[] results =
        [
            runner.Run(row),
            runner.Run(row with { PeerName = "two", Peer = () => 5 }),
            runner.Run(BenchRow.Skip("other", "ns", "no peer here")),
            runner.Run(row with { Name = "work, allocation", Unit = "B", Ours = () => 0, Peer = null }),
        ];
        using var text = new StringWriter();

        BenchReport.WriteMarkdown(text, results);

        string[] lines = text.ToString().ReplaceLineEndings("\n").Split('\n');
        Assert.Equal(
            [
                "| work | 30.0 MB/s | one 20.0; two 5 | 1.50x; 6.00x | >= 3x; >= 3x | **missed** |",
                "| other | skipped: no peer here |  |  |  |  |",
                "",
                "1 more rows count managed memory: 0 bytes an operation in each.",
            ],
            lines[2..^1]);
    }

    [Fact]
    public void The_Markdown_of_a_benchmark_begins_with_the_date_commit_and_machine_of_its_figures()
    {
        var origin = new BenchOrigin(["http"], "beside nginx", new DateOnly(2026, 11, 3), "1dc12f6", "2 x a processor");
        using var text = new StringWriter();

        BenchReport.WriteOrigin(text, origin);

        Assert.Equal(
            """
            # bench http

            Written by `./build.sh bench http --filter "beside nginx" --markdown FILE`; not edited by hand.

            | | |
            |---|---|
            | date | 2026-11-03 |
            | commit | 1dc12f6 |
            | machine | 2 x a processor |


            """.ReplaceLineEndings(),
            text.ToString());
        Assert.NotEmpty(BenchOrigin.Here(["http"], null).Machine);
    }

    [Fact]
    public void One_benchmark_run_gives_the_values_of_all_its_metrics()
    {
        int runs = 0;
        var shared = new SharedRuns(() => [++runs, runs * 100]);
        Func<double> first = shared.Metric(0);
        Func<double> second = shared.Metric(1);

        Assert.Equal([1.0, 2.0], [first(), first()]);
        Assert.Equal([100.0, 200.0, 300.0], [second(), second(), second()]);
        Assert.Equal(3, runs);
    }

    private static BenchRow Row(Func<double> ours, Func<double>? peer) =>
        new() { Name = "work", Unit = "MB/s", Ours = ours, Peer = peer };

    /// <summary>To collect the garbage of all tests is not what these are about.</summary>
    private static BenchRunner Runner(int runs) => new(runs, () => { });
}
