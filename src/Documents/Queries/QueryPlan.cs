using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Queries.Rql;

namespace Raven.Documents.Queries;

/// <summary>How a query is answered: by an index, or straight from the documents.</summary>
public sealed record QueryPlan
{
    /// <summary>The collection; null for all documents, or if an index is named.</summary>
    public string? Collection { get; private init; }

    /// <summary>The index; null if the documents answer.</summary>
    public DatabaseIndex? Index { get; private init; }

    /// <summary>Whether the index was made for this query: then it is still empty.</summary>
    internal bool IsIndexNew { get; private init; }

    /// <summary>The ids that the query names; null if it does not select documents by id.</summary>
    internal IReadOnlyList<string>? Ids { get; private init; }

    /// <summary>The prefix of the ids; null if the query has none.</summary>
    internal string? IdPrefix { get; private init; }

    /// <summary>The name of the index or the collection, as clients read it.</summary>
    public string Name => Index is not null ? Index.Name
        : Collection is not null ? $"collection/{Collection}" : "AllDocs";

    /// <summary>Plans a query; makes the index that it needs if there is none.</summary>
    /// <exception cref="RefusedException">The query names an index that does not exist.</exception>
    internal static async ValueTask<QueryPlan> MakeAsync(Database database, QueryInput input)
    {
        RqlQuery rql = input.Rql;
        if (rql.IsIndex)
        {
            if (rql.GroupBy.Count > 0)
            {
                throw GroupsIndex(input);
            }

            return new QueryPlan
            {
                Index = database.Indexes.Find(rql.Source) ?? throw new RefusedException(
                    RefusalReason.IndexMissing, $"There is no index '{rql.Source}'."),
            };
        }

        string? collection = CollectionOf(rql);
        if (TryDirect(input) is { } direct)
        {
            return direct;
        }

        IReadOnlyList<AutoField> fields = QueryFields.Of(rql, input.Text);
        if (input.MakesNoIndex)
        {
            // The one that was found: to look a second time could make it, if it is deleted meanwhile.
            return new QueryPlan
            {
                Collection = collection,
                Index = database.Indexes.Auto.Find(collection, fields) ?? throw new RefusedException(
                    RefusalReason.InvalidQuery,
                    $"The query would make the index '{database.Indexes.Auto.NameOfNew(collection, fields)}', and says "
                    + "that it must not (disableAutoIndexCreation)."),
            };
        }

        DatabaseIndex index = await database.Indexes.Auto.FindOrAddAsync(collection, fields, out bool isNew)
            .ConfigureAwait(false);
        return new QueryPlan { Collection = collection, Index = index, IsIndexNew = isNew };
    }

    /// <summary>The error of a query that groups an index.</summary>
    internal static RqlException GroupsIndex(QueryInput input) => new(
        input.Text, input.Rql.GroupBy[0].Position,
        "an index groups by its own definition: 'group by' is for collections");

    /// <summary>A plan straight from the documents; null if the query needs an index.</summary>
    internal static QueryPlan? TryDirect(QueryInput input)
    {
        RqlQuery rql = input.Rql;
        var direct = new QueryPlan { Collection = CollectionOf(rql) };
        if (rql.IsIndex || rql.OrderBy.Count > 0 || rql.GroupBy.Count > 0 || IsOfTerms(rql) || input.IsOfEntries)
        {
            return null;
        }

        return rql.Where is null or RqlLiteral { Value: true } ? direct
            : TryByIds(input, rql, out List<string>? ids) ? direct with { Ids = ids }
            : TryByPrefix(input, rql) is { } prefix ? direct with { IdPrefix = prefix }
            : null;
    }

    /// <summary>The collection of a query; null for all documents.</summary>
    internal static string? CollectionOf(RqlQuery rql) => rql.Source is "@all_docs" or "@all" ? null : rql.Source;

    /// <summary>Whether the answer is made of the terms of an index: facets, suggestions.</summary>
    internal static bool IsOfTerms(RqlQuery rql) => rql.Select.Exists(item => item.Expression is RqlCall call
        && (call.Name.Equals("facet", StringComparison.OrdinalIgnoreCase)
            || call.Name.Equals("suggest", StringComparison.OrdinalIgnoreCase)));

    private static bool TryByIds(QueryInput input, RqlQuery rql, out List<string>? ids)
    {
        ids = null;
        IEnumerable<RqlExpression>? values = rql.Where switch
        {
            RqlComparison { Sign: "=" } equals when IsId(equals.Left, rql) => [equals.Right],
            RqlIn { IsAll: false } list when IsId(list.Field, rql) => list.Values,
            _ => null,
        };
        if (values is null || values.Any(value => value is not (RqlLiteral or RqlParameter)))
        {
            return false;
        }

        ids = [];
        foreach (RqlExpression value in values)
        {
            switch (ValueOf(input, value))
            {
                case string id:
                    ids.Add(id);
                    break;
                case List<object?> many:
                    ids.AddRange(many.OfType<string>());
                    break;
            }
        }

        return true;
    }

    private static string? TryByPrefix(QueryInput input, RqlQuery rql) =>
        rql.Where is RqlCall { Arguments: [var field, var prefix] } call && prefix is (RqlLiteral or RqlParameter)
            && IsId(field, rql) && call.Name.Equals("startsWith", StringComparison.OrdinalIgnoreCase)
            ? ValueOf(input, prefix) as string
            : null;

    private static bool IsId(RqlExpression expression, RqlQuery rql) =>
        IndexFieldNames.PathOf(expression, rql) == IndexFieldNames.Id;

    private static object? ValueOf(QueryInput input, RqlExpression value) => value switch
    {
        RqlLiteral literal => literal.Value,
        RqlParameter parameter => input.Parameters.TryGetValue(parameter.Name, out object? given)
            ? given
            : throw new RqlException(
                input.Text, parameter.Position, $"the query has no parameter '${parameter.Name}'"),
        _ => null,
    };
}
