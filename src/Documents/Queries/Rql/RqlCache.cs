using System.Collections.Concurrent;

namespace Raven.Documents.Queries.Rql;

/// <summary>
/// Queries that were parsed before: clients send the same few texts over and over, with other parameters. A parsed
/// query never changes. Any thread.
/// </summary>
internal static class RqlCache
{
    private const int QueriesMax = 1024;

    /// <summary>Longer queries mostly have their values in the text, and are not sent again.</summary>
    private const int LengthMax = 2048;

    private static ConcurrentDictionary<string, RqlQuery> _queries = new(StringComparer.Ordinal);
    private static int _count;

    /// <summary>Parses a query, or returns it from the cache.</summary>
    /// <exception cref="RqlException">The text is no query.</exception>
    internal static RqlQuery Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        ConcurrentDictionary<string, RqlQuery> queries = Volatile.Read(ref _queries);
        if (queries.TryGetValue(text, out RqlQuery? query))
        {
            return query;
        }

        query = RqlParser.Parse(text);
        if (text.Length <= LengthMax && queries.TryAdd(text, query) && Interlocked.Increment(ref _count) > QueriesMax)
        {
            // Beginning anew costs less, and is simpler, than to evict the query that was unused for longest.
            Volatile.Write(ref _queries, new ConcurrentDictionary<string, RqlQuery>(StringComparer.Ordinal));
            Volatile.Write(ref _count, 0);
        }

        return query;
    }
}
