using System.Diagnostics;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents.Queries;
using Raven.Documents.Queries.Results;
using Raven.Documents.Queries.Rql;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Queries;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of queries: of a collection, of all documents, of an index.</summary>
internal static class QueriesHandler
{
    [Route("POST", "/databases/*/queries", Access.Read, Place = Place.Any,
        Summary = "Finds documents",
        Query = "metadataOnly:bool, allowStale:bool, disableAutoIndexCreation:bool, addTimeSeriesNames:bool, debug")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        BlittableObject body =
            await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        await AnswerAsync(request, Expand(request, QueryRequest.Read(request, body))).ConfigureAwait(false);
    }

    [Route("GET", "/databases/*/queries", Access.Read, Place = Place.Any,
        Summary = "Finds documents by the query of the url",
        Query = "query!, parameters, start:int, pageSize:int, metadataOnly:bool, allowStale:bool, "
            + "disableAutoIndexCreation:bool, addTimeSeriesNames:bool, debug")]
    internal static ValueTask GetAsync(RequestContext request) =>
        AnswerAsync(request, Expand(request, QueryRequest.Read(request)));

    [Route("POST", "/databases/*/streams/queries", Access.Read, Place = Place.Any,
        IsStream = true, Summary = "Streams what a query finds",
        Query = "format, field*, escapeFormulas:bool, metadataOnly:bool, allowStale:bool, "
            + "disableAutoIndexCreation:bool")]
    internal static async ValueTask PostStreamAsync(RequestContext request)
    {
        BlittableObject body =
            await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        await StreamAsync(request, QueryRequest.Read(request, body)).ConfigureAwait(false);
    }

    [Route("GET", "/databases/*/streams/queries", Access.Read, Place = Place.Any,
        IsStream = true, Summary = "Streams what the url's query finds",
        Query = "format, field*, escapeFormulas:bool, query!, parameters, start:int, pageSize:int, "
            + "disableAutoIndexCreation:bool")]
    internal static ValueTask GetStreamAsync(RequestContext request) =>
        StreamAsync(request, QueryRequest.Read(request));

    /// <summary>Facets that documents describe come into the query before it is planned.</summary>
    private static QueryInput Expand(RequestContext request, QueryInput input) => FacetSetup.IsOne(input)
        ? FacetSetup.Expand(request.Database, request.Operation, input)
        : input;

    private static async ValueTask AnswerAsync(RequestContext request, QueryInput input)
    {
        RefuseWhatIsNotServed(input);
        if (input.IsExplain)
        {
            await new ExplainAnswer(request, input).WriteAsync().ConfigureAwait(false);
            return;
        }

        long began = request.Server.Time.GetTimestamp();
        using Activity? span = QueryRequest.BeginSpan(request);
        using QuerySession session = await QueryRequest.BeginAsync(request, input).ConfigureAwait(false);
        QueryRequest.Note(request, session, span);
        CollectionHint.Add(request, session);
        string tag = EntityTag.OfHash(request.Database, session.Tag());
        request.Response.Headers.ETag = tag;
        if (EntityTag.IsKnown(request, tag))
        {
            request.Response.Status = 304;
            return;
        }

        using var answer = new QueryAnswer(request, session, began, isStream: false);
        if (input.IsOfTerms)
        {
            await answer.WriteTermsAsync().ConfigureAwait(false);
            return;
        }

        await answer.WriteAsync().ConfigureAwait(false);
    }

    private static async ValueTask StreamAsync(RequestContext request, QueryInput input)
    {
        RefuseWhatIsNotServed(input);
        RefuseWhatIsNoStream(input);
        string format = request.Query.GetText("format") ?? "json";
        if (format is not ("json" or "jsonl" or "csv"))
        {
            throw new BadRequestException(
                400, ErrorType.Argument, $"The parameter 'format' must be json, jsonl or csv, not '{format}'.");
        }

        long began = request.Server.Time.GetTimestamp();
        using Activity? span = QueryRequest.BeginSpan(request);
        using QuerySession session = await QueryRequest.BeginAsync(request, input).ConfigureAwait(false);
        QueryRequest.Note(request, session, span);
        CollectionHint.Add(request, session);
        using var answer = new QueryAnswer(request, session, began, isStream: true);
        if (format == "csv")
        {
            bool escapesFormulas = request.Query.GetBool("escapeFormulas");
            await answer.WriteCsvAsync(new CsvLines(FieldsOf(request), escapesFormulas)).ConfigureAwait(false);
        }
        else if (format == "jsonl")
        {
            await answer.WriteLinesAsync().ConfigureAwait(false);
        }
        else
        {
            await answer.WriteStreamAsync().ConfigureAwait(false);
        }
    }

    /// <summary>The paths that the url names; null if it names none.</summary>
    private static List<string>? FieldsOf(RequestContext request)
    {
        List<string> fields = [];
        foreach (QueryParameters.Parameter parameter in request.Query)
        {
            if (parameter.Is("field"))
            {
                fields.Add(System.Text.Encoding.UTF8.GetString(request.Decode(parameter.Encoded, "field").Span));
            }
        }

        return fields.Count == 0 ? null : fields;
    }

    private static void RefuseWhatIsNoStream(QueryInput input)
    {
        if (input.IsExplain)
        {
            throw new RqlException(input.Text, 0, "'explain' is answered by /queries: a stream gives results");
        }

        if (input.IsOfTerms)
        {
            throw new RqlException(
                input.Text, input.SelectPlace ?? 0,
                "facets and suggestions are answered by /queries: a stream gives results");
        }

        if (input.IncludePlace is { } first)
        {
            throw new RqlException(
                input.Text, first,
                "what a query includes is answered by /queries: a stream gives results alone, with what they 'load'");
        }
    }

    private static void RefuseWhatIsNotServed(QueryInput input)
    {
        if (input.FilterPlace is { } filter && input.IsOfTerms)
        {
            throw new RqlException(
                input.Text, filter, "facets and suggestions are of the index: 'filter' looks into results, of "
                + "which there are none");
        }

        if (input.UpdatePlace is { } update)
        {
            throw new RqlException(
                input.Text, update, "'update' changes documents: send the query by PATCH");
        }
    }
}
