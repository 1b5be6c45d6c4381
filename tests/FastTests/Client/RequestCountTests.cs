using System.Globalization;
using Raven.Client.Documents;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;

namespace FastTests.Client;

/// <summary>How few requests a unit of work needs, and what happens if it makes too many.</summary>
public sealed class RequestCountTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    [Fact]
    public async Task Fifty_documents_and_their_included_documents_are_loaded_in_one_request()
    {
        using DocumentStore store = fixture.NewStore();
        await PutOrders(store, 50);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Dictionary<string, Order?> orders = await session.Include<Order>(order => order.CompanyId)
            .LoadAsync(Enumerable.Range(0, 50).Select(i => $"orders/{i}"));
        foreach (Order? order in orders.Values)
        {
            Company? company = await session.LoadAsync<Company>(order!.CompanyId!);
            Assert.Equal(order.CompanyId, "companies/" + company!.Name);
        }

        Assert.Equal(1, session.Advanced.NumberOfRequests);
    }

    [Fact]
    public async Task Loads_beyond_the_request_limit_of_a_session_are_refused_with_what_to_do_instead()
    {
        using DocumentStore store = fixture.NewStore();
        await PutOrders(store, 50);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        SessionRequestLimitException refused = await Assert.ThrowsAsync<SessionRequestLimitException>(async () =>
        {
            for (int i = 0; i < 50; i++)
            {
                await session.LoadAsync<Order>($"orders/{i}");
            }
        });
        Assert.Equal(30, session.Advanced.NumberOfRequests);
        Assert.Contains("30 x load of one document", refused.Message, StringComparison.Ordinal);
        Assert.Contains("N+1", refused.Message, StringComparison.Ordinal);
        Assert.Contains("LoadAsync(ids)", refused.Message, StringComparison.Ordinal);
        session.Advanced.MaxNumberOfRequestsPerSession = 31;
        Assert.NotNull(await session.LoadAsync<Order>("orders/31"));
    }

    [Fact]
    public async Task Includes_follow_lists_and_missing_documents_are_not_requested_again()
    {
        using DocumentStore store = fixture.NewStore();
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(new User { Name = "P" }, "products/1");
            await session.StoreAsync(
                new Order { Lines = [new() { Product = "products/1" }, new() { Product = "products/2" }] }, "orders/1");
            await session.SaveChangesAsync();
        }

        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            Order order = (await session.LoadAsync<Order>("orders/1", includes => includes
                .IncludeDocuments(it => it.Lines.Select(line => line.Product)).IncludeAllCounters()))!;
            Assert.True(session.Advanced.IsLoaded("products/1"));
            Assert.Equal("P", (await session.LoadAsync<User>(order.Lines[0].Product))!.Name);
            Assert.Null(await session.LoadAsync<User>(order.Lines[1].Product));
            Assert.Equal(1, session.Advanced.NumberOfRequests);
        }
    }

    [Fact]
    public async Task Lazy_operations_are_sent_in_one_request()
    {
        using DocumentStore store = fixture.NewStore();
        await PutOrders(store, 5);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Lazy<Task<Order?>> order = session.Advanced.Lazily.LoadAsync<Order>("orders/1");
        Lazy<Task<Dictionary<string, Company?>>> companies =
            session.Advanced.Lazily.LoadAsync<Company>(["companies/2", "companies/none"]);
        Lazy<Task<IReadOnlyList<Order>>> page = session.Advanced.Lazily.LoadStartingWithAsync<Order>("orders/");
        Assert.Equal(0, session.Advanced.NumberOfRequests);
        Assert.Equal("companies/1", (await order.Value)!.CompanyId);
        Assert.Equal("2", (await companies.Value)["companies/2"]!.Name);
        Assert.Null((await companies.Value)["companies/none"]);
        Assert.Equal(5, (await page.Value).Count);
        Assert.Same(await order.Value, (await page.Value)[1]);
        await session.Advanced.Eagerly.ExecuteAllPendingLazyOperationsAsync();
        Assert.Equal(1, session.Advanced.NumberOfRequests);
    }

    [Fact]
    public async Task More_ids_than_a_URL_can_hold_are_loaded_in_one_request()
    {
        using DocumentStore store = fixture.NewStore();
        await PutOrders(store, 200);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Dictionary<string, Order?> orders =
            await session.LoadAsync<Order>(Enumerable.Range(0, 300).Select(i => $"orders/{i}"));
        Assert.Equal(300, orders.Count);
        Assert.Equal(200, orders.Values.Count(order => order != null));
        Assert.Equal(1, session.Advanced.NumberOfRequests);
    }

    [Fact]
    public async Task Two_concurrent_requests_of_a_session_are_refused()
    {
        using var gate = new GateHandler();
        using DocumentStore store = fixture.NewStore(
            made => made.Conventions.CreateHttpMessageHandler = () => gate);
        await PutOrders(store, 2);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        var opened = new TaskCompletionSource();
        gate.Opened = opened.Task;
        Task<Order?> first = session.LoadAsync<Order>("orders/0");
        await Assert.ThrowsAsync<InvalidOperationException>(() => session.LoadAsync<Order>("orders/1"));
        opened.SetResult();
        Assert.NotNull(await first);
    }

    private static async Task PutOrders(DocumentStore store, int count)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        for (int i = 0; i < count; i++)
        {
            string number = i.ToString(CultureInfo.InvariantCulture);
            await session.StoreAsync(new Company { Name = number }, $"companies/{number}");
            await session.StoreAsync(new Order { CompanyId = $"companies/{number}" }, $"orders/{number}");
        }

        await session.SaveChangesAsync();
        Assert.Equal(1, session.Advanced.NumberOfRequests);
    }

    /// <summary>Lets requests through when its gate is open.</summary>
    private sealed class GateHandler : DelegatingHandler
    {
        internal GateHandler()
            : base(new SocketsHttpHandler())
        {
        }

        internal Task Opened { get; set; } = Task.CompletedTask;

        protected override async Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancellationToken)
        {
            await Opened;
            return await base.SendAsync(request, cancellationToken);
        }
    }
}
