using System.Diagnostics;
using FastTests.Scripting;
using Raven.Scripting;
using Raven.Scripting.Values;

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

    private static void EachEnds(Func<CompiledScript, (double, ScriptFailure)> run, ScriptFailure expected)
    {
        List<string> late = [];
        foreach (string script in HostileScripts.ByFailure[ScriptFailure.Steps].Concat(HostileScripts.OfLongTexts))
        {
            CompiledScript compiled = ScriptRunner.Engine.Compile(script);
            double best = double.MaxValue;
            ScriptFailure ended = default;
            for (int i = 0; i < Tries && best > (Granted + OvershootMax).TotalMilliseconds; i++)
            {
                (double taken, ended) = run(compiled);
                best = Math.Min(best, taken);
            }

            if (best > (Granted + OvershootMax).TotalMilliseconds || ended != expected)
            {
                late.Add($"{best:F0} ms, {ended}: {script[^Math.Min(script.Length, 100)..]}");
            }
        }

        Assert.True(late.Count == 0, string.Join(Environment.NewLine, late));
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
