using System.Text.Json;
using Raven.Documents;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes that clients ask first: which nodes have a database, and which nodes there are. Without a
/// cluster it is always this node.</summary>
internal static class TopologyHandler
{
    [Route("GET", "/topology", Access.ValidUser, Place = Place.Node, Summary = "The nodes of one database",
        Query = "name!")]
    internal static async ValueTask GetDatabaseTopologyAsync(RequestContext request)
    {
        string? name = request.Query.GetText("name");
        if (name == null)
        {
            throw new BadRequestException(400, ErrorType.Argument, "The parameter 'name' is missing.");
        }

        // Before it is looked for: who may not read it is not told whether it is there.
        request.Require(Access.Read, name);
        if (request.Server.Placement is { } placement && !await placement.KnowsAsync(request).ConfigureAwait(false))
        {
            return;
        }

        if (request.Server.Cluster.TryGetGroup(name, out GroupView? group))
        {
            TopologyJson.Write(request.Response.BeginJson(), group);
            return;
        }

        if (!request.Server.Databases.TryGet(name, out Database? database))
        {
            DatabaseResolver.AnswerMissing(request, name);
            return;
        }

        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Nodes"u8);
        json.WriteStartObject();
        json.WriteString("Url"u8, request.BaseUrl());
        json.WriteString("ClusterTag"u8, ServerState.NodeTag);
        json.WriteString("Database"u8, database.Name);
        json.WriteString("ServerRole"u8, "Member"u8);
        json.WriteEndObject();
        json.WriteEndArray();
        json.WriteStartArray("Promotables"u8);
        json.WriteEndArray();
        json.WriteNumber("Etag"u8, 1);
        json.WriteEndObject();
    }

    [Route("GET", "/cluster/topology", Access.ValidUser, Place = Place.Node, Summary = "The nodes of the cluster")]
    internal static ValueTask GetClusterTopologyAsync(RequestContext request)
    {
        IClusterNode cluster = request.Server.Cluster;
        if (cluster.IsClustered)
        {
            WriteCluster(request.Response.BeginJson(), cluster);
            return ValueTask.CompletedTask;
        }

        string url = request.BaseUrl();
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartObject("Topology"u8);
        json.WriteString("TopologyId"u8, request.Server.Id.ToString());
        WriteNodes(json, "AllNodes"u8, url);
        WriteNodes(json, "Members"u8, url);
        WriteNodes(json, "Promotables"u8, null);
        WriteNodes(json, "Watchers"u8, null);
        json.WriteString("LastNodeId"u8, ServerState.NodeTag);
        json.WriteNumber("Etag"u8, 1);
        json.WriteEndObject();
        json.WriteNumber("Etag"u8, 1);
        json.WriteString("Leader"u8, ServerState.NodeTag);
        json.WriteString("NodeTag"u8, ServerState.NodeTag);
        json.WriteNumber("CurrentTerm"u8, 1);
        json.WriteString("ServerRole"u8, "Member"u8);
        WriteNodes(json, "Status"u8, null);
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/cluster/node-info", Access.ValidUser, Place = Place.Node, Summary = "This node")]
    internal static ValueTask GetNodeInfoAsync(RequestContext request)
    {
        IClusterNode cluster = request.Server.Cluster;
        string topologyId = cluster.IsClustered ? cluster.Cluster.ClusterId : request.Server.Id.ToString();
        double gigabytes = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / (1024.0 * 1024 * 1024);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("NodeTag"u8, cluster.Tag);
        json.WriteString("TopologyId"u8, topologyId);
        json.WriteNull("Certificate"u8);
        json.WriteString("ClusterStatus"u8, cluster.Cluster.Observer == cluster.Tag ? "Leader"u8 : "Follower"u8);
        json.WriteNumber("NumberOfCores"u8, Environment.ProcessorCount);
        json.WriteNumber("InstalledMemoryInGb"u8, Math.Round(gigabytes, 2));
        json.WriteNumber("UsableMemoryInGb"u8, Math.Round(gigabytes, 2));
        json.WritePropertyName("BuildInfo"u8);
        json.WriteRawValue(BuildHandler.VersionJson.Span);
        json.WriteString("ServerRole"u8, (cluster.Cluster.Find(cluster.Tag)?.Role ?? NodeRole.Member).ToString());
        json.WriteString("ServerId"u8, request.Server.Id.ToString());
        json.WriteBoolean("HasFixedPort"u8, request.Server.Options.ServerUrl.Port != 0);
        json.WriteNumber("ServerSchemaVersion"u8, 1);
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    private static void WriteCluster(Utf8JsonWriter json, IClusterNode node)
    {
        ClusterView cluster = node.Cluster;
        json.WriteStartObject();
        json.WriteStartObject("Topology"u8);
        json.WriteString("TopologyId"u8, cluster.ClusterId);
        TopologyJson.WriteNodes(json, "AllNodes"u8, cluster, null);
        TopologyJson.WriteNodes(json, "Members"u8, cluster, NodeRole.Member);
        TopologyJson.WriteNodes(json, "Promotables"u8, cluster, NodeRole.Promotable);
        TopologyJson.WriteNodes(json, "Watchers"u8, cluster, NodeRole.Watcher);
        json.WriteString("LastNodeId"u8, cluster.Nodes.Count == 0 ? node.Tag : cluster.Nodes[^1].Tag);
        json.WriteNumber("Etag"u8, cluster.Etag);
        json.WriteEndObject();
        json.WriteNumber("Etag"u8, cluster.Etag);
        json.WriteString("Leader"u8, cluster.Observer);
        json.WriteString("NodeTag"u8, node.Tag);
        json.WriteNumber("CurrentTerm"u8, cluster.Term);
        json.WriteString("ServerRole"u8, (cluster.Find(node.Tag)?.Role ?? NodeRole.Member).ToString());
        TopologyJson.WriteStatus(json, cluster, node.Tag);
        json.WriteEndObject();
    }

    private static void WriteNodes(Utf8JsonWriter json, ReadOnlySpan<byte> name, string? url)
    {
        json.WriteStartObject(name);
        if (url != null)
        {
            json.WriteString(ServerState.NodeTag, url);
        }

        json.WriteEndObject();
    }
}
