using System.Globalization;
using System.Text.Json;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Server.Http;
using Raven.Server.Indexing.Maps;
using Raven.Server.Queries.Rql;

namespace Raven.Server.Queries;

/// <summary>The request of a query: its text, its parameters, and how long it may wait for a fresh index.</summary>
internal sealed record QueryInput
{
    private static readonly string[] Projections =
        ["Default", "FromIndex", "FromIndexOrThrow", "FromDocument", "FromDocumentOrThrow"];

    /// <summary>The text of the query.</summary>
    internal required string Text { get; init; }

    /// <summary>The text, parsed.</summary>
    internal required RqlQuery Rql { get; init; }

    /// <summary>Values by name: null, bool, long, double, string, lists of these, or an object as its
    /// stored value.</summary>
    internal required IReadOnlyDictionary<string, object?> Parameters { get; init; }

    /// <summary>The parameters as they were sent; empty if there are none.</summary>
    internal BlittableValue StoredParameters { get; init; }

    /// <summary>How long it may wait; null for the server's setting.</summary>
    internal TimeSpan? WaitMax { get; init; }

    /// <summary>Whether a stale answer is an error.</summary>
    internal bool IsStaleAnError { get; init; }

    /// <summary>Whether it takes the current state without a wait.</summary>
    internal bool AllowsStale { get; init; }

    /// <summary>Answer only with the metadata of documents.</summary>
    internal bool IsMetadataOnly { get; init; }

    /// <summary>Whether several entries of a document are several results.</summary>
    internal bool KeepsDuplicates { get; init; }

    /// <summary>The source of projected fields: <c>Default</c>, <c>FromIndex</c>, <c>FromDocument</c> and
    /// so on.</summary>
    internal string Projection { get; init; } = "Default";

    /// <summary>Answer with entries of the index instead of documents.</summary>
    internal bool IsOfEntries { get; init; }

    /// <summary>Answer only with the index that would be used.</summary>
    internal bool IsExplain { get; init; }

    /// <summary>How many results to skip, if the text has no limit.</summary>
    internal int Start { get; init; }

    /// <summary>How many results to give, if the text has no limit.</summary>
    internal int PageSize { get; init; } = int.MaxValue;

    /// <summary>Reads a query from a body.</summary>
    /// <exception cref="BadRequestException">It is not a query.</exception>
    /// <exception cref="RqlException">The text is no query.</exception>
    internal static QueryInput Parse(RequestContext request, BlittableObject body)
    {
        if (!body.TryGet("Query"u8, out BlittableValue text) || !text.TryGetString(out string query))
        {
            throw new BadRequestException(400, ErrorType.Argument, "The body needs a Query, a text.");
        }

        bool hasParameters = body.TryGet("QueryParameters"u8, out BlittableValue values) && !values.IsNull;
        if (hasParameters && values.Kind != ValueKind.Object)
        {
            throw new BadRequestException(400, ErrorType.Argument, "QueryParameters must be an object.");
        }

        UnknownMembers.Warn(request, body, UnknownMembers.OfQueries);
        RqlQuery rql = RqlCache.Parse(query);
        return FromUrl(request, new QueryInput
        {
            Text = query,
            Rql = rql,
            Parameters = ParametersOf(hasParameters ? values.AsObject() : default, rql),
            StoredParameters = hasParameters ? values : default,
            IsStaleAnError = IsTrue(body, "WaitForNonStaleResults"),
            WaitMax = Span(body, "WaitForNonStaleResultsTimeout"),
            KeepsDuplicates = IsTrue(body, "SkipDuplicateChecking"),
            Projection = ProjectionOf(body),
            Start = Number(body, "Start", 0),
            PageSize = Number(body, "PageSize", int.MaxValue),
        });
    }

    /// <summary>Reads a query from a url.</summary>
    /// <exception cref="BadRequestException">It is not a query.</exception>
    /// <exception cref="RqlException">The text is no query.</exception>
    internal static QueryInput Parse(RequestContext request)
    {
        string text = request.Query.GetText("query")
            ?? throw new BadRequestException(400, ErrorType.Argument, "The parameter 'query' is missing.");
        RqlQuery rql = RqlCache.Parse(text);
        BlittableValue stored = default;
        Dictionary<string, object?> parameters = ParametersOf(default, rql);
        if (request.QueryUtf8("parameters") is { IsEmpty: false } json)
        {
            if (!request.Operation.Parser.TryParse(
                json.Span, BlittableMode.ToMemory, out BlittableObject values, out Blittable.Json.JsonError error))
            {
                throw new BadRequestException(
                    400, ErrorType.InvalidJson, $"The parameters are no JSON object: {error}");
            }

            stored = values.AsValue();
            parameters = ParametersOf(values, rql);
        }

        return FromUrl(request, new QueryInput
        {
            Text = text,
            Rql = rql,
            Parameters = parameters,
            StoredParameters = stored,
            Start = request.Query.GetInt32("start", 0),
            PageSize = request.Query.GetInt32("pageSize", int.MaxValue),
        });
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

    private static QueryInput FromUrl(RequestContext request, QueryInput input)
    {
        if (input.Rql.TimeSeriesAt is { } place)
        {
            var where = new RqlException(input.Text, place, "time series are not served by this server");
            throw new BadRequestException(501, ErrorType.NotSupported, where.Message);
        }

        string? debug = request.Query.GetText("debug");
        if (debug is not (null or "" or "entries" or "explain"))
        {
            throw new BadRequestException(
                400, ErrorType.Argument, $"The parameter 'debug' must be entries or explain, not '{debug}'.");
        }

        return input with
        {
            IsMetadataOnly = request.Query.GetBool("metadataOnly"),
            AllowsStale = request.Query.GetBool("allowStale"),
            IsOfEntries = debug == "entries",
            IsExplain = debug == "explain" || input.Rql.IsExplain,
        };
    }

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
            // A text with half a surrogate pair fails only when it is read, with the latter exception.
            throw new BadRequestException(
                400, ErrorType.InvalidQuery, $"The parameters are no JSON object: {e.Message}");
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
        JsonValueKind.Object => throw new BadRequestException(
            400, ErrorType.InvalidQuery,
            "A parameter that stands behind the query is no object: send it beside the query, in QueryParameters."),
        _ => null,
    };

    private static bool IsTrue(BlittableObject body, string name) => Find(body, name) is { } value
        && (value.TryGetBoolean(out bool isTrue) ? isTrue : throw Wrong(name, "true or false"));

    private static int Number(BlittableObject body, string name, int otherwise) => Find(body, name) is not { } value
        ? otherwise
        : value.TryGetInt64(out long number) && number >= 0 ? (int)Math.Min(number, int.MaxValue)
        : throw Wrong(name, "a whole number that is not negative");

    private static TimeSpan? Span(BlittableObject body, string name) => Find(body, name) is not { } value
        ? null
        : value.TryGetString(out string text)
            && TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan span) && span >= TimeSpan.Zero ? span
        : value.TryGetInt64(out long milliseconds) && milliseconds >= 0
            ? TimeSpan.FromMilliseconds(Math.Min(milliseconds, int.MaxValue))
        : throw Wrong(name, "a span of time that is not negative, as 00:00:15, or milliseconds");

    private static string ProjectionOf(BlittableObject body)
    {
        const string name = "ProjectionBehavior";
        return Find(body, name) is not { } value ? Projections[0]
            : value.TryGetString(out string behavior) && Projections.Contains(behavior) ? behavior
            : throw Wrong(name, $"one of {string.Join(", ", Projections)}");
    }

    /// <summary>The value of a name in the body; null if there is none.</summary>
    private static BlittableValue? Find(BlittableObject body, string name) =>
        body.TryGet(System.Text.Encoding.UTF8.GetBytes(name), out BlittableValue value) && !value.IsNull ? value : null;

    private static BadRequestException Wrong(string name, string wanted) =>
        new(400, ErrorType.Argument, $"{name} must be {wanted}.");
}
