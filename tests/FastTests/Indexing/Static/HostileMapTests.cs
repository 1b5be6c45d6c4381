using System.Diagnostics;
using Raven.Server.Indexing.Maps;
using Xunit.Abstractions;

namespace FastTests.Indexing.Static;

/// <summary>Texts that are made to cost the compiler much are refused before it sees them.</summary>
public sealed class HostileMapTests(ITestOutputHelper output)
{
    private const int LengthOfText = 40_000;

    private static readonly TimeSpan TimeMax = TimeSpan.FromSeconds(3);

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
    [InlineData("throw ", "")]
    [InlineData("is (", "")]
    [InlineData("a is not ", "")]
    [InlineData("#if a\n", "")]
    public void A_text_costs_no_more_than_its_length(string opening, string closing)
    {
        int count = LengthOfText / (opening.Length + closing.Length);
        string text = "from d in docs select new { A = " + string.Concat(Enumerable.Repeat(opening, count)) + "1"
            + string.Concat(Enumerable.Repeat(closing, count)) + " }";
        long began = Stopwatch.GetTimestamp();
        Assert.ThrowsAny<IndexCompilationException>(
            () => MapBench.Compiler().Compile(MapBench.Define(text))[0].Dispose());
        TimeSpan took = Stopwatch.GetElapsedTime(began);
        output.WriteLine($"{opening} {closing}: {took.TotalMilliseconds:F0} ms");
        Assert.True(took < TimeMax, $"{took.TotalMilliseconds:F0} ms for '{opening}'");
    }
}
