using System.Diagnostics;
using FastTests.Scripting;
using Raven.Scripting;
using Raven.Scripting.Hosting;
using Raven.Scripting.Runtime;

namespace SlowTests.Scripting;

/// <summary>
/// Scripts that never end are ended within 50 ms of their time or of a cancellation, wherever they are: in loops, in
/// callbacks of built-in functions, inside of the built-ins. The clock is real, so the best of a few tries counts: the
/// machine may be busy with something else.
/// </summary>
[Trait(Category.Shard, "scripting")]
public sealed class StopTimeTests
{
    private const int Tries = 4;
    private static readonly TimeSpan Granted = TimeSpan.FromMilliseconds(60);
    private static readonly TimeSpan OvershootMax = TimeSpan.FromMilliseconds(50);

    private static readonly ScriptLimits OnlyTime = new()
    {
        StepsMax = long.MaxValue / 4,
        MemoryBytesMax = long.MaxValue / 4,
        CallDepthMax = 1_000,
        StringLengthMax = new ScriptLimits().StringLengthMax,
        ArrayLengthMax = new ScriptLimits().ArrayLengthMax,
        TimeMax = Granted,
    };

    [Fact]
    public void Every_endless_script_ends_within_50_ms_of_its_time() => EachEnds(
        script => (Milliseconds(script, OnlyTime, CancellationToken.None, out ScriptFailure failure), failure),
        ScriptFailure.Time);

    [Fact]
    public void Every_endless_script_ends_within_50_ms_of_a_cancellation() => EachEnds(
        script =>
        {
            using CancellationTokenSource source = new(Granted);
            ScriptLimits unlimited = OnlyTime with { TimeMax = TimeSpan.FromSeconds(30) };
            return (Milliseconds(script, unlimited, source.Token, out ScriptFailure failure), failure);
        },
        ScriptFailure.Cancelled);

    /// <summary>Those that were late come again behind all others: what keeps the machine busy for a second would
    /// spoil each try of a script if they followed each other.</summary>
    private static void EachEnds(Func<CompiledScript, (double, ScriptFailure)> run, ScriptFailure expected)
    {
        string[] left = [.. HostileScripts.ByFailure[ScriptFailure.Steps], .. HostileScripts.OfLongTexts];
        List<string> late = [];
        for (int i = 0; i < Tries && left.Length > 0; i++)
        {
            late.Clear();
            left = [.. left.Where(script => IsLate(script, run, expected, late))];
        }

        Assert.True(late.Count == 0, string.Join(Environment.NewLine, late));
    }

    private static bool IsLate(
        string script, Func<CompiledScript, (double, ScriptFailure)> run, ScriptFailure expected, List<string> late)
    {
        (double taken, ScriptFailure ended) = run(ScriptRunner.Engine.Compile(script));
        Assert.True(ended == expected, $"{ended}: {script}");
        bool isLate = taken > (Granted + OvershootMax).TotalMilliseconds;
        if (isLate)
        {
            late.Add($"{taken:F0} ms: {script[^Math.Min(script.Length, 100)..]}");
        }

        return isLate;
    }

    private static double Milliseconds(
        CompiledScript script, ScriptLimits limits, CancellationToken token, out ScriptFailure failure)
    {
        using ScriptRun run = ScriptRunner.Engine.Begin(limits, null, token);
        long start = Stopwatch.GetTimestamp();
        failure = Assert.Throws<ScriptException>(() => run.Execute(script, JsValue.Undefined)).Failure;
        return Stopwatch.GetElapsedTime(start).TotalMilliseconds;
    }
}
