using System.Text.Json;
using Raven.Client.Documents.Entities;

namespace Raven.Client.Documents.Session;

/// <summary>Writes the new state of a document, with what its class does not know and the old state has.</summary>
internal static class JsonMerge
{
    /// <summary>Writes an object.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="current">What the entity is now.</param>
    /// <param name="known">What the entity was when it was read: the properties its class knows.</param>
    /// <param name="original">The document as it was read.</param>
    internal static void Write(Utf8JsonWriter writer, JsonElement current, JsonElement known, JsonElement original)
    {
        writer.WriteStartObject();
        foreach (JsonProperty property in current.EnumerateObject())
        {
            writer.WritePropertyName(property.Name);
            if (IsObject(property.Value)
                && known.TryGetProperty(property.Name, out JsonElement knownValue) && IsObject(knownValue)
                && original.TryGetProperty(property.Name, out JsonElement originalValue) && IsObject(originalValue))
            {
                Write(writer, property.Value, knownValue, originalValue);
            }
            else
            {
                property.Value.WriteTo(writer);
            }
        }

        foreach (JsonProperty property in original.EnumerateObject())
        {
            if (property.Name != EntitySerializer.MetadataName && !known.TryGetProperty(property.Name, out _)
                && !current.TryGetProperty(property.Name, out _))
            {
                property.WriteTo(writer);
            }
        }

        writer.WriteEndObject();
    }

    private static bool IsObject(JsonElement element) => element.ValueKind == JsonValueKind.Object;
}
