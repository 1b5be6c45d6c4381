using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Raven.Client.Json;

/// <summary>
/// Dates with all seven digits of their fraction, so that their texts sort as the dates do; <c>Z</c> if they are UTC.
/// </summary>
internal sealed class RavenDateTimeConverter : JsonConverter<DateTime>
{
    private const string Format = "yyyy-MM-ddTHH:mm:ss.fffffff";

    internal static string ToText(DateTime value) =>
        value.ToString(Format, CultureInfo.InvariantCulture) + (value.Kind == DateTimeKind.Utc ? "Z" : "");

    public override DateTime Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TryGetDateTime(out DateTime value)
            ? value
            : DateTime.Parse(reader.GetString()!, CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind);

    public override void Write(Utf8JsonWriter writer, DateTime value, JsonSerializerOptions options)
    {
        Span<char> text = stackalloc char[28];
        value.TryFormat(text, out int length, Format, CultureInfo.InvariantCulture);
        if (value.Kind == DateTimeKind.Utc)
        {
            text[length++] = 'Z';
        }

        writer.WriteStringValue(text[..length]);
    }

    public override DateTime ReadAsPropertyName(
        ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        DateTime.Parse(reader.GetString()!, CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind);

    public override void WriteAsPropertyName(Utf8JsonWriter writer, DateTime value, JsonSerializerOptions options) =>
        writer.WritePropertyName(ToText(value));
}
