using System.Globalization;
using System.Text.Json;
using Raven.Documents.Subscriptions;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Subscriptions;

namespace Raven.Server.Handlers;

/// <summary>The routes of tasks, of which there is one kind: subscriptions.</summary>
internal static class TasksHandler
{
    [Route("GET", "/databases/*/task", Access.Read, Summary = "A subscription as a task",
        Query = "key:int, taskName, type!")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        if (IsSubscription(request))
        {
            SubscriptionJson.WriteTask(request, Find(request));
        }

        return ValueTask.CompletedTask;
    }

    [Route("POST", "/databases/*/admin/tasks/state", Access.DatabaseAdmin,
        Audit = "subscription.switched", Summary = "Disables a subscription, or enables it",
        Query = "key:int, taskName, type!, disable:bool, raft-request-id")]
    internal static async ValueTask PostStateAsync(RequestContext request)
    {
        if (!IsSubscription(request))
        {
            return;
        }

        SubscriptionInfo info = Find(request);
        bool isDisabled = request.Query.GetBool("disable");
        request.Announce(resource: info.Definition.Name);
        (SubscriptionDefinition definition, _) = await request.Database.Subscriptions(request.Server.Queries)
            .UpdateAsync(new SubscriptionChange
            {
                Id = info.Definition.Id,
                IsDisabled = isDisabled,
                CommandIndex = request.Server.NextCommandIndex(),
            }).ConfigureAwait(false);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("TaskId"u8, definition.Id);
        json.WriteNumber("RaftCommandIndex"u8, definition.CommandIndex);
        json.WriteString("ResponsibleNode"u8, ServerState.NodeTag);
        json.WriteEndObject();
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
            $"Tasks of the type '{type}' are not served by this server, only those of Subscription.");
        return false;
    }

    private static SubscriptionInfo Find(RequestContext request)
    {
        DatabaseSubscriptions all = request.Database.Subscriptions(request.Server.Queries);
        if (request.Query.GetText("taskName") is { Length: > 0 } name)
        {
            return all.Get(name);
        }

        long key = request.Query.GetInt64("key", 0);
        return all.List().FirstOrDefault(one => one.Definition.Id == key)
            ?? throw new SubscriptionException(
                SubscriptionProblem.DoesNotExist,
                $"There is no subscription with the id {key.ToString(CultureInfo.InvariantCulture)}.");
    }
}
