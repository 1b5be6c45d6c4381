using System.Buffers;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Raven.Cluster.Records;

/// <summary>Writes the members of a record, and behind them those that this build does not know.</summary>
internal static class RecordWriter
{
    internal static byte[] Write(Action<Utf8JsonWriter> write, JsonObject? rest)
    {
        var buffer = new ArrayBufferWriter<byte>(256);
        using (var writer = new Utf8JsonWriter(buffer))
        {
            writer.WriteStartObject();
            write(writer);
            foreach ((string name, JsonNode? value) in rest ?? [])
            {
                writer.WritePropertyName(name);
                if (value is null)
                {
                    writer.WriteNullValue();
                }
                else
                {
                    value.WriteTo(writer);
                }
            }

            writer.WriteEndObject();
        }

        return buffer.WrittenSpan.ToArray();
    }

    internal static void Tags(Utf8JsonWriter writer, string name, IReadOnlyList<string> tags)
    {
        writer.WriteStartArray(name);
        foreach (string tag in tags)
        {
            writer.WriteStringValue(tag);
        }

        writer.WriteEndArray();
    }
}
