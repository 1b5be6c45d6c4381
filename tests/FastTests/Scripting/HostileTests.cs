using FastTests.Support;
using Raven.Scripting;
using Raven.Scripting.Hosting;
using Raven.Scripting.Runtime;

namespace FastTests.Scripting;

/// <summary>
/// Scripts that want more than they may: each is stopped by the limit that names it, and leaves nothing.
/// </summary>
public sealed class HostileTests
{
    private static readonly ScriptLimits Wide = new()
    {
        StepsMax = 5_000_000,
        MemoryBytesMax = 64 * 1024 * 1024,
        CallDepthMax = 100_000,
        StringLengthMax = 2_000_000,
        ArrayLengthMax = 100_000,
        TimeMax = Deadline.Hang,
        RegExpTimeMax = Deadline.Hang,
    };

    public static TheoryData<ScriptFailure> Failures => [.. HostileScripts.ByFailure.Keys];

    [Fact]
    public void There_are_at_least_100_hostile_scripts() =>
        Assert.InRange(HostileScripts.ByFailure.Values.Sum(scripts => scripts.Length), 100, 1000);

    [Theory]
    [Trait("Invariant", "STEP-2")]
    [MemberData(nameof(Failures))]
    public void A_hostile_script_is_stopped_by_the_limit_that_names_it(ScriptFailure expected)
    {
        List<string> wrong = [];
        foreach (string script in HostileScripts.ByFailure[expected])
        {
            // The script tries to catch it and must not: a limit ends the run, and no finally continues.
            foreach (string text in new[] { script, $"try {{ {script} }} catch (e) {{ }} finally {{ while (true); }}" })
            {
                ScriptFailure? failure = FailureOf(text, Tight(expected));
                if (failure != expected)
                {
                    wrong.Add($"{failure?.ToString() ?? "none"}: {text}");
                }
            }
        }

        Assert.Empty(wrong);
    }

    [Theory]
    [InlineData("while (true);")]
    [InlineData("for (;;) { [1, 2, 3].map(x => x + 1) }")]
    [InlineData("function f() { f() } for (;;) { try { f() } catch { } }")]
    [InlineData("const a = Array.from({ length: 1000 }, (_, i) => i); for (;;) a.sort((x, y) => 1)")]
    public void Time_and_cancellation_end_a_run_within_50_ms(string script)
    {
        ScriptLimits limits = new()
        {
            StepsMax = long.MaxValue / 4, MemoryBytesMax = long.MaxValue / 4, TimeMax = TimeSpan.FromMilliseconds(30),
            CallDepthMax = int.MaxValue,
        };
        CompiledScript compiled = ScriptRunner.Engine.Compile(script);
        ScriptFailure[] expected = script.Contains("f()") ? [ScriptFailure.Time, ScriptFailure.CallDepth]
            : [ScriptFailure.Time];
        Assert.Contains(Fail(compiled, limits, default), expected);
        using CancellationTokenSource source = new();
        source.Cancel();
        Assert.Equal(ScriptFailure.Cancelled, Fail(compiled, limits, source.Token));
    }

    [Fact]
    [Trait("Invariant", "STEP-1")]
    public void Limits_are_checked_often_enough_for_50_ms()
    {
        // Counted in the run's own clock: no more than a ration of steps lies between two looks at it.
        CountingClock clock = new();
        ScriptEngine engine = new(new ScriptEngineOptions { Clock = clock });
        CompiledScript compiled = engine.Compile("for (let i = 0; i < 100000; i++) { }");
        using ScriptRun run = engine.Begin(new ScriptLimits());
        long before = clock.Looks;
        run.Execute(compiled, JsValue.Undefined);
        Assert.InRange(clock.Looks - before, 100_000 / 600, 100_000);
    }

    [Fact]
    public void Globals_and_prototypes_that_a_script_changes_do_not_reach_the_next_run()
    {
        ScriptRunner.Run("leak = 1; globalThis.leak2 = 2; Array.prototype.leak3 = 3; Object.prototype.leak4 = 4;");
        ScriptRunner.Run("Math.max = 1; JSON.parse = 2; String.prototype.trim = null; delete Array.prototype.map;");
        ScriptRunner.Run("Object.setPrototypeOf(Array.prototype, null);");
        ScriptRunner.Run("Object.defineProperty(Math, 'pi', { value: 3 })");
        Assert.Equal(
            """["undefined","undefined",null,null,3,"function","function",true,null]""",
            ScriptRunner.Run("""
                return [typeof leak, typeof leak2, [].leak3, ({}).leak4, Math.max(1, 3), typeof ''.trim, typeof [].map,
                    [] instanceof Object, Math.pi]
                """));
    }

    [Theory]
    [InlineData("a.splice({ valueOf() { a.length = 1; return 5 } }, 2)")]
    [InlineData("a.splice(3, { valueOf() { a.length = 1; return 3 } }, 'x')")]
    [InlineData("a.lastIndexOf(1, { valueOf() { a.length = 1; return 5 } })")]
    [InlineData("a.copyWithin({ valueOf() { a.length = 1; return 4 } }, 2)")]
    [InlineData("a.copyWithin(4, { valueOf() { a.length = 1; return 2 } })")]
    [InlineData("a.slice({ valueOf() { a.length = 1; return 3 } }, 5)")]
    [InlineData("a.fill(0, { valueOf() { a.length = 1; return 3 } })")]
    [InlineData("a.indexOf(9, { valueOf() { a.length = 1; return 3 } })")]
    [InlineData("a.forEach(() => { a.length = 1 }); a.map(() => { a.length = 0 })")]
    [InlineData("a.sort(() => { a.length = 1; return 1 })")]
    [InlineData("for (const x of a) a.length = 1; a.reduce(() => { a.length = 0 })")]
    [InlineData("class B extends Array { u = a.length = 1 } a.__proto__ = B.prototype; a.slice(2)")]
    public void An_array_that_is_changed_while_a_function_works_on_it_does_no_harm(string script)
    {
        string result = ScriptRunner.Run($"const a = [1, 2, 3, 4, 5, 6]; let b; {script}; return a.length >= 0");
        Assert.Equal("true", result);
    }

    private static ScriptFailure Fail(CompiledScript script, ScriptLimits limits, CancellationToken token)
    {
        using ScriptRun run = ScriptRunner.Engine.Begin(limits, null, token);
        return Assert.Throws<ScriptException>(() => run.Execute(script, JsValue.Undefined)).Failure;
    }

    /// <summary>Runs so many scripts of each kind.</summary>
    internal static void Run(int ofEachMax = int.MaxValue)
    {
        foreach ((ScriptFailure expected, string[] scripts) in HostileScripts.ByFailure)
        {
            foreach (string script in scripts.Take(ofEachMax))
            {
                Assert.NotNull(FailureOf(script, Tight(expected)));
            }
        }
    }

    /// <summary>All limits wide but one.</summary>
    private static ScriptLimits Tight(ScriptFailure limit) => limit switch
    {
        ScriptFailure.Steps => Wide with { StepsMax = 50_000 },
        ScriptFailure.Memory => Wide with { MemoryBytesMax = 3 * 1024 * 1024 },
        ScriptFailure.CallDepth => Wide with { CallDepthMax = 300 },
        ScriptFailure.StringLength => Wide with { StringLengthMax = 200_000 },
        ScriptFailure.ArrayLength => Wide with { ArrayLengthMax = 50_000 },
        _ => Wide with { RegExpTimeMax = TimeSpan.FromMilliseconds(10) },
    };

    private static ScriptFailure? FailureOf(string text, ScriptLimits limits)
    {
        using ScriptRun run = ScriptRunner.Engine.Begin(limits);
        CompiledScript compiled = ScriptRunner.Engine.Compile(text);
        try
        {
            run.Execute(compiled, JsValue.Undefined);
            return null;
        }
        catch (ScriptException exception)
        {
            return exception.Failure;
        }
    }

    private sealed class CountingClock : TimeProvider
    {
        internal long Looks { get; private set; }

        public override long GetTimestamp()
        {
            Looks++;
            return base.GetTimestamp();
        }
    }
}
