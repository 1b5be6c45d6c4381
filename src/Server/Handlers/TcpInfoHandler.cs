using System.Text.Json;
using Raven.Documents;
using Raven.Documents.Subscriptions;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>Where workers of subscriptions connect: the port of HTTP itself.</summary>
internal static class TcpInfoHandler
{
    [Route("GET", "/info/tcp", Access.ValidUser, Place = Place.Node,
        Summary = "Where connections beside HTTP are made", Query = "tcp, tag")]
    internal static ValueTask GetAsync(RequestContext request) => Write(request);

    [Route("GET", "/databases/*/info/tcp", Access.Read, Place = Place.Node,
        Summary = "Where workers of subscriptions connect", Query = "tcp, tag")]
    internal static ValueTask GetOfDatabaseAsync(RequestContext request) => Write(request);

    [Route("GET", "/info/remote-task/tcp", Access.ValidUser, Place = Place.Node,
        Summary = "Where the workers of a subscription connect",
        Query = "database!, remote-task, tag, verify-database:bool")]
    internal static ValueTask GetOfTaskAsync(RequestContext request)
    {
        string name = request.Query.GetText("database")
            ?? throw new BadRequestException(400, ErrorType.Argument, "The parameter 'database' is missing.");

        // Before it is looked for: who may not read it is not told whether it is there.
        request.Require(Access.Read, name);
        if (request.Server.Cluster.TryGetGroup(name, out GroupView? group) && group.Role != GroupRole.Primary)
        {
            // A follower may not have heard yet of what was just made. It sends the worker to the primary, which knows.
            return Write(request);
        }

        bool verifies = request.Query.GetBool("verify-database") || request.Query.Has("remote-task");
        if (!request.Server.Databases.TryGet(name, out Database? database) && verifies)
        {
            DatabaseResolver.AnswerMissing(request, name);
            return ValueTask.CompletedTask;
        }

        if (database is not null && request.Query.GetText("remote-task") is { Length: > 0 } task)
        {
            database.Subscriptions(request.Server.Queries).Get(task);
        }

        return Write(request);
    }

    private static ValueTask Write(RequestContext request)
    {
        // What the connection is for: shown in the list of running requests, and else of no matter here.
        request.Detail = request.Query.GetText("tag") ?? request.Query.GetText("tcp") ?? "";
        var url = new Uri(request.BaseUrl());
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("Url"u8, $"tcp://{url.Host}:{url.Port}");
        if (request.Server.Security.Certificate is { } certificate)
        {
            json.WriteBase64String("Certificate"u8, certificate.Current.RawData);
        }
        else
        {
            json.WriteNull("Certificate"u8);
        }

        json.WriteNull("Urls"u8);
        json.WriteNumber("Port"u8, url.Port);
        json.WriteString("NodeTag"u8, request.Server.Cluster.Tag);
        json.WriteString("ServerId"u8, request.Server.Id.ToString());
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }
}
