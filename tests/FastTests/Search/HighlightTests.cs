using System.Text;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;

namespace FastTests.Search;

/// <summary>The words that a query found are shown at their places.</summary>
public sealed class HighlightTests
{
    private const string Text = "The Foxes of the red forest run. Nobody saw a fox run so fast, said the grüne moon.";

    [Theory]
    [InlineData("fox", 80, 3, "The <b>Foxes</b> of the red forest run. Nobody saw a <b>fox</b> run so fast,")]
    [InlineData("grün*", 20, 3, "the <b>grüne</b> moon.")]
    [InlineData("\"red forest\"", 24, 1, "the <b>red</b> <b>forest</b> run.")]
    [InlineData("fox moon", 12, 9, "<b>Foxes</b>|a <b>fox</b>|<b>moon</b>.")]
    [InlineData("fox run forest", 40, 1, "The <b>Foxes</b> of the red <b>forest</b> <b>run</b>.")]
    [InlineData("nothing", 40, 2, "")]
    public void Fragments_of_a_text_have_the_query_words_marked(string words, int length, int count, string expected)
    {
        using TestIndex test = new();
        test.Add("Text", Analyzers.English, ["x", "y"]);
        IndexField field = test.Index.Fields.Single(one => one.Name == "Text");
        SearchQuery query = new();
        int missing = query.Not(query.Search("Text", query.Value("said"), isAll: true));
        int other = query.Search("Other", query.Value("saw"), isAll: true);
        int root = query.And(query.Or(query.Search("Text", query.Value(words), isAll: false), other), missing);
        IReadOnlyList<string> pieces =
            new TextHighlighter().Highlight(query, root, field, Encoding.UTF8.GetBytes(Text), length, count);
        Assert.Equal(expected, string.Join('|', pieces));
    }

    [Fact]
    public void A_fragment_without_its_marks_is_a_part_of_the_text()
    {
        const int Seed = 3;
        Random random = new(Seed);
        using TestIndex test = new();
        test.Add("Text", Analyzers.Standard, ["x", "y"]);
        IndexField field = test.Index.Fields.Single(one => one.Name == "Text");
        SearchQuery query = new();
        int root = query.Fuzzy("Text", query.Value("fox"), 1);
        TextHighlighter highlighter = new() { Before = "\u0001", After = "\u0002" };
        for (int round = 0; round < 3000; round++)
        {
            string text = string.Concat(Enumerable.Range(0, random.Next(60)).Select(_ =>
                "fox fix é, 日 \t-x."[random.Next(17)]));
            IReadOnlyList<string> pieces = highlighter.Highlight(
                query, root, field, Encoding.UTF8.GetBytes(text), random.Next(1, 40), random.Next(1, 4));
            foreach (string piece in pieces)
            {
                string plain = piece.Replace("\u0001", "", StringComparison.Ordinal)
                    .Replace("\u0002", "", StringComparison.Ordinal);
                Assert.True(text.Contains(plain, StringComparison.Ordinal), $"seed {Seed}, round {round}: {piece}");
                Assert.Contains('\u0001', piece);
            }
        }
    }
}
