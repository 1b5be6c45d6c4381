using Raven.Client.Documents;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Queries.Explanation;
using Raven.Client.Documents.Queries.Timings;
using Raven.Client.Documents.Session;

namespace FastTests.Client;

/// <summary>What a query scans, why its results were found, and the times of its parts.</summary>
public sealed class QueryDiagnosticsTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    [Fact]
    public async Task A_filter_scans_the_results_of_the_conditions()
    {
        using DocumentStore store = await StoreAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        IRavenQueryable<Pair> query = session.Query<Pair>().Customize(how => how.WaitForNonStaleResults())
            .Where(x => x.Left > 1).Statistics(out QueryStatistics statistics).OrderBy(x => x.Left)
            .Filter(x => x.Left > x.Right && x.Name != "none");
        Assert.Equal(
            "from 'Pairs' where Left > $p0 order by Left as long filter Left > Right and Name != $p1",
            query.ToString());
        Assert.Equal([2, 4, 6], (await query.ToListAsync()).Select(x => x.Left));
        Assert.Equal((3, 5), (statistics.TotalResults, statistics.ScannedResults));
        Assert.Equal(3, await query.CountAsync());
        var named = await session.Query<Pair>().OrderBy(x => x.Left).Filter(x => x.Left > x.Right, limit: 3)
            .Select(x => new { x.Left, Sum = x.Left + x.Right }).ToListAsync();
        Assert.Equal([(2, 3)], named.Select(x => (x.Left, x.Sum)));
        Assert.Equal(
            "from 'Pairs' filter (Left > $p0) and (Right > $p1) filter_limit 2",
            session.Query<Pair>().Filter(x => x.Left > 1, 5).Filter(x => x.Right > 2, 2).ToString());
        Assert.Throws<NotSupportedException>(
            () => session.Query<Pair>().Take(1).Filter(x => x.Left > 1).ToString());
    }

    [Fact]
    public async Task Explanations_and_timings_are_read_with_the_results()
    {
        using DocumentStore store = await StoreAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        List<Pair> found = await session.Advanced.AsyncDocumentQuery<Pair>().WaitForNonStaleResults()
            .WhereEquals(x => x.Left, 3).IncludeExplanations(out Explanations explanations)
            .Timings(out QueryTimings timings).ToListAsync();
        Assert.Contains(
            "Left", string.Join('\n', explanations.GetExplanations(found.Single().Id!)), StringComparison.Ordinal);
        Assert.Empty(explanations.GetExplanations("pairs/none"));
        Assert.Contains("Search", timings.Timings!.Keys);
        Assert.All(timings.Timings.Values, stage => Assert.True(stage.DurationInMs >= 0));
        await session.Advanced.AsyncDocumentQuery<Pair>().GroupBy("Name").SelectKey().SelectCount()
            .WaitForNonStaleResults().WhereGreaterThan("count()", 0)
            .IncludeExplanations(new ExplanationOptions { GroupKey = "Name" }, out Explanations ofGroups)
            .OfType<NameCount>().ToListAsync();
        Assert.NotEmpty(ofGroups.GetExplanations("odd"));
        QueryTimings? told = null;
        await session.Query<Pair>().Customize(how => how.Timings(out told)).Where(x => x.Left > 0).ToListAsync();
        Assert.Contains("Search", told!.Timings!.Keys);
    }

    private async Task<DocumentStore> StoreAsync()
    {
        DocumentStore store = fixture.NewStore();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        for (int i = 1; i <= 6; i++)
        {
            bool isEven = i % 2 == 0;
            await session.StoreAsync(new Pair { Left = i, Right = isEven ? 1 : 9, Name = isEven ? "even" : "odd" });
        }

        await session.SaveChangesAsync();
        return store;
    }

    private sealed class Pair
    {
        public string? Id { get; set; }

        public int Left { get; set; }

        public int Right { get; set; }

        public string Name { get; set; } = "";
    }

    private sealed class NameCount
    {
        public string Name { get; set; } = "";

        public int Count { get; set; }
    }
}
