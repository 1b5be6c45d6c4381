using Raven.Client.Documents;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Operations.Indexes;
using Raven.Client.Documents.Queries;

namespace SlowTests.NodeClient;

/// <summary>What a scenario of an option has: the same as the functions of <c>options.mjs</c>.</summary>
/// <param name="Store">The client.</param>
/// <param name="Database">Its database.</param>
internal sealed record OptionContext(DocumentStore Store, string Database)
{
    private readonly HashSet<string> _made = [];

    /// <summary>A shape with one of the places in it.</summary>
    internal const string Box = "POLYGON ((0 0, 3 0, 3 3, 0 3, 0 0))";

    internal string Option { get; init; } = "";

    internal string Value { get; init; } = "";

    /// <summary>Of the index of the value.</summary>
    internal string Name => $"{Option}/{Value}";

    /// <summary>The value by its name in our client.</summary>
    internal T As<T>() where T : struct, Enum => Enum.Parse<T>(Value, ignoreCase: true);

    internal IAsyncDocumentQuery<T> Query<T>(string? index = null) => Store.OpenAsyncSession().Advanced
        .AsyncDocumentQuery<T>(index, index is null ? "Items" : null)
        .WaitForNonStaleResults().NoCaching().NoTracking();

    internal IAsyncDocumentQuery<OptionItem> Query(string? index = null) => Query<OptionItem>(index);

    internal Task<List<object>> RawAsync(string rql) => Store.OpenAsyncSession().Advanced.AsyncRawQuery<object>(rql)
        .WaitForNonStaleResults().NoCaching().NoTracking().ToListAsync();

    /// <summary>Puts an index, and asks for its definition and by it.</summary>
    internal async Task IndexAsync(
        Action<IndexDefinition> change, string? ask = "where Text = 'red' order by id()", string? name = null,
        string map = "map('Items', i => ({ Text: i.text, N: i.n, V: i.v, Place: createSpatialField(i.wkt) }))")
    {
        IndexDefinition definition = new() { Name = name ?? Name, Maps = [map] };
        change(definition);
        await Store.Maintenance.SendAsync(new PutIndexesOperation(definition));
        await ReadAsync(name ?? Name);
        if (ask is not null)
        {
            await RawAsync($"from index '{Name}' {ask}");
        }
    }

    internal Task<IndexDefinition?> ReadAsync(string name) => Store.Maintenance.SendAsync(new GetIndexOperation(name));

    internal Task FieldAsync(
        string field, Action<IndexFieldOptions> change, string? ask = "where Text = 'red' order by id()")
    {
        IndexFieldOptions options = new();
        change(options);
        return IndexAsync(definition => definition.Fields[field] = options, ask);
    }

    /// <summary>Does the first once for a name, and then the second.</summary>
    internal async Task OnceAsync(string name, Func<Task> make, Func<Task> then)
    {
        if (_made.Add(name))
        {
            await make();
        }

        await then();
    }
}
