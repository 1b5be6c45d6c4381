using System.Text.Json;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Queries.Rql;
using Raven.Documents.Queries.Series;

namespace Raven.Documents.Queries;

/// <summary>The request of a query: its text, its parameters, and how long it may wait for a fresh index.</summary>
public sealed record QueryInput
{
    private QueryInput(string text, RqlQuery rql, IReadOnlyDictionary<string, object?> parameters)
    {
        Text = text;
        Rql = rql;
        Parameters = parameters;
    }

    public string Text { get; }

    /// <summary>The text, parsed.</summary>
    internal RqlQuery Rql { get; init; }

    /// <summary>Values by name: null, bool, long, double, string, lists of these, or an object as its
    /// stored value.</summary>
    internal IReadOnlyDictionary<string, object?> Parameters { get; init; }

    /// <summary>The parameters as they were sent; empty if there are none.</summary>
    internal BlittableValue StoredParameters { get; init; }

    /// <summary>How long it may wait; null for the server's setting.</summary>
    public TimeSpan? WaitMax { get; init; }

    /// <summary>Whether a stale answer is an error.</summary>
    public bool IsStaleAnError { get; init; }

    /// <summary>Whether it takes the current state without a wait.</summary>
    public bool AllowsStale { get; init; }

    /// <summary>Answer only with the metadata of documents.</summary>
    public bool IsMetadataOnly { get; init; }

    /// <summary>Whether several entries of a document are several results.</summary>
    public bool KeepsDuplicates { get; init; }

    /// <summary>The source of projected fields: <c>Default</c>, <c>FromIndex</c>, <c>FromDocument</c> and
    /// so on.</summary>
    public string Projection { get; init; } = "Default";

    /// <summary>Answer with entries of the index instead of documents.</summary>
    public bool IsOfEntries { get; init; }

    /// <summary>Answer only with the index that would be used.</summary>
    public bool IsExplain { get; init; }

    /// <summary>Whether it is refused if it would make an index.</summary>
    public bool MakesNoIndex { get; init; }

    /// <summary>How many results to skip, if the text has no limit.</summary>
    public int Start { get; init; }

    /// <summary>How many results to give, if the text has no limit.</summary>
    public int PageSize { get; init; } = int.MaxValue;

    /// <summary>Whether its text asks to explain it.</summary>
    public bool AsksToExplain => Rql.IsExplain;

    /// <summary>Whether its answer has how long its parts took.</summary>
    public bool WantsTimings => Rql.Include.Exists(include => include is RqlCall call
        && call.Name.Equals("timings", StringComparison.OrdinalIgnoreCase));

    /// <summary>Whether the answer is made of the terms of an index: facets, suggestions.</summary>
    public bool IsOfTerms => QueryPlan.IsOfTerms(Rql);

    /// <summary>How many fields, facets or suggestions it selects.</summary>
    public int SelectedCount => Rql.Select.Count;

    /// <summary>The place in the text of what is grouped by; null if nothing is.</summary>
    public int? GroupPlace => Rql.GroupBy is [var key, ..] ? key.Position : null;

    /// <summary>The place in the text of what is selected; null if nothing is.</summary>
    public int? SelectPlace => Rql.SelectScript?.Position
        ?? (Rql.Select is [var item, ..] ? item.Expression.Position : null);

    /// <summary>The place in the text of what is included; null if nothing is.</summary>
    public int? IncludePlace => Rql.Include is [var include, ..] ? include.Position : null;

    /// <summary>The place in the text of the <c>filter</c>; null if there is none.</summary>
    public int? FilterPlace => Rql.Filter?.Position;

    /// <summary>The place in the text of the <c>update</c>; null if there is none.</summary>
    public int? UpdatePlace => Rql.Update?.Position;

    /// <summary>The names in a result of the time series that are selected.</summary>
    public IEnumerable<string> TimeSeriesFields => Rql.Select
        .Where(item => item.Alias is not null && SeriesProjection.IsOne(Rql, item.Expression))
        .Select(item => item.Alias!);

    /// <summary>A query by its text.</summary>
    /// <param name="text">The query.</param>
    /// <param name="parameters">An object with the values of its parameters; its memory must outlive the query.</param>
    /// <exception cref="RqlException">The text is none.</exception>
    /// <exception cref="RefusedException">The parameters behind the query are no JSON.</exception>
    public static QueryInput Of(string text, BlittableObject parameters = default)
    {
        RqlQuery rql = RqlCache.Parse(text);
        return new QueryInput(text, rql, ParametersOf(parameters, rql))
        {
            StoredParameters = parameters.IsValid ? parameters.AsValue() : default,
        };
    }

    /// <summary>A stored value in the form of the translator of queries.</summary>
    internal static object? ToValue(BlittableValue value)
    {
        switch (value.Kind)
        {
            case ValueKind.True or ValueKind.False:
                return value.Kind == ValueKind.True;
            case ValueKind.Integer:
                value.TryGetInt64(out long integer);
                return integer;
            case ValueKind.Number:
                return !value.TryGetDouble(out double number) ? null
                    : LargeInteger.MayBe(number) && LargeInteger.TryRead(value, out Int128 large) ? large
                    : number;
            case ValueKind.String:
                return value.GetString();
            case ValueKind.Array:
                BlittableArray items = value.AsArray();
                List<object?> list = new(items.Count);
                for (int i = 0; i < items.Count; i++)
                {
                    list.Add(ToValue(items[i]));
                }

                return list;
            case ValueKind.Object:
                return value;
            default:
                return null;
        }
    }

    /// <summary>The values of a query's parameters by name.</summary>
    /// <param name="values">Those that were sent; none if it is not valid.</param>
    /// <param name="rql">The query, whose text may end with parameters.</param>
    /// <exception cref="RefusedException">Those behind the query are no JSON.</exception>
    private static Dictionary<string, object?> ParametersOf(BlittableObject values, RqlQuery rql)
    {
        Dictionary<string, object?> parameters = new(StringComparer.Ordinal);
        if (rql.Parameters is { } written)
        {
            AddWritten(parameters, written);
        }

        for (int i = 0; i < (values.IsValid ? values.Count : 0); i++)
        {
            BlittableProperty property = values.GetProperty(i);
            parameters[System.Text.Encoding.UTF8.GetString(property.Name)] = ToValue(property.Value);
        }

        return parameters;
    }

    /// <summary>Adds the parameters that were written after the query.</summary>
    private static void AddWritten(Dictionary<string, object?> parameters, RqlScript written)
    {
        try
        {
            using JsonDocument json = JsonDocument.Parse($"{{{written.Text}}}");
            foreach (JsonProperty property in json.RootElement.EnumerateObject())
            {
                parameters[property.Name] = ToValue(property.Value);
            }
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            // The latter is thrown for half a surrogate pair, when the text that has it is read.
            throw new RefusedException(
                RefusalReason.InvalidQuery, $"The parameters are no JSON object: {e.Message}");
        }
    }

    private static object? ToValue(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.True or JsonValueKind.False => value.GetBoolean(),
        JsonValueKind.String => value.GetString(),
        JsonValueKind.Number => value.TryGetInt64(out long integer) ? integer
            : LargeInteger.TryRead(value.GetRawText(), out Int128 large) ? large
            : (object)value.GetDouble(),
        JsonValueKind.Array => value.EnumerateArray().Select(ToValue).ToList(),
        JsonValueKind.Object => throw new RefusedException(
            RefusalReason.InvalidQuery,
            "A parameter that stands behind the query is no object: send it beside the query, in QueryParameters."),
        _ => null,
    };
}
