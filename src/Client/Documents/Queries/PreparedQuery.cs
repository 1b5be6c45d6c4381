namespace Raven.Client.Documents.Queries;

/// <summary>A query that is ready to be sent, with its options.</summary>
internal sealed class PreparedQuery(RqlBuilder rql, QueryOptions options)
{
    internal RqlBuilder Rql => rql;

    internal QueryOptions Options => options;

    internal PreparedQuery Copy() => new(rql.Copy(), options with { });

    /// <summary>The same query for at most so many results.</summary>
    internal PreparedQuery Of(int results)
    {
        PreparedQuery copy = Copy();
        copy.Rql.Take = Math.Min(rql.Take ?? results, results);
        return copy;
    }

    /// <summary>The same query for the number of its results alone.</summary>
    /// <exception cref="NotSupportedException">The results are distinct.</exception>
    internal PreparedQuery OfNone()
    {
        if (rql.IsDistinct)
        {
            throw new NotSupportedException("What is distinct is not counted by the server: ask for the list.");
        }

        PreparedQuery copy = Copy();
        copy.Rql.Skip = null;
        copy.Rql.Take = 0;
        return copy;
    }

    /// <summary>How many results there are, given the server's count before it skips and takes.</summary>
    internal long CountOf(long total)
    {
        long count = Math.Max(0, total - (rql.Skip ?? 0));
        return rql.Take is { } take ? Math.Min(count, take) : count;
    }

    internal IndexQuery ToIndexQuery() => new()
    {
        Query = rql.ToText(),
        QueryParameters = rql.Parameters,
        WaitForNonStaleResultsTimeout = options.Wait,
        DisableCaching = options.NoCaching,
        ProjectionBehavior = options.Projection,
    };
}
