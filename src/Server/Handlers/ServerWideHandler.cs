using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.Documents.Settings;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Backups;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of tasks of all databases, of which there is one kind: backups.</summary>
internal static class ServerWideHandler
{
    [Route("GET", "/admin/configuration/server-wide/tasks", Access.Operator, Place = Place.Node,
        Summary = "The tasks of backups of all databases, or the one of a name", Query = "type!, name")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        if (!IsBackup(request))
        {
            return ValueTask.CompletedTask;
        }

        string? name = request.Query.GetText("name");
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        foreach (JsonObject task in request.Server.Backups.Tasks.Wide.List().Where(task => name == null
            || name.Equals(ServerWideBackups.NameOf(task), StringComparison.OrdinalIgnoreCase)))
        {
            task.WriteTo(json);
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("PUT", "/admin/configuration/server-wide/backup", Access.Operator, Place = Place.Node,
        Audit = "backup.configured", Summary = "Makes a task that backs up all databases by a schedule, or changes one",
        Query = "raft-request-id")]
    internal static async ValueTask PutAsync(RequestContext request)
    {
        byte[] body = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        BackupConfiguration task;
        using (JsonDocument document = StoredJson.Parse(body.AsMemory()))
        {
            task = ServerWideBackups.Parse(document.RootElement);
        }

        BackupPlace.Check(request, task);
        if (task.Key is not (null or "*****"))
        {
            BackupKey.Parse(task.Key);
        }

        request.Announce(resource: task.Name, detail: [new("folder", task.Places)]);
        string name = request.Server.Backups.Tasks.Wide.Put(BackupTasks.ToNode(body));
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("Name"u8, name);
        json.WriteNumber("RaftCommandIndex"u8, request.Server.NextCommandIndex());
        json.WriteEndObject();
    }

    [Route("DELETE", "/admin/configuration/server-wide/task", Access.Operator, Place = Place.Node,
        Audit = "task.deleted", Summary = "Deletes a task of backups of all databases",
        Query = "type!, name!, raft-request-id")]
    internal static ValueTask DeleteAsync(RequestContext request)
    {
        if (IsBackup(request))
        {
            string name = request.Query.GetText("name") ?? "";
            request.Announce(resource: name, detail: [new("type", "Backup")]);
            BackupService backups = request.Server.Backups;
            long id = backups.Tasks.Wide.Change(name, static _ => false);
            foreach (string database in request.Server.Databases.Names())
            {
                backups.Forget(database, ServerWideBackups.IdInDatabases(id));
            }

            request.Response.Status = 204;
        }

        return ValueTask.CompletedTask;
    }

    [Route("POST", "/admin/configuration/server-wide/state", Access.Operator, Place = Place.Node,
        Audit = "task.switched", Summary = "Disables a task of backups of all databases, or enables it",
        Query = "type!, name!, disable:bool, raft-request-id")]
    internal static ValueTask PostStateAsync(RequestContext request)
    {
        if (IsBackup(request))
        {
            string name = request.Query.GetText("name") ?? "";
            bool isDisabled = request.Query.GetBool("disable");
            request.Announce(resource: name, detail: [new("disabled", isDisabled ? "true" : "false")]);
            request.Server.Backups.Tasks.Wide.Change(name, task =>
            {
                task["Disabled"] = isDisabled;
                return true;
            });
            request.Response.Status = 204;
        }

        return ValueTask.CompletedTask;
    }

    private static bool IsBackup(RequestContext request)
    {
        string? type = request.Query.GetText("type");
        if (string.Equals(type, "Backup", StringComparison.OrdinalIgnoreCase))
        {
            return true;
        }

        if (type == null)
        {
            throw new BadRequestException(400, ErrorType.Argument, "The parameter 'type' is missing.");
        }

        ErrorResponse.Write(
            request, 501, ErrorType.NotSupported,
            $"Tasks of all databases of the type '{type}' are not served by this server, only those of Backup.");
        return false;
    }
}
