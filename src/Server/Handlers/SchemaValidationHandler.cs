using System.Text.Json;
using Raven.Documents;
using Raven.Documents.Schemas;
using Raven.Documents.Settings;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of schemas that documents must keep to.</summary>
internal static class SchemaValidationHandler
{
    private const int PageSizeDefault = 25;
    private const int PageSizeMax = 1024;

    [Route("POST", "/databases/*/admin/schema-validation/config", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "database.schemas.configured", Summary = "Says which schema the documents of a collection keep to")]
    internal static ValueTask PostConfigurationAsync(RequestContext request) =>
        SettingsHandler.SetAsync(request, SettingsStore.SchemaValidation);

    [Route("GET", "/databases/*/schema-validation/config", Access.Read, Place = Place.Any,
        Summary = "Which schema the documents of a collection keep to")]
    internal static ValueTask GetConfiguration(RequestContext request) =>
        SettingsHandler.Get(request, SettingsStore.SchemaValidation);

    [Route("GET", "/databases/*/schema-validation/violations", Access.Read, Place = Place.Any,
        Query = "collection, etag:int, pageSize:int",
        Summary = "Which documents break the schema of their collection: those from before it")]
    internal static ValueTask GetViolations(RequestContext request)
    {
        string collection = request.Query.GetText("collection")
            ?? throw new BadRequestException(400, ErrorType.Argument, "The query parameter 'collection' is missing.");
        int pageSize = Math.Clamp(request.Query.GetInt32("pageSize", PageSizeDefault), 1, PageSizeMax);
        SchemaReport report = SchemaReport.Of(
            request.Database, collection, request.Query.GetInt64("etag", 0), pageSize, request.Aborted)
            ?? throw new BadRequestException(
                400, ErrorType.InvalidOperation, $"The collection '{collection}' has no schema that is in effect.");
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        foreach ((string id, SchemaViolation violation) in report.Results)
        {
            json.WriteStartObject();
            json.WriteString("Id"u8, id);
            json.WriteString("Path"u8, violation.Path);
            json.WriteString("Keyword"u8, violation.Keyword);
            json.WriteString("Place"u8, violation.Place);
            json.WriteString("Message"u8, violation.Describe());
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteNumber("Checked"u8, report.Checked);
        if (report.NextEtag is { } next)
        {
            json.WriteNumber("NextEtag"u8, next);
        }
        else
        {
            json.WriteNull("NextEtag"u8);
        }

        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }
}
