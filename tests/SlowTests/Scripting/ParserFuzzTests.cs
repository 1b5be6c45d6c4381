using FastTests.Scripting;

namespace SlowTests.Scripting;

/// <summary>Ten million texts through the parser: no crash, no hang, no overflow of the stack.</summary>
[Trait(Category.Shard, "scripting-texts")]
public sealed class ParserFuzzTests
{
    private static readonly int Texts = int.Parse(
        Environment.GetEnvironmentVariable("DEV_FUZZ_TEXTS") ?? "10000000", null);

    [Fact]
    public void Every_text_is_a_script_or_an_error_with_a_place()
    {
        const int Workers = 2;
        Parallel.For(0, Workers, worker => new ParserFuzz(1000 + worker).Run(Texts / Workers, ScriptRunner.Engine));
    }
}
