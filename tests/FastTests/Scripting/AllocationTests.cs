using FastTests.Support;
using Raven.Scripting;
using Raven.Scripting.Runtime;

namespace FastTests.Scripting;

/// <summary>What a step and a run may allocate.</summary>
public sealed class AllocationTests
{
    /// <summary>An engine of its own: other tests must not take its idle run.</summary>
    private static readonly ScriptEngine Engine = new(new ScriptEngineOptions { Clock = TimeProvider.System });

    [Theory]
    [InlineData("let s = 0; for (let i = 0; i < n; i++) { s += i * 2 - (i & 3); } return s")]
    [InlineData("let s = 0, i = 0; while (i < n) { i++; if (i % 3 === 0) continue; s = s + i / 2; } return s")]
    [InlineData("const o = { a: 1, b: 2 }; for (let i = 0; i < n; i++) { o.a = o.a + o.b; } return o.a")]
    [InlineData("const a = [1, 2, 3]; let s = 0; for (let i = 0; i < n; i++) { s += a[i % 3]; a[1] = s; } return s")]
    [InlineData("function f(x) { return x < 1 ? 0 : 1 + f(x - 1); } let s = 0, i = n; while (i--) s += f(3); return s")]
    public void A_loop_allocates_nothing_per_step(string script)
    {
        CompiledScript compiled = Engine.Compile(script, "n");
        Assert.Equal(Measure(compiled, 10), Measure(compiled, 10_000));
    }

    [Fact]
    public void A_run_of_a_cached_script_allocates_less_than_a_kilobyte()
    {
        CompiledScript compiled = Engine.Compile("return n + 1", "n");
        Assert.InRange(Measure(compiled, 1), 1, 1023);
    }

    private static long Measure(CompiledScript script, int n) => Allocated.Least(() => Execute(script, n));

    private static void Execute(CompiledScript script, int n)
    {
        using ScriptRun run = Engine.Begin(ScriptRunner.Limits);
        run.Execute(script, JsValue.Undefined, new JsValue(n));
    }
}
