using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Nodes;

namespace Raven.Cluster.Records;

/// <summary>What the cluster is: the key <c>meta</c>.</summary>
public sealed record ClusterMeta
{
    /// <summary>The id of the cluster.</summary>
    public required string ClusterId { get; init; }

    /// <summary>What all nodes can do: it rises when each of them can.</summary>
    public required int FeatureLevel { get; init; }

    /// <summary>What is added to a revision to make the etag of a topology, so that it only grows when the store is
    /// another one.</summary>
    public long TopologyBase { get; init; }

    /// <summary>What a newer node has written beside.</summary>
    public JsonObject? Rest { get; init; }

    /// <summary>Reads the record.</summary>
    /// <param name="json">Its JSON.</param>
    /// <param name="record">The record.</param>
    /// <param name="problem">What is wrong with it.</param>
    public static bool TryRead(
        ReadOnlySpan<byte> json, [NotNullWhen(true)] out ClusterMeta? record, [NotNullWhen(false)] out string? problem)
    {
        record = null;
        if (RecordReader.TryOpen(json, out problem) is { } reader)
        {
            record = new ClusterMeta
            {
                ClusterId = reader.Text("clusterId", 64),
                FeatureLevel = (int)reader.Number("featureLevel", 1, int.MaxValue),
                TopologyBase = reader.Number("topologyBase", 0, missing: 0),
                Rest = reader.Rest,
            };
            problem = reader.Problem;
        }

        return RecordEnd.Of(ref record, ref problem);
    }

    /// <summary>The record as JSON.</summary>
    public byte[] Write() => RecordWriter.Write(
        writer =>
        {
            writer.WriteString("clusterId", ClusterId);
            writer.WriteNumber("featureLevel", FeatureLevel);
            writer.WriteNumber("topologyBase", TopologyBase);
        },
        Rest);
}
