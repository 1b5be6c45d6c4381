using System.Globalization;
using System.Text;
using Raven.Blittable.Reading;
using Raven.Documents.Ids;
using Raven.Documents.Queries.Rql;
using Raven.Documents.Rows;

namespace Raven.Documents.Queries;

/// <summary>The values of functions of a query: the time, and compare-exchange values.</summary>
/// <param name="session">The query, whose snapshot is read.</param>
/// <param name="clock">The clock for the time.</param>
internal sealed class QueryFunctions(QuerySession session, TimeProvider clock)
{
    private static readonly string[] Names = ["now", "today", "cmpxchg"];

    private readonly DateTime _now = clock.GetUtcNow().UtcDateTime;

    /// <summary>A number that differs from query to query.</summary>
    internal int Chance { get; } = (int)((ulong)clock.GetTimestamp() * 0x9E3779B97F4A7C15 >> 32);

    /// <summary>Whether a call is one of these functions.</summary>
    internal static bool IsOne(RqlCall call) => Names.Contains(call.Name, StringComparer.OrdinalIgnoreCase);

    /// <summary>Whether the value of a call changes with the time.</summary>
    internal static bool IsOfTime(RqlCall call) =>
        IsOne(call) && !call.Name.Equals("cmpxchg", StringComparison.OrdinalIgnoreCase);

    /// <summary>The value of a function: a text, number, boolean or null.</summary>
    /// <exception cref="RqlException">Its arguments are not valid.</exception>
    internal object? ValueOf(RqlCall call, string? argument, string text)
    {
        switch (call.Name.ToLowerInvariant())
        {
            case "now" when call.Arguments.Count == 0:
                return _now.ToString("O", CultureInfo.InvariantCulture);
            case "today" when call.Arguments.Count == 0:
                return _now.Date.ToString("O", CultureInfo.InvariantCulture);
            case "cmpxchg" when argument is not null:
                return CompareExchange(argument);
            default:
                throw new RqlException(
                    text, call.Position, "expected now(), today() or cmpxchg(key), the key being a text");
        }
    }

    private object? CompareExchange(string key)
    {
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        return DocumentId.TryFold(Encoding.UTF8.GetBytes(key), folded, out int length, out _)
            && session.Snapshot.TryGetCompareExchange(folded[..length], out CompareExchangeValue stored)
            && stored.Value.TryGet("Object"u8, out BlittableValue value)
                ? QueryInput.ToValue(value)
                : null;
    }
}
