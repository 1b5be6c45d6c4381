using System.Buffers;
using System.Globalization;
using System.Text.Json;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Catalog;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes that create, delete and list databases.</summary>
internal static class DatabasesHandler
{
    [Route("PUT", "/admin/databases", Access.Operator, Place = Place.Observer,
        Audit = "database.created", Summary = "Creates a database", Query = "name, replicationFactor:int")]
    internal static async ValueTask PutAsync(RequestContext request)
    {
        BlittableObject record = await ReadRecordAsync(request).ConfigureAwait(false);
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

        if (settings.TryGetObject(out BlittableObject keys))
        {
            SettingKeys.CheckOfRecord(keys);
        }

        var written = new ArrayBufferWriter<byte>();
        BlittableToJson.Write(record, written, JsonOutputOptions.Original);
        if (request.Server.Cluster.IsClustered)
        {
            await ClusterDatabases.PutAsync(request, name, record, written.WrittenMemory).ConfigureAwait(false);
            return;
        }

        byte[] json = TakeSettings(written.WrittenMemory, out RecordSettings recordSettings);
        if (long.TryParse(request.Headers.ETag.ToString().Trim('"'), CultureInfo.InvariantCulture, out long etag)
            && etag > 0)
        {
            DatabaseEvents.AnnounceChange(request, name, record);
            await UpdateAsync(request, name, etag, json, recordSettings).ConfigureAwait(false);
        }
        else
        {
            DatabaseEvents.AnnounceCreation(request, name, record);
            await CreateAsync(request, name, json, recordSettings).ConfigureAwait(false);
        }
    }

    /// <summary>Reads the record in the body; without a body, the error says what a record is.</summary>
    private static async ValueTask<BlittableObject> ReadRecordAsync(RequestContext request)
    {
        try
        {
            return await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        }
        catch (BadRequestException e) when (e.Type == ErrorType.InvalidJson)
        {
            string name = JsonEncodedText.Encode(request.Query.GetText("name") ?? "NAME").Value;
            throw new BadRequestException(
                e.Status, e.Type,
                $"{e.Message} The body is the record of the database; {{\"DatabaseName\":\"{name}\"}} is enough.");
        }
    }

    [Route("DELETE", "/admin/databases", Access.Operator, Place = Place.Observer,
        Audit = "database.deleted", Summary = "Deletes databases", Query = "name, hardDelete:bool, hard-delete:bool")]
    internal static async ValueTask DeleteAsync(RequestContext request)
    {
        string? one = request.Query.GetText("name");
        bool isHard = request.Query.GetBool("hard-delete") || request.Query.GetBool("hardDelete");
        string[] names = one == null ? [] : [one];
        IReadOnlyList<string>? nodes = null;
        if (one == null)
        {
            BlittableObject body =
                await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
            names = NamesIn(body);
            isHard = body.TryGet("HardDelete"u8, out BlittableValue hard) && hard.TryGetBoolean(out bool yes) && yes;
            nodes = request.Server.Cluster.IsClustered
                ? DatabaseNodesHandler.TagsIn(body, "FromNodes"u8, "FromNodes")
                : null;
        }

        if (request.Server.Cluster.IsClustered)
        {
            await ClusterDatabases.DeleteAsync(request, names, isHard, nodes ?? []).ConfigureAwait(false);
            return;
        }

        if (!MayDelete(request, names))
        {
            return;
        }

        names = Array.FindAll(names, name => LockModeOf(request, name).Length == 0);
        foreach (string name in names)
        {
            request.Announce(database: name, detail: DatabaseEvents.Of("hard", isHard ? "true" : "false"));
        }

        bool isAnyDeleted = false;
        foreach (string name in names)
        {
            isAnyDeleted |= Delete(request, name, isHard);
        }

        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("RaftCommandIndex"u8, isAnyDeleted ? request.Server.NextCommandIndex() : -1);
        json.WriteStartArray("PendingDeletes"u8);
        json.WriteEndArray();
        json.WriteEndObject();
    }

    [Route("GET", "/admin/databases", Access.Operator, Place = Place.Node,
        HoldsSecrets = true, Summary = "The record of a database", Query = "name!")]
    internal static ValueTask GetRecordAsync(RequestContext request)
    {
        string name = request.Query.GetText("name")
            ?? throw new BadRequestException(400, ErrorType.Argument, "The parameter 'name' is missing.");
        if (request.Server.TryGetRecord(name, out DatabaseRecord? record))
        {
            DatabaseRecordJson.Write(request, record);
        }
        else
        {
            ErrorResponse.Write(request, 404, ErrorType.DatabaseMissing, $"Database '{name}' does not exist.");
        }

        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases", Access.ValidUser, Place = Place.Node,
        Summary = "The names of the databases that the caller may read",
        Query = "start:int, pageSize:int, namesOnly:bool")]
    internal static ValueTask GetNamesAsync(RequestContext request)
    {
        IEnumerable<string> names = NamesOf(request.Server)
            .Where(name => request.Identity.May(Access.Read, name));
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

    /// <summary>All databases: in a cluster also those that only other nodes have.</summary>
    private static IEnumerable<string> NamesOf(ServerState server) => server.Cluster.IsClustered
        ? server.Databases.Names().Union(server.Cluster.DatabaseNames, StringComparer.OrdinalIgnoreCase)
            .Order(StringComparer.OrdinalIgnoreCase)
        : server.Databases.Names();

    private static string? NameIn(BlittableObject record) =>
        record.TryGet("DatabaseName"u8, out BlittableValue value) && value.TryGetString(out string name) ? name : null;

    /// <summary>The names in the <c>DatabaseNames</c> of a body.</summary>
    /// <exception cref="BadRequestException">There are none.</exception>
    internal static string[] NamesIn(BlittableObject body)
    {
        if (!body.TryGet("DatabaseNames"u8, out BlittableValue value) || !value.TryGetArray(out BlittableArray list)
            || list.Count == 0)
        {
            throw new BadRequestException(400, ErrorType.Argument, "DatabaseNames must be a list of names.");
        }

        string[] names = new string[list.Count];
        for (int i = 0; i < names.Length; i++)
        {
            names[i] = list[i].TryGetString(out string name)
                ? name
                : throw new BadRequestException(400, ErrorType.Argument, $"DatabaseNames[{i}] is not a text.");
        }

        return names;
    }

    /// <summary>Deletes a database; bulk inserts into it fail at once.</summary>
    private static bool Delete(RequestContext request, string name, bool isHard)
    {
        bool isDeleted = request.Server.Databases.TryDelete(name, isHard);
        if (isDeleted)
        {
            request.Server.Operations.AbandonBulkInserts(name);
            request.Server.Backups.Forget(name);
        }

        return isDeleted;
    }

    /// <summary>True if all of them may be deleted; otherwise none is.</summary>
    private static bool MayDelete(RequestContext request, string[] names)
    {
        foreach (string name in names)
        {
            if (!request.Server.Databases.TryGet(name, out _))
            {
                DatabaseResolver.AnswerMissing(request, name);
                return false;
            }

            if (LockModeOf(request, name) == "PreventDeletesError")
            {
                throw new BadRequestException(
                    400, ErrorType.InvalidOperation,
                    $"Database '{name}' cannot be deleted because of the set lock mode (PreventDeletesError).");
            }
        }

        return true;
    }

    /// <summary>The lock mode of a database; empty if it may be deleted.</summary>
    private static string LockModeOf(RequestContext request, string name) =>
        request.Server.Databases.TryGet(name, out Database? database) && database.Damage is null
        && request.Server.Databases.TryGetRecord(name, out DatabaseRecord? record)
        && RecordJson.LockModeOf(record.Json) is { Length: > 0 } mode && mode != "Unlock"
            ? mode
            : "";

    internal static byte[] TakeSettings(ReadOnlyMemory<byte> record, out RecordSettings recordSettings)
    {
        try
        {
            return RecordSettings.Extract(record, out recordSettings);
        }
        catch (FormatException e)
        {
            throw new BadRequestException(400, ErrorType.Argument, $"A setting in the record is wrong: {e.Message}");
        }
    }

    private static async ValueTask CreateAsync(
        RequestContext request, string name, byte[] json, RecordSettings recordSettings)
    {
        switch (request.Server.Databases.TryCreate(name, json, out Database? database))
        {
            case CreateDatabaseStatus.Created:
                await recordSettings.ApplyAsync(database!, request.Server.Time.GetUtcNow()).ConfigureAwait(false);
                AnswerCreated(request, name, 201);
                break;
            case CreateDatabaseStatus.Exists:
                ErrorResponse.Write(request, 409, ErrorType.Concurrency, $"Database '{name}' already exists.");
                break;
            default:
                throw InvalidName(name);
        }
    }

    /// <summary>The refusal of a name.</summary>
    internal static BadRequestException InvalidName(string name) => new(
        400, ErrorType.Argument,
        $"'{name}' cannot be the name of a database: 1 to {DatabaseName.LengthMax} of A-Z a-z 0-9 _ . -, "
        + "no dot at either end.");

    /// <summary>Replaces the record if it has the expected etag.</summary>
    private static async ValueTask UpdateAsync(
        RequestContext request, string name, long etag, byte[] json, RecordSettings recordSettings)
    {
        if (!request.Server.Databases.TryGet(name, out Database? database))
        {
            DatabaseResolver.AnswerMissing(request, name);
        }
        else if (!request.Server.Databases.TryUpdateRecord(name, etag, json, out long actual))
        {
            ErrorResponse.Write(
                request, 409, ErrorType.Concurrency,
                $"The record of database '{name}' has the etag {actual}, not the expected {etag}.");
        }
        else
        {
            await recordSettings.ApplyAsync(database, request.Server.Time.GetUtcNow()).ConfigureAwait(false);
            AnswerCreated(request, database.Name, 200);
        }
    }

    private static void AnswerCreated(RequestContext request, string name, int status)
    {
        request.Response.Status = status;
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("RaftCommandIndex"u8, request.Server.NextCommandIndex());
        json.WriteString("Name"u8, name);
        DatabaseRecordJson.WriteTopology(json, request.Server, name);
        json.WriteBoolean("ShardsDefined"u8, false);
        json.WriteStartArray("NodesAddedTo"u8);
        json.WriteStringValue(request.BaseUrl());
        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WriteSummary(RequestContext request, Utf8JsonWriter json, string name)
    {
        json.WriteStartObject();
        json.WriteString("Name"u8, name);
        bool isThere = request.Server.Databases.TryGet(name, out Database? database);
        json.WriteBoolean("Disabled"u8, isThere && database!.IsDisabled);
        if (isThere && database!.Fault is { } fault)
        {
            json.WriteString("LoadError"u8, fault);
        }

        json.WriteStartObject("NodesTopology"u8);
        if (request.Server.Cluster.TryGetGroup(name, out GroupView? group))
        {
            TopologyJson.WriteUrls(json, group);
        }
        else
        {
            json.WriteStartArray("Members"u8);
            json.WriteStartObject();
            json.WriteString("NodeTag"u8, request.Server.Cluster.Tag);
            json.WriteString("NodeUrl"u8, request.BaseUrl());
            json.WriteEndObject();
            json.WriteEndArray();
        }

        json.WriteEndObject();
        json.WriteEndObject();
    }
}
