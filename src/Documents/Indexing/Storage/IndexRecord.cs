using System.Buffers;
using System.Text.Json;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Settings;

namespace Raven.Documents.Indexing.Storage;

/// <summary>The record of an index, among its database's document structures.</summary>
/// <param name="Definition">The definition.</param>
/// <param name="Folder">The number of the folder that holds the index; a reset takes a new one.</param>
/// <param name="CreatedAt">When the index was made.</param>
internal sealed record IndexRecord(IndexDefinition Definition, long Folder, DateTimeOffset CreatedAt)
{
    /// <summary>Why it has stopped until it is reset; null if it has not.</summary>
    internal string? Fault { get; init; }

    /// <summary>The prefix of the name of an index that is built to replace another.</summary>
    internal const string ReplacementPrefix = "ReplacementOf/";

    /// <summary>The stored form of the record: JSON.</summary>
    internal byte[] ToBytes()
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            json.WriteNumber("Folder"u8, Folder);
            json.WriteString("CreatedAt"u8, CreatedAt);
            if (Fault is not null)
            {
                json.WriteString("Fault"u8, Fault);
            }

            json.WritePropertyName("Definition"u8);
            IndexDefinitionJson.Write(json, Definition);
            json.WriteEndObject();
        }

        return buffer.WrittenSpan.ToArray();
    }

    internal static IndexRecord Parse(ReadOnlySpan<byte> bytes)
    {
        using JsonDocument document = StoredJson.Parse(bytes);
        JsonElement root = document.RootElement;
        return new IndexRecord(
            IndexDefinitionJson.Parse(root.GetProperty("Definition"u8)),
            root.GetProperty("Folder"u8).GetInt64(),
            root.GetProperty("CreatedAt"u8).GetDateTimeOffset())
        {
            Fault = root.TryGetProperty("Fault"u8, out JsonElement fault) ? fault.GetString() : null,
        };
    }
}
