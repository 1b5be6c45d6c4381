using System.Text.Json;
using Raven.Documents.Indexing;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of deletions that are remembered: who still needs them, and forgetting them now.</summary>
internal static class TombstonesHandler
{
    [Route("GET", "/databases/*/admin/tombstones/state", Access.DatabaseAdmin, Place = Place.Node,
        Summary = "Which deletions are remembered, and which index still needs them")]
    internal static ValueTask GetStateAsync(RequestContext request)
    {
        TombstoneReport report = TombstoneReport.Of(request.Database);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("MinAllDocsEtag"u8, report.SeenEtag);
        json.WriteNumber("Tombstones"u8, report.Count);
        json.WriteNumber("Removed"u8, request.Database.Tombstones.Removed);
        json.WriteStartArray("Results"u8);
        foreach (TombstoneReport.OfCollection collection in report.Collections)
        {
            json.WriteStartObject();
            json.WriteString("Collection"u8, collection.Name);
            json.WriteNumber("Tombstones"u8, collection.Count);
            json.WriteNumber("ForgottenEtag"u8, collection.ForgottenEtag);
            json.WriteStartObject("Documents"u8);
            json.WriteString("Component"u8, collection.Index is null ? null : $"index '{collection.Index}'");
            json.WriteNumber("Etag"u8, collection.IndexEtag);
            json.WriteEndObject();
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("POST", "/databases/*/admin/tombstones/cleanup", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "tombstones.cleaned", Summary = "Forgets deletions that nobody needs any more")]
    internal static async ValueTask PostCleanupAsync(RequestContext request)
    {
        request.Announce();
        long removed = await request.Database.Tombstones.CleanAsync(request.Aborted).ConfigureAwait(false);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("Value"u8, removed);
        json.WriteEndObject();
    }
}
