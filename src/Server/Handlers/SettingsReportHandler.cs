using System.Text.Json;
using Raven.Documents.Catalog;
using Raven.Documents.Settings;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;
using Raven.Server.Options;

namespace Raven.Server.Handlers;

/// <summary>
/// The routes of settings by their scope, of the restart of a database, and of what the Studio keeps for itself.
/// </summary>
internal static class SettingsReportHandler
{
    private const string Studio = "Studio";
    private const string StudioOfServer = "studio";
    private const string Masked = "*****";

    private static readonly TimeSpan CloseMax = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan ClosePause = TimeSpan.FromMilliseconds(20);

    [Route("GET", "/admin/configuration/settings", Access.Operator, Place = Place.Node,
        Summary = "The settings of the server")]
    internal static ValueTask GetOfServerAsync(RequestContext request)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        Write(json, request.Server.Options, OptionTable.Keys, default);
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/admin/configuration/settings", Access.DatabaseAdmin, Place = Place.Node,
        Summary = "The settings of a database, and those of the server that are of its kind", Query = "scope")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        string? scope = request.Query.GetText("scope");
        if (scope is not (null or "" or "Database" or "Server" or "database" or "server"))
        {
            throw new BadRequestException(
                400, ErrorType.Argument, $"The parameter 'scope' must be Server or Database, not '{scope}'.");
        }

        bool hasServer = scope is null or "" or "Server" or "server";
        if (!request.Server.Databases.TryGetRecord(request.Database.Name, out DatabaseRecord? record))
        {
            DatabaseResolver.AnswerMissing(request, request.Database.Name);
            return ValueTask.CompletedTask;
        }

        using JsonDocument document = StoredJson.Parse(RecordSecrets.Masked(record.Json.ToArray()));
        JsonElement own = document.RootElement.TryGetProperty(RecordJson.Settings, out JsonElement settings)
            && scope is not ("Server" or "server")
            ? settings
            : default;
        Write(
            request.Response.BeginJson(), request.Server.Options,
            hasServer ? [.. OptionTable.Keys.Where(key => SettingKeys.IsOfDatabases(key.Name))] : [], own);
        return ValueTask.CompletedTask;
    }

    [Route("POST", "/databases/*/admin/restart", Access.DatabaseAdmin, Place = Place.Node,
        Audit = "database.restarted", Summary = "Closes a database, which its next use opens with its settings of now")]
    internal static async ValueTask RestartAsync(RequestContext request)
    {
        request.Announce();
        long began = request.Server.Time.GetTimestamp();
        while (!request.Database.TryClose())
        {
            if (request.Server.Time.GetElapsedTime(began) > CloseMax)
            {
                request.Response.Headers.RetryAfter = "1";
                throw new BadRequestException(
                    503, ErrorType.Timeout, $"'{request.Database.Name}' is in use all the time: it was not closed.");
            }

            await Task.Delay(ClosePause, request.Server.Time, request.Aborted).ConfigureAwait(false);
        }

        request.Response.Status = 204;
    }

    [Route("GET", "/admin/configuration/studio", Access.Operator, Place = Place.Node,
        Summary = "What the Studio keeps of a server")]
    [Route("GET", "/configuration/studio", Access.ValidUser, Place = Place.Node,
        Summary = "What the Studio keeps of a server")]
    internal static ValueTask GetStudioOfServerAsync(RequestContext request)
    {
        byte[]? json = request.Server.Databases.Records.Read(StudioOfServer)
            .FirstOrDefault(one => one.Key == StudioOfServer).Value;
        return WriteStudio(request, json);
    }

    [Route("PUT", "/admin/configuration/studio", Access.Operator, Place = Place.Node,
        Audit = "server.studio.configured", IsAuditNote = true, Summary = "Keeps something for the Studio")]
    internal static async ValueTask PutStudioOfServerAsync(RequestContext request)
    {
        byte[] json = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        request.Announce();
        request.Server.Databases.Records.Write([new(StudioOfServer, json)]);
        request.Response.Status = 204;
    }

    [Route("GET", "/databases/*/configuration/studio", Access.Read, Place = Place.Any,
        Summary = "What the Studio keeps of a database")]
    internal static ValueTask GetStudioAsync(RequestContext request)
    {
        byte[]? json = null;
        if (request.Server.Databases.TryGetRecord(request.Database.Name, out DatabaseRecord? record))
        {
            using JsonDocument document = StoredJson.Parse(RecordSecrets.Masked(record.Json.ToArray()));
            json = document.RootElement.TryGetProperty(Studio, out JsonElement kept)
                && kept.ValueKind == JsonValueKind.Object
                ? JsonSerializer.SerializeToUtf8Bytes(kept)
                : null;
        }

        return WriteStudio(request, json);
    }

    [Route("PUT", "/databases/*/admin/configuration/studio", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "database.studio.configured", IsAuditNote = true, Summary = "Keeps something for the Studio")]
    internal static async ValueTask PutStudioAsync(RequestContext request)
    {
        byte[] json = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        request.Announce();
        request.Server.Databases.TrySetInRecord(request.Database.Name, Studio, json);
        request.Response.Status = 204;
    }

    private static ValueTask WriteStudio(RequestContext request, byte[]? json)
    {
        if (json is null)
        {
            ErrorResponse.Write(request, 404, ErrorType.BadRequest, "Nothing was kept for the Studio.");
        }
        else
        {
            request.Response.BeginJson().WriteRawValue(json);
        }

        return ValueTask.CompletedTask;
    }

    private static void Write(
        Utf8JsonWriter json, ServerOptions options, IReadOnlyList<OptionKey> keys, JsonElement ofDatabase)
    {
        var defaults = new ServerOptions();
        json.WriteStartObject();
        json.WriteStartArray("Settings"u8);
        foreach (OptionKey key in keys)
        {
            string value = key.Show(options);
            json.WriteStartObject();
            WriteMetadata(json, key.Name, "ServerWideOnly", key.Summary, key.Show(defaults), value == Masked);
            WriteValue(json, "ServerValues"u8, key.Name, value == Masked ? null : value);
            json.WriteStartObject("DatabaseValues"u8);
            json.WriteEndObject();
            json.WriteEndObject();
        }

        foreach (JsonProperty setting in ofDatabase.ValueKind == JsonValueKind.Object
            ? ofDatabase.EnumerateObject()
            : default)
        {
            string value = setting.Value.ToString();
            json.WriteStartObject();
            WriteMetadata(json, setting.Name, "ServerWideOrPerDatabase", "", "", value == Masked);
            json.WriteStartObject("ServerValues"u8);
            json.WriteEndObject();
            WriteValue(json, "DatabaseValues"u8, setting.Name, value == Masked ? null : value);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WriteMetadata(
        Utf8JsonWriter json, string name, string scope, string description, string usual, bool isSecured)
    {
        json.WriteStartObject("Metadata"u8);
        json.WriteStartArray("Keys"u8);
        json.WriteStringValue(name);
        json.WriteEndArray();
        json.WriteString("Scope"u8, scope);
        json.WriteString("Description"u8, description);
        json.WriteString("Type"u8, "String"u8);
        json.WriteString("DefaultValue"u8, usual);
        json.WriteBoolean("IsSecured"u8, isSecured);
        json.WriteEndObject();
    }

    /// <summary>A secret has a value, which nobody sees.</summary>
    private static void WriteValue(Utf8JsonWriter json, ReadOnlySpan<byte> side, string name, string? value)
    {
        json.WriteStartObject(side);
        json.WriteStartObject(name);
        json.WriteString("Value"u8, value);
        json.WriteBoolean("HasValue"u8, value != "");
        json.WriteBoolean("HasAccess"u8, value != null);
        json.WriteEndObject();
        json.WriteEndObject();
    }
}
