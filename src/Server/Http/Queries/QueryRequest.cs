using System.Diagnostics;
using System.Globalization;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Queries;
using Raven.Documents.Queries.Rql;

namespace Raven.Server.Http.Queries;

/// <summary>The query of a request, in its body or its url.</summary>
internal static class QueryRequest
{
    private static readonly string[] Projections =
        ["Default", "FromIndex", "FromIndexOrThrow", "FromDocument", "FromDocumentOrThrow"];

    /// <summary>Reads what a body asks.</summary>
    /// <exception cref="BadRequestException">It is not a query.</exception>
    /// <exception cref="RqlException">The text is none.</exception>
    internal static QueryInput Read(RequestContext request, BlittableObject body)
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
        var input = QueryInput.Of(query, hasParameters ? values.AsObject() : default);
        bool isStaleAnError = IsTrue(body, "WaitForNonStaleResults");
        TimeSpan? waitMax = Span(body, "WaitForNonStaleResultsTimeout");
        bool keepsDuplicates = IsTrue(body, "SkipDuplicateChecking");
        string projection = ProjectionOf(body);
        int start = Number(body, "Start", 0);
        int pageSize = Number(body, "PageSize", int.MaxValue);
        string? debug = DebugOf(request);
        return input with
        {
            IsStaleAnError = isStaleAnError,
            WaitMax = waitMax,
            KeepsDuplicates = keepsDuplicates,
            Projection = projection,
            Start = start,
            PageSize = pageSize,
            IsMetadataOnly = request.Query.GetBool("metadataOnly"),
            AllowsStale = request.Query.GetBool("allowStale"),
            MakesNoIndex = request.Query.GetBool("disableAutoIndexCreation")
                || IsTrue(body, "DisableAutoIndexCreation"),
            IsOfEntries = debug == "entries",
            IsExplain = debug == "explain" || input.AsksToExplain,
        };
    }

    /// <summary>Reads what a url asks.</summary>
    /// <exception cref="BadRequestException">It is not a query.</exception>
    /// <exception cref="RqlException">The text is none.</exception>
    internal static QueryInput Read(RequestContext request)
    {
        string text = request.Query.GetText("query")
            ?? throw new BadRequestException(400, ErrorType.Argument, "The parameter 'query' is missing.");
        var input = QueryInput.Of(text);
        if (request.QueryUtf8("parameters") is { IsEmpty: false } json)
        {
            if (!request.Operation.Parser.TryParse(
                json.Span, BlittableMode.ToMemory, out BlittableObject values, out JsonError error))
            {
                throw new BadRequestException(
                    400, ErrorType.InvalidJson, $"The parameters are no JSON object: {error}");
            }

            input = QueryInput.Of(text, values);
        }

        int start = request.Query.GetInt32("start", 0);
        int pageSize = request.Query.GetInt32("pageSize", int.MaxValue);
        string? debug = DebugOf(request);
        return input with
        {
            Start = start,
            PageSize = pageSize,
            IsMetadataOnly = request.Query.GetBool("metadataOnly"),
            AllowsStale = request.Query.GetBool("allowStale"),
            MakesNoIndex = request.Query.GetBool("disableAutoIndexCreation"),
            IsOfEntries = debug == "entries",
            IsExplain = debug == "explain" || input.AsksToExplain,
        };
    }

    /// <summary>Begins the query of a request, whose memory goes back while it waits (QRY-1).</summary>
    internal static ValueTask<QuerySession> BeginAsync(RequestContext request, QueryInput input)
    {
        request.Detail = input.Text;
        request.IsQuery = true;
        request.AnswerWhenKilled();
        return QuerySession.BeginAsync(request.Database, input, request.Aborted, request);
    }

    /// <summary>Notes how a query is answered, for the list of those that run and for its span.</summary>
    internal static void Note(RequestContext request, QuerySession session, Activity? span)
    {
        request.Plan = session.Plan;
        if (span is { IsAllDataRequested: true })
        {
            span.SetTag("raven.index", session.Plan.Name).SetTag("raven.stale", session.IsStale);
        }
    }

    /// <summary>The span of a query; null if there is none.</summary>
    internal static Activity? BeginSpan(RequestContext request)
    {
        Activity? span = request.Server.Telemetry?.Activities.StartActivity("query");
        span?.SetTag("db.system.name", "raven").SetTag("db.namespace", request.Database.Name);
        return span;
    }

    /// <summary>How else the query is answered; null as it is.</summary>
    private static string? DebugOf(RequestContext request)
    {
        string? debug = request.Query.GetText("debug");
        return debug is null or "" or "entries" or "explain" ? debug : throw new BadRequestException(
            400, ErrorType.Argument, $"The parameter 'debug' must be entries or explain, not '{debug}'.");
    }

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
        body.TryGet(Encoding.UTF8.GetBytes(name), out BlittableValue value) && !value.IsNull ? value : null;

    private static BadRequestException Wrong(string name, string wanted) =>
        new(400, ErrorType.Argument, $"{name} must be {wanted}.");
}
