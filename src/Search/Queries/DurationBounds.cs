using Raven.Search.Fields;
using Raven.Search.Segments;

namespace Raven.Search.Queries;

/// <summary>
/// Ranges of durations whose bounds are texts, <c>Delay &lt; '5.00:00:00'</c>: durations are compared by their ticks.
/// </summary>
internal static class DurationBounds
{
    /// <summary>Whether the bounds of a range are durations, and the field has durations.</summary>
    internal static bool Are(
        SearchQuery query, IndexReader reader, IndexField field, in QueryValue lower, in QueryValue upper) =>
        field.Kind == FieldKind.Exact && IsOne(query, lower) && IsOne(query, upper) && reader.HasDurations(field);

    /// <summary>Writes the ticks of a bound as the term of a number.</summary>
    internal static ReadOnlySpan<byte> Write(SearchQuery query, in QueryValue bound, byte[] target)
    {
        DurationCode.TryRead(query.BytesOf(bound), out long ticks);
        return target.AsSpan(0, TermCode.WriteNumber(target, ticks));
    }

    internal static bool IsOne(SearchQuery query, in QueryValue bound) => bound.Kind == QueryValue.ValueKind.Open
        || (bound.Kind == QueryValue.ValueKind.Text && DurationCode.TryRead(query.BytesOf(bound), out _));
}
