using Raven.Tools.SlowestTests;

namespace FastTests.Tools;

public sealed class SlowestTestsTests : IDisposable
{
    private const string Run =
        """
        <?xml version="1.0" encoding="utf-8"?>
        <TestRun id="1" xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010">
          <Results>
            <UnitTestResult testName="A.B.Fast_one" duration="00:00:00.0010000" outcome="Passed" />
            <UnitTestResult outcome="Failed" testName="A.C.Slow_one(text: &quot;x.y&quot;)" duration="00:00:12.5" />
            <UnitTestResult testName="A.B.Left_out" outcome="NotExecuted" />
          </Results>
        </TestRun>
        """;

    private readonly string _directory = Directory.CreateTempSubdirectory("slowest").FullName;

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [Fact]
    public void The_slowest_test_is_listed_first_and_the_times_of_classes_are_summed()
    {
        using var output = new StringWriter();

        SlowestReport.Write(output, TestRunFile.Read(Write(Run)), count: 1);

        string[] lines = output.ToString().Split(Environment.NewLine);
        Assert.Equal("""  12.500  A.C.Slow_one(text: "x.y")  [Failed]""".Trim(), lines[1].Trim());
        Assert.Equal("12.500      1  A.C", lines[4].Trim());
        Assert.Contains("3 tests, 12.5 s in sum", lines);
    }

    [Fact]
    [Trait("Fault", "B16")]
    public void The_times_of_all_folders_are_summed()
    {
        using var output = new StringWriter();
        TestOutcome[] outcomes =
        [
            new("F.Storage.Crash.ATests.One", TimeSpan.FromSeconds(2), "Passed"),
            new("F.Storage.BTests.Two(text: \"x.y\")", TimeSpan.FromSeconds(1), "Passed"),
            new("F.Queries.CTests.Three", TimeSpan.FromSeconds(4), "Passed"),
            new("F.Alone", TimeSpan.FromSeconds(0.5), "Passed"),
        ];

        SlowestReport.Write(output, outcomes, count: 1);

        string[] lines = output.ToString().Split(Environment.NewLine);
        int rooms = Array.IndexOf(lines, "seconds  tests  room");
        Assert.Equal(
            ["4.000      1  F.Queries", "3.000      2  F.Storage", "0.500      1  F"],
            lines[(rooms + 1)..(rooms + 4)].Select(line => line.Trim()));
    }

    [Fact]
    public void A_truncated_result_file_is_reported_with_its_line()
    {
        string path = Write(Run[..^30]);

        var failure = Assert.Throws<InvalidDataException>(() => TestRunFile.Read(path));

        Assert.Contains(path, failure.Message, StringComparison.Ordinal);
        Assert.Contains("line", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Shards_are_read_from_the_traits_of_classes_and_methods() =>
        Assert.Equal(
            ["on-a-class", "on-a-method"], ShardCatalog.Find([typeof(SampleInShard), typeof(SampleOfMethods)]));

    [Fact]
    public void Tests_without_a_shard_are_a_shard_of_their_own() =>
        Assert.Equal("Shard!=a&Shard!=b", ShardCatalog.FilterOfTheRest(["a", "b"]));

    [Theory]
    [InlineData(1, 1, 1, "")]
    [InlineData(0, 1, 1, "")]
    [InlineData(null, 1, 2, "stopped after 10 minutes")]
    public void A_shard_over_its_time_limit_fails_even_if_its_tests_passed(
        int? exitCode, int passed, int failed, string remark)
    {
        var runner = new ShardRunner("p", "Release", _directory, TimeSpan.FromMinutes(10));

        ShardResult result = runner.Judge("s", Write(Run), exitCode, TimeSpan.Zero);

        Assert.Equal((passed, failed, remark), (result.Passed, result.Failed, result.Remark));
    }

    [Fact]
    public void A_test_that_says_that_it_tested_nothing_is_not_counted_as_passed()
    {
        const string Result = """<UnitTestResult testName="A.D.Small" duration="00:00:00.1" outcome="Passed">""";
        string text = Run.Replace(
            "</Results>",
            Result + "<Output><StdOut>not tested: no mounts</StdOut></Output></UnitTestResult></Results>" +
            "<ResultSummary><Output><StdOut>not tested: of the run</StdOut></Output></ResultSummary>",
            StringComparison.Ordinal);
        var runner = new ShardRunner("p", "Release", _directory, TimeSpan.FromMinutes(10));

        ShardResult result = runner.Judge("s", Write(text), 1, TimeSpan.Zero);

        Assert.Equal((1, 1, "1 not tested"), (result.Passed, result.Failed, result.Remark));
    }

    [Fact]
    public void A_shard_whose_test_host_crashed_fails()
    {
        var runner = new ShardRunner("p", "Release", _directory, TimeSpan.FromMinutes(10));

        ShardResult result = runner.Judge("s", Path.Combine(_directory, "none.trx"), 134, TimeSpan.Zero);

        Assert.Equal(1, result.Failed);
        Assert.Contains("134", result.Remark, StringComparison.Ordinal);
    }

    [Fact]
    public void Coverage_is_computed_of_lines_and_of_branches()
    {
        var report = System.Xml.Linq.XDocument.Parse(
            """<coverage lines-covered="1866" lines-valid="2000" branches-covered="1" branches-valid="8" />""");
        Assert.Equal("93.3% of 2000 lines, 12.5% of 8 branches", CoverageRun.Describe(report));
    }

    [Theory]
    [InlineData(900, 850, true)]
    [InlineData(899, 1000, false)]
    [InlineData(1000, 849, false)]
    public void Coverage_passes_from_90_percent_of_lines_and_85_percent_of_branches(
        int lines, int branches, bool isEnough)
    {
        var report = new System.Xml.Linq.XDocument(new System.Xml.Linq.XElement(
            "coverage",
            new System.Xml.Linq.XAttribute("lines-covered", lines),
            new System.Xml.Linq.XAttribute("lines-valid", 1000),
            new System.Xml.Linq.XAttribute("branches-covered", branches),
            new System.Xml.Linq.XAttribute("branches-valid", 1000)));
        Assert.Equal(isEnough, CoverageRun.IsEnough(report));
    }

    private string Write(string text)
    {
        string path = Path.Combine(_directory, "run.trx");
        File.WriteAllText(path, text);
        return path;
    }

    [Trait("Shard", "on-a-class")]
    [Trait("Run", "ci")]
    private abstract class SampleInShard;

    private static class SampleOfMethods
    {
        [Trait("Shard", "on-a-method")]
        internal static void Method()
        {
        }
    }
}
