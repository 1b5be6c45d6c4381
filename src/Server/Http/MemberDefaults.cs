using System.Text.Json;
using Raven.Documents.Settings;

namespace Raven.Server.Http;

/// <summary>
/// The members that clients read of a configuration, each with its default: answers have all of them, whether they were
/// sent or not.
/// </summary>
internal static class MemberDefaults
{
    private const string None = "null";
    private const string No = "false";

    private static readonly (string Name, string Json)[] OfCollection =
    [
        ("Disabled", No), ("MinimumRevisionsToKeep", None), ("MinimumRevisionAgeToKeep", None),
        ("PurgeOnDelete", No), ("MaximumRevisionsToDeleteUponDocumentUpdate", None),
    ];

    private static readonly (string Name, string Json)[] OfExpiration =
        [("Disabled", No), ("DeleteFrequencyInSec", None), ("MaxItemsToProcess", None)];

    private static readonly (string Name, string Json)[] OfRefresh =
        [("Disabled", No), ("RefreshFrequencyInSec", None), ("MaxItemsToProcess", None)];

    private static readonly (string Name, string Json)[] OfArchival =
        [("Disabled", No), ("ArchiveFrequencyInSec", None), ("MaxItemsToProcess", None)];

    private static readonly (string Name, string Json)[] OfBin =
    [
        ("Disabled", No), ("MinimumEntriesAgeToKeepInMin", None), ("RefreshFrequencyInSec", None),
        ("MaxItemsToProcess", None),
    ];

    private static readonly (string Name, string Json)[] OfUnique = [("Disabled", No), ("Collections", "{}")];

    private static readonly (string Name, string Json)[] OfSchemas =
        [("Disabled", No), ("ValidatorsPerCollection", "{}")];

    private static readonly (string Name, string Json)[] OfClients =
    [
        ("Disabled", No), ("IdentityPartsSeparator", None), ("MaxNumberOfRequestsPerSession", None),
        ("LoadBalanceBehavior", "\"None\""), ("LoadBalancerContextSeed", None), ("ReadBalanceBehavior", "\"None\""),
    ];

    /// <summary>Writes a configuration of clients with all its members.</summary>
    internal static void Write(Utf8JsonWriter json, ClientConfiguration configuration)
    {
        using JsonDocument document = StoredJson.Parse(configuration.Json);
        json.WriteStartObject();
        json.WriteNumber("Etag"u8, configuration.Etag);
        Write(json, document.RootElement, OfClients, except: "Etag");
        json.WriteEndObject();
    }

    /// <summary>Writes a setting with all its members.</summary>
    /// <param name="json">Takes the JSON.</param>
    /// <param name="name">Which one it is, as <see cref="SettingsStore"/> names it.</param>
    /// <param name="stored">The setting as it was sent.</param>
    internal static void Write(Utf8JsonWriter json, string name, ReadOnlySpan<byte> stored)
    {
        using JsonDocument document = StoredJson.Parse(stored);
        JsonElement setting = document.RootElement;
        if (name == SettingsStore.Revisions)
        {
            WriteRevisions(json, setting);
            return;
        }

        if (name == SettingsStore.TimeSeries)
        {
            // It is stored with all its members.
            setting.WriteTo(json);
            return;
        }

        json.WriteStartObject();
        Write(json, setting, name switch
        {
            SettingsStore.RevisionsForConflicts => OfCollection,
            SettingsStore.Expiration => OfExpiration,
            SettingsStore.DataArchival => OfArchival,
            SettingsStore.RevisionsBin => OfBin,
            SettingsStore.UniqueConstraints => OfUnique,
            SettingsStore.SchemaValidation => OfSchemas,
            _ => OfRefresh,
        });
        json.WriteEndObject();
    }

    /// <summary>Writes the members of an object: first those that clients read, then others that were sent.</summary>
    private static void Write(
        Utf8JsonWriter json, JsonElement source, ReadOnlySpan<(string Name, string Json)> defaults,
        string? except = null)
    {
        foreach ((string name, string otherwise) in defaults)
        {
            json.WritePropertyName(name);
            if (source.TryGetProperty(name, out JsonElement value) && value.ValueKind != JsonValueKind.Null)
            {
                value.WriteTo(json);
            }
            else
            {
                json.WriteRawValue(otherwise);
            }
        }

        foreach (JsonProperty property in source.EnumerateObject())
        {
            if (property.Name != except && !IsOf(defaults, property.Name))
            {
                property.WriteTo(json);
            }
        }
    }

    private static void WriteRevisions(Utf8JsonWriter json, JsonElement setting)
    {
        json.WriteStartObject();
        json.WritePropertyName("Default"u8);
        if (ObjectOf(setting, "Default") is { } of)
        {
            WriteCollection(json, of);
        }
        else
        {
            json.WriteNullValue();
        }

        json.WriteStartObject("Collections"u8);
        if (ObjectOf(setting, "Collections") is { } collections)
        {
            foreach (JsonProperty one in collections.EnumerateObject())
            {
                json.WritePropertyName(one.Name);
                WriteCollection(json, one.Value);
            }
        }

        json.WriteEndObject();
        foreach (JsonProperty property in setting.EnumerateObject())
        {
            if (!property.NameEquals("Default"u8) && !property.NameEquals("Collections"u8))
            {
                property.WriteTo(json);
            }
        }

        json.WriteEndObject();
    }

    private static void WriteCollection(Utf8JsonWriter json, JsonElement source)
    {
        json.WriteStartObject();
        Write(json, source, OfCollection);
        json.WriteEndObject();
    }

    /// <summary>A member that is an object; null without one. What is stored was checked before.</summary>
    private static JsonElement? ObjectOf(JsonElement source, string name) =>
        source.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.Object ? value : null;

    private static bool IsOf(ReadOnlySpan<(string Name, string Json)> defaults, string name)
    {
        foreach ((string known, _) in defaults)
        {
            if (known == name)
            {
                return true;
            }
        }

        return false;
    }
}
