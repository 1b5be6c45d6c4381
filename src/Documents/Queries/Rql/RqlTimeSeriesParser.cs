using System.Globalization;

namespace Raven.Documents.Queries.Rql;

/// <summary>
/// Parses a query of a time series, which is between the parentheses of <c>timeseries()</c> or in a declaration. This
/// server stores no time series: the query is dropped, but errors in it are reported with their place.
/// </summary>
internal sealed class RqlTimeSeriesParser(RqlReader reader, RqlExpressionParser expressions)
{
    /// <summary>The name of the function.</summary>
    internal const string Function = "timeseries";

    private static readonly HashSet<string> Units = new(StringComparer.OrdinalIgnoreCase)
    {
        "ms", "millisecond", "milliseconds", "s", "second", "seconds", "m", "min", "minute", "minutes", "h", "hour",
        "hours", "d", "day", "days", "w", "week", "weeks", "mo", "month", "months", "q", "quarter", "quarters", "y",
        "year", "years",
    };

    private static readonly HashSet<string> Aggregates = new(StringComparer.OrdinalIgnoreCase)
    {
        "min", "max", "avg", "average", "sum", "count", "first", "last", "stddev", "slope", "percentile",
    };

    private static readonly HashSet<string> Interpolations = new(StringComparer.OrdinalIgnoreCase)
    {
        "linear", "nearest", "last", "next",
    };

    /// <summary>tsquery = "from" name [range] ["load tag as" id] ["where" bool] ["group by" span [interpolation]]
    /// ["select" agg {"," agg}] ["scale" num] ["offset" string]</summary>
    /// <exception cref="RqlException">The text is no such query.</exception>
    internal void Read()
    {
        reader.TakeWord("from", "and the name of a time series");
        RqlExpression series = expressions.Operand();
        if (series is not (RqlField or RqlParameter or RqlLiteral { Value: string }))
        {
            reader.FailAt(series.Position, "expected the name of a time series after 'from'");
        }

        ReadRange();
        if (reader.TryTakeWord("load"))
        {
            reader.TakeWord("tag", "after 'load'");
            reader.TakeWord("as", "after 'load tag'");
            reader.TakeName("a name after 'as'");
        }

        if (reader.TryTakeWord("where"))
        {
            expressions.Condition();
        }

        if (reader.TryTakeWord("group"))
        {
            reader.TakeWord("by", "after 'group'");
            ReadSpan("after 'group by'");
            ReadInterpolation();
        }

        if (reader.TryTakeWord("select"))
        {
            do
            {
                ReadAggregate();
            }
            while (reader.TryTakeSign(','));
        }

        ReadScale();
    }

    private void ReadRange()
    {
        if (reader.TryTakeWord("between"))
        {
            expressions.Value("after 'between'");
            reader.TakeWord("and", "between the bounds");
            expressions.Value("after 'and'");
        }
        else if (reader.Current.IsWord("first") || reader.Current.IsWord("last"))
        {
            ReadSpan($"after '{reader.Take().Text}'");
        }
    }

    /// <summary>A number and a unit, as two tokens or in one text: <c>'1 hour'</c>.</summary>
    private void ReadSpan(string after)
    {
        RqlToken token = reader.Current;
        string[] words = token.Kind == RqlTokenKind.Text
            ? token.Text.Split(' ', StringSplitOptions.RemoveEmptyEntries)
            : [token.Text];
        bool isNumber = token.Kind is RqlTokenKind.Text or RqlTokenKind.Integer && words.Length > 0
            && int.TryParse(words[0], NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number > 0;
        if (!isNumber || words.Length > 2)
        {
            reader.Fail($"expected a number and a unit of time {after}");
        }

        reader.Take();
        string unit = words.Length == 2 ? words[1] : reader.Current.Text;
        if (!Units.Contains(unit))
        {
            reader.FailAt(
                words.Length == 2 ? token.Position : reader.Current.Position,
                $"expected a unit of time, as minutes or months, found '{unit}'");
        }

        if (words.Length == 1)
        {
            reader.TakeName("a unit of time");
        }
    }

    private void ReadInterpolation()
    {
        if (!reader.TryTakeWord("with"))
        {
            return;
        }

        reader.TakeWord("interpolation", "after 'with'");
        reader.TakeSign('(', "after 'interpolation'");
        if (!Interpolations.Contains(reader.Current.Text))
        {
            reader.Fail("expected linear, nearest, last or next");
        }

        reader.Take();
        reader.TakeSign(')', "after the interpolation");
    }

    private void ReadAggregate()
    {
        if (reader.Current.Kind != RqlTokenKind.Name || !Aggregates.Contains(reader.Current.Text))
        {
            reader.Fail("expected min(), max(), avg(), sum(), count(), first(), last(), stddev(), slope() or "
                + "percentile(number)");
        }

        bool hasNumber = reader.Take().IsWord("percentile");
        reader.TakeSign('(', "after the function");
        if (hasNumber)
        {
            ReadNumber("of percents");
        }

        reader.TakeSign(')', "after the function");
    }

    private void ReadScale()
    {
        if (reader.TryTakeWord("scale"))
        {
            ReadNumber("after 'scale'");
        }

        if (reader.TryTakeWord("offset"))
        {
            if (reader.Current.Kind is not (RqlTokenKind.Text or RqlTokenKind.Parameter))
            {
                reader.Fail("expected a span of time as a text after 'offset'");
            }

            reader.Take();
        }
    }

    private void ReadNumber(string where)
    {
        if (reader.Current.Kind is not (RqlTokenKind.Integer or RqlTokenKind.Number or RqlTokenKind.Parameter))
        {
            reader.Fail($"expected a number {where}");
        }

        reader.Take();
    }
}
