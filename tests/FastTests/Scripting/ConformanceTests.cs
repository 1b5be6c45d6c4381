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
    [InlineData("return 12n", 1, 8)]
    [InlineData("import x from 'y'", 1, 1)]
    [InlineData("break", 1, 1)]
    [InlineData("with (a) {}", 1, 1)]
    [InlineData("class A { #p }", 1, 11)]
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
