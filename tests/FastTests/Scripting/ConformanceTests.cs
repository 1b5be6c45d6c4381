using Raven.Scripting;
using Raven.Scripting.Hosting;
using Raven.Scripting.Runtime;

namespace FastTests.Scripting;

/// <summary>The language, feature by feature, and what is refused.</summary>
public sealed class ConformanceTests
{
    public static TheoryData<string> Features => [.. ConformanceSet.Cases.Select(one => one.Feature).Distinct()];

    [Theory]
    [MemberData(nameof(Features))]
    public void A_feature_of_the_language_gives_what_node_gives(string feature)
    {
        foreach ((_, string script, string expected) in ConformanceSet.Cases.Where(one => one.Feature == feature))
        {
            Assert.Equal((script, expected), (script, ScriptRunner.Run(script)));
        }
    }

    [Theory]
    [InlineData("let a = ;", 1, 9)]
    [InlineData("let a\n  let a", 2, 7)]
    [InlineData("if (1) {\n", 2, 1)]
    [InlineData("x = 'abc", 1, 5)]
    [InlineData("return /(/", 1, 8)]
    [InlineData("async function f() {}", 1, 1)]
    [InlineData("return 1.5n", 1, 8)]
    [InlineData("return 010n", 1, 8)]
    [InlineData("return 1e3n", 1, 8)]
    [InlineData("return async () => 1", 1, 8)]
    [InlineData("return { async m() {} }", 1, 10)]
    [InlineData("class A { static async m() {} }", 1, 18)]
    [InlineData("class A { async *m() {} }", 1, 11)]
    [InlineData("return await this.x", 1, 8)]
    [InlineData("for await (const x of y) ;", 1, 5)]
    [InlineData("import x from 'y'", 1, 1)]
    [InlineData("break", 1, 1)]
    [InlineData("with (a) {}", 1, 1)]
    [InlineData("return o.#p", 1, 10)]
    [InlineData("class A { #p } return o.#p", 1, 25)]
    [InlineData("class A { #p; #p }", 1, 15)]
    [InlineData("class A { get #p() { } get #p() { } }", 1, 24)]
    [InlineData("class A { get #p() { } static set #p(x) { } }", 1, 24)]
    [InlineData("class A { #constructor }", 1, 11)]
    [InlineData("class A { #p; m() { delete this.#p } }", 1, 21)]
    [InlineData("class A { #p; m() { return #p } }", 1, 28)]
    [InlineData("class A { #p; m(o) { return 1 + #p in o } }", 1, 33)]
    [InlineData("class A { #p; m(o) { return #p in #p in o } }", 1, 35)]
    [InlineData("class A { #p; m() { return super.#p } }", 1, 34)]
    [InlineData("return { #p: 1 }", 1, 10)]
    [InlineData("class A { static { return 1 } }", 1, 20)]
    [InlineData("class A { static { break } }", 1, 20)]
    [InlineData(@"return /\p{Nothing}/u", 1, 8)]
    [InlineData("'use strict'; 010", 1, 15)]
    [InlineData("const a;", 1, 8)]
    [InlineData("({a = 1})", 1, 3)]
    [InlineData("1 = 2", 1, 1)]
    [InlineData("{ function* a() {} function a() {} }", 1, 29)]
    [InlineData("{ function a() {} function* a() {} }", 1, 29)]
    [InlineData("yield: for (;;) { continue nothing; }", 1, 19)]
    public void A_syntax_error_has_its_line_and_column(string script, int line, int column)
    {
        ScriptException exception = Assert.Throws<ScriptException>(() => ScriptRunner.Engine.Compile(script));
        Assert.Equal(
            (ScriptFailure.Syntax, line, column), (exception.Failure, exception.Line, exception.Column));
    }

    [Theory]
    [InlineData("let a = 1;\n  null.x", 2, 3, "TypeError")]
    [InlineData("missing()", 1, 1, "ReferenceError")]
    [InlineData("function f() {\n throw new RangeError('r') }\nf()", 2, 2, "RangeError: r")]
    [InlineData("[1].map(5)", 1, 1, "TypeError")]
    [InlineData("throw 'plain'", 1, 1, "plain")]
    [InlineData("eval('1')", 1, 1, "ReferenceError")]
    [InlineData("new Function('return 1')", 1, 1, "TypeError")]
    [InlineData("new Proxy({}, {})", 1, 5, "ReferenceError: Proxy is not defined: scripts have no proxies")]
    [InlineData("Reflect.ownKeys({})", 1, 1, "ReferenceError: Reflect is not defined: scripts have no proxies")]
    [InlineData("Promise.resolve(1)", 1, 1, "ReferenceError: Promise is not defined: a script runs to its end")]
    [InlineData("setTimeout(() => 1)", 1, 1, "ReferenceError: setTimeout is not defined: a script runs to its end")]
    [InlineData("new Uint8Array(8)", 1, 5, "ReferenceError: Uint8Array is not defined: scripts have no typed arrays")]
    [InlineData("Intl.DateTimeFormat()", 1, 1, "ReferenceError: Intl is not defined: texts, numbers and dates have")]
    [InlineData("'a'.localeCompare('b', 'de', { numeric: true })", 1, 1, "TypeError: localeCompare has no option")]
    [InlineData("class A { static { null.x } }", 1, 20, "TypeError")]
    [InlineData("class A extends ({}).#x.y { #x }", 1, 22, "ReferenceError: Cannot access '#x' before")]
    [InlineData("1n + 1", 1, 1, "TypeError: Cannot mix BigInt and other types, use explicit conversions")]
    [InlineData("throw 5n", 1, 1, "5")]
    public void A_run_time_error_has_its_reason_line_and_column(string script, int line, int column, string message)
    {
        using ScriptRun run = ScriptRunner.Engine.Begin(ScriptRunner.Limits);
        CompiledScript compiled = ScriptRunner.Engine.Compile(script);
        ScriptException exception = Assert.Throws<ScriptException>(() => run.Execute(compiled, JsValue.Undefined));
        Assert.StartsWith(message, exception.Reason, StringComparison.Ordinal);
        Assert.Equal((ScriptFailure.Thrown, line, column), (exception.Failure, exception.Line, exception.Column));
    }

    [Fact]
    public void Texts_that_are_nearly_scripts_end_as_errors() => new ParserFuzz(7).Run(60_000, ScriptRunner.Engine);
}
