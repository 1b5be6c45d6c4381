using System.Text.Json;
using Raven.Documents;
using Raven.Documents.Settings;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of the settings of a database: revisions, expiration, refresh, archival.</summary>
internal static class SettingsHandler
{
    [Route("POST", "/databases/*/admin/revisions/config", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "revisions.configured", Summary = "Says which earlier versions are kept")]
    internal static ValueTask PostRevisionsAsync(RequestContext request) =>
        SetAsync(request, SettingsStore.Revisions);

    [Route("POST", "/databases/*/admin/revisions/conflicts/config", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "revisions.conflicts.configured",
        Summary = "Says which versions of conflicts are kept; a single node has no conflicts")]
    internal static ValueTask PostConflictsAsync(RequestContext request) =>
        SetAsync(request, SettingsStore.RevisionsForConflicts);

    [Route("GET", "/databases/*/revisions/config", Access.Read, Place = Place.Any,
        Summary = "Which earlier versions are kept")]
    internal static ValueTask GetRevisionsAsync(RequestContext request) => Get(request, SettingsStore.Revisions);

    [Route("POST", "/databases/*/admin/expiration/config", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "database.expiration.configured",
        Summary = "Says whether documents expire, and how often that is looked for")]
    internal static ValueTask PostExpirationAsync(RequestContext request) =>
        SetAsync(request, SettingsStore.Expiration);

    [Route("GET", "/databases/*/expiration/config", Access.Read, Place = Place.Any,
        Summary = "Whether documents expire")]
    internal static ValueTask GetExpirationAsync(RequestContext request) => Get(request, SettingsStore.Expiration);

    [Route("POST", "/databases/*/admin/refresh/config", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "database.refresh.configured",
        Summary = "Says whether documents are refreshed, and how often that is looked for")]
    internal static ValueTask PostRefreshAsync(RequestContext request) => SetAsync(request, SettingsStore.Refresh);

    [Route("GET", "/databases/*/refresh/config", Access.Read, Place = Place.Any,
        Summary = "Whether documents are refreshed")]
    internal static ValueTask GetRefreshAsync(RequestContext request) => Get(request, SettingsStore.Refresh);

    [Route("POST", "/databases/*/admin/data-archival/config", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "database.archival.configured",
        Summary = "Says whether documents are archived, and how often that is looked for")]
    internal static ValueTask PostArchivalAsync(RequestContext request) =>
        SetAsync(request, SettingsStore.DataArchival);

    [Route("GET", "/databases/*/data-archival/config", Access.Read, Place = Place.Any,
        Summary = "Whether documents are archived")]
    internal static ValueTask GetArchivalAsync(RequestContext request) => Get(request, SettingsStore.DataArchival);

    [Route("POST", "/databases/*/admin/revisions/bin-cleaner/config", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "revisions.bin.configured", Summary = "Says when the revisions of deleted documents go")]
    internal static ValueTask PostBinAsync(RequestContext request) => SetAsync(request, SettingsStore.RevisionsBin);

    [Route("GET", "/databases/*/revisions/bin-cleaner/config", Access.Read, Place = Place.Any,
        Summary = "When the revisions of deleted documents go")]
    internal static ValueTask GetBinAsync(RequestContext request) => Get(request, SettingsStore.RevisionsBin);

    internal static async ValueTask SetAsync(RequestContext request, string name)
    {
        byte[] json = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        request.Announce();
        try
        {
            await request.Database.ConfigureAsync(name, json).ConfigureAwait(false);
        }
        catch (FormatException e)
        {
            throw new BadRequestException(400, ErrorType.Argument, $"The {name} configuration is wrong: {e.Message}");
        }

        Utf8JsonWriter answer = request.Response.BeginJson();
        answer.WriteStartObject();
        answer.WriteNumber("RaftCommandIndex"u8, request.Server.NextCommandIndex());
        answer.WriteEndObject();
    }

    internal static ValueTask Get(RequestContext request, string name)
    {
        using DocumentSnapshot snapshot = request.BeginRead();
        if (SettingsStore.Read(snapshot.Transaction, name) is { } json)
        {
            MemberDefaults.Write(request.Response.BeginJson(), name, json);
        }
        else
        {
            ErrorResponse.Write(
                request, 404, ErrorType.BadRequest, $"{name} was not configured in this database.");
        }

        return ValueTask.CompletedTask;
    }
}
