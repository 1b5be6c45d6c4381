using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Nodes;

namespace Raven.Cluster.Records;

/// <summary>A node of the cluster: the key <c>nodes/TAG</c>.</summary>
public sealed record ClusterNode
{
    /// <summary>Where clients and other nodes reach it.</summary>
    public required string Url { get; init; }

    /// <summary>The id of the server, which its data folder keeps: another one with the same tag is refused.</summary>
    public required string ServerId { get; init; }

    /// <summary>Counts its starts: a copy of its data folder that starts, too, is found out.</summary>
    public required long Incarnation { get; init; }

    /// <summary>The oldest format of storage that it reads.</summary>
    public required int FormatMin { get; init; }

    /// <summary>The newest format of storage that it reads and writes.</summary>
    public required int FormatMax { get; init; }

    /// <summary>The version of the program that runs it, for people; null if that has not said it.</summary>
    public string? Version { get; init; }

    /// <summary>Whether it has no voice in etcd.</summary>
    public bool IsWatcher { get; init; }

    /// <summary>What a newer node has written beside.</summary>
    public JsonObject? Rest { get; init; }

    /// <summary>Reads the record.</summary>
    /// <param name="json">Its JSON.</param>
    /// <param name="record">The record.</param>
    /// <param name="problem">What is wrong with it.</param>
    public static bool TryRead(
        ReadOnlySpan<byte> json, [NotNullWhen(true)] out ClusterNode? record, [NotNullWhen(false)] out string? problem)
    {
        record = null;
        if (RecordReader.TryOpen(json, out problem) is { } reader)
        {
            record = new ClusterNode
            {
                Url = reader.Text("url", 2048),
                ServerId = reader.Text("serverId", 64),
                Incarnation = reader.Number("incarnation", 1),
                FormatMin = (int)reader.Number("formatMin", 1, int.MaxValue),
                FormatMax = (int)reader.Number("formatMax", 1, int.MaxValue),
                Version = reader.TextOrNone("version", 64),
                IsWatcher = reader.Flag("watcher"),
                Rest = reader.Rest,
            };
            if (!Uri.TryCreate(record.Url, UriKind.Absolute, out Uri? url) || url.Scheme is not ("http" or "https"))
            {
                reader.Fail("'url' must be an address that begins with http:// or https://");
            }

            if (record.FormatMin > record.FormatMax)
            {
                reader.Fail("'formatMin' must not be above 'formatMax'");
            }

            problem = reader.Problem;
        }

        return RecordEnd.Of(ref record, ref problem);
    }

    /// <summary>The record as JSON.</summary>
    public byte[] Write() => RecordWriter.Write(
        writer =>
        {
            writer.WriteString("url", Url);
            writer.WriteString("serverId", ServerId);
            writer.WriteNumber("incarnation", Incarnation);
            writer.WriteNumber("formatMin", FormatMin);
            writer.WriteNumber("formatMax", FormatMax);
            if (Version is not null)
            {
                writer.WriteString("version", Version);
            }

            writer.WriteBoolean("watcher", IsWatcher);
        },
        Rest);
}
