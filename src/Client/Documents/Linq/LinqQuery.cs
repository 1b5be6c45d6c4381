using Raven.Client.Documents.Queries;

namespace Raven.Client.Documents.Linq;

/// <summary>A LINQ query, translated.</summary>
internal sealed class LinqQuery(RqlBuilder rql, QueryOptions options, bool isUncached)
{
    internal RqlBuilder Rql => rql;

    internal QueryOptions Options => options;

    /// <summary>The call that makes one value of it, such as First; null where it is a list.</summary>
    internal string? Ending { get; set; }

    /// <summary>What was skipped and taken before the results are counted.</summary>
    internal (int Skip, int? Take) Counted { get; set; }

    internal long CountOf(long total)
    {
        long count = Math.Max(0, total - Counted.Skip);
        return Counted.Take is { } take ? Math.Min(count, take) : count;
    }

    internal IndexQuery ToIndexQuery() => new()
    {
        Query = rql.ToText(),
        QueryParameters = rql.Parameters,
        WaitForNonStaleResultsTimeout = options.Wait,
        DisableCaching = isUncached,
    };
}
