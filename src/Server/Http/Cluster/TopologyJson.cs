using System.Text.Json;

namespace Raven.Server.Http.Cluster;

/// <summary>Writes nodes as clients read them.</summary>
internal static class TopologyJson
{
    /// <summary>What <c>GET /topology</c> answers: the primary first, then the others by order.</summary>
    internal static void Write(Utf8JsonWriter json, GroupView group)
    {
        json.WriteStartObject();
        WriteNodes(json, "Nodes"u8, group, arePromotables: false);
        WriteNodes(json, "Promotables"u8, group, arePromotables: true);
        json.WriteNumber("Etag"u8, group.Etag);
        json.WriteEndObject();
    }

    /// <summary>Writes the tags of a group by their roles, as a record has them.</summary>
    internal static void WriteTags(Utf8JsonWriter json, GroupView group)
    {
        WriteTags(json, "Members"u8, group, GroupRole.Member);
        WriteTags(json, "Promotables"u8, group, GroupRole.Promotable);
        WriteTags(json, "Rehabs"u8, group, GroupRole.Rehab);
    }

    /// <summary>Writes the nodes of a group by their roles, each with its url, as the list of databases has them.
    /// </summary>
    internal static void WriteUrls(Utf8JsonWriter json, GroupView group)
    {
        WriteUrls(json, "Members"u8, group, GroupRole.Member);
        WriteUrls(json, "Promotables"u8, group, GroupRole.Promotable);
        WriteUrls(json, "Rehabs"u8, group, GroupRole.Rehab);
    }

    /// <summary>Writes the nodes of a cluster that have a role, as <c>{"A":"https://a"}</c>.</summary>
    /// <param name="json">Takes it.</param>
    /// <param name="name">The name of the member.</param>
    /// <param name="cluster">The cluster.</param>
    /// <param name="role">The role; null for all nodes.</param>
    internal static void WriteNodes(
        Utf8JsonWriter json, ReadOnlySpan<byte> name, ClusterView cluster, NodeRole? role)
    {
        json.WriteStartObject(name);
        foreach (NodeView node in cluster.Nodes)
        {
            if (role == null || node.Role == role)
            {
                json.WriteString(node.Tag, node.Url);
            }
        }

        json.WriteEndObject();
    }

    /// <summary>Writes how the other nodes are.</summary>
    internal static void WriteStatus(Utf8JsonWriter json, ClusterView cluster, string own)
    {
        json.WriteStartObject("Status"u8);
        foreach (NodeView node in cluster.Nodes)
        {
            if (node.Tag == own)
            {
                continue;
            }

            json.WriteStartObject(node.Tag);
            json.WriteBoolean("Connected"u8, node.IsAlive);
            json.WriteString(
                "ErrorDetails"u8, node.Hindrance ?? (node.IsAlive ? null : "It has given no sign of life in time."));
            json.WriteEndObject();
        }

        json.WriteEndObject();
    }

    private static void WriteNodes(
        Utf8JsonWriter json, ReadOnlySpan<byte> name, GroupView group, bool arePromotables)
    {
        json.WriteStartArray(name);
        foreach (GroupNode node in group.Nodes)
        {
            if (node.Role == GroupRole.Promotable == arePromotables)
            {
                json.WriteStartObject();
                json.WriteString("Url"u8, node.Node.Url);
                json.WriteString("ClusterTag"u8, node.Node.Tag);
                json.WriteString("Database"u8, group.Database);
                json.WriteString("ServerRole"u8, NameOf(node.Role));
                json.WriteEndObject();
            }
        }

        json.WriteEndArray();
    }

    private static void WriteTags(Utf8JsonWriter json, ReadOnlySpan<byte> name, GroupView group, GroupRole role)
    {
        json.WriteStartArray(name);
        foreach (GroupNode node in group.Nodes)
        {
            if (Shown(node.Role) == role)
            {
                json.WriteStringValue(node.Node.Tag);
            }
        }

        json.WriteEndArray();
    }

    private static void WriteUrls(Utf8JsonWriter json, ReadOnlySpan<byte> name, GroupView group, GroupRole role)
    {
        json.WriteStartArray(name);
        foreach (GroupNode node in group.Nodes)
        {
            if (Shown(node.Role) == role)
            {
                json.WriteStartObject();
                json.WriteString("NodeTag"u8, node.Node.Tag);
                json.WriteString("NodeUrl"u8, node.Node.Url);
                json.WriteEndObject();
            }
        }

        json.WriteEndArray();
    }

    /// <summary>Clients know the primary as the first of the members.</summary>
    private static GroupRole Shown(GroupRole role) => role == GroupRole.Primary ? GroupRole.Member : role;

    private static string NameOf(GroupRole role) => Shown(role).ToString();
}
