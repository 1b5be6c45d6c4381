using System.Text.Json;
using Raven.Documents;
using Raven.Documents.Settings;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of values that only one document may have.</summary>
internal static class UniqueConstraintsHandler
{
    private const int PageSizeDefault = 25;
    private const int PageSizeMax = 1024;

    [Route("POST", "/databases/*/admin/unique-constraints/config", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "database.unique.configured",
        Summary = "Says which values only one document of a collection may have")]
    internal static ValueTask PostConfigurationAsync(RequestContext request) =>
        SettingsHandler.SetAsync(request, SettingsStore.UniqueConstraints);

    [Route("GET", "/databases/*/unique-constraints/config", Access.Read, Place = Place.Any,
        Summary = "Which values only one document of a collection may have")]
    internal static ValueTask GetConfiguration(RequestContext request) =>
        SettingsHandler.Get(request, SettingsStore.UniqueConstraints);

    [Route("GET", "/databases/*/unique-constraints/state", Access.Read, Place = Place.Any, Query = "pageSize:int",
        Summary = "Which constraints are in effect, and which values documents share otherwise")]
    internal static ValueTask GetState(RequestContext request)
    {
        int shared = Math.Min(request.Query.GetInt32("pageSize", PageSizeDefault), PageSizeMax);
        using DocumentSnapshot snapshot = request.BeginRead();
        IReadOnlyList<UniqueConstraintState> states = UniqueConstraints.Read(snapshot, shared, request.Aborted);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        foreach (UniqueConstraintState state in states)
        {
            json.WriteStartObject();
            json.WriteString("Collection"u8, state.Collection);
            json.WriteString("Name"u8, state.Name);
            Write(json, "Fields"u8, state.Fields);
            json.WriteBoolean("IgnoreCase"u8, state.IgnoresCase);
            json.WriteString("State"u8, state.Stage.ToString());
            json.WriteNumber("BuiltEtag"u8, state.BuiltEtag);
            json.WriteNumber("StopEtag"u8, state.StopEtag);
            json.WriteNumber("Excess"u8, state.Excess);
            json.WriteStartArray("Shared"u8);
            foreach (UniqueSharedValue value in state.Shared)
            {
                json.WriteStartObject();
                Write(json, "Values"u8, value.Values);
                Write(json, "Ids"u8, value.Ids);
                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    private static void Write(Utf8JsonWriter json, ReadOnlySpan<byte> name, IReadOnlyList<string> texts)
    {
        json.WriteStartArray(name);
        foreach (string text in texts)
        {
            json.WriteStringValue(text);
        }

        json.WriteEndArray();
    }
}
