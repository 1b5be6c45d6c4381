using System.Text.Json;
using System.Text.Json.Serialization;

namespace Raven.Client.Json;

/// <summary>The second key of a group of entries: a text, a number, a boolean or null.</summary>
internal sealed class SeriesKeyConverter : JsonConverter<object?>
{
    public override object? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType switch
        {
            JsonTokenType.String => reader.GetString(),
            JsonTokenType.Number => reader.GetDouble(),
            JsonTokenType.True => true,
            JsonTokenType.False => false,
            JsonTokenType.Null => null,
            _ => JsonElement.ParseValue(ref reader),
        };

    public override void Write(Utf8JsonWriter writer, object? value, JsonSerializerOptions options)
    {
        switch (value)
        {
            case null:
                writer.WriteNullValue();
                break;
            case double number:
                writer.WriteNumberValue(number);
                break;
            case bool isTrue:
                writer.WriteBooleanValue(isTrue);
                break;
            case JsonElement json:
                json.WriteTo(writer);
                break;
            default:
                writer.WriteStringValue(value.ToString());
                break;
        }
    }
}
