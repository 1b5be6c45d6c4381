using System.Collections.Concurrent;

namespace Raven.Server.Queries.Rql;

/// <summary>
/// Queries that were read before: clients send the same few texts over and over, with other parameters. A parsed query
/// never changes. Any thread.
/// </summary>
internal static class RqlCache
{
    private const int QueriesMax = 1024;

    /// <summary>Longer ones carry their values in the text, mostly, and do not come again.</summary>
    private const int LengthMax = 2048;

    private static ConcurrentDictionary<string, RqlQuery> _queries = new(StringComparer.Ordinal);
    private static int _count;

    /// <summary>Reads a query, or finds it.</summary>
    /// <exception cref="RqlException">It is none.</exception>
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
            // Beginning anew costs less, and is simpler, than keeping count of who was asked last.
            Volatile.Write(ref _queries, new ConcurrentDictionary<string, RqlQuery>(StringComparer.Ordinal));
            Volatile.Write(ref _count, 0);
        }

        return query;
    }
}
