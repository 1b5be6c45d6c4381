using System.Buffers;
using System.Globalization;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Indexing.Static.Values;
using Raven.Search.Analysis;

namespace Raven.Documents.Queries.Filters;

/// <summary>Makes the values that a filter compares from stored ones, as an index would: the items of an array are
/// values of their own, an object is its JSON.</summary>
internal sealed class FilterValueReader
{
    private readonly TokenBuffer _lower = new();
    private readonly ArrayBufferWriter<byte> _json = new(256);

    /// <summary>Adds the values of a stored value.</summary>
    /// <param name="values">Takes them.</param>
    /// <param name="value">The stored value.</param>
    /// <param name="isExact">Whether texts keep their case.</param>
    /// <param name="arena">Whether texts are compared exactly.</param>
    /// <param name="hasDurations">Whether it is of a field whose texts may be durations.</param>
    internal void Add(
        List<FilterValue> values, BlittableValue value, bool isExact, Arena arena, bool hasDurations = false)
    {
        switch (value.Kind)
        {
            case ValueKind.Array:
                BlittableArray items = value.AsArray();
                for (int i = 0; i < items.Count; i++)
                {
                    Add(values, items[i], isExact, arena, hasDurations);
                }

                break;
            case ValueKind.String when hasDurations && DynamicDates.TryReadDuration(value, out TimeSpan duration):
                NativeSlice own = Text(value.GetUtf8(arena).Span, isExact, arena).Text;
                values.Add(FilterValue.Of(own, duration.Ticks, isValue: true));
                break;
            case ValueKind.String:
                values.Add(Text(value.GetUtf8(arena).Span, isExact, arena));
                break;
            case ValueKind.Integer:
                value.TryGetInt64(out long integer);
                values.Add(FilterValue.Of(integer));
                break;
            case ValueKind.Number:
                values.Add(Number(value, isExact, arena));
                break;
            case ValueKind.True or ValueKind.False:
                values.Add(FilterValue.Of(value.Kind == ValueKind.True));
                break;
            case ValueKind.Object:
                _json.ResetWrittenCount();
                BlittableToJson.Write(value, _json, JsonOutputOptions.Default);
                values.Add(Text(CanonicalNumbers.Of(_json), isExact, arena));
                break;
            default:
                values.Add(FilterValue.Null);
                break;
        }
    }

    /// <summary>Adds the values of a literal or a parameter.</summary>
    internal void Add(List<FilterValue> values, object? value, bool isExact, Arena arena)
    {
        switch (value)
        {
            case null:
                values.Add(FilterValue.Null);
                break;
            case bool isTrue:
                values.Add(FilterValue.Of(isTrue));
                break;
            case long integer:
                values.Add(FilterValue.Of(integer));
                break;
            case double number:
                values.Add(FilterValue.Of(number));
                break;
            case Int128 large:
                values.Add(FilterValue.Of(large));
                break;
            case string text when TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan length):
                NativeSlice own = Text(Encoding.UTF8.GetBytes(text), isExact, arena).Text;
                values.Add(FilterValue.Of(own, length.Ticks, isValue: false));
                break;
            case string text:
                values.Add(Text(Encoding.UTF8.GetBytes(text), isExact, arena));
                break;
            case BlittableValue stored:
                Add(values, stored, isExact, arena);
                break;
            case List<object?> many:
                foreach (object? one in many)
                {
                    Add(values, one, isExact, arena);
                }

                break;
        }
    }

    /// <summary>Makes a value of a text.</summary>
    internal FilterValue Text(ReadOnlySpan<byte> utf8, bool isExact, Arena arena)
    {
        ReadOnlySpan<byte> kept = utf8;
        if (!isExact)
        {
            _lower.Clear();
            Analyzers.LowerCaseKeyword.Analyze(utf8, _lower, 0);
            kept = _lower.Term(_lower.Tokens[0]);
            kept = QueryDate.IsOne(kept) ? QueryDate.Plain(kept) : kept;
        }

        NativeSlice text = arena.Allocate(Math.Max(1, kept.Length));
        kept.CopyTo(text.WritableSpan);
        return FilterValue.Of(text.Slice(0, kept.Length));
    }

    private FilterValue Number(BlittableValue value, bool isExact, Arena arena)
    {
        if (value.TryGetDouble(out double number))
        {
            return LargeInteger.MayBe(number) && LargeInteger.TryRead(value, out Int128 large)
                ? FilterValue.Of(large)
                : FilterValue.Of(number);
        }

        // 1e400 is no number of an index either, but a text.
        return Text(DoubleOverflow.TextOf(value, stackalloc byte[DoubleOverflow.RoomBytes]), isExact, arena);
    }
}
