using FastTests.Support;
using Raven.Documents.Indexing.Maps;

namespace FastTests.Indexing.Static;

/// <summary>Texts that are made to cost the compiler much are refused before it sees them.</summary>
public sealed class HostileMapTests(ITestOutputHelper output)
{
    private const int LengthOfText = 40_000;

    /// <summary>
    /// Compared with a quarter of the text: 4 if the time is linear in the length, 16 if it is quadratic.
    /// </summary>
    private const double TimesMax = 10;

    [Theory]
    [InlineData("(", "")]
    [InlineData("(", ")")]
    [InlineData("(\")\"+", "")]
    [InlineData("(/*)*/", "")]
    [InlineData("(a,", "")]
    [InlineData("(a)(", "")]
    [InlineData("a(", "")]
    [InlineData("[", "")]
    [InlineData("a[", "]")]
    [InlineData("new { A = ", "}")]
    [InlineData("{", "")]
    [InlineData("a<", "")]
    [InlineData("a<b,", "")]
    [InlineData("a<(", "")]
    [InlineData("x => ", "")]
    [InlineData("(x) => ", "")]
    [InlineData("x => { return ", "")]
    [InlineData("!", "a")]
    [InlineData("- ", "a")]
    [InlineData("a ? ", "")]
    [InlineData("a ?? ", "a")]
    [InlineData("a + ", "a")]
    [InlineData("a.", "a")]
    [InlineData("a?.", "a")]
    [InlineData("a = ", "a")]
    [InlineData("(int)", "a")]
    [InlineData("from x in ", "a")]
    [InlineData("a switch { _ => ", "")]
    [InlineData("$\"{", "")]
    [InlineData("$\"{", "}\"")]
    [InlineData("$@\"{\"", "")]
    [InlineData("default(", "")]
    [InlineData("await ", "")]
    [InlineData("ref ", "")]
    [InlineData("out ", "")]
    [InlineData("in ", "")]
    [InlineData("scoped ", "")]
    [InlineData("async ", "")]
    [InlineData("static ", "")]
    [InlineData("delegate ", "")]
    [InlineData("new ", "")]
    [InlineData("typeof(", ")")]
    [InlineData("a is { B: ", "}")]
    [InlineData("a is [", "]")]
    [InlineData("a..", "a")]
    [InlineData("a! ", "")]
    [InlineData("let a = ", "")]
    [InlineData("group a by ", "")]
    [InlineData("orderby a, ", "a")]
    [InlineData("a with { B = ", "}")]
    [InlineData("throw ", "")]
    [InlineData("is (", "")]
    [InlineData("a is not ", "")]
    [InlineData("#if a\n", "")]
    public void The_work_to_refuse_a_nested_map_grows_no_faster_than_its_length(string opening, string closing)
    {
        int count = LengthOfText / (opening.Length + closing.Length);
        string text = TextOf(count);
        string quarter = TextOf(count / 4);
        double times = Cost.AssertWork(TimesMax, () => Refuse(text), () => Refuse(quarter));
        output.WriteLine($"{opening} {closing}: {times:F1} times a quarter of it");

        string TextOf(int count) => "from d in docs select new { A = "
            + string.Concat(Enumerable.Repeat(opening, count)) + "1"
            + string.Concat(Enumerable.Repeat(closing, count)) + " }";
    }

    private static void Refuse(string text) => Assert.ThrowsAny<IndexCompilationException>(
        () => MapBench.Compiler().Compile(MapBench.Define(text))[0].Dispose());
}
