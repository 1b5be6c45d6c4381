using System.Globalization;
using System.Linq.Expressions;
using System.Text;
using Raven.Client.Documents.Queries.TimeSeries;
using Raven.Client.Json;

namespace Raven.Client.Documents.Linq;

/// <summary>Makes the text of a query of a time series, part by part. Every value is a parameter.</summary>
/// <param name="fields">Names and values.</param>
/// <param name="name">The name of the series.</param>
internal sealed class SeriesQueryWriter(FieldTranslator fields, string name)
{
    private static readonly Dictionary<string, string> Functions = new(StringComparer.Ordinal)
    {
        [nameof(ITimeSeriesGrouping.Count)] = "count",
        [nameof(ITimeSeriesGrouping.First)] = "first",
        [nameof(ITimeSeriesGrouping.Last)] = "last",
        [nameof(ITimeSeriesGrouping.Min)] = "min",
        [nameof(ITimeSeriesGrouping.Max)] = "max",
        [nameof(ITimeSeriesGrouping.Sum)] = "sum",
        [nameof(ITimeSeriesGrouping.Average)] = "avg",
        [nameof(ITimeSeriesGrouping.Percentile)] = "percentile",
        [nameof(ITimeSeriesGrouping.Slope)] = "slope",
        [nameof(ITimeSeriesGrouping.StandardDeviation)] = "stddev",
    };

    private readonly string _name = fields.Parameter(name);
    private string? _range;
    private bool _isLoaded;
    private string? _where;
    private string? _group;
    private string? _select;
    private string? _scale;
    private string? _offset;

    internal void Between(DateTime from, DateTime to) => SetRange(
        $" between {fields.Parameter(SeriesTime.TextOf(from))} and {fields.Parameter(SeriesTime.TextOf(to))}");

    internal void FromEdge(bool isLast, Action<ITimePeriodBuilder> period) => SetRange(
        $" {(isLast ? "last" : "first")} {fields.Parameter(TimePeriodBuilder.Of(period).Period)}");

    internal void Load() => _isLoaded = true;

    internal void Where(LambdaExpression predicate)
    {
        var translator = new SeriesConditionTranslator(
            fields, fields.NameOf, predicate.Parameters[0],
            predicate.Parameters.Count > 1 ? predicate.Parameters[1] : null);
        string condition = translator.Translate(predicate.Body);
        _where = _where is null ? condition : $"({_where}) and ({condition})";
    }

    internal void GroupBy(string period) => _group = fields.Parameter(period);

    internal void GroupBy(Action<ITimePeriodBuilder> say)
    {
        TimePeriodBuilder period = TimePeriodBuilder.Of(say);
        _group = fields.Parameter(period.Period);
        if (period.TagField is { } field)
        {
            _isLoaded = true;
            _group += ", " + SeriesConditionTranslator.PathOf(
                fields, fields.NameOf, FieldTranslator.Strip(field.Body), field.Parameters[0]);
        }
        else if (period.IsByTag)
        {
            _group += ", tag";
        }

        if (period.Interpolation != InterpolationType.None)
        {
            _group += $" with interpolation({period.Interpolation.ToString().ToLowerInvariant()})";
        }
    }

    internal void Select(LambdaExpression selector)
    {
        IEnumerable<Expression> values = FieldTranslator.Strip(selector.Body) switch
        {
            NewExpression made => made.Arguments,
            MemberInitExpression made => made.Bindings.Select(binding => ((MemberAssignment)binding).Expression),
            var single => [single],
        };
        _select = string.Join(", ", values.Select(Function));
    }

    internal void Scale(double value) => _scale = fields.Parameter(value);

    internal void Offset(TimeSpan offset) =>
        _offset = fields.Parameter(offset.ToString("c", CultureInfo.InvariantCulture));

    /// <summary>The query, as it stands between the parentheses of <c>timeseries()</c>.</summary>
    internal string ToText()
    {
        var text = new StringBuilder("from ").Append(_name).Append(_range);
        if (_isLoaded)
        {
            text.Append(" load Tag as ").Append(SeriesConditionTranslator.TagAlias);
        }

        Append(text, " where ", _where);
        Append(text, " group by ", _group);
        Append(text, " select ", _select);
        Append(text, " scale ", _scale);
        Append(text, " offset ", _offset);
        return text.ToString();
    }

    private static void Append(StringBuilder text, string before, string? part)
    {
        if (part != null)
        {
            text.Append(before).Append(part);
        }
    }

    private void SetRange(string range) => _range = _range is null
        ? range
        : throw new NotSupportedException("A query of a time series has one range.");

    private string Function(Expression value)
    {
        if (FieldTranslator.Strip(value) is not MethodCallExpression { Object: ParameterExpression } call
            || !Functions.TryGetValue(call.Method.Name, out string? function))
        {
            throw new NotSupportedException(
                $"'{value}' cannot be translated: of a group of entries, calls such as Min() can be selected.");
        }

        string argument = call.Arguments is [{ } number] ? fields.Parameter(FieldTranslator.Evaluate(number)) : "";
        return $"{function}({argument})";
    }
}
