using System.Text.Json;
using System.Text.Json.Serialization;
using Raven.Client.Documents.Session;

namespace Raven.Client.Documents.Entities;

/// <summary>Metadata as a value of a projection.</summary>
internal sealed class MetadataDictionaryConverter : JsonConverter<IMetadataDictionary>
{
    public override IMetadataDictionary Read(
        ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        new MetadataDictionary(JsonElement.ParseValue(ref reader));

    public override void Write(Utf8JsonWriter writer, IMetadataDictionary value, JsonSerializerOptions options)
    {
        writer.WriteStartObject();
        foreach ((string name, object? one) in value)
        {
            writer.WritePropertyName(name);
            JsonSerializer.Serialize(writer, one, options.GetTypeInfo(typeof(object)));
        }

        writer.WriteEndObject();
    }
}
