using System.Globalization;
using Raven.Documents.Queries.Rql;
using Raven.Documents.Rows.Series;
using Raven.Documents.Settings;
using Raven.Documents.Sweeps;

namespace Raven.Documents.Queries.Series;

/// <summary>A range of time series that is sent along with documents.</summary>
public sealed record SeriesInclude
{
    private const string All = "@all_timeseries";
    private const string Expected = "expected timeseries([path,] name, from, to), or last(count) or "
        + "last(number, 'Second') or last(number, 'Month') as the last argument";

    /// <summary>The name of the function.</summary>
    internal const string Function = "timeseries";

    /// <summary>The path in a result of the ids of the documents; null for the result itself.</summary>
    public string? Path { get; private init; }

    /// <summary>The name of the series; null for all of a document.</summary>
    internal string? Name { get; private init; }

    /// <summary>The first time, in ms since 0001-01-01; null if the range is open there.</summary>
    internal long? From { get; private init; }

    /// <summary>The last time.</summary>
    internal long? To { get; private init; }

    /// <summary>How many entries at the end are sent; 0 for all of the range.</summary>
    internal long Count { get; private init; }

    /// <summary>How much time before the last entry is sent; empty for all of the range.</summary>
    internal SeriesPeriod Length { get; private init; }

    /// <summary>Whether an expression includes time series.</summary>
    internal static bool IsOne(RqlExpression expression) =>
        expression is RqlCall call && call.Name.Equals(Function, StringComparison.OrdinalIgnoreCase);

    /// <summary>Reads an include.</summary>
    /// <param name="text">The query.</param>
    /// <param name="call">The call.</param>
    /// <param name="alias">The name of the results.</param>
    /// <param name="evaluate">Gives the values of texts, numbers and parameters.</param>
    /// <exception cref="RqlException">It is none.</exception>
    internal static SeriesInclude Parse(
        string text, RqlCall call, string? alias, Func<RqlExpression, object?> evaluate)
    {
        List<RqlExpression> arguments = [.. call.Arguments];
        var include = new SeriesInclude();
        if (arguments is [RqlField field, ..])
        {
            include = include with
            {
                Path = field.Path == alias ? null : IndexFieldNames.WithoutAlias(field.Path, alias),
            };
            arguments.RemoveAt(0);
        }

        if (arguments is [not RqlCall, ..] && evaluate(arguments[0]) is string name)
        {
            include = include with { Name = name == All ? null : name };
            arguments.RemoveAt(0);
        }

        switch (arguments)
        {
            case []:
                return include;
            case [RqlCall last] when last.Name.Equals("last", StringComparison.OrdinalIgnoreCase):
                return include.Last(text, last, evaluate);
            case [not RqlCall, not RqlCall]:
                long? from = TimeOf(text, arguments[0], evaluate);
                long? to = TimeOf(text, arguments[1], evaluate);
                return (from ?? 0) <= (to ?? SeriesTime.Max)
                    ? include with { From = from, To = to }
                    : throw new RqlException(text, arguments[0].Position, "the range ends before it begins");
            default:
                throw new RqlException(text, arguments[0].Position, Expected);
        }
    }

    private SeriesInclude Last(string text, RqlCall last, Func<RqlExpression, object?> evaluate)
    {
        if (last.Arguments is not [var number, ..] || evaluate(number) is not long amount || amount <= 0)
        {
            throw new RqlException(text, last.Position, "expected a whole number above 0 in last(...)");
        }

        if (last.Arguments.Count == 1)
        {
            return this with { Count = amount };
        }

        return (last.Arguments.Count, evaluate(last.Arguments[1])) switch
        {
            (2, "Second") when amount <= SeriesTime.Max / 1000 =>
                this with { Length = new SeriesPeriod(amount * 1000, 0) },
            (2, "Month") when amount <= int.MaxValue => this with { Length = new SeriesPeriod(0, (int)amount) },
            _ => throw new RqlException(text, last.Arguments[1].Position, "expected 'Second' or 'Month'"),
        };
    }

    private static long? TimeOf(string text, RqlExpression time, Func<RqlExpression, object?> evaluate) =>
        evaluate(time) switch
        {
            null => null,
            string date when DocumentTime.TryRead(date, out long ticks) => SeriesTime.OfTicks(ticks),
            var other => throw new RqlException(
                text, time.Position,
                string.Create(CultureInfo.InvariantCulture, $"expected a time or null, found '{other}'")),
        };
}
