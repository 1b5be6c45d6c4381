using System.Text.Json;

namespace Raven.Server.Http.Cluster;

/// <summary>Writes how far the nodes of a group are, for people and for the command line.</summary>
internal static class HealthJson
{
    /// <summary>Writes all nodes of a cluster.</summary>
    internal static void WriteNodes(Utf8JsonWriter json, IClusterNode cluster)
    {
        json.WriteStartArray("Nodes"u8);
        foreach (NodeView node in cluster.Cluster.Nodes)
        {
            json.WriteStartObject();
            json.WriteString("NodeTag"u8, node.Tag);
            json.WriteString("Url"u8, node.Url);
            json.WriteString("Role"u8, node.Role.ToString());
            json.WriteString("Version"u8, node.Version);
            json.WriteBoolean("IsAlive"u8, node.IsAlive);
            json.WriteString("Hindrance"u8, node.Hindrance);
            json.WriteString("Advice"u8, ClusterAdvice.Of(node));
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    /// <summary>Writes how the node finds the store.</summary>
    internal static void WriteStore(Utf8JsonWriter json, StoreHealth? store)
    {
        if (store == null)
        {
            json.WriteNull("Store"u8);
            return;
        }

        json.WriteStartObject("Store"u8);
        json.WriteBoolean("IsManaged"u8, store.IsManaged);
        json.WriteString("Version"u8, store.Member?.Version?.ToString());
        if (store.Member is { } member)
        {
            json.WriteBoolean("HasLeader"u8, member.HasLeader);
            json.WriteBoolean("IsFull"u8, member.IsFull);
        }
        else
        {
            json.WriteNull("HasLeader"u8);
            json.WriteNull("IsFull"u8);
        }

        WriteNumber(json, "SizeInBytes"u8, store.Member?.SizeBytes);
        json.WriteNumber("AgeInMs"u8, (long)store.Age.TotalMilliseconds);
        json.WriteString("Problem"u8, store.Problem ?? store.Member?.Problem);
        json.WriteString("Advice"u8, ClusterAdvice.Of(store));
        json.WriteEndObject();
    }

    /// <summary>Writes a group.</summary>
    internal static void Write(Utf8JsonWriter json, IClusterNode cluster, GroupView group)
    {
        GroupHealth? health = group.Role == GroupRole.None ? null : cluster.HealthOf(group);
        int inSync = 0;
        foreach (GroupNode node in group.Nodes)
        {
            inSync += node.Role is GroupRole.Primary or GroupRole.Member ? 1 : 0;
        }

        json.WriteStartObject();
        json.WriteString("Name"u8, group.Database);
        json.WriteString("Role"u8, group.Role.ToString());
        json.WriteString("Primary"u8, group.Primary?.Tag);
        json.WriteNumber("Epoch"u8, group.Epoch);
        json.WriteNumber("InSync"u8, inSync);
        json.WriteNumber("MinInSync"u8, group.MinInSync);
        json.WriteString("Hindrance"u8, group.Hindrance);
        json.WriteString("Advice"u8, ClusterAdvice.Of(group));
        WriteNumber(json, "Committed"u8, health?.Committed);
        WriteNumber(json, "Published"u8, health?.Published);
        WriteNumber(json, "Failovers"u8, health?.Failovers);
        WriteNumber(json, "CopiedBytes"u8, health?.CopiedBytes);
        WriteNumber(json, "UsedBytes"u8, health?.UsedBytes);
        json.WriteStartArray("Nodes"u8);
        foreach (GroupNode node in group.Nodes)
        {
            WriteNode(json, node, PeerOf(health, node.Node.Tag));
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WriteNode(Utf8JsonWriter json, GroupNode node, PeerHealth? peer)
    {
        json.WriteStartObject();
        json.WriteString("NodeTag"u8, node.Node.Tag);
        json.WriteString("Role"u8, node.Role.ToString());
        json.WriteBoolean("IsAlive"u8, node.Node.IsAlive);
        WriteNumber(json, "Acknowledged"u8, peer?.Acknowledged);
        WriteNumber(json, "LagInRecords"u8, peer?.LagRecords);
        WriteNumber(json, "LagSizeInBytes"u8, peer?.LagBytes);
        WriteNumber(json, "LagInMs"u8, peer == null ? null : (long)peer.Lag.TotalMilliseconds);
        json.WriteString("Why"u8, peer?.Why ?? node.Node.Hindrance);
        json.WriteEndObject();
    }

    private static PeerHealth? PeerOf(GroupHealth? health, string tag)
    {
        foreach (PeerHealth peer in health?.Peers ?? [])
        {
            if (peer.Tag == tag)
            {
                return peer;
            }
        }

        return null;
    }

    private static void WriteNumber(Utf8JsonWriter json, ReadOnlySpan<byte> name, long? value)
    {
        if (value is { } number)
        {
            json.WriteNumber(name, number);
        }
        else
        {
            json.WriteNull(name);
        }
    }
}
