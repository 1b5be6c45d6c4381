using Raven.Blittable.Reading;
using Raven.Documents.Queries.Rql;

namespace Raven.Documents.Queries.Results;

/// <summary>One facet of a query: <c>facet(Category, sum(Price), $options) as Categories</c>.</summary>
internal sealed class FacetRequest
{
    private static readonly string[] Aggregations = ["sum", "avg", "average", "min", "max"];

    /// <summary>The name of the facet in the answer.</summary>
    internal required string Name { get; init; }

    /// <summary>The field whose values are counted; null if ranges are, or all results.</summary>
    internal RqlExpression? Field { get; init; }

    /// <summary>The ranges that are counted.</summary>
    internal List<RqlExpression> Ranges { get; init; } = [];

    /// <summary>The aggregations of each value: the field, its name in the answer, and the names of
    /// the functions.</summary>
    internal List<(RqlField Field, string Name, HashSet<string> Functions)> Aggregated { get; } = [];

    /// <summary>The order of the values: <c>ValueAsc</c>, <c>CountDesc</c> and so on.</summary>
    internal string Sort { get; private set; } = "ValueAsc";

    /// <summary>How many values to skip.</summary>
    internal int Start { get; private set; }

    /// <summary>How many values to give.</summary>
    internal int PageSize { get; private set; } = int.MaxValue;

    /// <summary>Whether the values after the page are named.</summary>
    internal bool NamesRemaining { get; private set; }

    /// <summary>Whether an item of a projection is a facet.</summary>
    internal static bool IsOne(RqlNamed item) =>
        item.Expression is RqlCall call && call.Name.Equals("facet", StringComparison.OrdinalIgnoreCase);

    /// <summary>Reads a facet of a query.</summary>
    internal static FacetRequest Parse(QueryInput input, RqlNamed item)
    {
        var call = (RqlCall)item.Expression;
        List<RqlExpression> ranges = [.. call.Arguments.Where(IsRange)];
        RqlExpression? field = call.Arguments.FirstOrDefault(argument => argument is RqlField);
        var facet = new FacetRequest
        {
            Name = item.Alias ?? NameOf(input, field ?? ranges.Select(FieldOf).FirstOrDefault()),
            Field = ranges.Count > 0 ? null : field,
            Ranges = ranges,
        };
        CheckFields(input, call, field, ranges);
        foreach (RqlExpression argument in call.Arguments)
        {
            if ((argument is RqlAliased aliased ? aliased.Inner : argument)
                is RqlCall { Arguments: [RqlField aggregated] } function
                && Aggregations.Contains(function.Name.ToLowerInvariant()))
            {
                facet.Add(aggregated, function.Name, (argument as RqlAliased)?.Alias ?? aggregated.Path);
            }
            else if (argument is RqlParameter parameter
                && input.Parameters.GetValueOrDefault(parameter.Name) is BlittableValue options
                && options.TryGetObject(out BlittableObject given))
            {
                facet.Take(new QueryOptions(given, input.Text, parameter.Position));
            }
            else if (argument is not RqlField && !IsRange(argument))
            {
                throw new RqlException(
                    input.Text, argument.Position, "expected a field, a range, sum(), avg(), min(), max() or options");
            }
        }

        return facet;
    }

    /// <summary>Checks that a facet is of one field: its values, or ranges of them.</summary>
    private static void CheckFields(
        QueryInput input, RqlCall call, RqlExpression? field, IReadOnlyList<RqlExpression> ranges)
    {
        RqlExpression? first = field ?? ranges.Select(FieldOf).FirstOrDefault();
        foreach (RqlExpression argument in call.Arguments)
        {
            bool isOther = IsRange(argument)
                ? field is not null || NameOf(input, FieldOf(argument)) != NameOf(input, first)
                : argument is RqlField && !ReferenceEquals(argument, field);
            if (isOther)
            {
                throw new RqlException(
                    input.Text, argument.Position, "a facet is of one field: its values, or ranges of them");
            }
        }
    }

    /// <summary>Adds an aggregation for each value.</summary>
    /// <param name="field">The field with the numbers.</param>
    /// <param name="function">The name of the function.</param>
    /// <param name="called">The name in the answer.</param>
    internal void Add(RqlField field, string function, string called)
    {
        string name = function.ToLowerInvariant() is "avg" or "average" ? "Average"
            : char.ToUpperInvariant(function[0]) + function[1..].ToLowerInvariant();
        int at = Aggregated.FindIndex(one => one.Field.Path == field.Path && one.Name == called);
        if (at < 0)
        {
            Aggregated.Add((field, called, [name]));
        }
        else
        {
            Aggregated[at].Functions.Add(name);
        }
    }

    /// <summary>Reads the options of a client.</summary>
    internal void Take(QueryOptions options)
    {
        Sort = options.OneOf("TermSortMode", "ValueAsc", "ValueDesc", "CountAsc", "CountDesc") ?? Sort;
        Start = options.Number("Start", Start);
        PageSize = options.Number("PageSize", PageSize);
        NamesRemaining = options.Flag("IncludeRemainingTerms", NamesRemaining);
    }

    private static bool IsRange(RqlExpression argument) => argument is RqlComparison or RqlBetween or RqlLogical;

    private static RqlExpression? FieldOf(RqlExpression range) => range switch
    {
        RqlComparison comparison => comparison.Left,
        RqlBetween between => between.Field,
        RqlLogical logical => FieldOf(logical.Left),
        _ => null,
    };

    private static string NameOf(QueryInput input, RqlExpression? field) => field is null
        ? "@AllResults"
        : IndexFieldNames.PathOf(field, input.Rql) ?? "@AllResults";
}
