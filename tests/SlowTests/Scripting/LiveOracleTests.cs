using System.Globalization;
using System.Text.RegularExpressions;
using FastTests.Scripting;

namespace SlowTests.Scripting;

/// <summary>The same scripts in our engine and in a living node.</summary>
[Trait(Category.Shard, "scripting-oracle")]
public sealed partial class LiveOracleTests
{
    private const int BatchSize = 1000;
    private const int FailuresShown = 10;

    private static readonly int Scripts = int.Parse(
        Environment.GetEnvironmentVariable("DEV_ORACLE_SCRIPTS") ?? "200000", null);

    /// <summary>A limit of ours may end one script in a hundred, which node catches elsewhere; not more.</summary>
    private static readonly int LimitedMax = Scripts / 100;

    /// <summary>
    /// The last digit of a power or a sine is the engine's affair (the language says "implementation-approximated");
    /// so many scripts may differ by it.
    /// </summary>
    private static readonly int ApproximatedMax = Scripts / 1000;

    [Fact]
    public async Task Generated_scripts_give_what_node_gives()
    {
        int limited = 0;
        int approximated = 0;
        List<string> failures = [];
        int first = NodeAnswers.Count + 1;
        for (int seed = first; seed < first + Scripts; seed += BatchSize)
        {
            string[] scripts = Generate(seed, Math.Min(BatchSize, first + Scripts - seed));
            Task<string[]> asked = Task.Run(() => NodeOracle.Run(scripts));
            string?[] ours = Array.ConvertAll(scripts, ScriptRunner.TryRunWithinLimits);
            string[] theirs = await asked;
            for (int i = 0; i < scripts.Length; i++)
            {
                limited += ours[i] is null ? 1 : 0;
                if (ours[i] is not { } mine || NodeAnswers.Normalize(mine) == NodeAnswers.Normalize(theirs[i]))
                {
                    continue;
                }

                if (mine.StartsWith('?') && theirs[i] == "!RangeError: Invalid string length")
                {
                    limited++;
                    continue;
                }

                approximated++;
                if (Rounded(mine) != Rounded(theirs[i]) && failures.Count < FailuresShown)
                {
                    failures.Add($"seed {seed + i}\n  ours {ours[i]}\n  node {theirs[i]}\n{scripts[i]}");
                }
            }
        }

        Assert.True(failures.Count == 0, string.Join("\n\n", failures));
        Assert.InRange(limited, 0, LimitedMax);
        Assert.InRange(approximated, 0, ApproximatedMax);
    }

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    public void The_recorded_answers_are_those_of_node()
    {
        List<string> answers = [];
        for (int seed = 1; seed <= NodeAnswers.Count; seed += BatchSize)
        {
            answers.AddRange(NodeOracle.Run(Generate(seed, BatchSize)).Select(NodeAnswers.Normalize));
        }

        if (Environment.GetEnvironmentVariable("DEV_RECORD_ANSWERS") == "1")
        {
            NodeAnswers.Write(answers);
        }

        Assert.Equal(answers, NodeAnswers.Read());
    }

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    public void The_results_in_the_conformance_set_are_those_of_node()
    {
        (string Feature, string Script, string Expected)[] cases = [.. ConformanceSet.Cases];
        string[] theirs = NodeOracle.Run(Array.ConvertAll(cases, one => one.Script));
        for (int i = 0; i < cases.Length; i++)
        {
            Assert.Equal((cases[i].Script, cases[i].Expected), (cases[i].Script, theirs[i]));
        }
    }

    private static string Rounded(string outcome) => LongNumber().Replace(
        outcome,
        number =>
        {
            double value = double.Parse(number.ValueSpan, CultureInfo.InvariantCulture);
            return value.ToString("G14", CultureInfo.InvariantCulture);
        });

    [GeneratedRegex(@"\d[\d.]{14,}(e[+-]\d+)?")]
    private static partial Regex LongNumber();

    private static string[] Generate(int seed, int count) =>
        [.. Enumerable.Range(seed, count).Select(one => new ScriptGenerator(one).Generate())];
}
