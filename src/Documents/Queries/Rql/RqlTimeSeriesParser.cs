using System.Globalization;
using Raven.Documents.Settings;

namespace Raven.Documents.Queries.Rql;

/// <summary>
/// Parses a query of a time series, which is between the parentheses of <c>timeseries()</c> or in a declaration.
/// </summary>
internal sealed class RqlTimeSeriesParser(RqlReader reader, RqlExpressionParser expressions)
{
    /// <summary>The name of the function.</summary>
    internal const string Function = "timeseries";

    private const long Second = 1000;
    private const long Day = 86_400 * Second;

    /// <summary>The most months, and the most seconds, that a length may have: all of time.</summary>
    private const long MonthsMax = 9999 * 12;

    private static readonly Dictionary<string, RqlSeriesAggregateKind> Aggregates = new(
        StringComparer.OrdinalIgnoreCase)
    {
        ["count"] = RqlSeriesAggregateKind.Count,
        ["first"] = RqlSeriesAggregateKind.First,
        ["last"] = RqlSeriesAggregateKind.Last,
        ["min"] = RqlSeriesAggregateKind.Min,
        ["max"] = RqlSeriesAggregateKind.Max,
        ["sum"] = RqlSeriesAggregateKind.Sum,
        ["avg"] = RqlSeriesAggregateKind.Average,
        ["average"] = RqlSeriesAggregateKind.Average,
        ["percentile"] = RqlSeriesAggregateKind.Percentile,
        ["slope"] = RqlSeriesAggregateKind.Slope,
        ["stddev"] = RqlSeriesAggregateKind.StandardDeviation,
        ["standardDeviation"] = RqlSeriesAggregateKind.StandardDeviation,
    };

    /// <summary>tsquery = "from" name [range] ["load" "tag" "as" id] ["where" bool] ["group by" span ["," key]
    /// [interpolation]] ["select" agg {"," agg}] ["scale" num] ["offset" string]</summary>
    /// <exception cref="RqlException">The text is no such query.</exception>
    internal RqlTimeSeries Read()
    {
        int position = reader.Current.Position;
        reader.TakeWord("from", "and the name of a time series");
        RqlExpression series = expressions.Operand();
        if (series is not (RqlField or RqlParameter or RqlLiteral { Value: string }))
        {
            reader.FailAt(series.Position, "expected the name of a time series after 'from'");
        }

        RqlTimeSeries query = ReadRange(new RqlTimeSeries(position, series));
        if (reader.TryTakeWord("load"))
        {
            reader.TakeWord("tag", "after 'load'");
            reader.TakeWord("as", "after 'load tag'");
            query = query with { TagAlias = reader.TakeName("a name after 'as'") };
        }

        if (reader.TryTakeWord("where"))
        {
            expressions.AllowsIndexes = true;
            query = query with { Where = expressions.Condition() };
            expressions.AllowsIndexes = false;
        }

        if (reader.TryTakeWord("group"))
        {
            reader.TakeWord("by", "after 'group'");
            query = query with { Group = ReadSpan("after 'group by'", isRange: false) };
            query = ReadInterpolation(reader.TryTakeSign(',') ? query with { GroupKey = ReadKey(query) } : query);
        }

        if (reader.TryTakeWord("select"))
        {
            List<RqlSeriesAggregate> select = [];
            do
            {
                select.Add(ReadAggregate(query));
            }
            while (reader.TryTakeSign(','));
            query = query with { Select = select };
        }

        return ReadScale(query);
    }

    /// <summary>A length of time as text, such as <c>1 hour</c>; false if it is none.</summary>
    internal static bool TryParse(string text, out SeriesPeriod period)
    {
        string trimmed = text.Trim();
        int digits = 0;
        while (digits < trimmed.Length && char.IsAsciiDigit(trimmed[digits]))
        {
            digits++;
        }

        period = default;
        ReadOnlySpan<char> count = trimmed.AsSpan(0, digits);
        return long.TryParse(count, NumberStyles.None, CultureInfo.InvariantCulture, out long number)
            && TryMake(number, trimmed[digits..].Trim(), out period);
    }

    private static bool TryMake(long number, string unit, out SeriesPeriod period)
    {
        (long milliseconds, long months) = unit.ToLowerInvariant() switch
        {
            "ms" or "millisecond" or "milliseconds" => (1, 0),
            "s" or "second" or "seconds" => (Second, 0),
            "m" or "min" or "minute" or "minutes" => (60 * Second, 0),
            "h" or "hour" or "hours" => (3600 * Second, 0),
            "d" or "day" or "days" => (Day, 0),
            "w" or "week" or "weeks" => (7 * Day, 0),
            "mo" or "month" or "months" => (0, 1),
            "q" or "quarter" or "quarters" => (0, 3),
            "y" or "year" or "years" => (0, 12),
            _ => (0L, 0L),
        };
        bool isIn = number > 0 && (milliseconds | months) != 0
            && number <= (months != 0 ? MonthsMax / months : SeriesPeriod.TimeMax / milliseconds);
        period = isIn ? new SeriesPeriod(number * milliseconds, (int)(number * months)) : default;
        return isIn;
    }

    private RqlTimeSeries ReadRange(RqlTimeSeries query)
    {
        if (reader.TryTakeWord("between"))
        {
            RqlExpression from = expressions.Value("after 'between'");
            reader.TakeWord("and", "between the bounds");
            return query with { From = from, To = expressions.Value("after 'and'") };
        }

        bool isLast = reader.Current.IsWord("last");
        return isLast || reader.Current.IsWord("first")
            ? query with { IsLast = isLast, Edge = ReadSpan($"after '{reader.Take().Text}'", isRange: true) }
            : query;
    }

    /// <summary>A number and a unit, as two tokens or in one text, or a parameter that has the text.</summary>
    private RqlSeriesSpan ReadSpan(string after, bool isRange)
    {
        RqlToken token = reader.Current;
        if (token.Kind == RqlTokenKind.Parameter)
        {
            return new RqlSeriesSpan(token.Position, default, (RqlParameter)expressions.Operand());
        }

        if (token.Kind is not (RqlTokenKind.Text or RqlTokenKind.Integer))
        {
            reader.Fail($"expected a number and a unit of time {after}");
        }

        reader.Take();
        string text = token.Text;
        if (token.Kind == RqlTokenKind.Integer || long.TryParse(text, CultureInfo.InvariantCulture, out _))
        {
            RqlToken unit = reader.Current;
            text = $"{text} {reader.TakeName("a unit of time")}";
            if (!TryMake(1, unit.Text, out _))
            {
                reader.FailAt(
                    unit.Position, $"expected a unit of time, as minutes or months, found '{unit.Text}'");
            }
        }

        if (!TryParse(text, out SeriesPeriod period))
        {
            reader.FailAt(
                token.Position,
                $"expected a number above 0 and a unit of time {after}, as '1 hour' or '3 months', found '{text}'");
        }

        if (isRange && period.Months == 0 && period.Milliseconds % Second != 0)
        {
            reader.FailAt(token.Position, $"expected at least seconds {after}, found '{text}'");
        }

        return new RqlSeriesSpan(token.Position, period, null);
    }

    private RqlField ReadKey(RqlTimeSeries query)
    {
        RqlExpression key = expressions.Operand();
        if (key is not RqlField field || !IsKey(field, query))
        {
            reader.FailAt(key.Position, "expected tag, or a field of what 'load tag as' loads, as the second key");
            return null!;
        }

        return field;
    }

    private static bool IsKey(RqlField field, RqlTimeSeries query) =>
        field.Path.Equals("tag", StringComparison.OrdinalIgnoreCase)
        || (query.TagAlias is { } alias && field.Path.StartsWith(alias + ".", StringComparison.Ordinal));

    private RqlTimeSeries ReadInterpolation(RqlTimeSeries query)
    {
        if (!reader.TryTakeWord("with"))
        {
            return query;
        }

        int position = reader.Current.Position;
        reader.TakeWord("interpolation", "after 'with'");
        reader.TakeSign('(', "after 'interpolation'");
        RqlSeriesFill fill = reader.Current.Text.ToLowerInvariant() switch
        {
            "linear" => RqlSeriesFill.Linear,
            "nearest" => RqlSeriesFill.Nearest,
            "last" => RqlSeriesFill.Last,
            "next" => RqlSeriesFill.Next,
            _ => RqlSeriesFill.None,
        };
        if (fill == RqlSeriesFill.None)
        {
            reader.Fail("expected linear, nearest, last or next");
        }

        if (query.GroupKey is not null)
        {
            reader.FailAt(position, "interpolation is for groups of time alone, without a second key");
        }

        reader.Take();
        reader.TakeSign(')', "after the interpolation");
        return query with { Fill = fill };
    }

    private RqlSeriesAggregate ReadAggregate(RqlTimeSeries query)
    {
        RqlToken token = reader.Current;
        if (token.Kind != RqlTokenKind.Name || !Aggregates.TryGetValue(token.Text, out RqlSeriesAggregateKind kind))
        {
            reader.Fail("expected min(), max(), avg(), sum(), count(), first(), last(), stddev(), slope() or "
                + "percentile(number)");
            return null!;
        }

        if (kind == RqlSeriesAggregateKind.Slope && query.Group is null)
        {
            reader.Fail("slope() is of groups: expected 'group by' before 'select'");
        }

        reader.Take();
        reader.TakeSign('(', "after the function");
        RqlExpression? percent = kind == RqlSeriesAggregateKind.Percentile ? ReadNumber("of percents") : null;
        if (percent is RqlLiteral literal
            && Convert.ToDouble(literal.Value, CultureInfo.InvariantCulture) is not (>= 0 and <= 100))
        {
            reader.FailAt(percent.Position, "expected a number of percents from 0 to 100");
        }

        reader.TakeSign(')', "after the function");
        return new RqlSeriesAggregate(token.Position, kind, percent);
    }

    private RqlTimeSeries ReadScale(RqlTimeSeries query)
    {
        if (reader.TryTakeWord("scale"))
        {
            query = query with { Scale = ReadNumber("after 'scale'") };
        }

        if (reader.TryTakeWord("offset"))
        {
            if (reader.Current.Kind is not (RqlTokenKind.Text or RqlTokenKind.Parameter))
            {
                reader.Fail("expected a span of time as a text after 'offset'");
            }

            query = query with { Offset = expressions.Operand() };
        }

        return query;
    }

    private RqlExpression ReadNumber(string where)
    {
        if (reader.Current.Kind is not (RqlTokenKind.Integer or RqlTokenKind.Number or RqlTokenKind.Parameter))
        {
            reader.Fail($"expected a number {where}");
        }

        return expressions.Operand();
    }
}
