using System.Text.RegularExpressions;
using FastTests.Architecture;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Changes;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;
using Raven.Server;

namespace FastTests.Client;

/// <summary>
/// The examples of docs/client.md: each of its blocks is a piece of this file, so that it compiles, and is run here.
/// </summary>
public sealed partial class ClientDocTests
{
    [Fact]
    public void Every_block_of_the_page_is_run_here()
    {
        string page = File.ReadAllText(Path.Combine(SourceTree.Root, "docs", "client.md"));
        string code = Squeeze(File.ReadAllText(
            Path.Combine(SourceTree.Root, "tests", "FastTests", "Client", "ClientDocTests.cs")));
        string[] blocks = [.. Block().Matches(page).Select(match => match.Groups[1].Value)];
        Assert.True(blocks.Length >= 8, $"Only {blocks.Length} blocks were found.");
        Assert.All(blocks, block => Assert.Contains(Squeeze(block), code, StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_examples_do_what_the_page_says()
    {
        using ServerHost server = EmbeddedServer.StartInMemory();
        string url = server.Url;

        using var store = new DocumentStore { Urls = [url], Database = "shop" };
        store.Initialize();
        await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new DatabaseRecord("shop")));

        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            var company = new Company { Name = "Exotic Liquids" };
            await session.StoreAsync(company);                  // gets its id: companies/1-A
            await session.StoreAsync(new Order { CompanyId = company.Id }, "orders/1");
            await session.SaveChangesAsync();                   // both, or none
        }

        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            Order? order = await session.Include<Order>(it => it.CompanyId).LoadAsync("orders/1");
            Company? company = await session.LoadAsync<Company>(order!.CompanyId!);   // no second request
            company!.Name = "Exotic Liquids Ltd";
            await session.SaveChangesAsync();                   // sends what changed

            Assert.Equal(2, session.Advanced.NumberOfRequests);
        }

        await ConflictAsync(store);
        await OthersAsync(store);
        CollectionStatistics? counts = await store.Maintenance.SendAsync(new GetCollectionStatisticsOperation());
        Assert.Equal(101, counts!.Collections["Users"]);
    }

    private static async Task ConflictAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Company company = (await session.LoadAsync<Company>("companies/1-A"))!;
        using (IAsyncDocumentSession other = store.OpenAsyncSession())
        {
            (await other.LoadAsync<Company>("companies/1-A"))!.Name = "theirs";
            await other.SaveChangesAsync();
        }

        company.Name = "mine";
        try
        {
            await session.SaveChangesAsync();
        }
        catch (ConcurrencyException conflict)
        {
            Console.WriteLine($"{conflict.Id} was changed by somebody else.");
            await session.Advanced.RefreshAsync(company);
        }

        Assert.Equal("theirs", company.Name);
    }

    private static async Task OthersAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();

        Lazy<Task<Order?>> order = session.Advanced.Lazily.LoadAsync<Order>("orders/1");
        Lazy<Task<Company?>> company = session.Advanced.Lazily.LoadAsync<Company>("companies/1-A");
        await session.Advanced.Eagerly.ExecuteAllPendingLazyOperationsAsync();   // one request for both

        Assert.NotNull(await order.Value);
        Assert.NotNull(await company.Value);

        session.Advanced.AddOrIncrement("users/1", new User { Name = "new" }, user => user.Age, 1);
        session.CountersFor("orders/1").Increment("views");
        session.Advanced.Attachments.Store("orders/1", "note.txt", new MemoryStream("hello"u8.ToArray()), "text/plain");
        await session.SaveChangesAsync();

        IDatabaseChanges changes = await store.Changes().EnsureConnectedNow();
        IChangesObservable<DocumentChange> orders = changes.ForDocumentsStartingWith("orders/");
        using IDisposable subscription = orders.Subscribe(new Printer());
        await orders.EnsureSubscribedNow();

        await using (BulkInsertOperation bulk = store.BulkInsert())
        {
            for (int i = 0; i < 100; i++)
            {
                await bulk.StoreAsync(new User { Name = $"user {i}" });
            }
        }

        await foreach (StreamResult<User> user in session.Advanced.StreamAsync<User>("users/"))
        {
            Console.WriteLine(user.Document.Name);
        }
    }

    private static string Squeeze(string text) => Spaces().Replace(text, " ").Trim();

    [GeneratedRegex("```csharp\\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex Block();

    [GeneratedRegex("\\s+")]
    private static partial Regex Spaces();

    private sealed class Printer : IObserver<DocumentChange>
    {
        public void OnCompleted() => Console.WriteLine("The store was disposed.");

        public void OnError(Exception error) => Console.WriteLine(error.Message);

        public void OnNext(DocumentChange value) => Console.WriteLine($"{value.Type} {value.Id}");
    }
}
