using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Nodes;

namespace Raven.Cluster.Records;

/// <summary>Which node it is: a node's sign of life (<c>alive/TAG</c>), the observer (<c>observer</c>), or the owner of
/// a task (<c>tasks/DATABASE/ID</c>).</summary>
public sealed record NodeNote
{
    /// <summary>The last millisecond that the platform's times have.</summary>
    private const long TimeMax = 253_402_300_799_999;

    /// <summary>The tag of the node.</summary>
    public required string Node { get; init; }

    /// <summary>Which start of the node wrote it.</summary>
    public required long Incarnation { get; init; }

    /// <summary>Of a sign of life: the time of day at the node, in milliseconds since 1970; 0 if there is none.
    /// </summary>
    public long Time { get; init; }

    /// <summary>What a newer node has written beside.</summary>
    public JsonObject? Rest { get; init; }

    /// <summary>Reads the record.</summary>
    /// <param name="json">Its JSON.</param>
    /// <param name="record">The record.</param>
    /// <param name="problem">What is wrong with it.</param>
    public static bool TryRead(
        ReadOnlySpan<byte> json, [NotNullWhen(true)] out NodeNote? record, [NotNullWhen(false)] out string? problem)
    {
        record = null;
        if (RecordReader.TryOpen(json, out problem) is { } reader)
        {
            record = new NodeNote
            {
                Node = reader.Tag("node"),
                Incarnation = reader.Number("incarnation", 1),
                Time = reader.Number("time", 0, TimeMax, missing: 0),
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
            writer.WriteString("node", Node);
            writer.WriteNumber("incarnation", Incarnation);
            if (Time > 0)
            {
                writer.WriteNumber("time", Time);
            }
        },
        Rest);
}
