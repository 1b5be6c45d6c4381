using Raven.Client.Documents;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Queries.Highlighting;
using Raven.Client.Documents.Queries.MoreLikeThis;
using Raven.Client.Documents.Queries.Spatial;
using Raven.Client.Documents.Queries.Vector;
using Raven.Client.Documents.Session;
using Raven.Documents.Queries.Rql;

namespace FastTests.Client;

/// <summary>The text that calls of a document query become, which the server's own parser has to read.</summary>
public sealed class DocumentQueryTests : IDisposable
{
    private readonly DocumentStore _store;
    private readonly IDocumentSession _session;

    public DocumentQueryTests()
    {
        _store = new DocumentStore { Urls = ["http://127.0.0.1:1"], Database = "db" };
        _store.Initialize();
        _session = _store.OpenSession();
    }

    [Fact]
    public void Conditions_on_fields_by_name_or_lambda_become_RQL()
    {
        Expect("where Name = $p0", q => q.WhereEquals("Name", "x"), q => q.WhereEquals(u => u.Name, "x"));
        Expect("where exact(Name = $p0)", q => q.WhereEquals("Name", "x", true), q => q.WhereEquals(
            u => u.Name, "x", true));
        Expect("where Name = null", q => q.WhereEquals("Name", null), q => q.WhereEquals(u => u.Name, null!));
        Expect("where Name != $p0", q => q.WhereNotEquals("Name", "x"), q => q.WhereNotEquals(u => u.Name, "x"));
        Expect("where id() = $p0", q => q.WhereEquals("Id", "users/1"), q => q.WhereEquals(u => u.Id, "users/1"));
        Expect("where Age in ($p0)", q => q.WhereIn("Age", [1, 2]), q => q.WhereIn(u => u.Age, [1, 2]));
        Expect(
            "where Age between $p0 and $p1", q => q.WhereBetween("Age", 1, 2), q => q.WhereBetween(u => u.Age, 1, 2));
        Expect("where Age > $p0", q => q.WhereGreaterThan("Age", 1), q => q.WhereGreaterThan(u => u.Age, 1));
        Expect(
            "where Age >= $p0", q => q.WhereGreaterThanOrEqual("Age", 1),
            q => q.WhereGreaterThanOrEqual(u => u.Age, 1));
        Expect("where Age < $p0", q => q.WhereLessThan("Age", 1), q => q.WhereLessThan(u => u.Age, 1));
        Expect(
            "where Age <= $p0", q => q.WhereLessThanOrEqual("Age", 1), q => q.WhereLessThanOrEqual(u => u.Age, 1));
        Expect(
            "where startsWith(Name, $p0)", q => q.WhereStartsWith("Name", "x"),
            q => q.WhereStartsWith(u => u.Name, "x"));
        Expect(
            "where endsWith(Name, $p0)", q => q.WhereEndsWith("Name", "x"), q => q.WhereEndsWith(u => u.Name, "x"));
        Expect(
            "where exists(Address.City)", q => q.WhereExists("Address.City"),
            q => q.WhereExists(u => u.Address!.City));
        Expect("where regex(Name, $p0)", q => q.WhereRegex("Name", "x"), q => q.WhereRegex(u => u.Name, "x"));
        Expect("where lucene(Name, $p0)", q => q.WhereLucene("Name", "x"));
        Expect(
            "where search(Name, $p0, and)", q => q.Search("Name", "x y", SearchOperator.And),
            q => q.Search(u => u.Name, "x y", SearchOperator.And));
        Expect(
            "where Tags in ($p0)", q => q.ContainsAny("Tags", ["x"]), q => q.ContainsAny(u => u.Tags, ["x"]));
        Expect(
            "where Tags all in ($p0)", q => q.ContainsAll("Tags", ["x"]), q => q.ContainsAll(u => u.Tags, ["x"]));
    }

    [Fact]
    public void Joined_negated_and_grouped_conditions_become_RQL()
    {
        Expect("where Age = $p0 and Name = $p1", q => q.WhereEquals("Age", 1).WhereEquals("Name", "x"));
        Expect("where Age = $p0 or Name = $p1", q => q.WhereEquals("Age", 1).OrElse().WhereEquals("Name", "x"));
        Expect(
            "where Age = $p0 or Name = $p1",
            q => q.UsingDefaultOperator(QueryOperator.Or).WhereEquals("Age", 1).WhereEquals("Name", "x"));
        Expect("where true and not Age = $p0", q => q.Not.WhereEquals("Age", 1), q => q.NegateNext().WhereEquals(
            "Age", 1));
        Expect(
            "where Age = $p0 and not (Name = $p1 or Name = $p2)",
            q => q.WhereEquals("Age", 1).AndAlso().Not.OpenSubclause().WhereEquals("Name", "x").OrElse()
                .WhereEquals("Name", "y").CloseSubclause());
        Expect(
            "where (Age = $p0 or Age = $p1) and Name = $p2",
            q => q.WhereEquals("Age", 1).OrElse().WhereEquals("Age", 2).AndAlso(wrapPreviousQueryClauses: true)
                .WhereEquals("Name", "x"));
        Expect(
            "where (Age = $p0 and Age = $p1) or Name = $p2",
            q => q.WhereEquals("Age", 1).WhereEquals("Age", 2).OrElse(wrapPreviousQueryClauses: true)
                .WhereEquals("Name", "x"));
        Expect(
            "where intersect(Age = $p0, true and not Name = $p1)",
            q => q.WhereEquals("Age", 1).Intersect().Not.WhereEquals("Name", "x"));
        Expect("where boost(Age = $p0, $p1)", q => q.WhereEquals("Age", 1).Boost(2));
        Expect(
            "where Name = $p0 or boost(Age = $p1 and Age = $p2, $p3)",
            q => q.WhereEquals("Name", "x").OrElse().OpenSubclause().WhereEquals("Age", 1).WhereEquals("Age", 2)
                .CloseSubclause().Boost(2));
        Expect("where fuzzy(Name = $p0, $p1)", q => q.WhereEquals("Name", "x").Fuzzy(0.5));
        Expect("where proximity(search(Name, $p0), $p1)", q => q.Search("Name", "x y").Proximity(3));
    }

    [Fact]
    public void Invalid_conditions_are_refused_by_the_call_that_adds_them()
    {
        Refuse("AndAlso", q => q.AndAlso());
        Refuse("OrElse", q => q.WhereEquals("Age", 1).OrElse().OrElse());
        Refuse("CloseSubclause", q => q.CloseSubclause());
        Refuse("CloseSubclause", q => q.OpenSubclause().CloseSubclause());
        Refuse("not complete", q => q.OpenSubclause().WhereEquals("Age", 1));
        Refuse("not complete", q => q.WhereEquals("Age", 1).OrElse());
        Refuse("Fuzzy", q => q.WhereGreaterThan("Age", 1).Fuzzy(0.5));
        Refuse("Proximity", q => q.WhereEquals("Age", 1).Proximity(1));
        Refuse("Boost", q => q.Boost(1));
        Refuse("Intersect", q => q.Intersect());
        Refuse("default operator", q => q.WhereEquals("Age", 1).UsingDefaultOperator(QueryOperator.Or));
        Refuse("what of each group", q => q.GroupBy("Age").End());
    }

    [Fact]
    public void Orders_pages_projections_and_groups_of_a_document_query_become_RQL()
    {
        Expect("order by Name", q => q.OrderBy("Name"), q => q.OrderBy(u => u.Name), q => q.AddOrder("Name"));
        Expect(
            "order by Age as long desc", q => q.OrderByDescending("Age", OrderingType.Long),
            q => q.OrderByDescending(u => u.Age), q => q.AddOrder("Age", true, OrderingType.Long));
        Expect(
            "order by Name as alphanumeric nulls last",
            q => q.OrderBy("Name", OrderingType.AlphaNumeric, NullOrdering.Last));
        Expect(
            "order by Name as alphanumeric, Age as double desc",
            q => q.OrderBy(u => u.Name, OrderingType.AlphaNumeric).OrderByDescending(u => u.Age, OrderingType.Double));
        Expect("order by Name nulls first", q => q.OrderBy(u => u.Name, NullOrdering.First));
        Expect("order by score(), score() desc", q => q.OrderByScore().OrderByScoreDescending());
        Expect(
            "order by spatial.distance(At, spatial.point($p0, $p1)), "
            + "spatial.distance(At, spatial.point($p2, $p3)) desc",
            q => q.OrderByDistance("At", 1, 2).OrderByDistanceDescending("At", 3, 4));
        Expect("order by random('7')", q => q.RandomOrdering("7"));
        Expect("limit 5, 10", q => q.Skip(5).Take(10));
        Assert.Equal(
            "from 'Users' select distinct Name as 'Name', id() as 'Id'",
            Query().SelectFields<object>("Name", "Id").Distinct().ToString());
        Assert.Equal("from 'Users' select Age as Value", Query().SelectFields<int>("Age").ToString());
        Assert.Equal("from 'Users' select Product as 'Product', Quantity as 'Quantity'",
            Query().SelectFields<Line>().ToString());
        Assert.Equal(
            "from 'Users' group by Name, Age select Name as 'Who', sum(Age) as 'Age', count() as 'Count'",
            Query().GroupBy("Name", "Age").SelectKey("Name", "Who").SelectSum("Age").SelectCount().ToString());
        Assert.Equal(
            "from 'Users' group by Age select Age as 'Age'", Query().GroupBy("Age").SelectKey().End().ToString());
    }

    [Fact]
    public void Includes_full_text_and_spatial_conditions_of_a_document_query_become_RQL()
    {
        Expect(
            "include Friend, Address.Id", q => q.Include("Friend").Include(u => u.Address!.Id).Include("Friend"));
        Expect(
            "include Friend, counters($p0), cmpxchg($p1)",
            q => q.Include(it => it.IncludeDocuments("Friend").IncludeCounter("likes")
                .IncludeCompareExchangeValue("key")));
        Expect("include counters()", q => q.Include(it => it.IncludeAllCounters()));
        Expect(
            "include highlight(Name, $p0, $p1), highlight(Name, $p3, $p4, $p2)",
            q => q.Highlight("Name", 10, 1, out _)
                .Highlight("Name", 20, 2, new HighlightingOptions { PreTags = ["<i>"] }, out _));
        Expect(
            "where spatial.within(At, spatial.circle($p0, $p1, $p2))", q => q.Spatial("At", it => it.WithinRadius(
                10, 1, 2)), q => q.Spatial(u => u.Address, it => it.WithinRadius(10, 1, 2)), "At", "Address");
        Expect(
            "where spatial.within(At, spatial.circle($p0, $p1, $p2, 'miles'))",
            q => q.Spatial("At", it => it.WithinRadius(10, 1, 2, SpatialUnits.Miles)));
        Expect(
            "where spatial.contains(At, spatial.wkt($p0)) and spatial.disjoint(At, spatial.wkt($p1)) "
            + "and spatial.intersects(At, spatial.wkt($p2)) and spatial.within(At, spatial.wkt($p3))",
            q => q.Spatial("At", it => it.Contains("POINT (1 2)")).Spatial("At", it => it.Disjoint("POINT (1 2)"))
                .Spatial("At", it => it.Intersects("POINT (1 2)")).Spatial("At", it => it.Within("POINT (1 2)")));
        Expect(
            "where vector.search(V, $p0)", q => q.VectorSearch(it => it.WithField("V"), it => it.ByEmbedding([1, 2])),
            q => q.VectorSearch(it => it.WithEmbedding(u => u.Tags), it => it.ByEmbedding([0.5f])), "V", "Tags");
        Expect(
            "where exact(vector.search(embedding.f32_i8(V), $p2, $p0, $p1))",
            q => q.VectorSearch(
                it => it.WithBase64("V").TargetQuantization(VectorEmbeddingType.Int8), it => it.ByBase64("AACAPw=="),
                0.5f, 7, isExact: true));
        Expect(
            "where vector.search(embedding.i1(V), embedding.forDoc($p1), null, $p0) and Age = $p2",
            q => q.VectorSearch(
                it => it.WithEmbedding("V", VectorEmbeddingType.Binary), it => it.ForDocument("users/1"),
                numberOfCandidates: 3).WhereEquals("Age", 5));
        Expect(
            "where moreLikeThis(id() = $p0, $p1)",
            q => q.MoreLikeThis(it => it.UsingDocument(u => u.Id == "users/1").WithOptions(
                new MoreLikeThisOptions { Fields = ["Name"] })));
        Expect("where moreLikeThis($p0)", q => q.MoreLikeThis(it => it.UsingDocument("{\"Name\":\"x\"}")));
        Assert.Equal(
            "from 'Users' where Age > $p0 select facet(Name, sum(Age), $p1) as 'n', facet(Age < $p2, Age >= $p3), "
            + "facet(min(Age), max(Age), avg(Age)) as 'all'",
            Query().WhereGreaterThan("Age", 3)
                .AggregateBy(it => it.ByField(u => u.Name).SumOn(u => u.Age).WithOptions(new()).WithDisplayName("n"))
                .AndAggregateBy(it => it.ByRanges(u => u.Age < 5, u => u.Age >= 5))
                .AndAggregateBy(it => it.AllResults().MinOn(u => u.Age).MaxOn(u => u.Age).AverageOn(u => u.Age)
                    .WithDisplayName("all")).ToString());
        Assert.Equal(
            "from 'Users' select suggest(Name, $p0, $p1) as 'n', suggest(Name, $p2)",
            Query().SuggestUsing(it => it.ByField("Name", "ana").WithOptions(new()).WithDisplayName("n"))
                .AndSuggestUsing(it => it.ByField(u => u.Name, "ana", "bob")).ToString());
    }

    [Fact]
    public void Settings_of_a_document_query_are_sent_with_its_request()
    {
        IDocumentQuery<User> query = Query().WhereEquals("Age", 1).AddParameter("$mine", 7)
            .WaitForNonStaleResults(TimeSpan.FromSeconds(3)).NoCaching().NoTracking()
            .Projection(ProjectionBehavior.FromDocument);
        IndexQuery sent = query.GetIndexQuery();
        Assert.Equal(TimeSpan.FromSeconds(3), sent.WaitForNonStaleResultsTimeout);
        Assert.True(sent.DisableCaching);
        Assert.Equal(ProjectionBehavior.FromDocument, sent.ProjectionBehavior);
        Assert.Equal(["p0", "mine"], sent.QueryParameters.Keys);
        Assert.Equal("from index 'a\\'b' where Age = $p0",
            _session.Advanced.DocumentQuery<User>("a'b").WhereEquals("Age", 1).ToString());
        Assert.Equal("from @all_docs", _session.Advanced.DocumentQuery<object>().ToString());
        Assert.Equal(
            "from 'Users' where Age = $p0 and (Name = $p1)",
            Query().WhereEquals("Age", 1).ToQueryable().Where(user => user.Name == "x").ToString());
    }

    public void Dispose()
    {
        _session.Dispose();
        _store.Dispose();
    }

    private IDocumentQuery<User> Query() => _session.Advanced.DocumentQuery<User>();

    private void Expect(string rql, params Func<IDocumentQuery<User>, IDocumentQuery<User>>[] ways)
    {
        foreach (Func<IDocumentQuery<User>, IDocumentQuery<User>> way in ways)
        {
            string text = way(Query()).ToString();
            Assert.Equal("from 'Users' " + rql, text);
            Assert.NotNull(RqlParser.Parse(text));
        }
    }

    private void Expect(
        string rql, Func<IDocumentQuery<User>, IDocumentQuery<User>> one,
        Func<IDocumentQuery<User>, IDocumentQuery<User>> other, string from, string to)
    {
        Expect(rql, one);
        Expect(rql.Replace(from, to, StringComparison.Ordinal), other);
    }

    private void Refuse(string names, Func<IDocumentQuery<User>, IDocumentQuery<User>> way)
    {
        InvalidOperationException refused =
            Assert.Throws<InvalidOperationException>(() => way(Query()).ToString());
        Assert.Contains(names, refused.Message, StringComparison.Ordinal);
    }
}
