using System.Globalization;
using System.Text.Json;

namespace Raven.Documents.Settings;

/// <summary>Reads fields of configurations; errors name the field.</summary>
internal static class SettingsJson
{
    /// <summary>True or false; false if it is absent or null.</summary>
    internal static bool Bool(JsonElement json, string name) => Find(json, name) switch
    {
        null => false,
        { ValueKind: JsonValueKind.True } => true,
        { ValueKind: JsonValueKind.False } => false,
        _ => throw new FormatException($"{name} must be true or false."),
    };

    /// <summary>A whole number; null if it is absent or null.</summary>
    internal static long? Number(JsonElement json, string name, long min, long max = long.MaxValue) =>
        Find(json, name) switch
        {
            null => null,
            { ValueKind: JsonValueKind.Number } value
                when value.TryGetInt64(out long number) && number >= min && number <= max => number,
            _ => throw new FormatException(
                $"{name} must be a whole number of at least {min}" + (max < long.MaxValue ? $", at most {max}." : ".")),
        };

    /// <summary>A span of time as text (<c>[d.]hh:mm:ss</c>); null if it is absent or null.</summary>
    internal static TimeSpan? Span(JsonElement json, string name) => Find(json, name) switch
    {
        null => null,
        { ValueKind: JsonValueKind.String } value when TimeSpan.TryParse(
            value.GetString(), CultureInfo.InvariantCulture, out TimeSpan span) && span >= TimeSpan.Zero => span,
        _ => throw new FormatException($"{name} must be a span of time such as 1.00:00:00."),
    };

    /// <summary>A text.</summary>
    internal static string Text(JsonElement json, string name) =>
        Find(json, name) is { ValueKind: JsonValueKind.String } value
            ? value.GetString()!
            : throw new FormatException($"{name} must be a text.");

    /// <summary>An object; null if it is absent or null.</summary>
    internal static JsonElement? Object(JsonElement json, string name) => Find(json, name) switch
    {
        null => null,
        { ValueKind: JsonValueKind.Object } value => value,
        _ => throw new FormatException($"{name} must be an object."),
    };

    private static JsonElement? Find(JsonElement json, string name) =>
        json.TryGetProperty(name, out JsonElement value) && value.ValueKind != JsonValueKind.Null ? value : null;
}
