using System.Text.Json;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.Attachments;
using Raven.Client.Documents.Operations.Configuration;
using Raven.Client.Documents.Operations.Counters;
using Raven.Client.Documents.Operations.Indexes;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Queries.Spatial;
using Raven.Client.Documents.Queries.Suggestions;
using Raven.Client.Documents.Queries.Vector;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;
using Raven.Client.Http;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;

namespace SlowTests.NodeClient;

/// <summary>The twins of the functions of <c>options.mjs</c>, by our client.</summary>
internal static class OptionScenarios
{
    private const string OfBox = $"where spatial.within(Place, spatial.wkt('{OptionContext.Box}')) order by id()";

    /// <summary>By the name of the option.</summary>
    internal static IReadOnlyDictionary<string, Func<OptionContext, Task>> All { get; } =
        new Dictionary<string, Func<OptionContext, Task>>
        {
            ["FieldIndexing"] = o => o.FieldAsync("Text", it => it.Indexing = o.As<FieldIndexing>()),
            ["FieldStorage"] = o => o.FieldAsync(
                "Text", it => it.Storage = o.As<FieldStorage>(), "order by id() select Text"),
            ["FieldTermVector"] = o => o.FieldAsync("Text", it => it.TermVector = o.As<FieldTermVector>()),
            ["IndexPriority"] = PriorityAsync,
            ["IndexLockMode"] = LockAsync,
            ["IndexState"] = o => o.IndexAsync(it => it.State = o.As<IndexState>(), null),
            ["IndexDeploymentMode"] = o => o.IndexAsync(it => it.DeploymentMode = o.As<IndexDeploymentMode>()),
            ["ArchivedDataProcessingBehavior"] = o => o.IndexAsync(
                it => it.ArchivedDataProcessingBehavior = o.As<ArchivedDataProcessingBehavior>()),
            ["SearchEngineType"] = o => o.IndexAsync(
                it => it.Configuration["Indexing.Static.SearchEngineType"] = o.Value),
            ["SpatialFieldType"] = o => SpatialAsync(o, new SpatialOptions { Type = o.As<SpatialFieldType>() }, OfBox),
            ["SpatialSearchStrategy"] = o => SpatialAsync(
                o, new SpatialOptions { Strategy = o.As<SpatialSearchStrategy>() }, OfBox),
            ["SpatialUnits"] = UnitsAsync,
            ["VectorEmbeddingType"] = o => o.IndexAsync(
                it => it.Fields["V"] = new IndexFieldOptions
                {
                    Vector = new VectorOptions { DestinationEmbeddingType = o.As<VectorEmbeddingType>() },
                },
                null, map: "map('Items', i => ({ V: createVector(i.v) }))"),
            ["SearchOperator"] = o => o.Query().Search("text", "red fox", o.As<SearchOperator>()).ToListAsync(),
            ["QueryOperator"] = o => o.Query().UsingDefaultOperator(o.As<QueryOperator>())
                .WhereEquals("n", 2).WhereEquals("code", "a9").ToListAsync(),
            ["OrderingType"] = o => o.Query().OrderBy("code", o.As<OrderingType>())
                .OrderBy("n", o.As<OrderingType>()).ToListAsync(),
            ["NullsOrdering"] = o => o.Query().OrderBy("n", OrderingType.Long, o.As<NullOrdering>()).ToListAsync(),
            ["FacetAggregation"] = AggregateAsync,
            ["FacetTermSortMode"] = o => o.Query().AggregateBy(b => b.ByField("tags").WithOptions(
                new FacetOptions { TermSortMode = o.As<FacetTermSortMode>() })).ExecuteAsync(),
            ["SpatialRelation"] = o => o.OnceAsync(
                "Relations", () => o.IndexAsync(_ => { }, null, "Relations"),
                () => o.Query("Relations")
                    .Spatial("Place", f => f.RelatesToShape(OptionContext.Box, o.As<SpatialRelation>()))
                    .OrderBy("id()").ToListAsync()),
            ["StringDistanceTypes"] = o => SuggestAsync(
                o, "Suggestions", new SuggestionOptions { Distance = o.As<StringDistanceTypes>() }),
            ["SuggestionSortMode"] = o => SuggestAsync(
                o, "Sorted", new SuggestionOptions { SortMode = o.As<SuggestionSortMode>() }),
            ["GroupByMethod"] = o => o.Value == "Array"
                ? o.RawAsync("from 'Items' group by Array(tags) select key() as 'key', count() as count")
                : o.Query().GroupBy("code").SelectKey(projectedName: "key").SelectCount("count").ToListAsync(),
            ["DateMethodType"] = o => o.RawAsync($"from 'Items' where at > {o.Value.ToLowerInvariant()}()"),
            ["ProjectionBehavior"] = o => o.OnceAsync(
                "Projected",
                () => o.IndexAsync(
                    it => it.Fields["Text"] = new IndexFieldOptions { Storage = FieldStorage.Yes }, null, "Projected"),
                () => o.Store.OpenAsyncSession().Advanced
                    .AsyncRawQuery<object>("from index 'Projected' select Text, code")
                    .Projection(o.As<ProjectionBehavior>()).WaitForNonStaleResults().NoCaching().ToListAsync()),
            ["WhereOperator"] = o => o.OnceAsync(
                "Conditions", () => MakeConditionsAsync(o),
                () => ConditionOf(o.Value, o.Query("Conditions")).ToListAsync()),
            ["TransactionMode"] = async o =>
            {
                using IAsyncDocumentSession session = o.Store.OpenAsyncSession(
                    new SessionOptions { TransactionMode = o.As<TransactionMode>() });
                await session.StoreAsync(new OptionOther(), $"others/{o.Name}");
                await session.SaveChangesAsync();
            },
            ["ConcurrencyCheckMode"] = CheckAsync,
            ["ForceRevisionStrategy"] = async o =>
            {
                using IAsyncDocumentSession session = o.Store.OpenAsyncSession();
                session.Advanced.Revisions.ForceRevisionCreationFor("items/1");
                await session.SaveChangesAsync();
            },
            ["CounterOperationType"] = CountAsync,
            ["CommandType"] = async o =>
            {
                using IAsyncDocumentSession session = o.Store.OpenAsyncSession();
                session.Advanced.Defer(CommandOf(o.Value));
                await session.SaveChangesAsync();
            },
            ["AttachmentType"] = o => o.Store.Operations.SendAsync(
                new GetAttachmentOperation("items/1", "none", o.As<AttachmentType>(), "A:1-x")),
            ["LogMode"] = o => o.Store.Maintenance.Server.SendAsync(
                new OptionPost("/admin/logs/configuration", $$"""{ "Mode": "{{o.Value}}" }""")),
            ["DatabaseLockMode"] = o => o.Store.Maintenance.Server.SendAsync(
                new SetDatabasesLockOperation(o.As<DatabaseLockMode>(), o.Database)),
            ["ReadBalanceBehavior"] = o => ConfigureAsync(
                o, new ClientConfiguration { ReadBalanceBehavior = o.As<ReadBalanceBehavior>() }),
            ["LoadBalanceBehavior"] = o => ConfigureAsync(
                o, new ClientConfiguration { LoadBalanceBehavior = o.As<LoadBalanceBehavior>() }),
        };

    private static async Task PriorityAsync(OptionContext o)
    {
        await o.IndexAsync(it => it.Priority = o.As<IndexPriority>());
        await o.Store.Maintenance.SendAsync(new SetIndexesPriorityOperation(o.As<IndexPriority>(), o.Name));
        await o.ReadAsync(o.Name);
    }

    private static async Task LockAsync(OptionContext o)
    {
        await o.IndexAsync(it => it.LockMode = o.As<IndexLockMode>());
        await o.Store.Maintenance.SendAsync(new SetIndexesLockOperation(o.As<IndexLockMode>(), o.Name));
        await o.ReadAsync(o.Name);
        await o.IndexAsync(_ => { }, null, map: "map('Items', i => ({ Text: 'changed' }))");
    }

    private static Task SpatialAsync(OptionContext o, SpatialOptions options, string ask) =>
        o.FieldAsync("Place", it => it.Spatial = options, ask);

    private static async Task UnitsAsync(OptionContext o)
    {
        SpatialUnits units = o.As<SpatialUnits>();
        await SpatialAsync(
            o, new SpatialOptions { Units = units },
            "where spatial.within(Place, spatial.circle(80, 32.5, 35)) order by id()");
        await o.Query(o.Name).Spatial("Place", f => f.WithinRadius(80, 32.5, 35, units)).ToListAsync();
    }

    private static Task<Dictionary<string, FacetResult>> AggregateAsync(OptionContext o) =>
        o.Query().AggregateBy(b => _ = o.Value switch
        {
            "Max" => b.ByField("code").MaxOn(it => it.n),
            "Min" => b.ByField("code").MinOn(it => it.n),
            "Average" => b.ByField("code").AverageOn(it => it.n),
            "Sum" => b.ByField("code").SumOn(it => it.n),
            _ => b.ByField("code"),
        }).ExecuteAsync();

    private static Task SuggestAsync(OptionContext o, string index, SuggestionOptions options) => o.OnceAsync(
        index,
        () => o.IndexAsync(
            it => it.Fields["Text"] = new IndexFieldOptions { Indexing = FieldIndexing.Search, Suggestions = true },
            null, index),
        () => o.Query(index).SuggestUsing(b => b.ByField("Text", "reb").WithOptions(options)).ExecuteAsync());

    private static Task MakeConditionsAsync(OptionContext o) => o.IndexAsync(
        it =>
        {
            it.Fields["Text"] = new IndexFieldOptions { Indexing = FieldIndexing.Search };
            it.Fields["V"] = new IndexFieldOptions { Vector = new VectorOptions() };
        },
        null, "Conditions",
        "map('Items', i => ({ Text: i.text, N: i.n, tags: i.tags, V: createVector(i.v), "
            + "Place: createSpatialField(i.wkt) }))");

    private static IAsyncDocumentQuery<OptionItem> ConditionOf(string value, IAsyncDocumentQuery<OptionItem> query) =>
        value switch
        {
            "Equals" => query.WhereEquals("N", 2),
            "NotEquals" => query.WhereNotEquals("N", 2),
            "GreaterThan" => query.WhereGreaterThan("N", 2),
            "GreaterThanOrEqual" => query.WhereGreaterThanOrEqual("N", 2),
            "LessThan" => query.WhereLessThan("N", 10),
            "LessThanOrEqual" => query.WhereLessThanOrEqual("N", 10),
            "In" => query.WhereIn("N", [2, 3]),
            "AllIn" => query.ContainsAll("tags", ["x", "y"]),
            "Between" => query.WhereBetween("N", 1, 5),
            "Search" => query.Search("Text", "fox"),
            "Lucene" => query.WhereLucene("Text", "fox"),
            "StartsWith" => query.WhereStartsWith("Text", "wha"),
            "EndsWith" => query.WhereEndsWith("Text", "ale"),
            "Exists" => query.WhereExists("N"),
            "SpatialWithin" => query.Spatial("Place", f => f.Within(OptionContext.Box)),
            "SpatialContains" => query.Spatial("Place", f => f.Contains(OptionContext.Box)),
            "SpatialDisjoint" => query.Spatial("Place", f => f.Disjoint(OptionContext.Box)),
            "SpatialIntersects" => query.Spatial("Place", f => f.Intersects(OptionContext.Box)),
            "Regex" => query.WhereRegex("Text", "^wh"),
            "VectorSearch" => query.VectorSearch(f => f.WithField("V"), v => v.ByEmbedding([0, 1]), 0.9f),
            _ => throw new ArgumentOutOfRangeException(nameof(value), value, "It has no condition."),
        };

    private static async Task CheckAsync(OptionContext o)
    {
        string?[] expected = o.Value == "Forced" ? ["A:1-x", ""] : [null];
        foreach (string? changeVector in expected)
        {
            using IAsyncDocumentSession session = o.Store.OpenAsyncSession();
            session.Advanced.UseOptimisticConcurrency = o.Value == "Auto";
            await (o.Value == "Auto"
                ? session.StoreAsync(new OptionOther(), "others/same")
                : session.StoreAsync(new OptionOther(), changeVector, "others/same"));
            try
            {
                await session.SaveChangesAsync();
            }
            catch (ConcurrencyException)
            {
                // The answer is compared.
            }
        }
    }

    private static Task CountAsync(OptionContext o) => o.Value switch
    {
        "Increment" => o.Store.Operations.SendAsync(
            new CounterBatchOperation(new CountersBatchCommandData("items/1").Increment("likes", 2))),
        "Delete" => o.Store.Operations.SendAsync(
            new CounterBatchOperation(new CountersBatchCommandData("items/1").Delete("likes"))),
        _ => o.Store.Operations.SendAsync(new OptionPost(
            "/counters",
            $$"""
            { "Documents": [{ "DocumentId": "items/1", "Operations": [
                { "Type": "{{o.Value}}", "CounterName": "likes", "Delta": 2 }] }] }
            """)),
    };

    private static ICommandData CommandOf(string type)
    {
        using JsonDocument other = JsonDocument.Parse(
            """{ "text": "new", "@metadata": { "@collection": "Others" } }""");
        return type switch
        {
            "PUT" => new PutCommandData("others/put", null, other.RootElement),
            "PATCH" => new PatchCommandData("others/put", null, new PatchRequest { Script = "this.text = 'patched'" }),
            "DELETE" => new DeleteCommandData("others/put", null),
            "Counters" => new CountersBatchCommandData("items/1").Increment("likes"),
            "ForceRevisionCreation" => new ForceRevisionCommandData("items/1"),
            "AttachmentDELETE" => new DeleteAttachmentCommandData("items/1", "file"),
            "AttachmentMOVE" => new MoveAttachmentCommandData("items/1", "file", "items/2", "file", keepSource: false),
            "AttachmentCOPY" => new MoveAttachmentCommandData("items/1", "file", "items/2", "file", keepSource: true),
            _ => new OptionCommand(type),
        };
    }

    private static async Task ConfigureAsync(OptionContext o, ClientConfiguration configuration)
    {
        await o.Store.Maintenance.SendAsync(new PutClientConfigurationOperation(configuration));
        await o.Store.Maintenance.SendAsync(new GetClientConfigurationOperation());
    }
}
