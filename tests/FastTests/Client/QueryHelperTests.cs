using FastTests.Support;
using Raven.Client.Documents;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;

namespace FastTests.Client;

/// <summary>What lambdas may ask of the server, groups over lists, and facets that a document describes.</summary>
public sealed class QueryHelperTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    [Fact]
    public async Task A_projection_can_read_other_documents()
    {
        using DocumentStore store = await StoreAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        var direct = await Orders(session).OrderBy(x => x.Id)
            .Select(x => new
            {
                x.Id, Company = (string?)RavenQuery.Load<Company>(x.CompanyId).Name, Lines = x.Lines.Count,
            })
            .ToListAsync();
        Assert.Equal(
            [("orders/1", "Tea Inc", 2), ("orders/2", "Tea Inc", 1), ("orders/3", null, 0)],
            direct.Select(x => (x.Id, x.Company, x.Lines)));
        var named = await (
            from order in Orders(session)
            let company = RavenQuery.Load<Company>(order.CompanyId)
            let size = order.Lines.Count
            where order.CompanyId != null
            orderby order.Id descending
            select new { Key = order.Id, company.Name, Owner = RavenQuery.Id(company), Twice = size * 2 })
            .ToListAsync();
        Assert.Equal(
            [("orders/2", "Tea Inc", "companies/1", 2), ("orders/1", "Tea Inc", "companies/1", 4)],
            named.Select(x => (x.Key, x.Name, x.Owner, x.Twice)));
        List<string> many = await Orders(session).Where(x => x.Id == "orders/1")
            .Select(x => RavenQuery.Load<Company>(new[] { x.CompanyId!, "companies/2" }).Select(it => it.Name)
                .FirstOrDefault()!)
            .ToListAsync();
        Assert.Equal(["Tea Inc"], many);
    }

    [Fact]
    public async Task A_projection_can_read_metadata_ids_counters_and_compare_exchange_values()
    {
        DateTime before = await Deadline.TimeBetweenAsync();
        using DocumentStore store = await StoreAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        var found = (await Orders(session).Where(x => RavenQuery.Id(x) == "orders/1").Select(x => new
        {
            Key = RavenQuery.Id(x),
            All = RavenQuery.Metadata(x),
            Of = RavenQuery.Metadata(x)["@collection"],
            At = RavenQuery.LastModified(x),
            Likes = RavenQuery.Counter("likes"),
            Same = RavenQuery.Counter(x, "likes"),
            None = RavenQuery.Counter("none"),
            Rate = RavenQuery.CmpXchg<double>("rate"),
            Raw = RavenQuery.Raw<int>("x.Lines.length * 10"),
            First = RavenQuery.Raw(x.CompanyId, "substring(0, 3)"),
        }).ToListAsync()).Single();
        Assert.Equal("orders/1", found.Key);
        Assert.Equal("Orders", found.All.GetString("@collection"));
        Assert.Equal("Orders", found.Of?.ToString());
        Assert.InRange(found.At, before, await Deadline.TimeBetweenAsync());
        Assert.Equal((7, 7, null), (found.Likes, found.Same, found.None));
        Assert.Equal((0.5, 20, "com"), (found.Rate, found.Raw, found.First));
    }

    [Fact]
    public async Task A_condition_can_compare_metadata_and_compare_exchange_values()
    {
        using DocumentStore store = await StoreAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        IRavenQueryable<Order> query = Orders(session).Where(x => x.CompanyId == RavenQuery.CmpXchg<string>("best"));
        Assert.Equal("from 'Orders' where CompanyId = cmpxchg($p0)", query.ToString());
        Assert.Equal(2, await query.CountAsync());
        Assert.Equal(2, await Orders(session)
            .Where(x => RavenQuery.CmpXchg<string>("best") == x.CompanyId).CountAsync());
        Assert.Equal(
            1, await Orders(session).Where(x => RavenQuery.Metadata(x).GetString("Color") == "red").CountAsync());
        Assert.Equal(
            ["orders/2"],
            (await Orders(session).Where(x => (string?)RavenQuery.Metadata(x)["Color"] == "blue").ToListAsync())
                .Select(x => x.Id));
    }

    [Fact]
    public async Task A_query_can_group_by_the_items_of_a_list_and_by_the_whole_list()
    {
        using DocumentStore store = await StoreAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        var products = await Orders(session).GroupByArrayValues(x => x.Lines.Select(line => line.Product))
            .Select(all => new { Product = all.Key, Count = all.Count() }).ToListAsync();
        Assert.Equal(["rice 1", "tea 2"], products.Select(x => $"{x.Product} {x.Count}").Order(StringComparer.Ordinal));
        var tags = await session.Query<User>().Customize(how => how.WaitForNonStaleResults())
            .GroupByArrayValues(x => x.Tags)
            .Select(all => new { Tag = all.Key, Count = all.Count(), Age = all.Sum(x => x.Age) }).ToListAsync();
        Assert.Equal(
            ["a 2 30", "b 1 10"],
            tags.Select(x => $"{x.Tag} {x.Count} {x.Age}").Order(StringComparer.Ordinal));
        var whole = await session.Query<User>().Customize(how => how.WaitForNonStaleResults())
            .GroupByArrayContent(x => x.Tags).Select(all => new { Tags = all.Key, Count = all.Count() }).ToListAsync();
        Assert.Equal(
            ["a 1", "ab 1"],
            whole.Where(x => x.Tags.Any()).Select(x => $"{string.Concat(x.Tags)} {x.Count}")
                .Order(StringComparer.Ordinal));
        NotSupportedException refused = await Assert.ThrowsAsync<NotSupportedException>(
            () => session.Query<User>().GroupByArrayValues(x => x.Tags).ToListAsync());
        Assert.Contains("GroupBy", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_LINQ_query_can_take_its_facets_from_a_document()
    {
        using DocumentStore store = await StoreAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Dictionary<string, FacetResult> facets = await session.Query<User>()
            .Customize(how => how.WaitForNonStaleResults()).Where(x => x.Age > 0)
            .AggregateUsing("setups/1").ExecuteAsync();
        Assert.Equal(["ann 1", "bob 1"], facets["Name"].Values.Select(x => $"{x.Range} {x.Count}"));
        facets = await session.Advanced.AsyncDocumentQuery<User>().WaitForNonStaleResults()
            .WhereGreaterThan(x => x.Age, 15).AggregateUsing("setups/1").ExecuteAsync();
        Assert.Equal(["bob 1"], facets["Name"].Values.Select(x => $"{x.Range} {x.Count}"));
        using IDocumentSession blocking = store.OpenSession();
        facets = blocking.Advanced.DocumentQuery<User>().AggregateUsing("setups/1").Execute();
        Assert.Equal(2, facets["Name"].Values.Count);
        await Assert.ThrowsAnyAsync<RavenException>(
            () => session.Query<User>().AggregateUsing("setups/none").ExecuteAsync());
    }

    [Fact]
    public void Query_helper_methods_throw_outside_of_a_query()
    {
        var user = new User();
        Action[] calls =
        [
            () => RavenQuery.Load<User>("users/1"), () => RavenQuery.Load<User>(["users/1"]), () => RavenQuery.Id(user),
            () => RavenQuery.Metadata(user), () => RavenQuery.LastModified(user), () => RavenQuery.Counter("likes"),
            () => RavenQuery.Counter(user, "likes"), () => RavenQuery.CmpXchg<int>("rate"),
            () => RavenQuery.Raw<int>("1"), () => RavenQuery.Raw(user.Age, "toString()"),
        ];
        Assert.All(calls, call => Assert.Throws<NotSupportedException>(call));
    }

    private static IRavenQueryable<Order> Orders(IAsyncDocumentSession session) =>
        session.Query<Order>().Customize(how => how.WaitForNonStaleResults());

    private async Task<DocumentStore> StoreAsync()
    {
        DocumentStore store = fixture.NewStore();
        using IAsyncDocumentSession session = store.OpenAsyncSession(
            new SessionOptions { TransactionMode = TransactionMode.ClusterWide });
        session.Advanced.ClusterTransaction.CreateCompareExchangeValue("best", "companies/1");
        session.Advanced.ClusterTransaction.CreateCompareExchangeValue("rate", 0.5);
        await session.SaveChangesAsync();
        using IAsyncDocumentSession next = store.OpenAsyncSession();
        await next.StoreAsync(new Company { Name = "Tea Inc" }, "companies/1");
        await next.StoreAsync(new Company { Name = "Rice Ltd" }, "companies/2");
        await StoreOrderAsync(next, "orders/1", "companies/1", "red", ("tea", 1), ("rice", 2));
        await StoreOrderAsync(next, "orders/2", "companies/1", "blue", ("tea", 3));
        await StoreOrderAsync(next, "orders/3", null, null);
        await next.StoreAsync(new User { Name = "ann", Age = 10, Tags = ["a", "b"] }, "users/1");
        await next.StoreAsync(new User { Name = "bob", Age = 20, Tags = ["a"] }, "users/2");
        await next.StoreAsync(new Setup { Facets = [new SetupFacet { FieldName = "Name" }] }, "setups/1");
        next.CountersFor("orders/1").Increment("likes", 7);
        await next.SaveChangesAsync();
        return store;
    }

    private static async Task StoreOrderAsync(
        IAsyncDocumentSession session, string id, string? company, string? color, params (string, int)[] lines)
    {
        var order = new Order
        {
            CompanyId = company, Lines = [.. lines.Select(it => new Line { Product = it.Item1, Quantity = it.Item2 })],
        };
        await session.StoreAsync(order, id);
        if (color != null)
        {
            session.Advanced.GetMetadataFor(order)["Color"] = color;
        }
    }

    private sealed class Setup
    {
        public List<SetupFacet> Facets { get; set; } = [];
    }

    private sealed class SetupFacet
    {
        public string FieldName { get; set; } = "";
    }
}
