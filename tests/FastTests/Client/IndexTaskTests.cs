using Raven.Client.Documents;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.CompareExchange;
using Raven.Client.Documents.Operations.Indexes;
using Raven.Client.Documents.Queries.Spatial;
using Raven.Client.Documents.Queries.Vector;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions.Documents.Indexes;

namespace FastTests.Client;

/// <summary>Indexes as classes: the text that lambdas become, and what the real server makes of it.</summary>
public sealed class IndexTaskTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    [Fact]
    public void Lambdas_of_an_index_class_become_the_text_that_the_server_compiles()
    {
        Assert.Equal(
            "docs.Orders.Select(order => new { CompanyId = order.CompanyId, Id = Id(order), "
            + "Count = order.Lines.Count, Total = order.Lines.Sum(line => (line.Quantity * 2)) })",
            MapOf(new Orders_Text()));
        Assert.Equal(
            "docs.Users.Where(user => ((user.Age >= 18) && (user.Name != \"it's \\\"x\\\"\"))).SelectMany("
            + "user => user.Tags, (user, tag) => new { Tag = tag.ToLower(), Name = (user.Name ?? \"none\"), "
            + "City = ((user.Address == null) ? \"\" : user.Address.City) })",
            MapOf(new Users_Text()));
        Assert.Equal(
            "docs[\"Odd-Name\"].Select(it => new { Kind = it.Kind, IsBig = (it.Kind == \"Big\"), "
            + "At = (it.At ?? DateTime.Parse(\"2020-01-02T00:00:00.0000000\")), Has = (it.At != null), "
            + "Half = (((double)it.Size) / 2.0), Known = new[] { \"a\", \"b\" }.Contains(it.Name), "
            + "Sum = (((decimal)it.Size) + 0.5m) })",
            MapOf(new Odd_Text { Conventions = new() { FindCollectionName = _ => "Odd-Name" } }));
        IndexDefinition reduced = new Orders_ByProduct().CreateIndexDefinition();
        Assert.Equal("Orders/ByProduct", reduced.Name);
        Assert.Equal(
            "results.GroupBy(result => result.Product).Select(g => new { Product = g.Key, "
            + "Quantity = g.Sum(x => x.Quantity) })",
            reduced.Reduce);
        Assert.Equal("ProductTotals", reduced.OutputReduceToCollection);
    }

    [Fact]
    public void Options_of_an_index_class_and_its_fields_are_in_the_index_definition()
    {
        IndexDefinition definition = new Users_Options().CreateIndexDefinition();
        Assert.Equal(FieldIndexing.Search, definition.Fields["Name"].Indexing);
        Assert.Equal("StandardAnalyzer", definition.Fields["Name"].Analyzer);
        Assert.Equal(FieldStorage.Yes, definition.Fields["Name"].Storage);
        Assert.Equal(FieldTermVector.WithPositions, definition.Fields["Name"].TermVector);
        Assert.True(definition.Fields["Name"].Suggestions);
        Assert.Equal(SpatialUnits.Miles, definition.Fields["Place"].Spatial!.Units);
        VectorOptions vectors = definition.Fields["Embedding"].Vector!;
        Assert.Equal((3, 8), (vectors.Dimensions, vectors.NumberOfEdges));
        Assert.Equal(VectorEmbeddingType.Int8, definition.Fields["Tags"].Vector!.DestinationEmbeddingType);
        Assert.Equal(FieldStorage.Yes, definition.Fields[IndexDefinition.AllFields].Storage);
        Assert.Equal(FieldIndexing.Exact, definition.Fields["Other"].Indexing);
        Assert.Equal("KeywordAnalyzer", definition.Fields["Other"].Analyzer);
        Assert.Equal((IndexPriority.High, IndexLockMode.LockedIgnore), (definition.Priority, definition.LockMode));
        Assert.Equal("1", definition.Configuration["Some"]);
        Assert.Equal("source", definition.AdditionalSources["name"]);
        Assert.Equal("daily/{Name}", definition.PatternForOutputReduceToCollectionReferences);
        Assert.Equal("References", definition.PatternReferencesCollectionName);
    }

    [Fact]
    public void An_expression_that_no_index_supports_is_refused_with_its_text()
    {
        Refuse<NotSupportedException>("UtcNow", new Users_Now());
        Refuse<NotSupportedException>("List`1", new Users_List());
        Refuse<InvalidOperationException>("has no map", new Users_NoMap());
        Assert.Throws<InvalidOperationException>(Users_Now.LoadHere);

        static void Refuse<T>(string names, AbstractIndexCreationTask index) where T : Exception
        {
            T refused = Assert.Throws<T>(() => index.CreateIndexDefinition());
            Assert.Contains(names, refused.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_map_of_an_index_class_reads_compare_exchange_values_and_follows_their_changes()
    {
        Assert.Equal(
            "docs.Users.Select(user => new { Rank = LoadCompareExchangeValue(user.Name) })", MapOf(new Users_Ranks()));
        using DocumentStore store = fixture.NewStore();
        await IndexCreation.CreateIndexesAsync([new Users_Ranks()], store);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new User { Name = "ann" }, "users/1");
        await session.SaveChangesAsync();
        long index = 0;
        foreach (int rank in (int[])[7, 8])
        {
            CompareExchangeResult<int>? set = await store.Operations.SendAsync(
                new PutCompareExchangeValueOperation<int>("ann", rank, index));
            index = set!.Index;
            Assert.Equal(1, await session.Query<Users_Ranks.Entry, Users_Ranks>()
                .Customize(how => how.WaitForNonStaleResults()).Where(it => it.Rank == rank).CountAsync());
        }
    }

    [Fact]
    public async Task The_server_answers_queries_by_index_classes()
    {
        using DocumentStore store = fixture.NewStore();
        await IndexCreation.CreateIndexesAsync(
            [
                new Orders_ByProduct(), new Orders_Companies(), new Names_All(), new Animals_All(), new Users_Tags(),
                new Orders_Script(),
            ], store);
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(new Company { Name = "ACME" }, "companies/1");
            await session.StoreAsync(OrderOf("companies/1", ("tea", 2), ("cup", 1)), "orders/1");
            await session.StoreAsync(OrderOf("companies/2", ("tea", 5)), "orders/2");
            await session.StoreAsync(new User { Name = "ann", Age = 20, Tags = ["A", "b"] }, "users/1");
            await session.StoreAsync(new Dog { Name = "rex" }, "dogs/1");
            await session.StoreAsync(new Animal { Name = "cat" }, "animals/1");
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession query = store.OpenAsyncSession();
        List<ProductTotal> totals = await query.Query<ProductTotal, Orders_ByProduct>()
            .Customize(how => how.WaitForNonStaleResults()).OrderBy(it => it.Product).ToListAsync();
        Assert.Equal(["cup 1", "tea 7"], totals.Select(it => $"{it.Product} {it.Quantity}"));
        Assert.Equal("orders/1", (await query.Query<Orders_Companies.Entry, Orders_Companies>()
            .Where(it => it.CompanyName == "ACME").As<Order>().SingleAsync()).Id);
        List<object> named = await query.Query<Orders_Companies.Entry>(new Names_All().IndexName)
            .Customize(how => how.WaitForNonStaleResults().NoTracking()).OfType<object>().ToListAsync();
        Assert.Equal(2, named.Count);
        Assert.Equal(2, await query.Query<Animal, Animals_All>().Customize(how => how.WaitForNonStaleResults())
            .CountAsync());
        Assert.Equal("users/1", (await query.Query<Users_Tags.Entry, Users_Tags>()
            .Where(it => it.Tag == "a" && it.Double == 40).As<User>().SingleAsync()).Id);
        Assert.Equal(2, await query.Query<Order, Orders_Script>().CountAsync());
        string[] output = (await store.Maintenance.SendAsync(new GetCollectionStatisticsOperation()))!
            .Collections.Keys.Where(it => it == "ProductTotals").ToArray();
        Assert.Single(output);
        Assert.All(
            (await store.Maintenance.SendAsync(new GetIndexErrorsOperation()))!, index => Assert.Empty(index.Errors));
    }

    [Fact]
    public async Task All_index_classes_of_an_assembly_are_created_and_refused_ones_are_reported()
    {
        using DocumentStore store = fixture.NewStore();
        IndexCompilationException wrong = await Assert.ThrowsAsync<IndexCompilationException>(
            () => new Broken().ExecuteAsync(store));
        Assert.Contains("line 1", wrong.Message, StringComparison.Ordinal);
        new Orders_Companies().Execute(store);
        IndexCreation.CreateIndexes([new Names_All()], store);
        await ExpectAsync(store, "Names/All", "Orders/Companies");
        using DocumentStore blocking = fixture.NewStore();
        using DocumentStore awaited = fixture.NewStore();
        var assembly = new SomeTypes(
            typeof(User), typeof(AbstractIndexCreationTask), typeof(AbstractIndexCreationTask<>), typeof(Names_All),
            typeof(Orders_Companies));
        IndexCreation.CreateIndexes(assembly, blocking);
        await IndexCreation.CreateIndexesAsync(assembly, awaited);
        await ExpectAsync(blocking, "Names/All", "Orders/Companies");
        await ExpectAsync(awaited, "Names/All", "Orders/Companies");

        static async Task ExpectAsync(DocumentStore store, params string[] names) => Assert.Equal(
            names, (await store.Maintenance.SendAsync(new GetIndexNamesOperation(0, 10)))!.Order());
    }

    private static Order OrderOf(string company, params (string Product, int Quantity)[] lines) => new()
    {
        CompanyId = company,
        Lines = [.. lines.Select(line => new Line { Product = line.Product, Quantity = line.Quantity })],
    };

    private static string MapOf(AbstractIndexCreationTask index) =>
        Assert.Single(index.CreateIndexDefinition().Maps);

    private sealed class Orders_Text : AbstractIndexCreationTask<Order>
    {
        public Orders_Text()
        {
            int factor = 2;
            Map = orders => from order in orders
                            select new
                            {
                                order.CompanyId,
                                order.Id,
                                order.Lines.Count,
                                Total = order.Lines.Sum(line => line.Quantity * factor),
                            };
        }
    }

    private sealed class Users_Text : AbstractIndexCreationTask<User>
    {
        public Users_Text() => Map = users =>
            from user in users
            where user.Age >= 18 && user.Name != "it's \"x\""
            from tag in user.Tags
            select new
            {
                Tag = tag.ToLower(),
                Name = user.Name ?? "none",
                City = user.Address == null ? "" : user.Address.City,
            };
    }

    private enum Kind
    {
        Small,
        Big,
    }

    private sealed class Odd
    {
        public Kind Kind { get; set; }

        public DateTime? At { get; set; }

        public int Size { get; set; }

        public string Name { get; set; } = "";
    }

    private sealed class Odd_Text : AbstractIndexCreationTask<Odd>
    {
        public Odd_Text()
        {
            string[] known = ["a", "b"];
            Map = all => all.Select(it => new
            {
                it.Kind,
                IsBig = it.Kind == Kind.Big,
                At = it.At ?? new DateTime(2020, 1, 2),
                Has = it.At.HasValue,
                Half = it.Size / 2.0,
                Known = Enumerable.Contains(known, it.Name),
                Sum = it.Size + 0.5m,
            });
        }
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
                                group result by result.Product into g
                                select new ProductTotal { Product = g.Key, Quantity = g.Sum(x => x.Quantity) };
            OutputReduceToCollection = "ProductTotals";
        }
    }

    private sealed class Users_Ranks : AbstractIndexCreationTask<User>
    {
        public Users_Ranks() => Map = users =>
            from user in users
            select new { Rank = LoadCompareExchangeValue<int>(user.Name) };

        internal sealed class Entry
        {
            public int Rank { get; set; }
        }
    }

    private sealed class Orders_Companies : AbstractIndexCreationTask<Order>
    {
        public Orders_Companies() => Map = orders =>
            from order in orders
            let company = LoadDocument<Company>(order.CompanyId)
            select new
            {
                CompanyName = company.Name,
                Company = company.Id,
                Collection = MetadataFor(order)["@collection"],
                _ = CreateField("Dynamic_" + order.CompanyId, true),
            };

        internal sealed class Entry
        {
            public string CompanyName { get; set; } = "";
        }
    }

    private sealed class Users_Tags : AbstractIndexCreationTask<User>
    {
        public Users_Tags() => Map = users =>
            from user in users
            let twice = user.Age * 2
            from tag in user.Tags
            select new { Tag = tag.ToLower(), Double = twice, user.Name };

        internal sealed class Entry
        {
            public string Tag { get; set; } = "";

            public int Double { get; set; }
        }
    }

    private sealed class Names_All : AbstractMultiMapIndexCreationTask
    {
        public Names_All()
        {
            AddMap<User>(users => users.Select(user => new { user.Name }));
            AddMap<Company>(companies => from company in companies select new { company.Name });
        }
    }

    private sealed class Animals_All : AbstractMultiMapIndexCreationTask<Animal>
    {
        public Animals_All() => AddMapForAll<Animal>(animals => from animal in animals select new { animal.Name });
    }

    private sealed class Orders_Script : AbstractJavaScriptIndexCreationTask
    {
        public Orders_Script()
        {
            Maps = ["map('Orders', order => ({ Products: names(order.Lines) }))"];
            AdditionalSources["names"] = "function names(lines) { return lines.map(line => line.Product); }";
            Fields["Products"] = new IndexFieldOptions { Storage = FieldStorage.Yes };
        }
    }

    private sealed class Users_Options : AbstractIndexCreationTask<User>
    {
        public Users_Options()
        {
            Map = users => from user in users select new { user.Name };
            Index(user => user.Name, FieldIndexing.Search);
            Index("Other", FieldIndexing.Exact);
            Analyze(user => user.Name, "StandardAnalyzer");
            Analyze("Other", "KeywordAnalyzer");
            Store(user => user.Name, FieldStorage.Yes);
            StoreAllFields(FieldStorage.Yes);
            TermVector(user => user.Name, FieldTermVector.WithPositions);
            Suggestion(user => user.Name);
            Spatial("Place", new SpatialOptions { Units = SpatialUnits.Miles });
            Spatial(user => user.Address, new SpatialOptions());
            Vector("Embedding", new VectorOptions { Dimensions = 3, NumberOfEdges = 8 });
            Vector(user => user.Tags, new VectorOptions { DestinationEmbeddingType = VectorEmbeddingType.Int8 });
            Priority = IndexPriority.High;
            LockMode = IndexLockMode.LockedIgnore;
            State = IndexState.Normal;
            Configuration["Some"] = "1";
            AdditionalSources["name"] = "source";
            PatternForOutputReduceToCollectionReferences = "daily/{Name}";
            PatternReferencesCollectionName = "References";
        }
    }

    private sealed class Users_Now : AbstractIndexCreationTask<User>
    {
        public Users_Now() => Map = users => from user in users select new { Age = DateTime.UtcNow.Year - user.Age };

        internal static User? LoadHere() => LoadDocument<User>("users/1");
    }

    private sealed class Users_List : AbstractIndexCreationTask<User>
    {
        public Users_List() => Map = users =>
            from user in users select new { Names = new List<string> { user.Name } };
    }

    private sealed class Users_NoMap : AbstractIndexCreationTask<User>;

    private sealed class Broken : AbstractIndexCreationTask
    {
        public override IndexDefinition CreateIndexDefinition() =>
            new() { Name = IndexName, Maps = { "from user in docs.Users select user.Name +" } };
    }
}
