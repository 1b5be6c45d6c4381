using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents.Catalog;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Backups;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes that enable a database, lock it against deletion, and change its settings.</summary>
internal static class DatabaseStateHandler
{
    private static readonly string[] LockModes = ["Unlock", "PreventDeletesIgnore", "PreventDeletesError"];

    [Route("POST", "/admin/databases/enable", Access.Operator, Place = Place.Observer,
        Audit = "database.enabled", Summary = "Lets databases be used again")]
    internal static ValueTask EnableAsync(RequestContext request) => ToggleAsync(request, isDisabled: false);

    [Route("POST", "/admin/databases/disable", Access.Operator, Place = Place.Observer,
        Audit = "database.disabled", Summary = "Lets databases not be used")]
    internal static ValueTask DisableAsync(RequestContext request) => ToggleAsync(request, isDisabled: true);

    [Route("POST", "/admin/databases/indexing", Access.Operator, Place = Place.Observer,
        Audit = "database.indexing.switched", Query = "name!, enable:bool",
        Summary = "Lets the indexes of a database follow its documents, or not, also over restarts")]
    internal static async ValueTask SwitchIndexingAsync(RequestContext request)
    {
        string name = request.Query.GetText("name") is { Length: > 0 } given
            ? given
            : throw new BadRequestException(400, ErrorType.Argument, "The parameter 'name' is missing.");
        if (!request.Query.Has("enable"))
        {
            throw new BadRequestException(400, ErrorType.Argument, "The parameter 'enable' is missing.");
        }

        bool isDisabled = !request.Query.GetBool("enable");
        request.Announce(database: name, detail: DatabaseEvents.Of("disabled", isDisabled ? "true" : "false"));
        switch (await RecordChanges.TryAsync(request, name, record => WithIndexing(record, isDisabled))
            .ConfigureAwait(false))
        {
            case RecordChange.Missing:
                DatabaseResolver.AnswerMissing(request, name);
                return;
            case RecordChange.Answered:
                return;
        }

        Utf8JsonWriter answer = request.Response.BeginJson();
        answer.WriteStartObject();
        answer.WriteString("Name"u8, name);
        answer.WriteBoolean("Success"u8, true);
        answer.WriteBoolean("Disabled"u8, isDisabled);
        answer.WriteEndObject();
    }

    [Route("POST", "/admin/databases/set-lock", Access.Operator, Place = Place.Observer,
        Audit = "database.locked", Summary = "Says whether databases may be deleted")]
    internal static async ValueTask SetLockAsync(RequestContext request)
    {
        BlittableObject body = await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        UnknownMembers.Warn(request, body, UnknownMembers.OfLocks);
        if (!body.TryGet("Mode"u8, out BlittableValue value) || !value.TryGetString(out string mode)
            || !LockModes.Contains(mode))
        {
            throw new BadRequestException(
                400, ErrorType.Argument, $"Mode must be one of {string.Join(", ", LockModes)}.");
        }

        string[] names = DatabasesHandler.NamesIn(body);
        foreach (string name in names)
        {
            if (!request.Server.TryGetRecord(name, out _))
            {
                DatabaseResolver.AnswerMissing(request, name);
                return;
            }
        }

        Array.ForEach(names, name => request.Announce(database: name, detail: DatabaseEvents.Of("mode", mode)));
        byte[] json = JsonSerializer.SerializeToUtf8Bytes(mode);
        foreach (string name in names)
        {
            RecordChange change = await RecordChanges.TryAsync(
                request, name, record => RecordJson.With(record, RecordJson.LockMode, json)).ConfigureAwait(false);
            if (change == RecordChange.Answered)
            {
                return;
            }
        }

        request.Response.Status = 204;
    }

    [Route("GET", "/databases/*/admin/record", Access.DatabaseAdmin, Place = Place.Node,
        HoldsSecrets = true, Summary = "The record of a database")]
    internal static ValueTask GetRecordAsync(RequestContext request)
    {
        if (request.Server.TryGetRecord(request.Database.Name, out DatabaseRecord? record))
        {
            DatabaseRecordJson.Write(request, record);
        }
        else
        {
            DatabaseResolver.AnswerMissing(request, request.Database.Name);
        }

        return ValueTask.CompletedTask;
    }

    [Route("PUT", "/databases/*/admin/configuration/settings", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "database.settings.changed", Summary = "Replaces the settings in the record of a database")]
    internal static async ValueTask PutSettingsAsync(RequestContext request)
    {
        byte[] settings = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        SettingKeys.Check(settings);
        request.Announce(detail: DatabaseEvents.Of("settings", DatabaseEvents.NamesIn(settings)));
        request.Server.Databases.TrySetInRecord(request.Database.Name, RecordJson.Settings, settings);
        request.Response.Status = 204;
    }

    private static byte[] WithIndexing(ReadOnlyMemory<byte> record, bool isDisabled)
    {
        JsonObject json = BackupTasks.ToNode(record.ToArray());
        if (json[RecordJson.Settings] is not JsonObject settings)
        {
            json[RecordJson.Settings] = settings = [];
        }

        string[] same = [.. settings.Select(one => one.Key).Where(static key =>
            key.Equals(RecordJson.IndexingDisabled, StringComparison.OrdinalIgnoreCase))];
        Array.ForEach(same, key => settings.Remove(key));
        settings[RecordJson.IndexingDisabled] = isDisabled ? "true" : "false";
        return Encoding.UTF8.GetBytes(json.ToJsonString());
    }

    private static async ValueTask ToggleAsync(RequestContext request, bool isDisabled)
    {
        BlittableObject body = await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        string[] names = DatabasesHandler.NamesIn(body);
        foreach (string name in names.Where(name => request.Server.TryGetRecord(name, out _)))
        {
            request.Announce(database: name);
        }

        Dictionary<string, bool> done = new(StringComparer.Ordinal);
        foreach (string name in names)
        {
            RecordChange change = await RecordChanges.TryDisableAsync(request, name, isDisabled).ConfigureAwait(false);
            if (change == RecordChange.Answered)
            {
                return;
            }

            done[name] = change == RecordChange.Done;
        }

        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Status"u8);
        foreach (string name in names)
        {
            bool isDone = done[name];
            json.WriteStartObject();
            json.WriteString("Name"u8, name);
            json.WriteBoolean("Success"u8, isDone);
            json.WriteBoolean("Disabled"u8, isDone && isDisabled);
            json.WriteString(
                "Reason"u8,
                !isDone ? $"Database '{name}' does not exist."
                : isDisabled ? $"Database '{name}' is disabled."
                : $"Database '{name}' is enabled.");
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }
}
