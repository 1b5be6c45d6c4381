using FastTests.Support;
using Raven.Scripting;

namespace FastTests.Scripting;

/// <summary>Texts that are made to cost the parser more than their length.</summary>
public sealed class HostileTextTests
{
    private const int LengthOfText = 40_000;

    /// <summary>
    /// Compared with a quarter of the text: 4 if the time is linear in the length, 16 if it is quadratic.
    /// </summary>
    private const double TimesMax = 10;

    [Theory]
    [InlineData("(", "")]
    [InlineData("(", ")")]
    [InlineData("(a = ", ")")]
    [InlineData("(a = (b) => ", ")")]
    [InlineData("(a = (b = 1) => (c), d = ", ")")]
    [InlineData("({a = ", "})")]
    [InlineData("([a = ", "])")]
    [InlineData("(x) => ", "")]
    [InlineData("x => {", "}")]
    [InlineData("[", "")]
    [InlineData("{", "")]
    [InlineData("`${", "}`")]
    [InlineData("!", "")]
    [InlineData("a ? ", "")]
    [InlineData("a = ", "")]
    [InlineData("function () {", "}")]
    [InlineData("a(", ")")]
    [InlineData("new ", "")]
    [InlineData("/(", ")/")]
    public void The_cost_of_parsing_a_script_is_linear_in_its_length(string opening, string closing)
    {
        int most = LengthOfText / (opening.Length + closing.Length);
        foreach (int count in new[] { 40, 80, 120, most })
        {
            string text = TextOf(count);
            string quarter = TextOf(most / 4);
            Cost.AssertWork(TimesMax, () => Compile(text), () => Compile(quarter));
        }

        string TextOf(int count) => "this.x = " + string.Concat(Enumerable.Repeat(opening, count)) + "1"
            + string.Concat(Enumerable.Repeat(closing, count));
    }

    private static void Compile(string text)
    {
        try
        {
            ScriptRunner.Engine.Compile(text);
        }
        catch (ScriptException)
        {
            // Most are no scripts.
        }
    }
}
