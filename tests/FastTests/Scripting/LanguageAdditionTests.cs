using Raven.Scripting;
using Raven.Scripting.Runtime;

namespace FastTests.Scripting;

/// <summary>
/// What the language has since the version of node that answers the conformance set, and the bounds of what may be
/// large.
/// </summary>
public sealed class LanguageAdditionTests
{
    [Theory]
    [InlineData("return [...new Set([1, 2, 3]).union(new Set([3, 4]))]", "[1,2,3,4]")]
    [InlineData("return [...new Set([1, 2, 3]).intersection(new Set([3, 2]))]", "[3,2]")]
    [InlineData("return [...new Set([1, 2]).intersection(new Set([3, 2, 1]))]", "[1,2]")]
    [InlineData("return [...new Set([1, 2, 3]).difference(new Set([2]))]", "[1,3]")]
    [InlineData("return [...new Set([1, 2]).difference(new Set([2, 3, 4]))]", "[1]")]
    [InlineData("return [...new Set([1, 2, 3]).symmetricDifference(new Set([3, 4]))]", "[1,2,4]")]
    [InlineData("const s = new Set([1, 2]); return [s.isSubsetOf(new Set([2, 1, 0])), s.isSubsetOf(new Set([1]))]",
        "[true,false]")]
    [InlineData("const s = new Set([1, 2]); return [s.isSupersetOf(new Set([2])), s.isSupersetOf(new Set([2, 3]))]",
        "[true,false]")]
    [InlineData("const s = new Set([1, 2]); return [s.isDisjointFrom(new Set([3])), s.isDisjointFrom(new Set([2]))]",
        "[true,false]")]
    [InlineData("return [...new Set([1, 2]).union(new Map([[2, 'x'], [3, 'y']]))]", "[1,2,3]")]
    [InlineData("return [...new Set(['a', NaN]).intersection(new Set([NaN, 'b', 'c']))].length", "1")]
    [InlineData("const s = new Set([1]); const u = s.union(new Set()); u.add(2); return [s.size, u.size]", "[1,2]")]
    [InlineData("return [...new Set([0]).union({ size: 1, has: x => false, keys: () => [-0, 5].values() })]",
        "[0,5]")]
    [InlineData("class S extends Set {} return new S([1]).union(new Set([2])) instanceof S", "false")]
    [InlineData("return new Set([1, 2, 3]).isSupersetOf({ size: 2, has() {}, keys: () => [1, 9, 2].values() })",
        "false")]
    [InlineData("return ['union', 'isSubsetOf'].map(n => Set.prototype[n].length)", "[1,1]")]
    public void Sets_are_combined_and_compared(string script, string expected) =>
        Assert.Equal(expected, ScriptRunner.Run(script));

    [Theory]
    [InlineData("[1]", "TypeError")]
    [InlineData("5", "TypeError")]
    [InlineData("{ size: 'x', has() {}, keys() {} }", "TypeError")]
    [InlineData("{ size: -1, has() {}, keys() {} }", "RangeError")]
    [InlineData("{ size: 1, keys() {} }", "TypeError")]
    [InlineData("{ size: 1, has() {} }", "TypeError")]
    [InlineData("{ size: 0, has() {}, keys() { return 5 } }", "TypeError")]
    public void A_set_is_combined_with_what_has_its_functions(string other, string expected) => Assert.StartsWith(
        "!" + expected, ScriptRunner.Run($"return new Set([1]).union({other})"), StringComparison.Ordinal);

    [Theory]
    [InlineData("return Object.groupBy([1, 2, 3, 4], x => x % 2 ? 'odd' : 'even')",
        """{"odd":[1,3],"even":[2,4]}""")]
    [InlineData("return Object.groupBy(['b', 'a', 'c'], (x, i) => i)", """{"0":["b"],"1":["a"],"2":["c"]}""")]
    [InlineData("return Object.getPrototypeOf(Object.groupBy([], x => x))", "null")]
    [InlineData("const s = Symbol(); return Object.groupBy([1], () => s)[s]", "[1]")]
    [InlineData("return Object.groupBy('abca', x => x)", """{"a":["a","a"],"b":["b"],"c":["c"]}""")]
    [InlineData("return Object.groupBy([1], () => '__proto__')['__proto__']", "[1]")]
    [InlineData("return [...Map.groupBy([1, 2, 3], x => x > 1)]", "[[false,[1]],[true,[2,3]]]")]
    [InlineData("const k = {}; return Map.groupBy([1, 2], () => k).get(k)", "[1,2]")]
    [InlineData("return [...Map.groupBy([1, 2], x => x > 1 ? 0 : -0)].length", "1")]
    [InlineData("return [Object.groupBy.length, Map.groupBy.name]", """[2,"groupBy"]""")]
    [InlineData("""
        let closed = 0; const it = { [Symbol.iterator]() { return { next: () => ({ value: 1 }),
            return() { closed++; return {} } } } };
        try { Object.groupBy(it, () => { throw 1 }) } catch { } return closed
        """, "1")]
    public void Items_are_grouped(string script, string expected) => Assert.Equal(expected, ScriptRunner.Run(script));

    [Theory]
    [InlineData("Object.groupBy(null, x => x)")]
    [InlineData("Object.groupBy([1], 5)")]
    [InlineData("Object.groupBy(5, x => x)")]
    [InlineData("Map.groupBy(undefined, x => x)")]
    [InlineData("Map.groupBy([1])")]
    public void What_cannot_be_grouped_is_a_type_error(string script) =>
        Assert.StartsWith("!TypeError", ScriptRunner.Run(script), StringComparison.Ordinal);

    /// <summary>A BigInt of more than 262,144 bits is an error in each way to make one.</summary>
    [Theory]
    [InlineData("2n ** 262144n")]
    [InlineData("10n ** 10n ** 10n")]
    [InlineData("1n << 262144n")]
    [InlineData("5n << 10n ** 50n")]
    [InlineData("-1n >> -(2n ** 64n)")]
    [InlineData("(2n ** 262143n) * 2n")]
    [InlineData("(2n ** 262143n) + (2n ** 262143n)")]
    [InlineData("(2n ** 200000n) * (2n ** 200000n)")]
    [InlineData("BigInt('9'.repeat(100000))")]
    [InlineData("BigInt('0x' + 'f'.repeat(100000))")]
    [InlineData("BigInt.asUintN(300000, -1n)")]
    public void The_size_of_a_BigInt_is_bounded(string script) =>
        Assert.Equal("!RangeError: Maximum BigInt size exceeded", ScriptRunner.Run(script));

    [Fact]
    public void The_largest_BigInt_is_computed_and_written() => Assert.Equal(
        "[78914,65536,true]",
        ScriptRunner.Run("""
            const a = (2n ** 262143n - 1n) * 2n + 1n;
            return [String(a).length, a.toString(16).length, BigInt(String(a)) === a]
            """));

    [Fact]
    public void A_BigInt_is_charged_by_its_size()
    {
        using ScriptRun run = ScriptRunner.Engine.Begin(ScriptRunner.Limits);
        run.Execute(ScriptRunner.Engine.Compile("2n ** 200000n"), JsValue.Undefined);
        Assert.InRange(run.BytesUsed, 25_000, 250_000);
        run.RenewBudget();
        run.Execute(ScriptRunner.Engine.Compile("const a = 7n ** 45000n; a * a % (a - 1n)"), JsValue.Undefined);
        Assert.Equal("!RangeError: Maximum BigInt size exceeded", ScriptRunner.Run("7n ** 90000n * 7n ** 90000n"));
        Assert.InRange(run.StepsUsed, 1_000, 1_000_000);
    }

    [Fact]
    public void Private_members_stay_out_of_what_all_runs_share()
    {
        const string Script = """
            class A { constructor(o) { return o } } class B extends A { #x = 1; static has(o) { return #x in o } }
            try { new B(Math) } catch (e) { return [e.name, B.has(Math)] }
            """;
        Assert.Equal("""["TypeError",false]""", ScriptRunner.Run(Script));
        Assert.Equal("""["TypeError",false]""", ScriptRunner.Run(Script));
    }

    [Fact]
    public void A_class_of_many_private_members_is_charged_for_its_searches()
    {
        string fields = string.Join(' ', Enumerable.Range(0, 2_000).Select(i => $"#x{i};"));
        string script = $"class A {{ {fields} sum(o) {{ return o.#x0 === o.#x1999 }} }} return new A().sum(new A())";
        using ScriptRun run = ScriptRunner.Engine.Begin(ScriptRunner.Limits);
        Assert.True(run.Execute(ScriptRunner.Engine.Compile(script), JsValue.Undefined).IsTrue);
        Assert.InRange(run.StepsUsed, 200_000, 2_000_000);
    }

    [Fact]
    public void A_registered_symbol_ends_with_its_run()
    {
        using ScriptRun first = ScriptRunner.Engine.Begin(ScriptRunner.Limits);
        CompiledScript script = ScriptRunner.Engine.Compile("return Symbol.for('x')");
        JsValue one = first.Execute(script, JsValue.Undefined);
        Assert.Equal(one, first.Execute(script, JsValue.Undefined));
        using ScriptRun second = ScriptRunner.Engine.Begin(ScriptRunner.Limits);
        Assert.NotEqual(one, second.Execute(script, JsValue.Undefined));
    }

    /// <summary>Sets of characters are linear to match; a pattern with too many of them is refused.</summary>
    [Fact]
    public void Properties_of_characters_do_not_explode()
    {
        Assert.Equal("true", ScriptRunner.Run(@"return /^(\p{L}|\p{N}|_)+$/u.test('é1_'.repeat(20000))"));
        Assert.Equal("false", ScriptRunner.Run(@"return /^(\p{L}+)+$/u.test('é'.repeat(20000) + '!')"));
        Assert.StartsWith(
            "!SyntaxError", ScriptRunner.Run(@"new RegExp('\\p{L}'.repeat(1000), 'u')"), StringComparison.Ordinal);
        Assert.StartsWith(
            "!SyntaxError", ScriptRunner.Run($"return /{string.Concat(Enumerable.Repeat(@"\p{L}", 1000))}/u"),
            StringComparison.Ordinal);
    }
}
