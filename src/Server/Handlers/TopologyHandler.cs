using System.Text.Json;
using Raven.Documents;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes that clients ask first: which node has a database, and which nodes there are. It is always
/// this node.</summary>
internal static class TopologyHandler
{
    [Route("GET", "/topology", Access.ValidUser, Summary = "The nodes of one database", Query = "name!")]
    internal static ValueTask GetDatabaseTopologyAsync(RequestContext request)
    {
        string? name = request.Query.GetText("name");
        if (name == null)
        {
            throw new BadRequestException(400, ErrorType.Argument, "The parameter 'name' is missing.");
        }

        // Before it is looked for: who may not read it is not told whether it is there.
        request.Require(Access.Read, name);
        if (!request.Server.Databases.TryGet(name, out Database? database))
        {
            DatabaseResolver.AnswerMissing(request, name);
            return ValueTask.CompletedTask;
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
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/cluster/topology", Access.ValidUser, Summary = "The nodes of the cluster")]
    internal static ValueTask GetClusterTopologyAsync(RequestContext request)
    {
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

    [Route("GET", "/cluster/node-info", Access.ValidUser, Summary = "This node")]
    internal static ValueTask GetNodeInfoAsync(RequestContext request)
    {
        double gigabytes = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / (1024.0 * 1024 * 1024);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("NodeTag"u8, ServerState.NodeTag);
        json.WriteString("TopologyId"u8, request.Server.Id.ToString());
        json.WriteNull("Certificate"u8);
        json.WriteString("ClusterStatus"u8, "Leader"u8);
        json.WriteNumber("NumberOfCores"u8, Environment.ProcessorCount);
        json.WriteNumber("InstalledMemoryInGb"u8, Math.Round(gigabytes, 2));
        json.WriteNumber("UsableMemoryInGb"u8, Math.Round(gigabytes, 2));
        json.WritePropertyName("BuildInfo"u8);
        json.WriteRawValue(BuildHandler.VersionJson.Span);
        json.WriteString("ServerRole"u8, "Member"u8);
        json.WriteString("ServerId"u8, request.Server.Id.ToString());
        json.WriteBoolean("HasFixedPort"u8, request.Server.Options.ServerUrl.Port != 0);
        json.WriteNumber("ServerSchemaVersion"u8, 1);
        json.WriteEndObject();
        return ValueTask.CompletedTask;
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
