using System.Globalization;
using System.IO.Compression;
using System.Text.Json.Nodes;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Session;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;
using Raven.Server;

namespace Raven.Samples.Northwind;

/// <summary>Loads the sample data of Northwind into a server of its own, in memory, and asks it questions.</summary>
internal static class Program
{
    private static async Task Main()
    {
        using ServerHost server = EmbeddedServer.StartInMemory();
        using var store = new DocumentStore { Urls = [server.Url], Database = "northwind" };
        store.Initialize();
        await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new DatabaseRecord("northwind")));
        await LoadAsync(store);
        await IndexCreation.CreateIndexesAsync(typeof(Program).Assembly, store);
        await AskAsync(store);
    }

    /// <summary>Inserts each line of the file as a document of its collection.</summary>
    private static async Task LoadAsync(DocumentStore store)
    {
        string path = Path.Combine(AppContext.BaseDirectory, "northwind.ndjson.gz");
        using var lines = new StreamReader(new GZipStream(File.OpenRead(path), CompressionMode.Decompress));
        await using BulkInsertOperation bulk = store.BulkInsert();
        for (int number = 1; await lines.ReadLineAsync() is { } line; number++)
        {
            JsonObject document = JsonNode.Parse(line)!.AsObject();
            string collection = (string)document["Collection"]!;
            string id = document.ContainsKey("orderID") ? $"orders/{document["orderID"]}" : $"{collection}/{number}";
            string name = char.ToUpperInvariant(collection[0]) + collection[1..];
            await bulk.StoreAsync(document, id, new MetadataDictionary { ["@collection"] = name });
        }
    }

    private static async Task AskAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        List<Order> french = await session.Query<Order>()
            .Where(order => order.ShipTo.Country == "France" && order.Freight > 100)
            .OrderByDescending(order => order.Freight).ToListAsync();
        Console.WriteLine($"{french.Count} dear deliveries to France, the dearest to {french[0].ShipTo.City}.");

        var large = await session.Query<Order>().Where(order => order.Lines.Any(line => line.Quantity >= 120))
            .Select(order => new { order.Customer, Items = order.Lines.Sum(line => line.Quantity) }).ToListAsync();
        int items = large.Sum(order => order.Items);
        Console.WriteLine($"{large.Count} orders have a line of 120 or more; {items} items in all.");

        List<Sales> sales = await session.Query<Sales, Orders_ByCountry>()
            .OrderByDescending(country => country.Total).Take(3).ToListAsync();
        foreach (Sales country in sales)
        {
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{country.Country}: {country.Orders} orders worth {country.Total:0}."));
        }

        Dictionary<string, FacetResult> facets = await session.Query<Order>()
            .AggregateBy(facet => facet.ByField(order => order.ShipTo.Country)
                .WithOptions(new FacetOptions { TermSortMode = FacetTermSortMode.CountDesc, PageSize = 3 }))
            .ExecuteAsync();
        Console.WriteLine("Most orders: " + string.Join(
            ", ", facets.Values.Single().Values.Select(value => $"{value.Range} ({value.Count})")) + ".");
    }
}
