using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using FastTests.Architecture;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Changes;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.Indexes;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Session;
using Raven.Client.Documents.Session.TimeSeries;
using Raven.Client.Documents.Smuggler;
using Raven.Client.Documents.Subscriptions;
using Raven.Client.Exceptions;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;
using Raven.Client.ServerWide.Operations.ApiKeys;
using Raven.Client.ServerWide.Operations.Certificates;
using Raven.Server;

namespace FastTests.Client;

/// <summary>
/// The examples of docs/client.md: each of its blocks is a piece of this file, so that it compiles, and is run here.
/// </summary>
public sealed class ClientDocTests(SecuredWebServer web) : IClassFixture<SecuredWebServer>
{
    [Fact]
    public void Every_code_block_of_the_client_page_is_run_by_a_test()
    {
        string code = DocBlocks.Squeeze(File.ReadAllText(
            Path.Combine(SourceTree.Root, "tests", "FastTests", "Client", "ClientDocTests.cs")));
        string[] blocks = DocBlocks.Of("docs/client.md", "csharp");
        Assert.True(blocks.Length >= 8, $"Only {blocks.Length} blocks were found.");
        Assert.All(blocks, block => Assert.Contains(DocBlocks.Squeeze(block), code, StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_examples_of_the_client_page_do_what_it_says()
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
        await QueriesAsync(store);
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

        IAsyncSessionDocumentTimeSeries weight = session.TimeSeriesFor("users/1", "Weight");
        weight.Append(new DateTime(2026, 1, 1, 7, 0, 0, DateTimeKind.Utc), 80.5, tag: "scales/1");
        weight.Append(new DateTime(2026, 1, 2, 7, 0, 0, DateTimeKind.Utc), 80.1);
        session.IncrementalTimeSeriesFor("users/1", "INC:Steps").Increment(40);     // at the server's time
        await session.SaveChangesAsync();
        TimeSeriesEntry[]? january = await weight.GetAsync(
            from: new DateTime(2026, 1, 1), to: new DateTime(2026, 1, 31), includes: it => it.IncludeTags());

        Assert.Equal([80.5, 80.1], january!.Select(entry => entry.Value));

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

    private static async Task QueriesAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(
            new User { Name = "Ann", Age = 20, Tags = ["friend"], Address = new() { City = "Rome" } }, "users/ann");
        await session.StoreAsync(new Order { Lines = [new Line { Product = "tea", Quantity = 2 }] }, "orders/tea");
        await session.SaveChangesAsync();

        List<User> found = await session.Query<User>()
            .Where(user => user.Age >= 18 && user.Tags.Contains("friend"))
            .OrderBy(user => user.Name).Take(10)
            .Statistics(out QueryStatistics statistics).ToListAsync();

        var towns = await session.Query<User>().GroupBy(user => user.Address!.City)
            .Select(town => new { City = town.Key, Count = town.Count() }).ToListAsync();

        bool isKnown = await session.Query<User>().AnyAsync(user => user.Name == "ann");
        int oldest = await session.Query<User>().MaxAsync(user => user.Age);
        double? average = await session.Query<User>()
            .Where(user => user.Name != "ann").AverageAsync(user => (int?)user.Age);

        Assert.True(isKnown && oldest >= 20 && average != 20);
        Assert.Equal(1, statistics.TotalResults);
        Assert.Equal("Ann", found.Single().Name);
        Assert.Equal(1, towns.Single(town => town.City == "Rome").Count);

        var named = await (
            from order in session.Query<Order>()
            let company = RavenQuery.Load<Company>(order.CompanyId)
            select new { order.Id, Company = company.Name, At = RavenQuery.LastModified(order) }).ToListAsync();

        var products = await session.Query<Order>()
            .GroupByArrayValues(order => order.Lines.Select(line => line.Product))
            .Select(product => new { Product = product.Key, Orders = product.Count() }).ToListAsync();

        Assert.Equal("theirs", named.Single(order => order.Id == "orders/1").Company);
        Assert.Equal("tea 1", products.Select(product => $"{product.Product} {product.Orders}").Single());

        IAsyncDocumentQuery<User> query = session.Advanced.AsyncDocumentQuery<User>()
            .WhereBetween(user => user.Age, 18, 30).AndAlso().OpenSubclause()
            .WhereStartsWith(user => user.Name, "A").OrElse().Search("Text", "red fox").CloseSubclause();
        List<User> young = await query.ToListAsync();

        List<User> byText = await session.Advanced.AsyncRawQuery<User>("from Users where Age > $age")
            .AddParameter("age", 18).ToListAsync();

        Assert.Equal([found[0]], young);
        Assert.Equal([found[0]], byText);
        int before = session.Advanced.NumberOfRequests;

        Lazy<Task<IEnumerable<User>>> adults = session.Query<User>().Where(user => user.Age >= 18).LazilyAsync();
        Lazy<Task<int>> all = session.Query<User>().CountLazilyAsync();
        Console.WriteLine($"{(await adults.Value).Count()} of {await all.Value}");   // one request

        Dictionary<string, FacetResult> facets = await session.Query<User>()
            .AggregateBy(facet => facet.ByField(user => user.Name).AverageOn(user => user.Age))
            .AndAggregateBy(facet => facet.ByRanges(user => user.Age < 18, user => user.Age >= 18))
            .ExecuteAsync();

        Assert.Equal((1, 102), ((await adults.Value).Count(), await all.Value));
        Assert.Equal(before + 2, session.Advanced.NumberOfRequests);
        Assert.Equal([101L, 1L], facets["Age"].Values.Select(value => value.Count));
        await IndexesAsync(store, session);
        await NearestAsync(session);
    }

    private static async Task NearestAsync(IAsyncDocumentSession session)
    {
        await session.StoreAsync(new Note { Embedding = [1, 0, 0] });
        await session.StoreAsync(new Note { Embedding = [0, 1, 0] });
        await session.SaveChangesAsync();
        List<Note> near = await session.Query<Note>()
            .VectorSearch(
                field => field.WithEmbedding(note => note.Embedding), value => value.ByEmbedding([1f, 0, 0.2f]),
                minimumSimilarity: 0.7f)
            .Take(10).ToListAsync();   // the nearest first

        Assert.Equal([1, 0, 0], Assert.Single(near).Embedding);
    }

    private static async Task IndexesAsync(DocumentStore store, IAsyncDocumentSession session)
    {
        await new Orders_ByProduct().ExecuteAsync(store);
        List<ProductTotal> totals = await session.Query<ProductTotal, Orders_ByProduct>()
            .OrderByDescending(total => total.Quantity).ToListAsync();

        Assert.Equal("tea 2", $"{totals.Single().Product} {totals.Single().Quantity}");

        Operation patch = await store.Operations.SendAsync(
            new PatchByQueryOperation("from Users where Age < 18 update { this.IsMinor = true; }"));
        await patch.WaitForCompletionAsync(TimeSpan.FromMinutes(1));

        IndexStats[] stats = (await store.Maintenance.SendAsync(new GetIndexesStatisticsOperation()))!;

        Assert.Contains(stats, index => index.Name == "Orders/ByProduct");
        string folder = Directory.CreateTempSubdirectory("client-page").FullName;
        string file = Path.Combine(folder, "shop.ravendbdump");
        await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new DatabaseRecord("copy")));

        await store.Smuggler.ExportAsync(new DatabaseSmugglerExportOptions(), file);
        Operation import = await store.Smuggler.ForDatabase("copy").ImportAsync(
            new DatabaseSmugglerImportOptions { TransformScript = "if (this.IsMinor) throw 'skip';" }, file);
        JsonElement result = (await import.WaitForCompletionAsync())!.Value;

        Assert.True(result.GetProperty("Documents").GetProperty("ReadCount").GetInt32() > 0);
        Directory.Delete(folder, recursive: true);
        session.Delete("users/ann");
        await session.SaveChangesAsync();
    }

    [Fact]
    public async Task The_subscription_of_the_client_page_sends_what_it_says()
    {
        using ServerHost server = EmbeddedServer.StartInMemory();
        using var store = new DocumentStore { Urls = [server.Url], Database = "shop" };
        store.Initialize();
        await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new DatabaseRecord("shop")));
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(new Company { Name = "Exotic Liquids" }, "companies/1");
            await session.StoreAsync(new Order { CompanyId = "companies/1" }, "orders/1");
            await session.StoreAsync(new Order(), "orders/2");
            await session.SaveChangesAsync();
        }

        List<string> written = [];

        string mail = await store.Subscriptions.CreateAsync(new SubscriptionCreationOptions
        {
            Query = "from Orders as o where o.CompanyId != null include o.CompanyId",
        });
        await using SubscriptionWorker<Order> worker = store.Subscriptions.GetSubscriptionWorker<Order>(
            new SubscriptionWorkerOptions(mail) { MaxDocsPerBatch = 100, CloseWhenNoDocsLeft = true });
        await foreach (SubscriptionBatch<Order> batch in worker.RunAsync())
        {
            using IAsyncDocumentSession session = batch.OpenAsyncSession();
            foreach (SubscriptionItem<Order> item in batch.Items)
            {
                // It was sent along: no request.
                Company? company = await session.LoadAsync<Company>(item.Result.CompanyId!);
                written.Add($"{item.Id}: {company!.Name}");
            }

            await session.SaveChangesAsync();
        }

        Assert.Equal(["orders/1: Exotic Liquids"], written);
    }

    [Fact]
    public async Task The_security_examples_of_the_client_page_show_who_the_application_is()
    {
        string folder = Directory.CreateTempSubdirectory("raven-client-page-").FullName;
        try
        {
            await ShowIdentityAsync(folder);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private async Task ShowIdentityAsync(string folder)
    {
        (string url, string password) = (web.StrictUrl, "a password");
        string pfxFile = Path.Combine(folder, "admin.pfx");
        string authorityFile = Path.Combine(folder, "server.crt");
        string zipFile = Path.Combine(folder, "web.zip");
        await File.WriteAllBytesAsync(pfxFile, web.Certificate.Export(X509ContentType.Pkcs12, password));
        await File.WriteAllTextAsync(authorityFile, web.Authorities[0].ExportCertificatePem());
        web.Answer("POST /admin/certificates", "zip");
        web.Answer("POST /admin/api-keys", """{"Id":"a","Key":"rvk_a"}""", 201);

        using var store = new DocumentStore
        {
            Urls = [url],
            Database = "shop",
            Certificate = X509CertificateLoader.LoadPkcs12FromFile(pfxFile, password),
            CertificateAuthorities = [X509CertificateLoader.LoadCertificateFromFile(authorityFile)],
        };
        store.Initialize();

        Dictionary<string, DatabaseAccess> rights = new() { ["shop"] = DatabaseAccess.ReadWrite };
        CertificateRawData? files = await store.Maintenance.Server.SendAsync(
            new CreateClientCertificateOperation("web", rights, SecurityClearance.ValidUser, password));
        await File.WriteAllBytesAsync(zipFile, files!.RawData);   // web.pfx, web.pem and others

        ApiKeyResult? key = await store.Maintenance.Server.SendAsync(new CreateApiKeyOperation(new ApiKeyDefinition
        {
            Name = "nightly report",
            Permissions = new() { ["shop"] = DatabaseAccess.Read },
            ExpiresAt = new DateTime(2030, 1, 1, 0, 0, 0, DateTimeKind.Utc),   // null: never
        }));

        Assert.Equal("zip", await File.ReadAllTextAsync(zipFile));
        Assert.Equal("rvk_a", key!.Key);
    }

    [Fact]
    public async Task The_embedded_server_of_the_client_page_speaks_https()
    {
        using var certificates = new EmbeddedCertificates();
        using ServerHost server = EmbeddedServer.StartInMemory(certificates.Security);
        using var store = new DocumentStore
        {
            Urls = [server.Url],
            Certificate = certificates.Admin,
            CertificateAuthorities = certificates.Authorities,
        };
        store.Initialize();

        Assert.NotNull(await store.Maintenance.Server.SendAsync(new GetBuildNumberOperation()));
    }

    [Fact]
    public void The_naming_example_of_the_client_page_stores_the_names_of_the_serializer()
    {
        using var store = new DocumentStore { Urls = ["http://127.0.0.1:1"], Database = "shop" };

        store.Conventions.CustomizeSerializer = options => options.PropertyNamingPolicy = JsonNamingPolicy.CamelCase;

        store.Initialize();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Assert.Equal(
            "from 'Users' where address.city = $p0",
            session.Query<User>().Where(user => user.Address!.City == "Rome").ToString());
    }

    private sealed class ProductTotal
    {
        public string Product { get; set; } = "";

        public int Quantity { get; set; }
    }

    private sealed class Orders_ByProduct : AbstractIndexCreationTask<Order, ProductTotal>
    {
        public Orders_ByProduct()
        {
            Map = orders => from order in orders
                            from line in order.Lines
                            select new ProductTotal { Product = line.Product, Quantity = line.Quantity };
            Reduce = results => from result in results
                                group result by result.Product into product
                                select new ProductTotal
                                {
                                    Product = product.Key,
                                    Quantity = product.Sum(total => total.Quantity),
                                };
        }
    }

    private sealed class Printer : IObserver<DocumentChange>
    {
        public void OnCompleted() => Console.WriteLine("The store was disposed.");

        public void OnError(Exception error) => Console.WriteLine(error.Message);

        public void OnNext(DocumentChange value) => Console.WriteLine($"{value.Type} {value.Id}");
    }

    private sealed class Note
    {
        public float[] Embedding { get; set; } = [];
    }
}
