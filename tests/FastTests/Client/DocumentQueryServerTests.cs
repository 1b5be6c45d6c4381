using Raven.Client.Documents;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Queries.Highlighting;
using Raven.Client.Documents.Queries.MoreLikeThis;
using Raven.Client.Documents.Queries.Spatial;
using Raven.Client.Documents.Session;

namespace FastTests.Client;

/// <summary>What the calls of a document query find on the real server: the numbers of the documents, in their
/// order.</summary>
public sealed class DocumentQueryServerTests(DocumentQueryServerTests.Data data)
    : IClassFixture<DocumentQueryServerTests.Data>
{
    private const string RomanShape = "POLYGON ((11 41, 14 41, 14 43, 11 43, 11 41))";

    private static readonly MoreLikeThisOptions Rare = new()
    {
        Fields = ["Text"], MinimumTermFrequency = 1, MinimumDocumentFrequency = 1,
    };

    [Fact]
    public void Each_condition_of_a_document_query_finds_its_documents_on_the_server()
    {
        Expect("13", q => q.WhereIn("Name", ["Ann", "Cyd"]), q => q.WhereIn(it => it.Name, ["ann", "Cyd"]));
        using IDocumentSession session = data.Store.OpenSession();
        Assert.Equal("3", Numbers(session.Advanced.DocumentQuery<Person>()
            .WhereIn(it => it.Name, ["ann", "Cyd"], exact: true).ToList()));
        Expect("234", q => q.WhereNotEquals("Name", "Ann"), q => q.WhereNotEquals(it => it.Name, "Ann"));
        Expect(
            "34", q => q.WhereGreaterThanOrEqual("Age", 40), q => q.WhereGreaterThanOrEqual(it => it.Age, 40),
            q => q.WhereGreaterThan("Age", 30), q => q.WhereGreaterThan(it => it.Age, 30));
        Expect(
            "12", q => q.WhereLessThanOrEqual("Age", 30), q => q.WhereLessThanOrEqual(it => it.Age, 30),
            q => q.WhereLessThan("Age", 40), q => q.WhereLessThan(it => it.Age, 40));
        Expect("23", q => q.WhereBetween("Age", 30, 40), q => q.WhereBetween(it => it.Age, 30, 40));
        Expect("14", q => q.WhereStartsWith("Name", "an"), q => q.WhereStartsWith(it => it.Name, "an"));
        Expect("4", q => q.WhereEndsWith("Name", "na"), q => q.WhereEndsWith(it => it.Name, "na"));
        Expect("14", q => q.WhereRegex("Name", "^an+"), q => q.WhereRegex(it => it.Name, "^an+"));
        Expect("14", q => q.WhereLucene("Text", "fox"));
        Expect("14", q => q.WhereExists("Ancestors"));
        Expect("1234", q => q.WhereExists("City"), q => q.WhereExists(it => it.City));
        Expect(
            "124", q => q.ContainsAny("Tags", ["a", "b"]), q => q.ContainsAny(it => it.Tags, ["a", "b"]));
        Expect("1", q => q.ContainsAll("Tags", ["a", "b"]), q => q.ContainsAll(it => it.Tags, ["a", "b"]));
        Expect(
            "1", q => q.Search("Text", "quick fox", SearchOperator.And),
            q => q.Search(it => it.Text, "quick fox", SearchOperator.And));
    }

    [Fact]
    public void Joined_negated_and_boosted_conditions_find_their_documents_on_the_server()
    {
        Expect("234", q => q.Not.WhereEquals("Name", "Ann"), q => q.NegateNext().WhereEquals(it => it.Name, "Ann"));
        Expect(
            "3", q => q.WhereGreaterThan("Age", 20).AndAlso().Not.OpenSubclause().WhereEquals("Name", "Bob").OrElse()
                .WhereEquals("Name", "Anna").CloseSubclause());
        Expect("1", q => q.WhereEquals("Name", "Ann").WhereEquals("Age", 20));
        Expect(
            "12", q => q.UsingDefaultOperator(QueryOperator.Or).WhereEquals("Name", "Ann").WhereEquals("Age", 30),
            q => q.WhereEquals("Name", "Ann").OrElse().WhereEquals("Age", 30));
        Expect(
            "2", q => q.WhereEquals("Age", 20).OrElse().WhereEquals("Age", 30)
                .AndAlso(wrapPreviousQueryClauses: true).WhereEquals("Name", "Bob"));
        Expect("4", q => q.WhereEquals("City", "Rome").Intersect().WhereEquals("Age", 50));
        Ordered(
            "21", q => q.WhereEquals("Name", "Ann").OrElse().WhereEquals("Name", "Bob").Boost(9).OrderByScore());
        Ordered(
            "12", q => q.WhereEquals("Name", "Ann").Boost(9).OrElse().WhereEquals("Name", "Bob").OrderByScore(),
            q => q.WhereEquals("Name", "Ann").OrElse().WhereEquals("Name", "Bob").Boost(9).OrderByScoreDescending());
        Expect("14", q => q.WhereEquals("Name", "Anne").Fuzzy(0.5));
        Expect("1", q => q.Search("Text", "quick fox").Proximity(1));
        Expect("", q => q.Search("Text", "quick fox").Proximity(0));
    }

    [Fact]
    public void Orders_and_pages_of_a_document_query_are_answered_by_the_server()
    {
        Ordered("1423", q => q.AddOrder("Name"), q => q.OrderBy("Name"), q => q.OrderBy(it => it.Name));
        Ordered(
            "4321", q => q.AddOrder("Age", descending: true, OrderingType.Long),
            q => q.OrderByDescending(it => it.Age));
        Ordered("3142", q => q.OrderByDescending(it => it.City, NullOrdering.First).OrderBy("Age").Distinct().Take(4));
        Ordered(
            "2143", q => q.OrderBy(it => it.City, NullOrdering.Last).AddOrder("Age").WhereExists("Name")
                .Not.WhereEquals("Name", "nobody"));
        Ordered(
            "32", q => q.OrderByDescending("Age", OrderingType.Double).Skip(1).Take(2),
            q => q.OrderByDescending(it => it.Age, OrderingType.Double).Skip(1).Take(2));
        Ordered("23", q => q.OrderBy(it => it.Age, OrderingType.Long).Skip(1).Take(2));
        string random = Found(q => q.RandomOrdering("7"));
        Assert.Equal(random, Found(q => q.RandomOrdering("7")));
        Assert.Equal("1234", string.Concat(random.Order()));
        using IDocumentSession session = data.Store.OpenSession();
        Assert.Equal(
            ["Oslo", "Rome"], session.Advanced.DocumentQuery<Person, People>().WhereLessThan("Age", 40)
                .SelectFields<string>("City").Distinct().ToList().Order());
    }

    [Fact]
    public void Each_spatial_relation_of_a_document_query_finds_its_documents_on_the_server()
    {
        Expect(
            "14", q => q.Spatial("Place", it => it.Within(RomanShape)),
            q => q.Spatial("Place", it => it.Intersects(RomanShape)),
            q => q.Spatial("Place", it => it.RelatesToShape(RomanShape, SpatialRelation.Within)),
            q => q.Spatial(it => it.Place, it => it.RelatesToShape(RomanShape, SpatialRelation.Intersects)),
            q => q.Spatial("Place", it => it.WithinRadius(70, 41.9, 12.5, SpatialUnits.Miles)));
        Expect(
            "23", q => q.Spatial("Place", it => it.RelatesToShape(RomanShape, SpatialRelation.Disjoint)),
            q => q.Spatial("Place", it => it.Disjoint(RomanShape)));
        Expect(
            "3", q => q.Spatial("Place", it => it.RelatesToShape("POINT (2.5 48.5)", SpatialRelation.Contains)),
            q => q.Spatial("Place", it => it.Contains("POINT (2.5 48.5)")));
        Ordered("142", q => q.WhereNotEquals("Age", 40).OrderByDistance("Place", 41.9, 12.5));
        Ordered("241", q => q.WhereNotEquals("Age", 40).OrderByDistanceDescending("Place", 41.9, 12.5));
        using IDocumentSession session = data.Store.OpenSession();
        IRavenQueryable<Person> people = session.Query<Person, People>();
        Assert.Equal("14", Numbers(people.Spatial(it => it.Place, it => it.Within(RomanShape))
            .OrderByDistance(it => it.Place, 41.9, 12.5)));
        Assert.Equal(
            "241", Numbers(people.Where(it => it.Age != 40).OrderByDistanceDescending(it => it.Place, 41.9, 12.5)));
    }

    [Fact]
    public void Calls_of_server_methods_in_maps_work_on_the_server()
    {
        Expect("14", q => q.WhereEquals("Ancestors", "root"));
        Expect("1", q => q.WhereEquals("Raw", 20));
        Expect(
            "24", q => q.MoreLikeThis(it => it.UsingDocument(x => x.Id == "people/1").WithOptions(Rare)));
        Expect("14", q => q.MoreLikeThis(it => it.UsingDocument("""{"Text":"red"}""").WithOptions(Rare)));
    }

    [Fact]
    public void Includes_highlights_and_settings_of_a_document_query_work_on_the_server()
    {
        using IDocumentSession session = data.Store.OpenSession();
        IDocumentQuery<Person> query = session.Advanced.DocumentQuery<Person, People>().WhereLucene("Name", "Ann")
            .Include("Friend").Projection(ProjectionBehavior.FromDocument).NoCaching().AddParameter("unused", 1);
        Assert.True(query.GetIndexQuery().DisableCaching);
        Assert.Equal("1", Numbers(query.ToList()));
        Assert.Equal("Bob", session.Load<Person>("people/2")!.Name);
        Assert.Equal(1, session.Advanced.NumberOfRequests);
        session.Advanced.Clear();
        session.Advanced.DocumentQuery<Person, People>().Include(it => it.IncludeDocuments("Friend"))
            .WhereEquals("Age", 20).ToList();
        Assert.True(session.Advanced.IsLoaded("people/2"));
        Assert.Equal("4", Numbers(session.Advanced.DocumentQuery<Person, People>().Search("Text", "fox")
            .Highlight("Text", 20, 1, out Highlightings found).WhereEquals("Age", 50).ToList()));
        Assert.Contains("fox</b>", Assert.Single(found.GetFragments("people/4")), StringComparison.Ordinal);
    }

    [Fact]
    public void Selected_fields_groups_and_vector_searches_of_a_document_query_work_on_the_server()
    {
        using IDocumentSession session = data.Store.OpenSession();
        Assert.Equal(["Ann 20"], session.Advanced.DocumentQuery<Person>().WhereEquals("Age", 20)
            .SelectFields<NameAndAge>().ToList().Select(it => $"{it.Name} {it.Age}"));
        Assert.Equal(["Ann 0"], session.Advanced.DocumentQuery<Person>().WhereEquals("Age", 20)
            .SelectFields<NameAndAge>("Name").ToList().Select(it => $"{it.Name} {it.Age}"));
        Assert.Equal([20, 30, 40, 50], session.Advanced.DocumentQuery<Person>().GroupBy("Age").SelectKey().End()
            .OfType<NameAndAge>().ToList().Select(it => it.Age).Order());
        Expect("4", q => q.VectorSearch(
            field => field.WithField("Vector"), value => value.ByEmbedding([0f, 1f]), minimumSimilarity: 0.9f));
        Assert.Equal("4", Numbers(session.Advanced.DocumentQuery<Person>().VectorSearch(
            field => field.WithBase64("Vector"), value => value.ByEmbedding([0f, 1f]), minimumSimilarity: 0.9f)
            .ToList()));
    }

    [Fact]
    public async Task A_streamed_query_reports_its_statistics()
    {
        using IAsyncDocumentSession session = data.Store.OpenAsyncSession();
        int count = 0;
        await foreach (StreamResult<Person> one in session.Advanced.AsyncDocumentQuery<Person, People>()
            .WhereGreaterThan(it => it.Age, 20).Statistics(out QueryStatistics built).StreamAsync())
        {
            count++;
            Assert.Equal(3, built.TotalResults);
        }

        Assert.Equal(3, count);
        await foreach (StreamResult<Person> one in session.Query<Person, People>().Where(it => it.Age > 30)
            .Statistics(out QueryStatistics linq).StreamAsync())
        {
            Assert.Equal((2L, "People"), (linq.TotalResults, linq.IndexName));
        }

        await foreach (StreamResult<Person> one in session.Advanced.AsyncRawQuery<Person>("from index 'People'")
            .Statistics(out QueryStatistics raw).StreamAsync())
        {
            Assert.Equal((4L, false), (raw.TotalResults, raw.IsStale));
        }
    }

    /// <summary>Each way finds these, in any order.</summary>
    private void Expect(string numbers, params Func<IDocumentQuery<Person>, IDocumentQuery<Person>>[] ways) =>
        Assert.All(ways, way => Assert.Equal(numbers, string.Concat(Found(way).Order())));

    private void Ordered(string numbers, params Func<IDocumentQuery<Person>, IDocumentQuery<Person>>[] ways) =>
        Assert.All(ways, way => Assert.Equal(numbers, Found(way)));

    private string Found(Func<IDocumentQuery<Person>, IDocumentQuery<Person>> way)
    {
        using IDocumentSession session = data.Store.OpenSession();
        return Numbers(way(session.Advanced.DocumentQuery<Person, People>()).ToList());
    }

    private static string Numbers(IEnumerable<Person> found) => string.Concat(found.Select(it => it.Id![^1]));

    /// <summary>Four people who do not change, and one index for all queries on them.</summary>
    public sealed class Data : IDisposable
    {
        private readonly ClientFixture _server = new();

        public Data()
        {
            Store = _server.NewStore();
            using IDocumentSession session = Store.OpenSession();
            session.Store(new Person("Ann", 20, ["a", "b"], "Rome", "the quick red fox", "POINT (12.5 41.9)")
            {
                Kin = new Kin("Eve", new Kin("root", null)), Friend = "people/2",
            }, "people/1");
            session.Store(new Person("Bob", 30, ["b"], "Oslo", "the quick dog", "POINT (10.7 59.9)"), "people/2");
            session.Store(
                new Person("Cyd", 40, [], null, "a bird", "POLYGON ((2 48, 3 48, 3 49, 2 49, 2 48))"), "people/3");
            session.Store(new Person("Anna", 50, ["a", "c"], "Rome", "a red fox", "POINT (12.5 42.5)")
            {
                Kin = new Kin("root", null), Vector = "AAAAAAAAgD8=",
            }, "people/4");
            session.SaveChanges();
            new People().Execute(Store);
            Assert.Equal(
                4, session.Query<Person, People>().Customize(how => how.WaitForNonStaleResults()).Count());
        }

        internal DocumentStore Store { get; }

        public void Dispose()
        {
            Store.Dispose();
            _server.Dispose();
        }
    }

    internal sealed record Person(
        string Name, int Age, string[] Tags, string? City, string Text, string Area)
    {
        public string? Id { get; set; }

        public Kin? Kin { get; set; }

        public string? Friend { get; set; }

        public string Vector { get; set; } = "AACAPwAAAAA=";

        /// <summary>In the index alone.</summary>
        public object? Place { get; }
    }

    internal sealed record Kin(string Name, Kin? Parent);

    private sealed class NameAndAge
    {
        public string Name { get; set; } = "";

        public int Age { get; set; }
    }

    private sealed class People : AbstractIndexCreationTask<Person>
    {
        public People()
        {
            Map = people => from person in people
                            select new
                            {
                                person.Name,
                                person.Age,
                                person.Tags,
                                person.City,
                                person.Text,
                                Place = CreateSpatialField(person.Area),
                                Ancestors = Recurse(person.Kin!, kin => new[] { kin.Parent! }).Select(kin => kin.Name),
                                Raw = AsJson(person)["Age"],
                                Vector = CreateVector(person.Vector),
                            };
            Index(person => person.Text, FieldIndexing.Search);
        }
    }
}
