using System.Text.Json;
using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Queries.Explanation;
using Raven.Client.Documents.Queries.Highlighting;
using Raven.Client.Documents.Queries.Timings;
using Raven.Client.Documents.Queries.Vector;

namespace Raven.Client.Documents.Queries;

/// <summary>Parts of queries that LINQ queries and queries by calls share.</summary>
internal static class QueryParts
{
    /// <summary>The order by a distance, as RQL.</summary>
    internal static string DistanceOf(RqlBuilder rql, string field, double latitude, double longitude) =>
        $"spatial.distance({field}, spatial.point({rql.Parameter(latitude)}, {rql.Parameter(longitude)}))";

    /// <summary>A search for the nearest vectors, as RQL.</summary>
    internal static string VectorSearch(
        RqlBuilder rql, string field, VectorValue value, float? minimumSimilarity, int? numberOfCandidates,
        bool isExact)
    {
        string least = minimumSimilarity is { } similarity ? rql.Parameter(similarity) : "null";
        string most = numberOfCandidates is { } count ? rql.Parameter(count) : "null";
        string given = minimumSimilarity is null && numberOfCandidates is null ? "" : $", {least}, {most}";
        string search = $"vector.search({field}, {value.ToRql(rql)}{given})";
        return isExact ? $"exact({search})" : search;
    }

    /// <summary>A random order, as RQL.</summary>
    internal static string RandomOrder(string? seed) =>
        $"random({RqlBuilder.Quoted(seed ?? Guid.NewGuid().ToString("N"))})";

    /// <summary>Adds a highlight to a query; the answer fills the caller's object.</summary>
    internal static void AddHighlight(
        PreparedQuery query, string path, Highlightings highlightings, int length, int count,
        HighlightingOptions? options)
    {
        string given = options is null ? "" : $", {query.Rql.Parameter(options)}";
        query.Rql.Include(
            $"highlight({path}, {query.Rql.Parameter(length)}, {query.Rql.Parameter(count)}{given})");
        query.Options.Answered += answer => highlightings.Read(answer.Highlightings);
    }

    /// <summary>Requests the times of each part; the answer fills the caller's object.</summary>
    internal static void AddTimings(PreparedQuery query, QueryTimings timings)
    {
        query.Rql.Include("timings()");
        query.Options.Answered += answer =>
        {
            if (answer.Timings.ValueKind == JsonValueKind.Object)
            {
                timings.CopyFrom(WireTypes.Read<QueryTimings>(answer.Timings)!);
            }
        };
    }

    /// <summary>Requests explanations; the answer fills the caller's object.</summary>
    internal static void AddExplanations(
        PreparedQuery query, Explanations explanations, ExplanationOptions? options)
    {
        string given = options is null ? "" : query.Rql.Parameter(options);
        query.Rql.Include($"explanations({given})");
        query.Options.Answered += answer => explanations.Read(answer.Explanations);
    }

    /// <summary>Includes what a builder has selected.</summary>
    internal static void AddIncludes(RqlBuilder rql, IncludeList includes)
    {
        foreach (string path in includes.Paths)
        {
            rql.Include(RqlBuilder.Field(path));
        }

        if (includes.AllCounters)
        {
            rql.Include("counters()");
        }
        else if (includes.Counters.Count > 0)
        {
            rql.Include($"counters({rql.Parameter(includes.Counters.ToArray())})");
        }

        foreach (SeriesInclude series in includes.Series)
        {
            rql.Include(series.ToRql(rql));
        }

        if (includes.CompareExchange.Count > 0)
        {
            rql.Include($"cmpxchg({rql.Parameter(includes.CompareExchange.ToArray())})");
        }
    }

    /// <summary>
    /// Projects fields, with the names that the type has for them. A single field and a type of plain values gives
    /// the values themselves.
    /// </summary>
    internal static void Select<TProjection>(PreparedQuery query, string[] fields, Func<string, string> pathOf)
    {
        bool isSingle = fields.Length == 1 && IsValue(typeof(TProjection));
        query.Rql.Select = string.Join(", ", fields.Select(field =>
            $"{pathOf(field)} as {(isSingle ? "Value" : RqlBuilder.Quoted(field))}"));
        query.Options.IsProjection = true;
        query.Options.SingleField = isSingle ? "Value" : null;
    }

    private static bool IsValue(Type type)
    {
        Type plain = Nullable.GetUnderlyingType(type) ?? type;
        return plain.IsEnum || plain == typeof(DateTimeOffset) || plain == typeof(TimeSpan) || plain == typeof(Guid)
            || Type.GetTypeCode(plain) != TypeCode.Object;
    }
}
