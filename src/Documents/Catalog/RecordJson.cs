using System.Buffers;
using System.Text.Json;
using Raven.Documents.Settings;

namespace Raven.Documents.Catalog;

/// <summary>Changes of a database's record, which is stored as the JSON that a client sent.</summary>
public static class RecordJson
{
    /// <summary>The property that says whether a database is disabled.</summary>
    public const string Disabled = nameof(Disabled);

    /// <summary>The property that says whether a database may be deleted.</summary>
    public const string LockMode = nameof(LockMode);

    /// <summary>The property with the settings of a database.</summary>
    public const string Settings = nameof(Settings);

    /// <summary>The setting of a database that says that nothing is indexed.</summary>
    public const string IndexingDisabled = "Indexing.Disable";

    private static readonly JsonWriterOptions Plain =
        new() { Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>The record with one property replaced, or added.</summary>
    /// <param name="record">The record.</param>
    /// <param name="name">The property.</param>
    /// <param name="json">Its new value.</param>
    public static byte[] With(ReadOnlyMemory<byte> record, string name, ReadOnlySpan<byte> json)
    {
        using JsonDocument document = StoredJson.Parse(record);
        var target = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(target, Plain))
        {
            writer.WriteStartObject();
            foreach (JsonProperty property in document.RootElement.EnumerateObject())
            {
                if (property.Name != name)
                {
                    property.WriteTo(writer);
                }
            }

            writer.WritePropertyName(name);
            writer.WriteRead(json);
            writer.WriteEndObject();
        }

        return target.WrittenSpan.ToArray();
    }

    /// <summary>True if the record says that the database is disabled.</summary>
    internal static bool IsDisabled(ReadOnlyMemory<byte> record)
    {
        using JsonDocument document = StoredJson.Parse(record);
        return document.RootElement.ValueKind == JsonValueKind.Object
            && document.RootElement.TryGetProperty(Disabled, out JsonElement value)
            && value.ValueKind == JsonValueKind.True;
    }

    /// <summary>True if the settings in the record say that nothing is indexed.</summary>
    internal static bool IsIndexingDisabled(ReadOnlyMemory<byte> record)
    {
        using JsonDocument document = StoredJson.Parse(record);
        if (document.RootElement.ValueKind != JsonValueKind.Object
            || !document.RootElement.TryGetProperty(Settings, out JsonElement settings)
            || settings.ValueKind != JsonValueKind.Object)
        {
            return false;
        }

        // The name of a setting has no case, and a client may send a text or a truth value.
        return settings.EnumerateObject().Any(static one =>
            one.Name.Equals(IndexingDisabled, StringComparison.OrdinalIgnoreCase)
            && (one.Value.ValueKind == JsonValueKind.True
                || (one.Value.ValueKind == JsonValueKind.String
                    && "true".Equals(one.Value.GetString(), StringComparison.OrdinalIgnoreCase))));
    }

    /// <summary>The lock mode of the record; empty if there is none.</summary>
    public static string LockModeOf(ReadOnlyMemory<byte> record)
    {
        using JsonDocument document = StoredJson.Parse(record);
        return document.RootElement.TryGetProperty(LockMode, out JsonElement value)
            && value.ValueKind == JsonValueKind.String
            ? value.GetString()!
            : "";
    }
}
