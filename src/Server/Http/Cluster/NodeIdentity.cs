using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.Documents.Catalog;

namespace Raven.Server.Http.Cluster;

/// <summary>
/// Who this server is, as its data folder keeps it: in the records of the server, so that a copied folder is found out
/// by the count of its starts.
/// </summary>
/// <param name="ServerId">The id of the server.</param>
/// <param name="Incarnation">Counts its starts as a node.</param>
/// <param name="ClusterId">The cluster that it belongs to; null until it has joined one.</param>
internal sealed record NodeIdentity(string ServerId, long Incarnation, string? ClusterId)
{
    private const string Key = "cluster-node";

    /// <summary>Counts one more start; durable when it returns.</summary>
    internal static NodeIdentity Begin(ServerRecords records)
    {
        JsonNode? kept = records.Read(Key).FirstOrDefault(one => one.Key == Key).Value is { } json
            ? JsonNode.Parse(json)
            : null;
        var identity = new NodeIdentity(
            (string?)kept?[nameof(ServerId)] ?? Guid.NewGuid().ToString("N"),
            1 + ((long?)kept?[nameof(Incarnation)] ?? 0),
            (string?)kept?[nameof(ClusterId)]);
        identity.Keep(records);
        return identity;
    }

    /// <summary>Notes the cluster; durable when it returns.</summary>
    internal NodeIdentity Join(ServerRecords records, string clusterId)
    {
        NodeIdentity joined = this with { ClusterId = clusterId };
        joined.Keep(records);
        return joined;
    }

    private void Keep(ServerRecords records) => records.Write(
        [new(Key, JsonSerializer.SerializeToUtf8Bytes(this))]);
}
