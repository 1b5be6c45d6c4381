using Raven.Client.Documents;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Queries.Highlighting;
using Raven.Client.Documents.Queries.MoreLikeThis;
using Raven.Client.Documents.Queries.Suggestions;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;
using Raven.Client.Exceptions.Documents.Indexes;

namespace FastTests.Client;

/// <summary>What queries can do beyond conditions, against the real server, as LINQ and call by call.</summary>
public sealed class QueryFeatureTests(QueryFeatureTests.Data data) : IClassFixture<QueryFeatureTests.Data>
{
    [Fact]
    public async Task Facets_count_values_and_ranges_and_compute_sums()
    {
        using IAsyncDocumentSession session = data.Open();
        Dictionary<string, FacetResult> byLinq = await session.Query<Shop>().Where(it => it.Size > 1)
            .AggregateBy(it => it.ByField(x => x.City).SumOn(x => x.Size).MaxOn(x => x.Size)
                .WithOptions(new FacetOptions { TermSortMode = FacetTermSortMode.CountDesc }))
            .AndAggregateBy(it => it.ByRanges(x => x.Size < 4, x => x.Size >= 4).WithDisplayName("sizes"))
            .ExecuteAsync();
        Assert.Equal(["oslo 2 7 4", "rome 2 7 5"], byLinq["City"].Values.Select(
            it => $"{it.Range} {it.Count} {it.Sum} {it.Max}").Order());
        Assert.Equal([2L, 2L], byLinq["sizes"].Values.Select(it => it.Count));
        Dictionary<string, FacetResult> byCalls = await session.Advanced.AsyncDocumentQuery<Shop>()
            .WhereGreaterThan(it => it.Size, 1)
            .AggregateBy(it => it.ByField("City").MinOn(x => x.Size).AverageOn(x => x.Size)).ExecuteAsync();
        Assert.Equal(["oslo 3 3.5", "rome 2 3.5"], byCalls["City"].Values.Select(
            it => FormattableString.Invariant($"{it.Range} {it.Min} {it.Average}")).Order());
        Dictionary<string, FacetResult> byText = await session.Advanced
            .AsyncRawQuery<Shop>("from Shops select facet(City, $o)")
            .AddParameter("o", new FacetOptions { PageSize = 1, IncludeRemainingTerms = true })
            .ExecuteAggregationAsync();
        Assert.Equal("oslo", Assert.Single(byText["City"].Values).Range);
        Assert.Equal(["rome"], byText["City"].RemainingTerms);
        Assert.Equal((1L, 3L), (byText["City"].RemainingTermsCount, byText["City"].RemainingHits));
    }

    [Fact]
    public async Task Suggestions_are_words_similar_to_the_given_one()
    {
        using IAsyncDocumentSession session = data.Open();
        Dictionary<string, SuggestionResult> found = await session.Query<Shop>()
            .SuggestUsing(it => it.ByField(x => x.City, "romw"))
            .AndSuggestUsing(it => it.ByField("City", "oslp", "rone").WithDisplayName("both")
                .WithOptions(new SuggestionOptions { SortMode = SuggestionSortMode.Popularity, Accuracy = 0.4 }))
            .ExecuteAsync();
        Assert.Equal(["rome"], found["City"].Suggestions);
        Assert.Equal(["oslo", "rome"], found["both"].Suggestions.Order());
        Assert.Equal(["rome"], (await session.Advanced.AsyncDocumentQuery<Shop>()
            .SuggestUsing(it => it.ByField("City", "romw")).ExecuteAsync())["City"].Suggestions);
    }

    [Fact]
    public async Task More_like_this_finds_similar_documents_and_highlighting_shows_the_matches()
    {
        using IAsyncDocumentSession session = data.Open();
        List<Shop> alike = await session.Query<Shop, Shops_Search>()
            .MoreLikeThis(it => it.UsingDocument(x => x.Id == "shops/1").WithOptions(
                new MoreLikeThisOptions { MinimumTermFrequency = 1, MinimumDocumentFrequency = 1 })).ToListAsync();
        Assert.Equal(["shops/2"], alike.Select(it => it.Id));
        List<Shop> marked = await session.Query<Shop, Shops_Search>().Search(it => it.Text, "fox")
            .Highlight(it => it.Text, 100, 1, out Highlightings plain)
            .Highlight(
                it => it.Text, 100, 1, new HighlightingOptions { PreTags = ["<i>"], PostTags = ["</i>"] }, out _)
            .OrderByScore().ToListAsync();
        Assert.Equal(["shops/1", "shops/2"], marked.Select(it => it.Id).Order());
        Assert.Equal(["shops/1", "shops/2"], plain.ResultIds.Order());
        Assert.Contains("fox</b>", Assert.Single(plain.GetFragments("shops/1")), StringComparison.Ordinal);
        Assert.Empty(plain.GetFragments("shops/3"));
        await session.Advanced.AsyncDocumentQuery<Shop, Shops_Search>().Search(it => it.Text, "fox").Highlight(
            "Text", 100, 1, new HighlightingOptions { PreTags = ["<i>"], PostTags = ["</i>"] },
            out Highlightings italic).ToListAsync();
        Assert.Contains("<i>fox</i>", italic.GetFragments("shops/1")[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Locations_are_found_within_a_distance_and_ordered_by_it()
    {
        using IAsyncDocumentSession session = data.Open();
        Assert.Equal(["shops/1", "shops/2", "shops/5"], (await session.Query<Shop, Shops_Search>()
            .Spatial("Place", it => it.WithinRadius(100, 41.9, 12.5)).OrderByDistance("Place", 41.9, 12.5)
            .ToListAsync()).Select(it => it.Id));
        Assert.Equal(["shops/3", "shops/4"], (await session.Query<Shop, Shops_Search>()
            .Spatial("Place", it => it.Within("POLYGON ((10 59, 12 59, 12 61, 10 61, 10 59))"))
            .OrderByDistanceDescending("Place", 60.9, 10.7).ToListAsync()).Select(it => it.Id));
        Assert.Equal(3, await session.Advanced.AsyncDocumentQuery<Shop, Shops_Search>().Spatial(
            "Place", it => it.Disjoint("POLYGON ((10 59, 12 59, 12 61, 10 61, 10 59))")).CountAsync());
        Assert.Equal("shops/5", (await session.Advanced.AsyncDocumentQuery<Shop, Shops_Search>()
            .OrderByDistance("Place", 42.5, 12.5).FirstAsync()).Id);
    }

    [Fact]
    public async Task Lazy_queries_are_sent_in_one_request()
    {
        using IAsyncDocumentSession session = data.Open();
        Lazy<Task<IEnumerable<Shop>>> big = session.Query<Shop>().Where(it => it.Size > 3).LazilyAsync();
        Lazy<Task<int>> all = session.Query<Shop>().CountLazilyAsync();
        Lazy<Task<IEnumerable<Shop>>> built =
            session.Advanced.AsyncDocumentQuery<Shop>().WhereEquals("City", "Oslo").LazilyAsync();
        Lazy<Task<int>> counted =
            session.Advanced.AsyncDocumentQuery<Shop>().WhereEquals("City", "Oslo").Skip(1).CountLazilyAsync();
        Lazy<Task<IEnumerable<Shop>>> raw = session.Advanced.AsyncRawQuery<Shop>("from Shops limit 2").LazilyAsync();
        Lazy<Task<Dictionary<string, FacetResult>>> facets =
            session.Query<Shop>().AggregateBy(it => it.ByField(x => x.City)).ExecuteLazyAsync();
        Lazy<Task<Dictionary<string, SuggestionResult>>> words =
            session.Query<Shop>().SuggestUsing(it => it.ByField(x => x.City, "romw")).ExecuteLazyAsync();
        Lazy<Task<Shop?>> loaded = session.Advanced.Lazily.LoadAsync<Shop>("shops/1");
        Assert.Equal(["shops/4", "shops/5"], (await big.Value).Select(it => it.Id).Order());
        Assert.Equal(5, await all.Value);
        Assert.Equal(2, (await built.Value).Count());
        Assert.Equal(1, await counted.Value);
        Assert.Equal(2, (await raw.Value).Count());
        Assert.Equal(2, (await facets.Value)["City"].Values.Count);
        Assert.Equal(["rome"], (await words.Value)["City"].Suggestions);
        Assert.Equal("Rome", (await loaded.Value)!.City);
        Assert.Equal(1, session.Advanced.NumberOfRequests);
    }

    [Fact]
    public async Task The_refusal_of_a_lazy_query_is_thrown_when_its_own_value_is_read()
    {
        using IAsyncDocumentSession session = data.Open();
        Lazy<Task<IEnumerable<Shop>>> missing = session.Query<Shop>("no/such").LazilyAsync();
        Lazy<Task<IEnumerable<Shop>>> wrong = session.Advanced.AsyncRawQuery<Shop>("from Shops where").LazilyAsync();
        Lazy<Task<int>> all = session.Query<Shop>().CountLazilyAsync();
        Assert.Equal(5, await all.Value);
        await Assert.ThrowsAsync<IndexDoesNotExistException>(() => missing.Value);
        await Assert.ThrowsAsync<InvalidQueryException>(() => wrong.Value);
        Assert.Equal(1, session.Advanced.NumberOfRequests);
        _ = session.Query<Shop>("no/such").LazilyAsync();
        await Assert.ThrowsAsync<IndexDoesNotExistException>(
            () => session.Advanced.Eagerly.ExecuteAllPendingLazyOperationsAsync());
    }

    [Fact]
    public async Task A_document_query_can_be_counted_projected_and_streamed()
    {
        using IAsyncDocumentSession session = data.Open();
        IAsyncDocumentQuery<Shop> query = session.Advanced.AsyncDocumentQuery<Shop>().WhereEquals("City", "Rome")
            .OrderBy(it => it.Size).Statistics(out QueryStatistics statistics);
        Assert.Equal([1, 2, 5], (await query.ToListAsync()).Select(it => it.Size));
        Assert.Equal(3, statistics.TotalResults);
        Assert.Equal([1, 2, 5], (await query.ToArrayAsync()).Select(it => it.Size));
        Assert.Equal((1, 1), ((await query.FirstAsync()).Size, (await query.FirstOrDefaultAsync())!.Size));
        await Assert.ThrowsAsync<InvalidOperationException>(() => query.SingleAsync());
        await Assert.ThrowsAsync<InvalidOperationException>(() => query.SingleOrDefaultAsync());
        Assert.True(await query.AnyAsync());
        Assert.Equal((3, 3L), (await query.CountAsync(), await query.LongCountAsync()));
        Assert.Equal([1, 2, 5], await query.SelectFields<int>("Size").ToListAsync());
        List<SizeOf> sizes = await query.SelectFields<SizeOf>().ToListAsync();
        Assert.Equal(["shops/1 1", "shops/2 2", "shops/5 5"], sizes.Select(it => $"{it.Id} {it.Size}"));
        Assert.Equal([1, 2, 5], (await query.OfType<SizeOf>().NoTracking().ToListAsync()).Select(it => it.Size));
        List<int> streamed = [];
        await foreach (StreamResult<Shop> one in query.StreamAsync())
        {
            streamed.Add(one.Document.Size);
        }

        await foreach (Shop one in query)
        {
            streamed.Remove(one.Size);
        }

        Assert.Empty(streamed);
        List<CityCount> counts = await session.Advanced.AsyncDocumentQuery<Shop>().GroupBy("City")
            .SelectKey(projectedName: "City").SelectSum("Size", "Sum").SelectCount().OfType<CityCount>()
            .ToListAsync();
        Assert.Equal(["Oslo 2 7", "Rome 3 8"], counts.Select(it => $"{it.City} {it.Count} {it.Sum}").Order());
        session.Advanced.Clear();
        await session.Advanced.AsyncDocumentQuery<Shop>().Include(it => it.Next).Take(1).OrderBy(it => it.Size)
            .ToListAsync();
        Assert.True(session.Advanced.IsLoaded("shops/2"));
    }

    [Fact]
    public async Task A_LINQ_query_takes_the_extension_methods_of_the_client()
    {
        using IAsyncDocumentSession session = data.Open();
        IRavenQueryable<Shop> rome = session.Query<Shop>().Where(it => it.City == "Rome", exact: true);
        Assert.Equal(3, await rome.CountAsync());
        Assert.Equal(0, await session.Query<Shop>().Where(it => it.City == "rome", exact: true).CountAsync());
        Assert.Equal(
            [5, 2, 1], (await rome.OrderByDescending(it => it.Size).ProjectInto<SizeOf>().ToListAsync())
                .Select(it => it.Size));
        Assert.Equal("shops/1", (await rome.OrderBy(it => it.Size).ProjectInto<SizeOf>().FirstAsync()).Id);
        Assert.Equal(3, (await rome.As<SizeOf>().Customize(how => how.NoTracking()).ToListAsync()).Count);
        Assert.Equal(3, (await rome.Customize(how => how.NoTracking()).OfType<SizeOf>().ToArrayAsync()).Length);
        Assert.Equal(2, (await rome.ToAsyncDocumentQuery().WhereLessThan(it => it.Size, 3).ToListAsync()).Count);
        bool isTold = false;
        List<string> sent = [];
        IRavenQueryable<Shop> told = rome.Customize(how => how.AfterQueryExecuted(_ => isTold = true)
            .BeforeQueryExecuted(query => sent.Add(query.Query)).NoCaching()
            .Projection(ProjectionBehavior.FromDocument));
        await foreach (Shop shop in told.AsAsyncEnumerable())
        {
            Assert.Equal("Rome", shop.City);
        }

        Assert.True(isTold);
        Assert.Equal(rome.ToIndexQuery().Query, Assert.Single(sent));
        List<Shop> first = await session.Query<Shop>().Customize(how => how.RandomOrdering("a")).ToListAsync();
        Assert.Equal(first, await session.Query<Shop>().Customize(how => how.RandomOrdering("a")).ToListAsync());
        Assert.Equal(2, await session.Query<Shop>().Where(it => it.Size > 1).Intersect()
            .Where(it => it.City == "Rome").CountAsync());
        Assert.Equal(5, await session.Query<Shop, Shops_Search>().OrderByScoreDescending().CountAsync());
        await rome.Include("Next").Include(it => it.IncludeCounter("likes")).ToListAsync();
        Assert.Empty(await rome.Search(it => it.Text, "nothing").ToListAsync());
    }

    [Fact]
    public void A_blocking_query_completes_on_a_single_threaded_synchronization_context()
    {
        SynchronizationContext? before = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(new OneThread());
        try
        {
            using IDocumentSession session = data.Store.OpenSession();
            session.Advanced.MaxNumberOfRequestsPerSession = 100;
            IRavenQueryable<Shop> query = session.Query<Shop>().Where(it => it.City == "Rome").OrderBy(it => it.Size);
            Assert.Equal([1, 2, 5], query.ToList().Select(it => it.Size));
            Assert.Equal([1, 2, 5], query.ToArray().Select(it => it.Size));
            Assert.Equal(1, query.First().Size);
            Assert.Equal(1, query.FirstOrDefault(it => it.Size < 5)!.Size);
            Assert.Equal(5, query.Single(it => it.Size == 5).Size);
            Assert.Null(query.SingleOrDefault(it => it.Size == 6));
            Assert.True(query.Any());
            Assert.Equal((3, 2L), (query.Count(), query.LongCount(it => it.Size > 1)));
            Lazy<IEnumerable<Shop>> lazy = query.Lazily();
            Lazy<int> count = query.CountLazily();
            Assert.Equal((3, 3), (lazy.Value.Count(), count.Value));
            IDocumentQuery<Shop> built = session.Advanced.DocumentQuery<Shop>().WhereEquals("City", "Oslo");
            Assert.Equal((2, 2), (built.ToList().Count, built.ToArray().Length));
            Assert.Equal((2, 2L), (built.Count(), built.LongCount()));
            Assert.True(built.Any());
            Assert.Equal("Oslo", built.First().City);
            Assert.Equal("Oslo", built.FirstOrDefault()!.City);
            Assert.Throws<InvalidOperationException>(() => built.Single());
            Assert.Throws<InvalidOperationException>(() => built.SingleOrDefault());
            Assert.Equal(2, built.Stream().Count());
            Assert.Equal((2, 2), (built.Lazily().Value.Count(), built.CountLazily().Value));
            Assert.Equal(2, session.Advanced.DocumentQuery<Shop, Shops_Search>().Search("Text", "fox").Count());
            Assert.Equal(2, query.ToDocumentQuery().WhereLessThan(it => it.Size, 3).Count());
            Assert.Equal(3, Enumerable.Count(built.ToQueryable().AggregateBy(it => it.ByField("City")).Execute()
                .Concat(built.AggregateBy(it => it.ByField("City")).ExecuteLazy().Value)
                .Concat(built.AggregateBy(it => it.AllResults()).Execute())));
            Assert.NotEmpty(built.SuggestUsing(it => it.ByField("City", "oslp")).Execute());
            Assert.NotEmpty(built.SuggestUsing(it => it.ByField("City", "oslp")).ExecuteLazy().Value);
            IRawDocumentQuery<Shop> raw = session.Advanced.RawQuery<Shop>("from Shops where City = 'Oslo'");
            Assert.Equal((2, 2), (raw.ToList().Count, raw.Lazily().Value.Count()));
            Assert.Equal(2, raw.Stream().Count());
            Assert.Equal(2, raw.Count());
            Assert.True(raw.Any());
            Assert.Equal("Oslo", raw.First().City);
            Assert.Equal("Oslo", raw.FirstOrDefault()!.City);
            Assert.Throws<InvalidOperationException>(() => raw.Single());
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(before);
        }
    }

    [Fact]
    public async Task A_raw_query_has_the_features_of_other_queries()
    {
        using IAsyncDocumentSession session = data.Open();
        long total = 0;
        List<string> sent = [];
        IRawDocumentQuery<Shop> raw = session.Advanced
            .AsyncRawQuery<Shop>("from Shops where City = $city order by Size as long").AddParameter("city", "Rome")
            .NoTracking().NoCaching().Projection(ProjectionBehavior.FromDocument)
            .WaitForNonStaleResults(TimeSpan.FromSeconds(9)).Statistics(out QueryStatistics statistics)
            .AfterQueryExecuted(facts => total += facts.TotalResults)
            .BeforeQueryExecuted(query => sent.Add(query.Query));
        Assert.Equal([1, 2, 5], (await raw.ToListAsync()).Select(it => it.Size));
        Assert.Equal((3L, 3L, 1), (statistics.TotalResults, total, sent.Count));
        Assert.Equal([1, 2, 5], (await raw.ToArrayAsync()).Select(it => it.Size));
        Assert.Equal((1, 1), ((await raw.FirstAsync()).Size, (await raw.FirstOrDefaultAsync())!.Size));
        await Assert.ThrowsAsync<InvalidOperationException>(() => raw.SingleAsync());
        await Assert.ThrowsAsync<InvalidOperationException>(() => raw.SingleOrDefaultAsync());
        Assert.True(await raw.AnyAsync());
        Assert.Equal(3, await raw.CountAsync());
        await foreach (Shop shop in raw)
        {
            Assert.Equal("Rome", shop.City);
        }

        InvalidQueryException wrong = await Assert.ThrowsAsync<InvalidQueryException>(
            () => session.Advanced.AsyncRawQuery<Shop>("from Shops where").ToListAsync());
        Assert.Contains("line 1", wrong.Message, StringComparison.Ordinal);
    }

    /// <summary>Five shops that do not change.</summary>
    public sealed class Data : IDisposable
    {
        private readonly ClientFixture _server = new();

        public Data()
        {
            Store = _server.NewStore();
            new Shops_Search().Execute(Store);
            using IDocumentSession session = Store.OpenSession();
            (string City, int Size, string Text, double Latitude, double Longitude)[] shops =
            [
                ("Rome", 1, "a red fox", 41.9, 12.5), ("Rome", 2, "the red fox sleeps", 42.0, 12.5),
                ("Oslo", 3, "green trees", 59.9, 10.7), ("Oslo", 4, "", 60.0, 10.8), ("Rome", 5, "", 42.1, 12.5),
            ];
            for (int i = 0; i < shops.Length; i++)
            {
                (string city, int size, string text, double latitude, double longitude) = shops[i];
                session.Store(new Shop
                {
                    Id = $"shops/{i + 1}",
                    City = city,
                    Size = size,
                    Text = text,
                    Latitude = latitude,
                    Longitude = longitude,
                    Next = $"shops/{i + 2}",
                });
            }

            session.SaveChanges();
        }

        internal DocumentStore Store { get; }

        public void Dispose()
        {
            Store.Dispose();
            _server.Dispose();
        }

        internal IAsyncDocumentSession Open() => Store.OpenAsyncSession();
    }

    private sealed class Shop
    {
        public string? Id { get; set; }

        public string City { get; set; } = "";

        public int Size { get; set; }

        public string Text { get; set; } = "";

        public double Latitude { get; set; }

        public double Longitude { get; set; }

        public string? Next { get; set; }
    }

    private sealed class SizeOf
    {
        public string? Id { get; set; }

        public int Size { get; set; }
    }

    private sealed class CityCount
    {
        public string City { get; set; } = "";

        public int Count { get; set; }

        public int Sum { get; set; }
    }

    private sealed class Shops_Search : AbstractIndexCreationTask<Shop>
    {
        public Shops_Search()
        {
            Map = shops => from shop in shops
                           select new
                           {
                               shop.Text,
                               shop.City,
                               shop.Size,
                               Place = CreateSpatialField(shop.Latitude, shop.Longitude),
                           };
            Index(shop => shop.Text, FieldIndexing.Search);
        }
    }

    /// <summary>A thread whose work is never done: waits for it never end.</summary>
    private sealed class OneThread : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) =>
            throw new InvalidOperationException("Something came back to the caller's context.");
    }
}
