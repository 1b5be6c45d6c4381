using System.Buffers;
using System.Text;
using System.Text.Json;

namespace Raven.Documents.Settings;

/// <summary>The configuration that a database, or the whole server, gives its clients. Immutable.</summary>
/// <param name="Etag">When it was set, in milliseconds since 1970: clients ask anew if theirs is lower.</param>
/// <param name="Json">The configuration, as it was set.</param>
/// <param name="IsDisabled">True if it does not apply.</param>
public sealed record ClientConfiguration(long Etag, byte[] Json, bool IsDisabled)
{
    /// <summary>Reads what <see cref="Write"/> wrote.</summary>
    /// <exception cref="FormatException">It is not valid.</exception>
    internal static ClientConfiguration Parse(JsonElement json)
    {
        JsonElement configuration = SettingsJson.Object(json, "Configuration")
            ?? throw new FormatException("The configuration must be an object.");
        SettingsJson.Number(configuration, "MaxNumberOfRequestsPerSession", 0);
        return new ClientConfiguration(
            SettingsJson.Number(json, "Etag", 1) ?? throw new FormatException("Etag is missing."),
            Encoding.UTF8.GetBytes(configuration.GetRawText()), SettingsJson.Bool(configuration, "Disabled"));
    }

    /// <summary>
    /// Checks that clients can read a new configuration: a client that cannot parse a member fails at each of
    /// its requests.
    /// </summary>
    /// <param name="json">What <see cref="Write"/> wrote.</param>
    /// <exception cref="FormatException">Clients cannot read it.</exception>
    internal static void CheckNew(JsonElement json)
    {
        if (SettingsJson.Object(json, "Configuration") is not { } configuration)
        {
            return;
        }

        if (configuration.TryGetProperty("IdentityPartsSeparator", out JsonElement separator)
            && separator.ValueKind != JsonValueKind.Null
            && !(separator.ValueKind == JsonValueKind.String && IsSeparator(separator.GetString()!)))
        {
            throw new FormatException("IdentityPartsSeparator must be one character, and not '|'.");
        }

        CheckName(configuration, "ReadBalanceBehavior", "None", "RoundRobin", "FastestNode");
        CheckName(configuration, "LoadBalanceBehavior", "None", "UseSessionContext");
        SettingsJson.Number(configuration, "LoadBalancerContextSeed", int.MinValue, int.MaxValue);
        SettingsJson.Number(configuration, "MaxNumberOfRequestsPerSession", 0, int.MaxValue);
    }

    /// <summary>True if a text is valid between the parts of an id: '|' asks for an identity.</summary>
    internal static bool IsSeparator(string text) => text.Length == 1 && text[0] is not '|' and >= ' ';

    /// <summary>Reads what <see cref="Write"/> wrote.</summary>
    /// <exception cref="FormatException">It is not valid.</exception>
    public static ClientConfiguration Parse(ReadOnlyMemory<byte> json)
    {
        using JsonDocument document = StoredJson.Parse(json);
        return Parse(document.RootElement);
    }

    /// <summary>The etag of a configuration that takes the place of another, or of none.</summary>
    public static long NextEtag(DateTimeOffset now, ClientConfiguration? old) =>
        Math.Max(now.ToUnixTimeMilliseconds(), (old?.Etag ?? 0) + 1);

    /// <summary>Makes the stored form of a configuration.</summary>
    /// <param name="etag">Its etag.</param>
    /// <param name="json">The configuration, a JSON object.</param>
    /// <exception cref="FormatException">It is no object.</exception>
    public static byte[] Write(long etag, ReadOnlySpan<byte> json)
    {
        var target = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(target))
        {
            writer.WriteStartObject();
            writer.WriteNumber("Etag"u8, etag);
            writer.WriteStartObject("Configuration"u8);
            using JsonDocument configuration = StoredJson.Parse(json);
            if (configuration.RootElement.ValueKind != JsonValueKind.Object)
            {
                throw new FormatException("The configuration must be an object.");
            }

            foreach (JsonProperty property in configuration.RootElement.EnumerateObject())
            {
                if (!property.NameEquals("Etag"u8))
                {
                    property.WriteTo(writer);
                }
            }

            // Clients read the etag inside as well: the one that they sent is that of the configuration before.
            writer.WriteNumber("Etag"u8, etag);
            writer.WriteEndObject();
            writer.WriteEndObject();
        }

        return target.WrittenSpan.ToArray();
    }

    private static void CheckName(JsonElement json, string name, params ReadOnlySpan<string> known)
    {
        if (json.TryGetProperty(name, out JsonElement value) && value.ValueKind != JsonValueKind.Null
            && !(value.ValueKind == JsonValueKind.String && known.Contains(value.GetString()!)))
        {
            throw new FormatException($"{name} must be one of {string.Join(", ", known!)}.");
        }
    }
}
