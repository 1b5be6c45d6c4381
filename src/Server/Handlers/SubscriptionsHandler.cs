using System.Text.Json;
using Raven.Documents.Subscriptions;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Subscriptions;

namespace Raven.Server.Handlers;

/// <summary>The routes of subscriptions; their workers connect by <c>SubscriptionSocket</c>.</summary>
internal static class SubscriptionsHandler
{
    private const int PageSizeDefault = 1024;
    private const int TryCountMax = 1024;

    private static readonly TimeSpan TryMax = TimeSpan.FromSeconds(10);

    [Route("PUT", "/databases/*/subscriptions", Access.ReadWrite, Place = Place.Primary,
        Audit = "subscription.put", IsAuditNote = true, Summary = "Makes a subscription, or changes the one with an id",
        Query = "id:int, raft-request-id")]
    internal static async ValueTask PutAsync(RequestContext request)
    {
        long id = request.Query.GetInt64("id", 0);
        SubscriptionChange change = await SubscriptionJson.ReadAsync(request, id == 0 ? null : id)
            .ConfigureAwait(false);
        request.Announce(resource: change.Name);
        DatabaseSubscriptions all = Of(request);
        SubscriptionDefinition definition = change.Id is null
            ? await all.CreateAsync(change).ConfigureAwait(false)
            : (await all.UpdateAsync(change with { CreatesMissing = true }).ConfigureAwait(false)).Definition;
        request.Response.Status = 201;
        SubscriptionJson.WriteChanged(request, definition);
    }

    [Route("POST", "/databases/*/subscriptions/update", Access.ReadWrite, Place = Place.Primary,
        Audit = "subscription.updated", IsAuditNote = true, Summary = "Changes a subscription",
        Query = "raft-request-id")]
    internal static async ValueTask UpdateAsync(RequestContext request)
    {
        SubscriptionChange change = await SubscriptionJson.ReadAsync(request, null).ConfigureAwait(false);
        if (change.Id is null && change.Name is null)
        {
            throw new BadRequestException(400, ErrorType.Argument, "The body must have Name or Id.");
        }

        request.Announce(resource: change.Name);
        (SubscriptionDefinition definition, bool isChanged) =
            await Of(request).UpdateAsync(change).ConfigureAwait(false);
        if (isChanged)
        {
            SubscriptionJson.WriteChanged(request, definition);
        }
        else
        {
            request.Response.Status = 304;
        }
    }

    [Route("GET", "/databases/*/subscriptions", Access.Read, Place = Place.Primary,
        Summary = "The subscriptions of a database",
        Query = "start:int, pageSize:int, name")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        if (request.Query.GetText("name") is { Length: > 0 })
        {
            return GetStateAsync(request);
        }

        int start = request.Query.GetInt32("start", 0);
        int pageSize = request.Query.GetInt32("pageSize", PageSizeDefault);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        foreach (SubscriptionInfo info in Of(request).List().Skip(start).Take(pageSize))
        {
            SubscriptionJson.WriteState(json, info);
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/subscriptions/state", Access.Read, Place = Place.Primary,
        Summary = "A subscription and how far it is",
        Query = "name!")]
    internal static ValueTask GetStateAsync(RequestContext request)
    {
        SubscriptionInfo info = Of(request).Get(Required(request, "name"));
        SubscriptionJson.WriteState(request.Response.BeginJson(), info);
        return ValueTask.CompletedTask;
    }

    [Route("DELETE", "/databases/*/subscriptions", Access.ReadWrite, Place = Place.Primary,
        Audit = "subscription.deleted", IsAuditNote = true, Summary = "Deletes a subscription", Query = "taskName!")]
    internal static async ValueTask DeleteAsync(RequestContext request)
    {
        string name = Required(request, "taskName");
        request.Announce(resource: name);
        await Of(request).DeleteAsync(name).ConfigureAwait(false);
        request.Response.Status = 204;
    }

    [Route("POST", "/databases/*/subscriptions/drop", Access.ReadWrite, Place = Place.Primary,
        Audit = "subscription.dropped", IsAuditNote = true,
        Summary = "Disconnects the workers of a subscription, or of all", Query = "name, workerId")]
    internal static ValueTask DropAsync(RequestContext request)
    {
        string? name = request.Query.GetText("name") is { Length: > 0 } given ? given : null;
        string? worker = request.Query.GetText("workerId") is { Length: > 0 } id ? id : null;
        request.Announce(resource: name);
        if (Of(request).Drop(name, worker) == 0 && worker != null)
        {
            throw new BadRequestException(400, ErrorType.Argument, $"There is no worker '{worker}'.");
        }

        request.Response.Status = 204;
        return ValueTask.CompletedTask;
    }

    [Route("POST", "/databases/*/subscriptions/resend", Access.ReadWrite, Place = Place.Primary,
        Audit = "subscription.resent", IsAuditNote = true,
        Summary = "Has documents sent again: those with the ids, or all that failed too often", Query = "name!, id*")]
    internal static async ValueTask ResendAsync(RequestContext request)
    {
        List<string> ids = [];
        foreach (QueryParameters.Parameter parameter in request.Query)
        {
            if (parameter.Is("id"))
            {
                ids.Add(System.Text.Encoding.UTF8.GetString(request.Decode(parameter.Encoded, "id").Span));
            }
        }

        string name = Required(request, "name");
        request.Announce(resource: name);
        int count = await Of(request).SendAgainAsync(name, ids.Count == 0 ? null : ids).ConfigureAwait(false);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("Count"u8, count);
        json.WriteEndObject();
    }

    [Route("GET", "/databases/*/subscriptions/aside", Access.Read, Place = Place.Primary,
        Summary = "The documents of a subscription that failed too often", Query = "name!")]
    internal static ValueTask GetAsideAsync(RequestContext request)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        foreach ((string id, long tries) in Of(request).ListAside(Required(request, "name")))
        {
            json.WriteStartObject();
            json.WriteString("Id"u8, id);
            json.WriteNumber("Tries"u8, tries);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("POST", "/databases/*/subscriptions/try", Access.Read, Place = Place.Primary,
        Summary = "The first documents that a query would send, without a subscription", Query = "pageSize:int")]
    internal static async ValueTask TryAsync(RequestContext request)
    {
        int count = Math.Clamp(request.Query.GetInt32("pageSize", 16), 1, TryCountMax);
        SubscriptionChange change = await SubscriptionJson.ReadAsync(request, null).ConfigureAwait(false);
        string query = change.Query ?? throw new BadRequestException(
            400, ErrorType.Argument, "The body must have Query, a text.");
        SubscriptionBatch batch = Of(request).Try(
            query, change.Archived ?? ArchivedDocuments.ExcludeArchived, StartOf(change.ChangeVector), count, TryMax);
        WriteTried(request, batch);
    }

    private static void WriteTried(RequestContext request, SubscriptionBatch batch)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        for (int i = 0; i < batch.Count; i++)
        {
            if (batch.ErrorOf(i) is { } error)
            {
                json.WriteStartObject();
                json.WriteString("Id"u8, batch.IdOf(i));
                json.WriteString("Exception"u8, error);
                json.WriteEndObject();
            }
            else
            {
                json.WriteRawValue(batch.DataOf(i), skipInputValidation: true);
            }
        }

        json.WriteEndArray();
        json.WritePropertyName("Includes"u8);
        json.WriteRawValue((ReadOnlySpan<byte>)[(byte)'{', .. batch.Includes, (byte)'}'], skipInputValidation: true);
        json.WriteEndObject();
    }

    private static long StartOf(string? changeVector) =>
        string.IsNullOrEmpty(changeVector) || changeVector is SubscriptionChange.BeginningOfTime ? 0
        : Raven.Documents.Rows.ChangeVector.TryReadLocalEtag(
            System.Text.Encoding.UTF8.GetBytes(changeVector), out long etag) ? etag
        : throw new BadRequestException(
            400, ErrorType.Argument, $"ChangeVector: '{changeVector}' is none of this database.");

    private static DatabaseSubscriptions Of(RequestContext request) =>
        request.Database.Subscriptions(request.Server.Queries);

    private static string Required(RequestContext request, string name) =>
        request.Query.GetText(name) is { Length: > 0 } text
            ? text
            : throw new BadRequestException(400, ErrorType.Argument, $"The parameter '{name}' is missing.");
}
