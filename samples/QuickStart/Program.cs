using Raven.Client.Documents;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Session;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;
using Raven.Server;

namespace Raven.Samples.QuickStart;

/// <summary>
/// Stores, loads, changes and finds documents. Without an argument it starts a server of its own, in memory; with one,
/// it talks to the server of that url: <c>dotnet run --project samples/QuickStart -- http://127.0.0.1:8080</c>.
/// </summary>
internal static class Program
{
    private static async Task Main(string[] arguments)
    {
        using ServerHost? own = arguments.Length > 0 ? null : EmbeddedServer.StartInMemory();
        using var store = new DocumentStore { Urls = [own?.Url ?? arguments[0]], Database = "quickstart" };
        store.Initialize();
        if (await store.Maintenance.Server.SendAsync(new GetDatabaseRecordOperation("quickstart")) is null)
        {
            await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new DatabaseRecord("quickstart")));
        }

        string id = await StoreAsync(store);
        await ChangeAsync(store, id);
        await FindAsync(store);
    }

    private static async Task<string> StoreAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        var supplier = new Supplier { Name = "Exotic Liquids" };
        await session.StoreAsync(supplier);
        var tea = new Product { Name = "Chai", Price = 18, SupplierId = supplier.Id };
        await session.StoreAsync(tea);
        await session.StoreAsync(new Product { Name = "Chang", Price = 19, SupplierId = supplier.Id });
        await session.SaveChangesAsync();
        Console.WriteLine($"Stored {tea.Id} and two others in one transaction.");
        return tea.Id!;
    }

    private static async Task ChangeAsync(DocumentStore store, string id)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Product? tea = await session.Include<Product>(product => product.SupplierId).LoadAsync(id);
        Supplier? supplier = await session.LoadAsync<Supplier>(tea!.SupplierId!);
        tea.Price += 0.5m;
        await session.SaveChangesAsync();
        Console.WriteLine(
            $"{tea.Name} of {supplier!.Name} costs {tea.Price} now: {session.Advanced.NumberOfRequests} requests.");
    }

    private static async Task FindAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        List<Product> found = await session.Query<Product>()
            .Where(product => product.Price > 18).OrderByDescending(product => product.Price).ToListAsync();
        Console.WriteLine($"Found {string.Join(", ", found.Select(product => product.Name))}.");
    }
}
