using System.Buffers;
using System.Text.Json;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Server.Documents;
using Raven.Server.Http;
using Raven.Server.Routing;

namespace Raven.Server.Handlers;

/// <summary>Databases come, go and are listed.</summary>
internal static class DatabasesHandler
{
    [Route("PUT", "/admin/databases", Access = Access.Operator, Summary = "Creates a database")]
    internal static async ValueTask PutAsync(RequestContext request)
    {
        BlittableObject record =
            await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        string? named = NameIn(record);
        string? name = request.Query.GetText("name") ?? named;
        if (name == null)
        {
            throw new BadRequestException(
                400, ErrorType.Argument, "The database has no name: give the parameter 'name' or a DatabaseName.");
        }

        if (named != null && !named.Equals(name, StringComparison.OrdinalIgnoreCase))
        {
            throw new BadRequestException(
                400, ErrorType.Argument, $"The parameter 'name' is '{name}', but the DatabaseName is '{named}'.");
        }

        if (record.TryGet("Settings"u8, out BlittableValue settings)
            && settings.Kind is not (ValueKind.Object or ValueKind.Null))
        {
            throw new BadRequestException(400, ErrorType.Argument, "Settings must be an object.");
        }

        var json = new ArrayBufferWriter<byte>();
        BlittableToJson.Write(record, json, JsonOutputOptions.Original);
        switch (request.Server.Databases.TryCreate(name, json.WrittenSpan, out _))
        {
            case CreateDatabaseStatus.Created:
                AnswerCreated(request, name);
                break;
            case CreateDatabaseStatus.Exists:
                ErrorResponse.Write(request, 409, ErrorType.Concurrency, $"Database '{name}' already exists.");
                break;
            default:
                throw new BadRequestException(
                    400, ErrorType.Argument,
                    $"'{name}' cannot be the name of a database: 1 to {DatabaseName.LengthMax} of A-Z a-z 0-9 _ . -, "
                    + "no dot at either end.");
        }
    }

    [Route("DELETE", "/admin/databases", Access = Access.Operator, Summary = "Deletes databases")]
    internal static async ValueTask DeleteAsync(RequestContext request)
    {
        string? one = request.Query.GetText("name");
        bool isHard = request.Query.GetBool("hard-delete") || request.Query.GetBool("hardDelete");
        if (one != null)
        {
            request.Server.Databases.TryDelete(one, isHard);
        }
        else
        {
            BlittableObject body =
                await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
            DeleteNamed(request, body);
        }

        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("RaftCommandIndex"u8, request.Server.NextCommandIndex());
        json.WriteStartArray("PendingDeletes"u8);
        json.WriteEndArray();
        json.WriteEndObject();
    }

    [Route("GET", "/admin/databases", Access = Access.Operator, Summary = "The record of a database")]
    internal static ValueTask GetRecordAsync(RequestContext request)
    {
        string name = request.Query.GetText("name")
            ?? throw new BadRequestException(400, ErrorType.Argument, "The parameter 'name' is missing.");
        if (request.Server.Databases.TryGetRecord(name, out DatabaseRecord? record))
        {
            WriteRecord(request, record);
        }
        else
        {
            ErrorResponse.Write(request, 404, ErrorType.DatabaseMissing, $"Database '{name}' does not exist.");
        }

        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases", Summary = "The names of all databases")]
    internal static ValueTask GetNamesAsync(RequestContext request)
    {
        string[] names = request.Server.Databases.Names();
        int start = request.Query.GetInt32("start", 0);
        int size = request.Query.GetInt32("pageSize", int.MaxValue);
        bool isNamesOnly = request.Query.GetBool("namesOnly");
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Databases"u8);
        foreach (string name in names.Skip(start).Take(size))
        {
            if (isNamesOnly)
            {
                json.WriteStringValue(name);
            }
            else
            {
                WriteSummary(request, json, name);
            }
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    private static string? NameIn(BlittableObject record) =>
        record.TryGet("DatabaseName"u8, out BlittableValue value) && value.TryGetString(out string name) ? name : null;

    private static void DeleteNamed(RequestContext request, BlittableObject body)
    {
        if (!body.TryGet("DatabaseNames"u8, out BlittableValue names) || !names.TryGetArray(out BlittableArray list))
        {
            throw new BadRequestException(400, ErrorType.Argument, "DatabaseNames must be a list of names.");
        }

        bool isHard = body.TryGet("HardDelete"u8, out BlittableValue hard) && hard.TryGetBoolean(out bool yes) && yes;
        for (int i = 0; i < list.Count; i++)
        {
            if (!list[i].TryGetString(out string name))
            {
                throw new BadRequestException(400, ErrorType.Argument, $"DatabaseNames[{i}] is not a text.");
            }

            request.Server.Databases.TryDelete(name, isHard);
        }
    }

    private static void AnswerCreated(RequestContext request, string name)
    {
        request.Response.Status = 201;
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("RaftCommandIndex"u8, request.Server.NextCommandIndex());
        json.WriteString("Name"u8, name);
        WriteTopology(json);
        json.WriteStartArray("NodesAddedTo"u8);
        json.WriteStringValue(request.BaseUrl());
        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WriteTopology(Utf8JsonWriter json)
    {
        json.WriteStartObject("Topology"u8);
        json.WriteStartArray("Members"u8);
        json.WriteStringValue(ServerState.NodeTag);
        json.WriteEndArray();
        json.WriteStartArray("Promotables"u8);
        json.WriteEndArray();
        json.WriteStartArray("Rehabs"u8);
        json.WriteEndArray();
        json.WriteNumber("ReplicationFactor"u8, 1);
        json.WriteBoolean("DynamicNodesDistribution"u8, false);
        json.WriteEndObject();
    }

    /// <summary>The record as it was sent, and what the server knows better.</summary>
    private static void WriteRecord(RequestContext request, DatabaseRecord record)
    {
        using JsonDocument stored = JsonDocument.Parse(record.Json);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("DatabaseName"u8, record.Name);
        json.WriteString("DatabaseState"u8, "Normal"u8);
        WriteTopology(json);
        json.WriteNumber("Etag"u8, record.Etag);
        bool hasSettings = false;
        foreach (JsonProperty property in stored.RootElement.EnumerateObject())
        {
            if (property.Name is not ("DatabaseName" or "DatabaseState" or "Topology" or "Etag"))
            {
                property.WriteTo(json);
                hasSettings |= property.Name == "Settings";
            }
        }

        if (!hasSettings)
        {
            json.WriteStartObject("Settings"u8);
            json.WriteEndObject();
        }

        json.WriteEndObject();
    }

    private static void WriteSummary(RequestContext request, Utf8JsonWriter json, string name)
    {
        json.WriteStartObject();
        json.WriteString("Name"u8, name);
        json.WriteBoolean("Disabled"u8, false);
        if (request.Server.Databases.TryGet(name, out Database? database) && database.Fault is { } fault)
        {
            json.WriteString("LoadError"u8, fault);
        }

        json.WriteStartObject("NodesTopology"u8);
        json.WriteStartArray("Members"u8);
        json.WriteStartObject();
        json.WriteString("NodeTag"u8, ServerState.NodeTag);
        json.WriteString("NodeUrl"u8, request.BaseUrl());
        json.WriteEndObject();
        json.WriteEndArray();
        json.WriteEndObject();
        json.WriteEndObject();
    }
}
