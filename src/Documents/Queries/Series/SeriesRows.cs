using System.Buffers;
using System.Globalization;
using Raven.Blittable.Json;
using Raven.Blittable.Text;
using Raven.Documents.Queries.Rql;
using Raven.Documents.Rows.Series;

namespace Raven.Documents.Queries.Series;

/// <summary>Writes the entries or groups of a time series as clients read them. One result.</summary>
internal sealed class SeriesRows
{
    private readonly IBufferWriter<byte> _target;
    private readonly RqlTimeSeries _query;
    private readonly SeriesScope _scope;
    private readonly List<RqlSeriesAggregateKind> _kinds;
    private readonly double[] _percents;
    private readonly double _scale = 1;
    private readonly long _offset;
    private long _written;

    internal SeriesRows(
        IBufferWriter<byte> target, RqlTimeSeries query, SeriesScope scope, List<RqlSeriesAggregateKind> kinds)
    {
        _target = target;
        _query = query;
        _scope = scope;
        _kinds = kinds;
        _percents = new double[kinds.Count];
        for (int i = 0; i < query.Select.Count; i++)
        {
            _percents[i] = query.Select[i].Percent is { } percent ? PercentOf(percent) : 0;
        }

        _scale = query.Scale is { } scale ? scope.NumberOf(scale, "to multiply by") : 1;
        _offset = query.Offset is { } offset ? OffsetOf(offset) : 0;
    }

    /// <summary>How many entries were taken.</summary>
    internal long Count { get; private set; }

    /// <summary>Counts entries. What a roll-up of a dump says of them may be any number: the count never goes back, and
    /// ends at the greatest.</summary>
    internal void Take(double entries)
    {
        long more = (long)Math.Max(entries, 0);
        Count = more > long.MaxValue - Count ? long.MaxValue : Count + more;
    }

    internal void Begin() => _target.Write("\"Results\":["u8);

    internal void End()
    {
        _target.Write("],\"Count\":"u8);
        var json = new JsonOutput(_target);
        json.Number(Count);
        json.Flush();
    }

    /// <summary>Writes an entry.</summary>
    internal void Entry(long time, ReadOnlySpan<double> values, ReadOnlySpan<byte> tag, bool isRollup)
    {
        Count++;
        Next();
        var json = new JsonOutput(_target);
        json.StartObject();
        WriteTime(ref json, "Timestamp"u8, time);
        json.Name("Tag"u8);
        if (tag.IsEmpty)
        {
            json.Null();
        }
        else
        {
            json.String(tag);
        }

        json.Name("Values"u8);
        json.StartArray();
        for (int i = 0; i < values.Length; i++)
        {
            // The sixth of the values of a roll-up is how many there were.
            Write(ref json, isRollup && i % 6 == 5 ? values[i] : values[i] * _scale);
        }

        json.EndArray();
        json.Name("IsRollup"u8);
        json.Boolean(isRollup);
        json.EndObject();
        json.Flush();
    }

    /// <summary>Writes a group.</summary>
    internal void Group(SeriesGroup group)
    {
        Next();
        var json = new JsonOutput(_target);
        Start(ref json, group.Start, group.End);
        if (_query.GroupKey is not null)
        {
            json.Name("Key"u8);
            WriteKey(ref json, group.Key);
        }

        json.Name("Count"u8);
        json.StartArray();
        foreach (ref readonly SeriesColumn column in group.Columns)
        {
            json.Number((long)column.Count);
        }

        json.EndArray();
        for (int i = 0; i < _kinds.Count; i++)
        {
            if (_kinds[i] != RqlSeriesAggregateKind.Count)
            {
                json.Name(NameOf(_kinds[i]));
                json.StartArray();
                foreach (ref readonly SeriesColumn column in group.Columns)
                {
                    Write(ref json, column.Get(_kinds[i], _percents[i]) * _scale);
                }

                json.EndArray();
            }
        }

        json.EndObject();
        json.Flush();
    }

    /// <summary>Writes a frame without entries, between two groups.</summary>
    /// <param name="before">The group before it.</param>
    /// <param name="after">The group behind it.</param>
    /// <param name="start">When it begins.</param>
    /// <param name="end">When it ends.</param>
    /// <param name="part">0 for the values of the group before, 1 for those of the one behind.</param>
    internal void Between(SeriesGroup before, SeriesGroup after, long start, long end, double part)
    {
        Next();
        var json = new JsonOutput(_target);
        Start(ref json, start, end);
        int width = Math.Min(before.Width, after.Width);
        json.Name("Count"u8);
        json.StartArray();
        for (int column = 0; column < width; column++)
        {
            json.Number(0L);
        }

        json.EndArray();
        for (int i = 0; i < _kinds.Count; i++)
        {
            if (_kinds[i] == RqlSeriesAggregateKind.Count)
            {
                continue;
            }

            json.Name(NameOf(_kinds[i]));
            json.StartArray();
            for (int column = 0; column < width; column++)
            {
                double first = before.Columns[column].Get(_kinds[i], _percents[i]);
                double last = after.Columns[column].Get(_kinds[i], _percents[i]);
                double value = part == 0 ? first : part == 1 ? last : first + ((last - first) * part);
                Write(ref json, value * _scale);
            }

            json.EndArray();
        }

        json.EndObject();
        json.Flush();
    }

    /// <summary>Refuses more results than a row may have.</summary>
    /// <exception cref="RqlException">There are more.</exception>
    internal void Check(long more)
    {
        if (_written + more > SeriesQuery.ResultsMax)
        {
            throw _scope.Error(
                _query.Group?.Position ?? _query.Position,
                $"one result has no more than {SeriesQuery.ResultsMax} entries or groups: expected a shorter range, or "
                + "longer groups; all entries of a series are streamed by GET streams/timeseries");
        }
    }

    private static string NameOf(RqlSeriesAggregateKind kind) =>
        kind == RqlSeriesAggregateKind.StandardDeviation ? "Standard Deviation" : kind.ToString();

    private void Next()
    {
        Check(1);
        if (_written++ != 0)
        {
            _target.Write(","u8);
        }
    }

    private void Start(ref JsonOutput json, long start, long end)
    {
        json.StartObject();
        WriteTime(ref json, "From"u8, start);
        WriteTime(ref json, "To"u8, end);
    }

    private void WriteTime(ref JsonOutput json, ReadOnlySpan<byte> name, long time)
    {
        Span<byte> text = stackalloc byte[DateText.Length];
        DateText.TryFormat(SeriesTime.ToTicks(Math.Clamp(time + _offset, 0, SeriesTime.Max)), text);
        json.Name(name);
        json.String(text);
    }

    /// <summary>What is worked out may be more than a double holds: JSON has no number for it.</summary>
    private static void Write(ref JsonOutput json, double value)
    {
        if (double.IsFinite(value))
        {
            json.Number(value);
        }
        else
        {
            json.Null();
        }
    }

    private static void WriteKey(ref JsonOutput json, object? key)
    {
        switch (key)
        {
            case string text:
                json.String(text.AsSpan());
                break;
            case long whole:
                json.Number(whole);
                break;
            case double number:
                json.Number(number);
                break;
            case bool isTrue:
                json.Boolean(isTrue);
                break;
            default:
                json.Null();
                break;
        }
    }

    private double PercentOf(RqlExpression percent)
    {
        double value = _scope.NumberOf(percent, "of percents");
        return value is >= 0 and <= 100
            ? value
            : throw _scope.Error(percent, "expected a number of percents from 0 to 100");
    }

    private long OffsetOf(RqlExpression offset) =>
        _scope.ValueOf(offset) is string text
            && TimeSpan.TryParse(text.TrimStart('+'), CultureInfo.InvariantCulture, out TimeSpan span)
            ? (long)span.TotalMilliseconds
            : throw _scope.Error(offset, "expected a span of time as '[-][d.]hh:mm:ss'");
}
