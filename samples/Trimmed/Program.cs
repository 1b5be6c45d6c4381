using System.Text.Json.Nodes;
using Raven.Client.Documents;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.Indexes;
using Raven.Client.Documents.Session;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;

namespace Raven.Samples.Trimmed;

/// <summary>
/// Stores, loads, queries and deletes a document in a program that is published without the code that it does not use:
/// <c>dotnet publish samples/Trimmed -c Release -r linux-x64 --self-contained</c>. The argument is the url of a server.
/// </summary>
internal static class Program
{
    private static async Task Main(string[] arguments)
    {
        using var store = new DocumentStore { Urls = [arguments[0]], Database = "trimmed" };
        store.Initialize();
        if (await store.Maintenance.Server.SendAsync(new GetDatabaseRecordOperation("trimmed")) is null)
        {
            await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new DatabaseRecord("trimmed")));
        }

        await IndexCreation.CreateIndexesAsync([new Customers_ByCity()], store);
        string id = await StoreAsync(store);
        await LoadAsync(store, id);
        await FindAsync(store);
        await DeleteAsync(store, id);
    }

    private static async Task<string> StoreAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        var customer = new Customer { Name = "Vins et alcools", Address = { City = "Reims" }, Tags = { "wine" } };
        await session.StoreAsync(customer);
        await session.SaveChangesAsync();
        Console.WriteLine($"Stored {customer.Id}.");
        return customer.Id!;
    }

    private static async Task LoadAsync(DocumentStore store, string id)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Customer? customer = await session.LoadAsync<Customer>(id);
        Console.WriteLine($"Loaded {customer!.Name} of {customer.Address.City}: {string.Join(", ", customer.Tags)}.");
        customer.Tags.Add("old");
        await session.SaveChangesAsync();
    }

    private static async Task FindAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        string[] cities = ["Reims", "Lille"];
        List<string> names = await session.Query<Customer>()
            .Customize(query => query.WaitForNonStaleResults())
            .Where(customer => customer.Tags.Contains("old") && customer.Address.City.In(cities))
            .OrderBy(customer => customer.Name).Select(customer => customer.Name).ToListAsync();
        List<JsonObject> french = await session.Advanced
            .AsyncRawQuery<JsonObject>("from Customers where Address.Country = 'France'")
            .WaitForNonStaleResults().ToListAsync();
        int indexed = await session.Advanced.AsyncDocumentQuery<Customer, Customers_ByCity>()
            .WaitForNonStaleResults().WhereEquals("City", "Reims").CountAsync();
        Console.WriteLine($"Found {string.Join(", ", names)}: {french.Count} in France, {indexed} in the index.");
    }

    private static async Task DeleteAsync(DocumentStore store, string id)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        session.Delete(id);
        await session.SaveChangesAsync();
        DatabaseStatistics? left = await store.Maintenance.SendAsync(new GetStatisticsOperation());
        IndexDefinition? index = await store.Maintenance.SendAsync(new GetIndexOperation("Customers/ByCity"));
        Console.WriteLine($"Deleted it: {left!.CountOfDocuments} document is left, which counts ids, and an index with "
            + $"{index!.Maps.Count} map.");
    }
}
