using System.Globalization;
using Raven.Documents.Queries.Rql;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;

namespace Raven.Documents.Queries.Results;

/// <summary>Counts the values of fields over all results of a query.</summary>
internal sealed class FacetAnswer(QuerySession session)
{
    /// <summary>Counts the facets of the query, one after the other as they are asked for.</summary>
    internal IEnumerable<FacetResult> Results()
    {
        foreach (RqlNamed item in session.Input.Rql.Select)
        {
            if (!FacetRequest.IsOne(item))
            {
                throw new RqlException(
                    session.Input.Text, item.Expression.Position, "expected a facet: they are not mixed with fields");
            }

            FacetRequest facet = FacetRequest.Parse(session.Input, item);
            yield return facet.Ranges.Count > 0 ? OfRanges(facet) : OfValues(facet);
        }
    }

    private FacetResult OfValues(FacetRequest facet)
    {
        string field = facet.Field is null ? "" : session.Translator.CountedFieldOf(facet.Field);
        IReadOnlyList<IReadOnlyList<FacetValue>> counted = Merged(facet, Count(facet, field, range: null));
        int[] order = Order(facet, counted[0]);
        int first = Math.Min(facet.Start, order.Length);
        int count = Math.Min(facet.PageSize, order.Length - first);
        List<FacetCount> values = [];
        foreach (int index in order.AsSpan(first, count))
        {
            Add(values, facet, NameOf(facet, counted[0][index]), counted.Select(list => list[index]));
        }

        int[] rest = order[(first + count)..];
        return new FacetResult(
            facet.Name, values,
            facet.NamesRemaining ? [.. rest.Select(index => NameOf(facet, counted[0][index]))] : [],
            rest.Length, rest.Sum(index => counted[0][index].Count));
    }

    /// <summary>Makes one value of those that are called the same: of 1 and "1", which differ by
    /// nothing that a client sees. An entry that has both was counted for one of them.</summary>
    private static IReadOnlyList<IReadOnlyList<FacetValue>> Merged(
        FacetRequest facet, IReadOnlyList<IReadOnlyList<FacetValue>> counted)
    {
        IGrouping<string, int>[] byName = [.. Enumerable.Range(0, counted[0].Count)
            .GroupBy(index => NameOf(facet, counted[0][index]), StringComparer.Ordinal)];
        return byName.Length == counted[0].Count
            ? counted
            : [.. counted.Select(values => byName.Select(same => same.Select(index => values[index]).Aggregate(
                (one, other) => new FacetValue(
                    one.Value, one.Count + other.Count, one.NumberCount + other.NumberCount, one.Sum + other.Sum,
                    Math.Min(one.Min, other.Min), Math.Max(one.Max, other.Max)))).ToList())];
    }

    private FacetResult OfRanges(FacetRequest facet)
    {
        List<FacetCount> values = [];
        foreach (RqlExpression range in facet.Ranges)
        {
            IReadOnlyList<IReadOnlyList<FacetValue>> counted = Count(facet, "", range);
            FacetValue none = new(null, 0, 0, 0, double.PositiveInfinity, double.NegativeInfinity);
            Add(values, facet, Describe(range), counted.Select(list => list.Count == 0 ? none : list[0]));
        }

        return new FacetResult(facet.Name, values, [], 0, 0);
    }

    /// <summary>Counts the values, once for each field that is aggregated.</summary>
    private IReadOnlyList<IReadOnlyList<FacetValue>> Count(FacetRequest facet, string field, RqlExpression? range)
    {
        SearchQuery query = session.Workspace.Query;
        query.Clear();
        int root = session.Translator.Where();
        root = range is null ? root : query.And(root, session.Translator.Translate(range));
        List<FacetField> fields = [.. facet.Aggregated.Select(one =>
            new FacetField(field, session.Translator.NumbersFieldOf(one.Field)))];
        if (fields.Count == 0)
        {
            fields.Add(new FacetField(field, ""));
        }

        try
        {
            return session.Workspace.Facets.Run(session.Reader!, query, root, fields, session.Cancellation);
        }
        catch (SearchIndexException wrong)
        {
            throw session.Refusal(wrong);
        }
    }

    private static void Add(
        List<FacetCount> values, FacetRequest facet, string name, IEnumerable<FacetValue> counted)
    {
        int at = 0;
        foreach (FacetValue value in counted)
        {
            if (at < facet.Aggregated.Count)
            {
                (_, string called, HashSet<string> functions) = facet.Aggregated[at++];
                values.Add(new FacetCount(name, value.Count, called, Figures(value, functions)));
            }
            else
            {
                values.Add(new FacetCount(name, value.Count, null, []));
            }
        }
    }

    private static List<KeyValuePair<string, double>> Figures(FacetValue value, HashSet<string> functions)
    {
        List<KeyValuePair<string, double>> figures = [];
        Add("Sum", value.Sum);
        Add("Min", value.Min);
        Add("Max", value.Max);
        Add("Average", value.Average);
        return figures;

        void Add(string name, double figure)
        {
            if (functions.Contains(name))
            {
                figures.Add(new KeyValuePair<string, double>(name, value.NumberCount == 0 ? 0 : figure));
            }
        }
    }

    /// <summary>The order of the values for paging: by their names, as all public clients page them, null first; also
    /// among values with the same count.</summary>
    private static int[] Order(FacetRequest facet, IReadOnlyList<FacetValue> values)
    {
        IEnumerable<int> byText = Enumerable.Range(0, values.Count)
            .OrderBy(index => values[index].Value is not null)
            .ThenBy(index => NameOf(facet, values[index]), StringComparer.Ordinal);
        return facet.Sort switch
        {
            "ValueDesc" => [.. byText.Reverse()],
            "CountAsc" => [.. byText.OrderBy(index => values[index].Count)],
            "CountDesc" => [.. byText.OrderByDescending(index => values[index].Count)],
            _ => [.. byText],
        };
    }

    private static string NameOf(FacetRequest facet, FacetValue value) =>
        facet.Field is null ? "@AllResults" : value.Name;

    /// <summary>The text of a range, with the values of its parameters.</summary>
    private string Describe(RqlExpression range) => range switch
    {
        RqlComparison comparison =>
            $"{Describe(comparison.Left)} {comparison.Sign} {Describe(comparison.Right)}",
        RqlBetween between =>
            $"{Describe(between.Field)} between {Describe(between.Lower)} and {Describe(between.Upper)}",
        RqlLogical logical =>
            $"{Describe(logical.Left)} {(logical.IsAnd ? "and" : "or")} {Describe(logical.Right)}",
        RqlField field => field.Path,
        _ => session.Translator.Evaluate(range) switch
        {
            string text => $"'{text}'",
            { } value => Convert.ToString(value, CultureInfo.InvariantCulture)!,
            null => "null",
        },
    };
}
