using System.Text;
using FastTests.Search;
using Raven.Documents.Queries;
using Raven.Documents.Queries.Rql;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;

namespace FastTests.Queries;

/// <summary>A query as a user writes it finds what it says.</summary>
public sealed class RqlTranslatorTests
{
    [Theory]
    [InlineData("from D", "0 1 2 3")]
    [InlineData("from D where Name = 'ANNA'", "0")]
    [InlineData("from D where exact(Name = 'anna')", "")]
    [InlineData("from D where exact(Name = 'Anna')", "0")]
    [InlineData("from D as d where d.Age > 30.5", "1 3")]
    [InlineData("from D where Age >= 30 and Age <= 30.5", "0 2")]
    [InlineData("from D where Age between 30 and $max", "0 1 2")]
    [InlineData("from D where Age != 30", "1 2 3")]
    [InlineData("from D where Age in ($ages)", "0 3")]
    [InlineData("from D where Tags all in ('a', 'b')", "0")]
    [InlineData("from D where search(Text, 'fox moon')", "0 1 2")]
    [InlineData("from D where search(Text, 'red fox moon', and)", "1")]
    [InlineData("from D where search(Text, '\"fox red\"')", "1")]
    [InlineData("from D where proximity(search(Text, 'red moon'), 3)", "1")]
    [InlineData("from D where startsWith(Name, 'b') or endsWith(Name, 'A')", "0 1 3")]
    [InlineData("from D where regex(Name, '^[cd]')", "2 3")]
    [InlineData("from D where fuzzy(Name = 'annu', 0.7)", "0")]
    [InlineData("from D where exists(Tags) and not Name = 'Bert'", "0 3")]
    [InlineData("from D where lucene(Text, 'fox moon')", "0 1 2")]
    [InlineData("from D where lucene(Text, 'fox AND moon')", "1")]
    [InlineData("from D where lucene(Text, '+fox moon')", "0 1")]
    [InlineData("from D where lucene(Text, 'fox -moon')", "0")]
    [InlineData("from D where lucene(Text, 'NOT fox')", "2 3")]
    [InlineData("from D where lucene(Text, '(red OR green) && !moon')", "0")]
    [InlineData("from D where lucene(Text, '\"fox red\"')", "1")]
    [InlineData("from D where lucene(Text, '\"red moon\"~3')", "1")]
    [InlineData("from D where lucene(Text, 'FO* moo?')", "0 1 2")]
    [InlineData("from D where lucene(Text, 'fo\\\\*')", "")]
    [InlineData("from D where lucene(Text, 'fax~1')", "0 1")]
    [InlineData("from D where lucene(Text, '*:*')", "0 1 2 3")]
    [InlineData("from D where lucene(Text, 'Text:(moon^3 fox)')", "0 1 2")]
    [InlineData("from D where lucene(Age, '[30 TO 30.5]')", "0 2")]
    [InlineData("from D where lucene(Age, '{30 TO *]')", "1 2 3")]
    [InlineData("from D where lucene(Name, '[b TO c}')", "1")]
    [InlineData("from D where lucene(Name, '/[cd].*/')", "2 3")]
    [InlineData("from D where lucene(Tags, '*')", "0 1 3")]
    [InlineData("from D where Tags = null", "3")]
    [InlineData("from D where id() in ('d/1', 'd/2')", "1 2")]
    [InlineData("from D where when($none = null, Age = 50)", "3")]
    [InlineData("from D where when($none != null, Age = 50)", "0 1 2 3")]
    [InlineData("from D order by Age as double desc", "3 1 2 0", true)]
    [InlineData("from D order by Name desc", "3 2 1 0", true)]
    [InlineData("from D where true order by Tags nulls last, Age desc", "0 1 3 2", true)]
    public void A_translated_query_finds_the_expected_documents(string text, string expected, bool isOrdered = false)
    {
        using TestIndex test = new();
        Fill(test.Index);
        string[] ids = Run(test.Index, text);
        Assert.Equal(expected.Split(' ', StringSplitOptions.RemoveEmptyEntries), isOrdered ? ids : [.. ids.Order()]);
    }

    [Theory]
    [InlineData("from D where frob(A)", "line 1, column 14: 'frob' is no condition")]
    [InlineData("from D where A = $b", "line 1, column 18: the query has no parameter '$b'")]
    [InlineData("from D where search(A)", "'search' takes 2 to 3 arguments, not 1")]
    [InlineData("from D where search(A, 5)", "line 1, column 24: expected a text")]
    [InlineData("from D where regex(A, '(a')", "line 1, column 23: the regular expression is refused")]
    [InlineData("from D where lucene(A, 'x AND')", "character 6 of the text of lucene(): expected a term")]
    [InlineData("from D where lucene(A, 'AND x')", "character 1 of the text of lucene(): expected a term before")]
    [InlineData("from D where lucene(A, '(x')", "character 3 of the text of lucene(): expected ')' at its end")]
    [InlineData("from D where lucene(A, 'x)')", "character 2 of the text of lucene(): expected the end, not ')'")]
    [InlineData("from D where lucene(A, '\"x')", "expected '\"' at its end")]
    [InlineData("from D where lucene(A, '[1 2]')", "expected TO between two bounds")]
    [InlineData("from D where lucene(A, 'x^')", "expected a factor from 0 to 1000000")]
    [InlineData("from D where lucene(A, 'B:x')", "without an index lucene() asks 'A' alone")]
    [InlineData("from D where lucene(A, '/(/')", "the regular expression is refused")]
    [InlineData("from D order by sum(A)", "expected a field, score() or random()")]
    public void A_query_that_cannot_be_translated_is_refused_with_its_position(string text, string problem)
    {
        using TestIndex test = new();
        Fill(test.Index);
        RqlException error = Assert.Throws<RqlException>(() => Run(test.Index, text));
        Assert.Contains(problem, error.Message, StringComparison.Ordinal);
    }

    private static string[] Run(SearchIndex index, string text)
    {
        Dictionary<string, object?> parameters = new()
        {
            ["max"] = 40L, ["ages"] = new List<object?> { 30L, 50.0 }, ["none"] = null,
        };
        RqlQuery rql = RqlParser.Parse(text);
        SearchQuery query = new();
        SearchRequest request = new();
        RqlTranslator translator = new(text, rql, parameters, query);
        int root = translator.Where();
        translator.OrderBy(request);
        using IndexReader reader = index.BeginRead();
        IndexSearcher searcher = new();
        searcher.Run(reader, query, root, request);
        return [.. Enumerable.Range(0, searcher.Count).Select(i =>
            Encoding.UTF8.GetString(searcher.DocumentId(i)[2..]))];
    }

    private static void Fill(SearchIndex index)
    {
        (string Name, double Age, string?[] Tags, string Text)[] people =
        [
            ("Anna", 30, ["a", "b"], "the red fox"),
            ("Bert", 40, ["b"], "a fox, red and white, a moon"),
            ("Carl", 30.5, [], "full moon"),
            ("Dora", 50, [null], "nothing"),
        ];
        using IndexBatch batch = index.BeginBatch();
        for (int i = 0; i < people.Length; i++)
        {
            batch.BeginEntry(Encoding.UTF8.GetBytes($"d/{i}"));
            byte[] name = Encoding.UTF8.GetBytes(people[i].Name);
            batch.Add(batch.GetOrAddField("Name", FieldKind.Exact, Analyzers.LowerCaseKeyword), name);
            batch.Add(batch.GetOrAddField("exact(Name)", FieldKind.Exact, Analyzers.Keyword), name);
            batch.Add(batch.GetOrAddField("Age", FieldKind.Exact, Analyzers.Keyword), people[i].Age);
            batch.Add(
                batch.GetOrAddField("search(Text)", FieldKind.FullText, Analyzers.Standard),
                Encoding.UTF8.GetBytes(people[i].Text));
            IndexField tags = batch.GetOrAddField("Tags", FieldKind.Exact, Analyzers.Keyword);
            foreach (string? tag in people[i].Tags)
            {
                if (tag is null)
                {
                    batch.AddNull(tags);
                }
                else
                {
                    batch.Add(tags, Encoding.UTF8.GetBytes(tag));
                }
            }

            batch.EndEntry();
        }

        batch.Commit(default);
    }
}
