using System.Text.Json;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of administrators for the nodes of a cluster.</summary>
internal static class ClusterHandler
{
    private const int PageSizeMax = 1024;

    [Route("PUT", "/admin/cluster/node", Access.ClusterAdmin, Place = Place.Observer, Audit = "cluster.node.added",
        Summary = "Adds a node to the cluster", Query = "url!, tag, watcher:bool")]
    internal static async ValueTask PutNodeAsync(RequestContext request)
    {
        IClusterNode cluster = request.Server.Cluster;
        if (!cluster.IsClustered)
        {
            await NotServedHandler.AnswerAsync(request).ConfigureAwait(false);
            return;
        }

        string url = UrlOf(ClusterAnswers.Required(request.Query.GetText("url"), "url"));
        string? tag = request.Query.GetText("tag") is { Length: > 0 } text ? ClusterAnswers.TagOf(text) : null;
        if (request.Query.GetBool("watcher"))
        {
            throw new BadRequestException(
                501, ErrorType.NotSupported, "A node without a voice (watcher=true) cannot be added yet.");
        }

        request.Announce(resource: tag ?? url, detail: DatabaseEvents.Of("url", url));
        ClusterOutcome done = await cluster.AddNodeAsync(url, tag, request.Aborted).ConfigureAwait(false);
        Finish(request, done);
    }

    [Route("DELETE", "/admin/cluster/node", Access.ClusterAdmin, Place = Place.Observer,
        Audit = "cluster.node.removed", Summary = "Takes a node out of the cluster", Query = "nodeTag!")]
    internal static async ValueTask DeleteNodeAsync(RequestContext request)
    {
        IClusterNode cluster = request.Server.Cluster;
        if (!cluster.IsClustered)
        {
            await NotServedHandler.AnswerAsync(request).ConfigureAwait(false);
            return;
        }

        string tag = ClusterAnswers.TagOf(ClusterAnswers.Required(request.Query.GetText("nodeTag"), "nodeTag"));
        request.Announce(resource: tag);
        Finish(request, await cluster.RemoveNodeAsync(tag, request.Aborted).ConfigureAwait(false));
    }

    [Route("POST", "/admin/cluster/promote", Access.ClusterAdmin, Place = Place.Observer,
        Audit = "cluster.node.promoted", Summary = "Gives a node a voice in the cluster", Query = "nodeTag!")]
    internal static ValueTask PromoteAsync(RequestContext request) => SetVoiceAsync(request, hasVoice: true);

    [Route("POST", "/admin/cluster/demote", Access.ClusterAdmin, Place = Place.Observer,
        Audit = "cluster.node.demoted", Summary = "Takes the voice of a node in the cluster", Query = "nodeTag!")]
    internal static ValueTask DemoteAsync(RequestContext request) => SetVoiceAsync(request, hasVoice: false);

    [Route("GET", "/admin/cluster/health", Access.Operator, Place = Place.Node,
        Summary = "How the nodes of the cluster are, and how far those of each database",
        Query = "name, node, start:int, pageSize:int")]
    internal static async ValueTask GetHealthAsync(RequestContext request)
    {
        IClusterNode cluster = request.Server.Cluster;
        if (await IsSentAsync(request, cluster).ConfigureAwait(false))
        {
            return;
        }

        string? only = request.Query.GetText("name");
        int start = Math.Max(0, request.Query.GetInt32("start", 0));
        int size = Math.Clamp(request.Query.GetInt32("pageSize", PageSizeMax), 0, PageSizeMax);
        if (only != null && cluster.IsClustered && ClusterAnswers.GroupOf(request, only) == null)
        {
            return;
        }

        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteBoolean("IsClustered"u8, cluster.IsClustered);
        json.WriteString("NodeTag"u8, cluster.Tag);
        json.WriteString("Observer"u8, cluster.Cluster.Observer);
        HealthJson.WriteStore(json, cluster.Store);
        HealthJson.WriteNodes(json, cluster);
        json.WriteStartArray("Databases"u8);
        IEnumerable<string> names = only != null
            ? [only]
            : cluster.DatabaseNames.Order(StringComparer.OrdinalIgnoreCase).Skip(start).Take(size);
        foreach (string name in names)
        {
            if (cluster.TryGetGroup(name, out GroupView? group))
            {
                HealthJson.Write(json, cluster, group);
            }
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>Lets the node answer that the request names; false if it names none, or this one.</summary>
    private static async ValueTask<bool> IsSentAsync(RequestContext request, IClusterNode cluster)
    {
        if (!cluster.IsClustered || request.IsForwarded
            || request.Query.GetText("node") is not { Length: > 0 } text || text == cluster.Tag)
        {
            return false;
        }

        NodeView node = cluster.Cluster.Find(ClusterAnswers.TagOf(text))
            ?? throw new BadRequestException(400, ErrorType.Argument, $"There is no node {text} in the cluster.");
        await request.Server.Placement!.SendToAsync(request, node, null).ConfigureAwait(false);
        return true;
    }

    private static async ValueTask SetVoiceAsync(RequestContext request, bool hasVoice)
    {
        IClusterNode cluster = request.Server.Cluster;
        if (!cluster.IsClustered)
        {
            await NotServedHandler.AnswerAsync(request).ConfigureAwait(false);
            return;
        }

        string tag = ClusterAnswers.TagOf(ClusterAnswers.Required(request.Query.GetText("nodeTag"), "nodeTag"));
        request.Announce(resource: tag);
        Finish(request, await cluster.SetVoiceAsync(tag, hasVoice, request.Aborted).ConfigureAwait(false));
    }

    private static void Finish(RequestContext request, ClusterOutcome outcome)
    {
        if (ClusterAnswers.IsDone(request, outcome))
        {
            request.Response.Status = 204;
        }
    }

    private static string UrlOf(string text) =>
        Uri.TryCreate(text, UriKind.Absolute, out Uri? url) && url.Scheme is "http" or "https"
            && url.PathAndQuery == "/" && url.UserInfo.Length == 0
            ? url.GetLeftPart(UriPartial.Authority)
            : throw new BadRequestException(
                400, ErrorType.Argument,
                $"'{text}' is no such url: that of a node has http or https, a host and a port, and nothing behind.");
}
