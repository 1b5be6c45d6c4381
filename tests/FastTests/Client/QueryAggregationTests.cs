using System.Linq.Expressions;
using Raven.Client.Documents;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Session;

namespace FastTests.Client;

/// <summary>Each ending of a query beside the same ending of LINQ on a list: over rows with and without values, over
/// nothing, and over nulls alone.</summary>
public sealed class QueryAggregationTests(ClientFixture fixture) : IClassFixture<ClientFixture>, IDisposable
{
    private static readonly Row[] Rows =
    [
        new()
        {
            Name = "ann", Day = new DateTime(2024, 5, 1), I = 3, IN = 3, L = 4, LN = 4, F = 1.5f, FN = 1.5f, D = 0.25,
            DN = 0.25, M = 10.10m, MN = 10.10m, Group = "a",
        },
        new() { Name = "bob", Day = new DateTime(2025, 1, 1), I = -7, L = 9, F = 2, D = 4, M = 0.20m, Group = "a" },
        new()
        {
            Name = "cid", Day = new DateTime(2023, 12, 31), I = 11, IN = 8, L = 2, LN = 40, F = 8, FN = 0.5f, D = -3,
            DN = 2, M = 3, MN = 0.30m, Group = "b",
        },
        new() { Name = "dan", Group = "null" },
    ];

    private readonly DocumentStore _store = StoreOf(fixture);

    public void Dispose() => _store.Dispose();

    [Fact]
    [Trait("Fault", "B6")]
    public async Task Sums_of_whole_numbers_are_those_of_LINQ()
    {
        await SameAsync(all => all.Sum(row => row.I), query => query.SumAsync(row => row.I));
        await SameAsync(
            all => all.Select(row => row.I).Sum(), query => query.Select(row => row.I).SumAsync());
        await SameAsync(all => all.Average(row => row.I), query => query.AverageAsync(row => row.I));
        await SameAsync(
            all => all.Select(row => row.I).Average(), query => query.Select(row => row.I).AverageAsync());
        await SameAsync(all => all.Sum(row => row.IN), query => query.SumAsync(row => row.IN));
        await SameAsync(
            all => all.Select(row => row.IN).Sum(), query => query.Select(row => row.IN).SumAsync());
        await SameAsync(all => all.Average(row => row.IN), query => query.AverageAsync(row => row.IN));
        await SameAsync(
            all => all.Select(row => row.IN).Average(), query => query.Select(row => row.IN).AverageAsync());
        await SameAsync(all => all.Sum(row => row.L), query => query.SumAsync(row => row.L));
        await SameAsync(
            all => all.Select(row => row.L).Sum(), query => query.Select(row => row.L).SumAsync());
        await SameAsync(all => all.Average(row => row.L), query => query.AverageAsync(row => row.L));
        await SameAsync(
            all => all.Select(row => row.L).Average(), query => query.Select(row => row.L).AverageAsync());
        await SameAsync(all => all.Sum(row => row.LN), query => query.SumAsync(row => row.LN));
        await SameAsync(
            all => all.Select(row => row.LN).Sum(), query => query.Select(row => row.LN).SumAsync());
        await SameAsync(all => all.Average(row => row.LN), query => query.AverageAsync(row => row.LN));
        await SameAsync(
            all => all.Select(row => row.LN).Average(), query => query.Select(row => row.LN).AverageAsync());
    }

    [Fact]
    [Trait("Fault", "B6")]
    public async Task Sums_of_fractions_are_those_of_LINQ()
    {
        await SameAsync(all => all.Sum(row => row.F), query => query.SumAsync(row => row.F));
        await SameAsync(
            all => all.Select(row => row.F).Sum(), query => query.Select(row => row.F).SumAsync());
        await SameAsync(all => all.Average(row => row.F), query => query.AverageAsync(row => row.F));
        await SameAsync(
            all => all.Select(row => row.F).Average(), query => query.Select(row => row.F).AverageAsync());
        await SameAsync(all => all.Sum(row => row.FN), query => query.SumAsync(row => row.FN));
        await SameAsync(
            all => all.Select(row => row.FN).Sum(), query => query.Select(row => row.FN).SumAsync());
        await SameAsync(all => all.Average(row => row.FN), query => query.AverageAsync(row => row.FN));
        await SameAsync(
            all => all.Select(row => row.FN).Average(), query => query.Select(row => row.FN).AverageAsync());
        await SameAsync(all => all.Sum(row => row.D), query => query.SumAsync(row => row.D));
        await SameAsync(
            all => all.Select(row => row.D).Sum(), query => query.Select(row => row.D).SumAsync());
        await SameAsync(all => all.Average(row => row.D), query => query.AverageAsync(row => row.D));
        await SameAsync(
            all => all.Select(row => row.D).Average(), query => query.Select(row => row.D).AverageAsync());
        await SameAsync(all => all.Sum(row => row.DN), query => query.SumAsync(row => row.DN));
        await SameAsync(
            all => all.Select(row => row.DN).Sum(), query => query.Select(row => row.DN).SumAsync());
        await SameAsync(all => all.Average(row => row.DN), query => query.AverageAsync(row => row.DN));
        await SameAsync(
            all => all.Select(row => row.DN).Average(), query => query.Select(row => row.DN).AverageAsync());
        await SameAsync(all => all.Sum(row => row.M), query => query.SumAsync(row => row.M));
        await SameAsync(
            all => all.Select(row => row.M).Sum(), query => query.Select(row => row.M).SumAsync());
        await SameAsync(all => all.Average(row => row.M), query => query.AverageAsync(row => row.M));
        await SameAsync(
            all => all.Select(row => row.M).Average(), query => query.Select(row => row.M).AverageAsync());
        await SameAsync(all => all.Sum(row => row.MN), query => query.SumAsync(row => row.MN));
        await SameAsync(
            all => all.Select(row => row.MN).Sum(), query => query.Select(row => row.MN).SumAsync());
        await SameAsync(all => all.Average(row => row.MN), query => query.AverageAsync(row => row.MN));
        await SameAsync(
            all => all.Select(row => row.MN).Average(), query => query.Select(row => row.MN).AverageAsync());
    }

    [Fact]
    [Trait("Fault", "B6")]
    public async Task Minimum_and_maximum_of_a_query_are_those_of_LINQ()
    {
        await SameAsync(all => all.Min(row => row.I), query => query.MinAsync(row => row.I));
        await SameAsync(all => all.Max(row => row.I), query => query.MaxAsync(row => row.I));
        await SameAsync(all => all.Min(row => row.LN), query => query.MinAsync(row => row.LN));
        await SameAsync(all => all.Max(row => row.LN), query => query.MaxAsync(row => row.LN));
        await SameAsync(all => all.Min(row => row.M), query => query.MinAsync(row => row.M));
        await SameAsync(all => all.Max(row => row.DN), query => query.MaxAsync(row => row.DN));
        await SameAsync(all => all.Min(row => row.Name), query => query.MinAsync(row => row.Name));
        await SameAsync(all => all.Max(row => row.Name), query => query.MaxAsync(row => row.Name));
        await SameAsync(all => all.Max(row => row.Day), query => query.MaxAsync(row => row.Day));
        await SameAsync(all => all.Max(row => row.Id), query => query.MaxAsync(row => row.Id));
        await SameAsync(all => all.Select(row => row.D).Min(), query => query.Select(row => row.D).MinAsync());
        await SameAsync(all => all.Select(row => row.IN).Max(), query => query.Select(row => row.IN).MaxAsync());
        await SameAsync(
            all => all.OrderBy(row => row.I).Max(row => row.L),
            query => query.OrderBy(row => row.I).MaxAsync(row => row.L));
    }

    [Fact]
    [Trait("Fault", "B6")]
    public async Task Single_results_with_a_condition_are_those_of_LINQ()
    {
        await SameAsync(
            all => all.First(row => row.I == 3).Name, async query => (await query.FirstAsync(row => row.I == 3)).Name);
        await SameAsync(
            all => all.FirstOrDefault(row => row.I == 3)?.Name,
            async query => (await query.FirstOrDefaultAsync(row => row.I == 3))?.Name);
        await SameAsync(
            all => all.Single(row => row.I > 0).Name, async query => (await query.SingleAsync(row => row.I > 0)).Name);
        await SameAsync(
            all => all.SingleOrDefault(row => row.I > 0)?.Name,
            async query => (await query.SingleOrDefaultAsync(row => row.I > 0))?.Name);
        await SameAsync(
            all => all.SingleOrDefault(row => row.I == 11)?.Name,
            async query => (await query.SingleOrDefaultAsync(row => row.I == 11))?.Name);
        await SameAsync(all => all.Any(row => row.I < 0), query => query.AnyAsync(row => row.I < 0));
        await SameAsync(all => all.Any(row => row.I > 99), query => query.AnyAsync(row => row.I > 99));
        await SameAsync(all => all.All(row => row.I > -8), query => query.AllAsync(row => row.I > -8));
        await SameAsync(all => all.All(row => row.IN == 3), query => query.AllAsync(row => row.IN == 3));
        await SameAsync(all => all.Count(row => row.I > 0), query => query.CountAsync(row => row.I > 0));
        await SameAsync(all => all.LongCount(row => row.I > 0), query => query.LongCountAsync(row => row.I > 0));
        await SameAsync(
            all => all.Select(row => row.Name).Contains("cid"),
            query => query.Select(row => row.Name).ContainsAsync("cid"));
        await SameAsync(
            all => all.Select(row => row.IN).Contains(null), query => query.Select(row => row.IN).ContainsAsync(null));
    }

    [Fact]
    [Trait("Fault", "B6")]
    public async Task Results_become_dictionaries_and_sets_as_in_LINQ()
    {
        await SameAsync(
            all => Text(all.ToDictionary(row => row.Name, row => row.I)),
            async query => Text(await query.ToDictionaryAsync(row => row.Name, row => row.I)));
        await SameAsync(
            all => Text(all.ToDictionary(row => row.Name)).Length,
            async query => Text(await query.ToDictionaryAsync(row => row.Name)).Length);
        await SameAsync(
            all => Text(all.ToDictionary(row => row.Group, StringComparer.Ordinal)).Length,
            async query => Text(await query.ToDictionaryAsync(row => row.Group, StringComparer.Ordinal)).Length);
        await SameAsync(
            all => Text(all.ToDictionary(row => row.Name, row => row.L, StringComparer.OrdinalIgnoreCase)),
            async query => Text(await query.ToDictionaryAsync(
                row => row.Name, row => row.L, StringComparer.OrdinalIgnoreCase)));
        await SameAsync(
            all => all.Select(row => row.Group).ToHashSet().Count,
            async query => (await query.Select(row => row.Group).ToHashSetAsync()).Count);
        using IAsyncDocumentSession session = _store.OpenAsyncSession();
        Row cid = await session.Query<Row>().SingleAsync(row => row.Name == "cid");
        Assert.True(await session.Query<Row>().ContainsAsync(cid));
        Assert.False(await session.Query<Row>().Where(row => row.I < 0).ContainsAsync(cid));
    }

    [Fact]
    [Trait("Fault", "B6")]
    public async Task Unsupported_aggregations_are_refused_with_the_reason_and_blocking_ones_work_as_awaited_ones()
    {
        using IDocumentSession session = _store.OpenSession();
        Assert.Equal(7, session.Query<Row>().Where(row => row.Day > default(DateTime)).Sum(row => row.I));
        Assert.Equal(11, session.Query<Row>().Max(row => row.I));
        Assert.True(session.Query<Row>().All(row => row.I > -8));
        using IAsyncDocumentSession other = _store.OpenAsyncSession();
        NotSupportedException paged = await Assert.ThrowsAsync<NotSupportedException>(
            () => other.Query<Row>().Take(2).SumAsync(row => row.I));
        Assert.Contains("write it before them", paged.Message, StringComparison.Ordinal);
        NotSupportedException whole = await Assert.ThrowsAsync<NotSupportedException>(
            () => other.Query<Row>().MaxAsync());
        Assert.Contains("of which field", whole.Message, StringComparison.Ordinal);
        await other.StoreAsync(new Row { Name = "max", L = 1L << 53 });
        await other.SaveChangesAsync();
        await Assert.ThrowsAsync<OverflowException>(() => other.Query<Row>()
            .Customize(how => how.WaitForNonStaleResults()).SumAsync(row => row.L));
    }

    /// <summary>Over all, those of each group, and none.</summary>
    private async Task SameAsync<T>(Func<IEnumerable<Row>, T> expected, Func<IRavenQueryable<Row>, Task<T>> asked)
    {
        Expression<Func<Row, bool>>[] sets =
        [
            row => row.Name != "", row => row.Group == "a", row => row.Group == "null", row => row.Group == "none",
        ];
        foreach (Expression<Func<Row, bool>> set in sets)
        {
            using IAsyncDocumentSession session = _store.OpenAsyncSession();
            (T? Value, Type? Error) wanted = await TryAsync(() => Task.FromResult(expected(Rows.Where(set.Compile()))));
            IRavenQueryable<Row> query = session.Query<Row>().Customize(how => how.WaitForNonStaleResults()).Where(set);
            Assert.Equal(wanted, await TryAsync(() => asked(query)));
        }
    }

    private static async Task<(T? Value, Type? Error)> TryAsync<T>(Func<Task<T>> work)
    {
        try
        {
            return (await work(), null);
        }
        catch (Exception e) when (e is InvalidOperationException or ArgumentException)
        {
            return (default, e.GetType());
        }
    }

    private static string Text<TKey, TValue>(Dictionary<TKey, TValue> pairs)
        where TKey : notnull =>
        string.Join(' ', pairs.Select(pair => $"{pair.Key}={pair.Value}").Order(StringComparer.Ordinal));

    private static DocumentStore StoreOf(ClientFixture fixture)
    {
        DocumentStore store = fixture.NewStore();
        using IDocumentSession session = store.OpenSession();
        foreach (Row row in Rows)
        {
            session.Store(row, row.Id ??= $"rows/{row.Name}");
        }

        session.SaveChanges();
        return store;
    }

    private sealed class Row
    {
        public string? Id { get; set; }

        public string Name { get; set; } = "";

        public string Group { get; set; } = "";

        public DateTime Day { get; set; }

        public int I { get; set; }

        public int? IN { get; set; }

        public long L { get; set; }

        public long? LN { get; set; }

        public float F { get; set; }

        public float? FN { get; set; }

        public double D { get; set; }

        public double? DN { get; set; }

        public decimal M { get; set; }

        public decimal? MN { get; set; }
    }
}
