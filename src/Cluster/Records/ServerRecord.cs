using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Nodes;

namespace Raven.Cluster.Records;

/// <summary>A piece of the state that all servers share: a key below <c>server/</c>. What its content is, its kind
/// says; a node leaves kinds alone that it does not know.</summary>
public sealed record ServerRecord
{
    /// <summary>What it is, as <c>identity</c> or <c>client-configuration</c>.</summary>
    public required string Kind { get; init; }

    /// <summary>The format of the content, counted from 1 for each kind.</summary>
    public required int Format { get; init; }

    /// <summary>The content.</summary>
    public required JsonObject Content { get; init; }

    /// <summary>What a newer node has written beside.</summary>
    public JsonObject? Rest { get; init; }

    /// <summary>Reads the record.</summary>
    /// <param name="json">Its JSON.</param>
    /// <param name="record">The record.</param>
    /// <param name="problem">What is wrong with it.</param>
    public static bool TryRead(
        ReadOnlySpan<byte> json, [NotNullWhen(true)] out ServerRecord? record, [NotNullWhen(false)] out string? problem)
    {
        record = null;
        if (RecordReader.TryOpen(json, out problem) is { } reader)
        {
            record = new ServerRecord
            {
                Kind = reader.Text("kind", 64),
                Format = (int)reader.Number("format", 1, int.MaxValue),
                Content = reader.Object("content"),
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
            writer.WriteString("kind", Kind);
            writer.WriteNumber("format", Format);
            writer.WritePropertyName("content");
            Content.WriteTo(writer);
        },
        Rest);
}
