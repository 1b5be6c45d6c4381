using System.Text.Json;
using Raven.Client.Documents.Entities;

namespace Raven.Client.Documents.Session;

/// <summary>
/// Writes the new state of a document, with the properties of the old state that its class does not have.
/// </summary>
internal static class JsonMerge
{
    /// <summary>Writes an object.</summary>
    /// <param name="writer">The target.</param>
    /// <param name="current">The entity as it is now.</param>
    /// <param name="known">The entity as it was read: the properties that its class has.</param>
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
