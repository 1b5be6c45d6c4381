using FastTests.Architecture;
using Raven.Documents.Queries.Rql;

namespace FastTests.Queries;

/// <summary>The meaning of a query, and the place of the error in an invalid one.</summary>
public sealed class RqlParserTests
{
    internal static readonly string[] Samples =
    [
        "from Orders",
        "from index 'Orders/ByCompany' as o where o.Company = 'companies/1' "
            + "order by o.Freight as double desc nulls last",
        "from @all_docs where id() = $id",
        "FROM Orders WHERE Freight BETWEEN 1 AND 2.5 AND NOT exists(ShippedAt) LIMIT 5, 10",
        "from Orders where Lines[].Product in ('a', \"b''c\", $c) or Employee all in (1, -2)",
        "from Employees where search(Notes, 'french college', and) and boost(startsWith(Name, 'A'), 2.5)",
        "from Orders where exact(Company = 'X') and (Freight >= 1e3 or Freight <> null)",
        "from Companies where spatial.within(spatial.point(Lat, Lng), spatial.circle(10, 32.5, -7, 'miles'))",
        "from Orders group by Company, array(Lines[].Product) where count() > 5 order by count() desc "
            + "select key() as K, count() as Count, sum(Freight)",
        "declare function f(o, n) { /* } */ return { a: '}' + `}${o.x}` }; }\n"
            + "from Orders as o load o.Company as c, o.Lines[].Product as p[] select { Name: c.Name, X: f(o, 1) }",
        "from Orders where Freight > 10 update { this.Freight = 0; // }\n }",
        "explain from Orders where intersect(A = 1, B = 2) include Company, timings(), counters('Likes') limit $t",
        "from Orders filter Freight > 3 filter_limit 100",
        "from Products select distinct facet(Price < 10, Price >= 10, sum(Stock)) as Prices offset 3",
        "from Docs where 'a b'.c == true // the end\n {\"t\": {\"x\": \"}\"}}",
        "from Docs where moreLikeThis(id() = 'x', '{}') and fuzzy(Name = 'x', 0.5) and when($p = null, true)",
        "from Notes where exact(vector.search(embedding.f32_i8(E), [[1, -0.5e1], [2, 3]], 0.7, 10)) and A = 1",
        "from Notes where vector.search(E, embedding.forDoc('a')) or vector.search(embedding.i1(B), $p, null, 5)",
    ];

    [Fact]
    public void A_query_text_is_parsed_once_even_if_many_others_were_parsed_in_between()
    {
        // Other tests fill the same cache: it may be cleared between two look-ups, but not between all of them.
        RqlQuery first = RqlCache.Parse(Samples[0]);
        int same = Enumerable.Range(0, 3).Count(_ => ReferenceEquals(
            RqlCache.Parse(Samples[0]), RqlCache.Parse(new string(Samples[0].AsSpan()))));
        Assert.InRange(same, 1, 3);
        for (int i = 0; i < 5000; i++)
        {
            Assert.Equal($"Cached{i}", RqlCache.Parse($"from Cached{i}").Source);
        }

        Assert.Equal(first.Source, RqlCache.Parse(Samples[0]).Source);
        Assert.Throws<RqlException>(() => RqlCache.Parse("from"));
        Assert.Throws<RqlException>(() => RqlCache.Parse("from"));
    }

    [Fact]
    [Trait("Fault", "B15")]
    public void The_queries_of_the_docs_can_be_parsed()
    {
        string[] blocks = DocBlocks.Of("docs/queries.md", "rql");
        Assert.Equal(3, blocks.Length);
        foreach (string block in blocks)
        {
            Assert.NotEqual("", RqlParser.Parse(block).Source);
        }
    }

    [Fact]
    public void Every_sample_query_can_be_parsed()
    {
        foreach (string sample in Samples)
        {
            RqlQuery query = RqlParser.Parse(sample);
            Assert.NotEqual("", query.Source);
        }
    }

    [Fact]
    public void And_binds_closer_than_or_and_not_binds_closest()
    {
        RqlExpression where = RqlParser.Parse("from D where A = 1 or B = 2 and not C = 3 or (D = 4 or E = 5)").Where!;
        Assert.Equal("((A=1 | (B=2 & !C=3)) | (D=4 | E=5))", Text(where));
    }

    [Fact]
    public void The_clauses_of_a_query_are_parsed_with_their_parts()
    {
        RqlQuery query = RqlParser.Parse(Samples[1]);
        Assert.True(query.IsIndex);
        Assert.Equal(("Orders/ByCompany", "o"), (query.Source, query.Alias));
        RqlOrder order = Assert.Single(query.OrderBy);
        Assert.Equal(("double", true, true), (order.Type, order.IsDescending, order.NullsLast));

        query = RqlParser.Parse(Samples[3]);
        Assert.Equal("(Freight in [1, 2.5] & !exists(ShippedAt))", Text(query.Where!));
        Assert.Equal(("5", "10"), (Text(query.Skip!), Text(query.Take!)));

        query = RqlParser.Parse(Samples[9]);
        RqlDeclaration function = Assert.Single(query.Declarations);
        Assert.Equal(["o", "n"], function.Parameters);
        Assert.Equal(" /* } */ return { a: '}' + `}${o.x}` }; ", function.Body.Text);
        Assert.Equal(["c", "p[]"], query.Load.Select(load => load.Alias));
        Assert.Equal(" Name: c.Name, X: f(o, 1) ", query.SelectScript!.Text);

        query = RqlParser.Parse(Samples[14]);
        Assert.Equal("a b.c=True", Text(query.Where!));
        Assert.Equal("\"t\": {\"x\": \"}\"}", query.Parameters!.Text);
        Assert.True(RqlParser.Parse(Samples[11]).IsExplain);
        Assert.Equal(3, RqlParser.Parse(Samples[11]).Include.Count);
        Assert.True(RqlParser.Parse(Samples[13]).IsDistinct);
        Assert.Equal("3", Text(RqlParser.Parse(Samples[13]).Skip!));
    }

    [Theory]
    [InlineData("from Orders where A =", 1, 22, "expected a value after '=', found the end of the query")]
    [InlineData("from Orders\nwhere A = 1 and\n  or B", 3, 6, "expected a comparison")]
    [InlineData("from Orders where not A = 1", 1, 19, "exists(Field) and not")]
    [InlineData("from Orders where A in (1, )", 1, 28, "expected a value in the list")]
    [InlineData("from Orders where A between 1 or 2", 1, 31, "expected 'and' between the bounds")]
    [InlineData("from Orders where A = 'abc", 1, 23, "expected a ' that closes this text")]
    [InlineData("from Orders where 5 = A", 1, 19, "expected a field before the comparison")]
    [InlineData("from Orders order by A as decimal", 1, 27, "'alphanumeric'")]
    [InlineData("from Orders update { this.x = 1", 1, 20, "closes this '{'")]
    [InlineData("from Orders limit -1", 1, 19, "expected a number after 'limit'")]
    [InlineData("from Orders where A = 1 B", 1, 25, "expected the next clause")]
    [InlineData("select A", 1, 1, "expected 'from' at the start of the query: what is selected")]
    [InlineData("from Orders where A = #", 1, 23, "'#' is no part of a query")]
    [InlineData("from Orders where A = 1e999", 1, 23, "is no number")]
    [InlineData("", 1, 1, "expected 'from'")]
    [InlineData("from O as o where x.P = 1 load o.K as x", 1, 19, "'x.P' is of a document that is loaded for each")]
    [InlineData("from O where A = 1 and not (exact(xs[].P in ('a'))) load K as xs[]", 1, 35, "'where' comes before")]
    [InlineData("from O as o where search(x.P, 'a') load o.K as x", 1, 26, "behind its alias: from O as o ... o.x.P")]
    [InlineData("from O order by x.P load K as x", 1, 17, "'order by' comes before")]
    [InlineData("from O group by x.P load K as x select count()", 1, 17, "'group by' comes before")]
    [InlineData("from O load K as x select facet(x.P)", 1, 33, "what is counted comes before")]
    [InlineData("from O load K as x, x.P as y", 1, 21, "what 'load' itself loads")]
    [InlineData("from Orders where vector.search(E, [1, 2", 1, 41, "expected ']' after the list")]
    [InlineData("from Orders where vector.search(E, [1, ,])", 1, 40, "expected a number, a text or a list")]
    [InlineData("from Orders where vector.search(embedding.text(E), 'a')", 1, 33, "made by a language model")]
    [InlineData("from Orders where vector.search(embedding.f32_i8(E, 1), $p)", 1, 33, "takes one field")]
    [InlineData(
        "declare timeseries t(o) { from o.Heart group by 1 hour select min(), nope() } from O as o",
        1, 70, "expected min(), max()")]
    [InlineData(
        "declare timeseries t(o) { select min() } from O", 1, 27, "expected 'from' and the name of a time series")]
    [InlineData("from O as o select timeseries(from o.Heart last 3 moons)", 1, 51, "expected a unit of time")]
    [InlineData("from O select timeseries(from Heart between 1 or 2)", 1, 47, "expected 'and' between the bounds")]
    [InlineData(
        "from O select timeseries(from Heart group by '1 hour' with interpolation(cubic))",
        1, 74, "expected linear, nearest")]
    [InlineData("from O select timeseries(from Heart select percentile())", 1, 55, "expected a number of percents")]
    [InlineData("from O select timeseries(from Heart scale 2 offset 5)", 1, 52, "expected a span of time as a text")]
    [Trait("Fault", "A13")]
    public void A_syntax_error_names_the_position_and_what_was_expected(
        string text, int line, int column, string problem)
    {
        RqlException error = Assert.Throws<RqlException>(() => RqlParser.Parse(text));
        Assert.Contains(problem, error.Message, StringComparison.Ordinal);
        Assert.Equal((line, column), (error.Line, error.Column));
        Assert.StartsWith($"line {line}, column {column}: ", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("from O as x where x.P = 1 load x.K as x")]
    [InlineData("from O as o where o.x.P = 1 and x = 2 load o.x as x filter x.P = 1 select x.P, facet(o.x.P)")]
    [InlineData("from O where xy.P = 1 load K as x, L.x as y")]
    [Trait("Fault", "A13")]
    public void Clauses_that_do_not_need_a_loaded_document_may_stand_before_load(string text) =>
        Assert.NotEmpty(RqlParser.Parse(text).Load);

    [Theory]
    [InlineData("declare timeseries t(o, n) { from o.Heart between $a and $b load tag as t where t.A = 1 and Value > 3 "
        + "group by 1 day with interpolation(nearest) select min(), percentile(90.5) scale 0.5 offset '02:00' } "
        + "from O as o select t(o, 1)", 8)]
    [InlineData("from O select timeseries(from 'a b' first 3 months group by '1 hour' select avg()) as S, Name", 14)]
    [InlineData("from O as o select timeseries(from o.Heart)", 19)]
    [InlineData("from O include timeseries('Heart', $from, $to)", null)]
    [InlineData("from O where A = 1", null)]
    public void Time_series_in_a_query_are_parsed_and_recorded_with_their_position(string text, int? place) =>
        Assert.Equal(place, RqlParser.Parse(text).TimeSeriesAt);

    [Fact]
    public void A_query_that_nests_too_deep_is_refused_before_the_stack_overflows()
    {
        foreach (string nest in new[] { "(", "f(", "boost(", "timeseries(from " })
        {
            string text = "from D where " + string.Concat(Enumerable.Repeat(nest, 50_000));
            Assert.Contains("no more than 128", Assert.Throws<RqlException>(() => RqlParser.Parse(text)).Message);
        }
    }

    [Fact]
    public void A_mutated_query_is_parsed_or_refused_with_a_position()
    {
        const int Seed = 11;
        Random random = new(Seed);
        string[] pieces = ["(", ")", "{", "}", "'", "\"", ",", " and ", " not ", "in", "$p", "[]", ".", "-", "\\", "/*",
            "//", "\n", "é", "\ud800", "=", "!", "1e5", "as", "from", "limit", "`"];
        for (int round = 0; round < 30_000; round++)
        {
            string text = Samples[random.Next(Samples.Length)];
            for (int change = random.Next(1, 4); change > 0; change--)
            {
                int at = random.Next(text.Length + 1);
                int to = Math.Min(text.Length, at + random.Next(6));
                text = text[..at] + (random.Next(3) > 0 ? pieces[random.Next(pieces.Length)] : "") + text[to..];
            }

            try
            {
                RqlParser.Parse(text);
            }
            catch (RqlException error)
            {
                Assert.True(
                    error.Position >= 0 && error.Position <= text.Length && error.Line > 0 && error.Column > 0,
                    $"seed {Seed}, round {round}: {text}");
            }
        }
    }

    private static string Text(RqlExpression expression) => expression switch
    {
        RqlField field => field.Path,
        RqlLiteral literal => Convert.ToString(literal.Value, System.Globalization.CultureInfo.InvariantCulture)!,
        RqlParameter parameter => "$" + parameter.Name,
        RqlComparison one => $"{Text(one.Left)}{one.Sign}{Text(one.Right)}",
        RqlBetween one => $"{Text(one.Field)} in [{Text(one.Lower)}, {Text(one.Upper)}]",
        RqlLogical one => $"({Text(one.Left)} {(one.IsAnd ? '&' : '|')} {Text(one.Right)})",
        RqlNot one => "!" + Text(one.Inner),
        RqlCall call => $"{call.Name}({string.Join(", ", call.Arguments.Select(Text))})",
        _ => expression.ToString(),
    };
}
