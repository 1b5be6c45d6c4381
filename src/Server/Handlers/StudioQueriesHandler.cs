using System.Text.Json;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Indexing;
using Raven.Documents.Queries;
using Raven.Documents.Queries.Rql;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The route that says of a query what can be said without asking it.</summary>
internal static class StudioQueriesHandler
{
    [Route("POST", "/databases/*/studio/queries/check", Access.Read, Place = Place.Any,
        Summary = "What a query reads, who would answer it, and what is wrong with it; nothing is searched or made")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        BlittableObject body =
            await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
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
        var check = QueryCheck.Of(request.Database, query, hasParameters ? values.AsObject() : default);
        using DocumentSnapshot snapshot = request.BeginRead();
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        WriteError(json, check.Error);
        WriteSource(json, check);
        json.WriteBoolean("IsChange"u8, check.IsChange);
        json.WriteStartArray("Fields"u8);
        foreach (string field in check.Fields)
        {
            json.WriteStringValue(field);
        }

        json.WriteEndArray();
        json.WriteStartArray("Parameters"u8);
        foreach ((string name, bool isGiven) in check.Parameters)
        {
            json.WriteStartObject();
            json.WriteString("Name"u8, name);
            json.WriteBoolean("IsGiven"u8, isGiven);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        WriteIndex(json, check, snapshot);
        json.WriteEndObject();
    }

    private static void WriteError(Utf8JsonWriter json, RqlException? error)
    {
        if (error is null)
        {
            json.WriteNull("Error"u8);
            return;
        }

        json.WriteStartObject("Error"u8);
        json.WriteString("Message"u8, error.Message);
        json.WriteNumber("Line"u8, error.Line);
        json.WriteNumber("Column"u8, error.Column);
        json.WriteNumber("Position"u8, error.Position);
        json.WriteEndObject();
    }

    private static void WriteSource(Utf8JsonWriter json, QueryCheck check)
    {
        if (check.Plan is null)
        {
            json.WriteNull("Source"u8);
            return;
        }

        json.WriteStartObject("Source"u8);
        json.WriteString(
            "Kind"u8,
            check.IsOfIndex ? "Index"u8 : check.Source is null ? "AllDocuments"u8 : "Collection"u8);
        json.WriteString("Name"u8, check.Source);
        json.WriteEndObject();
    }

    private static void WriteIndex(Utf8JsonWriter json, QueryCheck check, DocumentSnapshot snapshot)
    {
        if (check.Plan is not { } plan)
        {
            json.WriteNull("Index"u8);
            return;
        }

        DatabaseIndex? index = plan.Index;
        json.WriteStartObject("Index"u8);
        json.WriteString(
            "Kind"u8, plan.IsOfDocuments ? "Documents"u8 : IsAuto(check, index) ? "Auto"u8 : "Static"u8);
        json.WriteString("Name"u8, plan.NameIfMade);
        json.WriteBoolean("Exists"u8, plan.IsOfDocuments || index is not null);
        if (index is null)
        {
            json.WriteNull("IsStale"u8);
            json.WriteNull("Behind"u8);
        }
        else
        {
            long behind = Math.Max(0, IndexScope.LastEtag(snapshot, index) - index.CoveredEtag);
            json.WriteBoolean("IsStale"u8, behind > 0);
            json.WriteNumber("Behind"u8, behind);
        }

        json.WriteString("Reason"u8, plan.Reason);
        json.WriteEndObject();
    }

    private static bool IsAuto(QueryCheck check, DatabaseIndex? index) =>
        index?.Definition.IsAuto ?? !check.IsOfIndex;
}
