using System.Globalization;
using System.Text.Json;
using Raven.Documents.Subscriptions;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Backups;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Subscriptions;

namespace Raven.Server.Handlers;

/// <summary>The routes of tasks, of which there are two kinds: subscriptions and backups.</summary>
internal static class TasksHandler
{
    [Route("GET", "/databases/*/task", Access.Read, Place = Place.Primary,
        Summary = "A subscription, or a backup, as a task",
        Query = "key:int, taskName, type!")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        if (IsBackup(request))
        {
            BackupConfiguration task = FindBackup(request, "key");
            BackupTaskJson.Write(request.Response.BeginJson(), request, task);
        }
        else if (IsSubscription(request))
        {
            SubscriptionInfo info = Find(request);
            SubscriptionJson.WriteTask(request.Response.BeginJson(), request, info);
        }

        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/tasks", Access.Read, Place = Place.Primary,
        Summary = "The tasks of a database: backups and subscriptions")]
    internal static ValueTask GetAllAsync(RequestContext request)
    {
        BackupConfiguration[] backups = request.Server.Backups.Tasks.Of(request.Database.Name);
        SubscriptionInfo[] subscriptions =
            [.. request.Database.Subscriptions(request.Server.Queries).List().OrderBy(one => one.Definition.Id)];
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("OngoingTasks"u8);
        foreach (BackupConfiguration task in backups)
        {
            BackupTaskJson.Write(json, request, task);
        }

        foreach (SubscriptionInfo info in subscriptions)
        {
            SubscriptionJson.WriteTask(json, request, info);
        }

        json.WriteEndArray();
        json.WriteNumber("SubscriptionsCount"u8, subscriptions.Length);
        json.WriteStartArray("PullReplications"u8);
        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("DELETE", "/databases/*/admin/tasks", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "task.deleted", Summary = "Deletes a task of backups, or a subscription",
        Query = "id:int, taskName, type!, raft-request-id")]
    internal static async ValueTask DeleteAsync(RequestContext request)
    {
        if (IsBackup(request))
        {
            request.Announce(
                resource: request.Query.GetText("taskName") ?? request.Query.GetText("id"),
                detail: [new("type", "Backup")]);
            BackupConfiguration task = FindBackup(request, "id");
            request.Server.Backups.Tasks.Change(request.Database.Name, task.TaskId, _ => false);
            request.Server.Backups.Forget(request.Database.Name, task.TaskId);
            WriteTask(request, task.TaskId, request.Server.NextCommandIndex());
        }
        else if (IsSubscription(request))
        {
            SubscriptionInfo info = Find(request, "id");
            request.Announce(resource: info.Definition.Name, detail: [new("type", "Subscription")]);
            await request.Database.Subscriptions(request.Server.Queries).DeleteAsync(info.Definition.Name)
                .ConfigureAwait(false);
            WriteTask(request, info.Definition.Id, request.Server.NextCommandIndex());
        }
    }

    [Route("POST", "/databases/*/admin/tasks/state", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "task.switched", Summary = "Disables a subscription or a task of backups, or enables it",
        Query = "key:int, taskName, type!, disable:bool, raft-request-id")]
    internal static async ValueTask PostStateAsync(RequestContext request)
    {
        bool isDisabled = request.Query.GetBool("disable");
        if (IsBackup(request))
        {
            BackupConfiguration task = FindBackup(request, "key");
            request.Announce(resource: task.Name, detail: [new("disabled", isDisabled ? "true" : "false")]);
            request.Server.Backups.Tasks.Change(request.Database.Name, task.TaskId, json =>
            {
                json["Disabled"] = isDisabled;
                return true;
            });
            WriteTask(request, task.TaskId, request.Server.NextCommandIndex());
            return;
        }

        if (!IsSubscription(request))
        {
            return;
        }

        SubscriptionInfo info = Find(request);
        request.Announce(resource: info.Definition.Name);
        (SubscriptionDefinition definition, _) = await request.Database.Subscriptions(request.Server.Queries)
            .UpdateAsync(new SubscriptionChange
            {
                Id = info.Definition.Id,
                IsDisabled = isDisabled,
                CommandIndex = request.Server.NextCommandIndex(),
            }).ConfigureAwait(false);
        WriteTask(request, definition.Id, definition.CommandIndex);
    }

    private static void WriteTask(RequestContext request, long id, long commandIndex)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("TaskId"u8, id);
        json.WriteNumber("RaftCommandIndex"u8, commandIndex);
        json.WriteString("ResponsibleNode"u8, request.Server.Cluster.Tag);
        json.WriteEndObject();
    }

    private static bool IsBackup(RequestContext request) =>
        string.Equals(request.Query.GetText("type"), "Backup", StringComparison.OrdinalIgnoreCase);

    private static BackupConfiguration FindBackup(RequestContext request, string key)
    {
        BackupTasks tasks = request.Server.Backups.Tasks;
        string database = request.Database.Name;
        return request.Query.GetText("taskName") is { Length: > 0 } name
            ? Array.Find(tasks.Of(database), task => task.Name.Equals(name, StringComparison.OrdinalIgnoreCase))
                ?? throw new BadRequestException(
                    404, ErrorType.InvalidOperation, $"The database '{database}' has no backup task '{name}'.")
            : tasks.Find(database, request.Query.GetInt64(key, 0));
    }

    private static bool IsSubscription(RequestContext request)
    {
        string? type = request.Query.GetText("type");
        if (string.Equals(type, "Subscription", StringComparison.OrdinalIgnoreCase))
        {
            return true;
        }

        if (type == null)
        {
            throw new BadRequestException(400, ErrorType.Argument, "The parameter 'type' is missing.");
        }

        ErrorResponse.Write(
            request, 501, ErrorType.NotSupported,
            $"Tasks of the type '{type}' are not served by this server, only those of Subscription and Backup.");
        return false;
    }

    private static SubscriptionInfo Find(RequestContext request, string parameter = "key")
    {
        DatabaseSubscriptions all = request.Database.Subscriptions(request.Server.Queries);
        if (request.Query.GetText("taskName") is { Length: > 0 } name)
        {
            return all.Get(name);
        }

        long key = request.Query.GetInt64(parameter, 0);
        return all.List().FirstOrDefault(one => one.Definition.Id == key)
            ?? throw new SubscriptionException(
                SubscriptionProblem.DoesNotExist,
                $"There is no subscription with the id {key.ToString(CultureInfo.InvariantCulture)}.");
    }
}
