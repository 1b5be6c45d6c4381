using System.Globalization;
using System.Text.Json;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Operations;
using Raven.Documents.Queries;
using Raven.Documents.Queries.Changes;
using Raven.Documents.Queries.Rql;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Queries;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;

namespace Raven.Server.Handlers;

/// <summary>The routes that delete or change the documents that a query finds, as an operation that clients poll and
/// may end.</summary>
internal static class QueryChangesHandler
{
    [Route("DELETE", "/databases/*/queries", Access.ReadWrite, Place = Place.Primary,
        Audit = "data.deleted",
        Summary = "Deletes what a query finds", Query = "allowStale:bool, staleTimeout, maxOpsPerSec:int")]
    internal static async ValueTask DeleteAsync(RequestContext request)
    {
        QueryInput input = await ReadAsync(request, isWrapped: false).ConfigureAwait(false);
        Begin(request, input, isPatch: false);
    }

    [Route("PATCH", "/databases/*/queries", Access.ReadWrite, Place = Place.Primary,
        Audit = "data.patched",
        Summary = "Changes what a query finds by a script", Query = "allowStale:bool, staleTimeout, maxOpsPerSec:int")]
    internal static async ValueTask PatchAsync(RequestContext request)
    {
        QueryInput input = await ReadAsync(request, isWrapped: true).ConfigureAwait(false);
        if (input.UpdatePlace is null)
        {
            throw new BadRequestException(
                400, ErrorType.InvalidQuery, "The query has no 'update { ... }': what should be changed?");
        }

        QueryChange.CheckScript(request.Server.Queries, input);
        Begin(request, input, isPatch: true);
    }

    private static async ValueTask<QueryInput> ReadAsync(RequestContext request, bool isWrapped)
    {
        BlittableObject body =
            await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        if (isWrapped && body.TryGet("Query"u8, out BlittableValue inner) && inner.Kind == ValueKind.Object)
        {
            body = inner.AsObject();
        }

        QueryInput input = QueryRequest.Read(request, body);
        RefuseWhatOnlyReads(input, isPatch: isWrapped);
        if (request.Query.GetText("staleTimeout") is not { } wait)
        {
            return input;
        }

        // The client for Node.js sends milliseconds.
        CultureInfo culture = CultureInfo.InvariantCulture;
        return int.TryParse(wait, NumberStyles.None, culture, out int milliseconds)
            ? input with { WaitMax = TimeSpan.FromMilliseconds(milliseconds) }
            : TimeSpan.TryParse(wait, culture, out TimeSpan timeMax) && timeMax >= TimeSpan.Zero
            ? input with { WaitMax = timeMax }
            : throw new BadRequestException(
                400, ErrorType.Argument,
                $"The parameter 'staleTimeout' must be a span of time that is not negative, not '{wait}'.");
    }

    /// <summary>Refuses parts of a query that do not say which documents it finds. They would be ignored, and a client
    /// that sends them does not expect that all of the documents are changed.</summary>
    private static void RefuseWhatOnlyReads(QueryInput input, bool isPatch)
    {
        (int place, string what) = input switch
        {
            { AsksToExplain: true } => (0, "explain"),
            { GroupPlace: { } key } => (key, "group by"),
            { SelectPlace: { } item } => (item, "select"),
            { IncludePlace: { } include } => (include, "include"),
            { UpdatePlace: { } update } when !isPatch => (update, "update"),
            _ => (0, ""),
        };
        if (what.Length > 0 || input.IsExplain || input.IsOfEntries)
        {
            throw new RqlException(
                input.Text, place,
                $"'{(what.Length > 0 ? what : "debug")}' has no meaning where documents are "
                + (isPatch ? "changed" : "deleted"));
        }
    }

    private static void Begin(RequestContext request, QueryInput input, bool isPatch)
    {
        request.Announce(detail: DatabaseEvents.Of("query", input.Text));
        ServerState server = request.Server;
        Database database = request.Database;
        long perSecondMax = request.Query.GetInt64("maxOpsPerSec", 0);

        // The request ends before the operation: its parameters must live on in memory of their own. Where there is
        // none, no operation begins.
        var kept = new OwnedParameters(server.Queries, input);
        RunningOperation operation = server.Operations.Begin(database.Name, OperationStarter.Of(request));
        _ = Task.Run(() => RunAsync(server, database, operation, kept, isPatch, perSecondMax));
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("OperationId"u8, operation.Id);
        json.WriteString("OperationNodeTag"u8, server.Cluster.Tag);
        json.WriteEndObject();
    }

    private static async Task RunAsync(
        ServerState server, Database database, RunningOperation operation, OwnedParameters kept, bool isPatch,
        long perSecondMax)
    {
        try
        {
            using (kept)
            using (var change = new QueryChange(
                server.Queries, database, operation, perSecondMax, server.Stopping))
            {
                await (isPatch ? change.PatchAsync(kept.Input) : change.DeleteAsync(kept.Input))
                    .ConfigureAwait(false);
            }

            operation.Complete();
        }
        catch (Exception failure)
        {
            // Any exception becomes the failure of the operation.
            operation.Fail(FailureMapping.Describe(server, failure));
        }
        finally
        {
            server.Operations.Ended(operation);
        }
    }
}
