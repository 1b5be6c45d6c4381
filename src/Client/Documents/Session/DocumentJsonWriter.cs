using System.Text.Json;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Entities;
using Raven.Client.Json;

namespace Raven.Client.Documents.Session;

/// <summary>
/// Writes the document of a tracked entity as it would be saved, and finds out whether it differs from that
/// on the server.
/// </summary>
internal sealed class DocumentJsonWriter(DocumentConventions conventions)
{
    private static readonly HashSet<string> ServerNames =
    [
        "@id", "@change-vector", "@last-modified", "@flags", "@attachments", "@counters", "@timeseries",
        "@index-score", "@projection", "@etag", "@collection", "Raven-Clr-Type",
    ];

    /// <summary>The document to save; false if the server has the same already.</summary>
    internal bool TryGetChanged(DocumentInfo info, out ReadOnlyMemory<byte> json)
    {
        json = default;
        if (info.IsNew)
        {
            json = Join(conventions.Serializer.ToJson(info.Entity), info);
            return true;
        }

        using JsonScratch scratch = JsonScratch.Rent();
        conventions.Serializer.Write(scratch.Writer, info.Entity);
        ReadOnlyMemory<byte> bytes = scratch.Written;
        bool isSame = JsonComparer.AreSame(info.Stored.Span, bytes.Span);
        if (isSame && !info.IsMetadataDirty)
        {
            return false;
        }

        json = Changed(info, bytes, isSame);
        return !json.IsEmpty;
    }

    /// <summary>The document to save; empty if only its form has changed.</summary>
    private ReadOnlyMemory<byte> Changed(DocumentInfo info, ReadOnlyMemory<byte> bytes, bool isSame)
    {
        JsonElement current = JsonFormats.Parse(bytes);
        isSame = isSame || JsonComparer.AreEqual(info.Original, current);
        if (isSame && !info.IsMetadataDirty)
        {
            return default;
        }

        JsonElement known = isSame ? current : Known(info);
        if (!isSame && !info.IsMetadataDirty && JsonComparer.AreEqual(known, current))
        {
            return default;
        }

        return Join(conventions.PreserveDocumentPropertiesNotFoundOnModel ? Merge(current, known, info) : bytes, info);
    }

    /// <summary>The differences of an entity from what was read or saved.</summary>
    internal List<DocumentsChanges> Compare(DocumentInfo info)
    {
        JsonElement current = JsonFormats.Parse(conventions.Serializer.ToJson(info.Entity));
        return JsonComparer.AreEqual(info.Original, current) ? [] : JsonComparer.Compare(Known(info), current);
    }

    /// <summary>The JSON of an entity with metadata for a document of its own, which no session tracks.</summary>
    internal ReadOnlyMemory<byte> ToDocument(object entity, IMetadataDictionary? metadata = null)
    {
        ReadOnlyMemory<byte> json = conventions.Serializer.ToJson(entity);
        return Join(json, entity, metadata, null);
    }

    /// <summary>Writes the name and the object of the metadata.</summary>
    internal void WriteMetadata(
        Utf8JsonWriter writer, object entity, IMetadataDictionary? metadata, JsonElement? original)
    {
        writer.WriteStartObject();
        string collection = metadata?.GetString("@collection")
            ?? Text(original, "@collection") ?? conventions.GetCollectionName(entity.GetType());
        writer.WriteString("@collection"u8, collection);
        Type type = entity.GetType();
        if (type.Namespace?.StartsWith("System.Text.Json", StringComparison.Ordinal) != true)
        {
            writer.WriteString("Raven-Clr-Type"u8, EntitySerializer.WrittenNameOf(type));
        }

        if (metadata != null)
        {
            foreach ((string name, object? value) in metadata)
            {
                if (!ServerNames.Contains(name))
                {
                    writer.WritePropertyName(name);
                    conventions.Serializer.WriteValue(writer, value);
                }
            }
        }
        else if (original is { } read)
        {
            foreach (JsonProperty property in read.EnumerateObject())
            {
                if (!ServerNames.Contains(property.Name))
                {
                    property.WriteTo(writer);
                }
            }
        }

        writer.WriteEndObject();
    }

    private static string? Text(JsonElement? metadata, string name) =>
        metadata is { } read && read.TryGetProperty(name, out JsonElement value) ? value.GetString() : null;

    private static ReadOnlyMemory<byte> Merge(JsonElement current, JsonElement known, DocumentInfo info) =>
        JsonScratch.Write((current, known, info.Original), static (writer, it) =>
            JsonMerge.Write(writer, it.current, it.known, it.Original));

    /// <summary>The document as it was read, as the class of an entity represents it.</summary>
    private JsonElement Known(DocumentInfo info)
    {
        object fresh = conventions.Serializer.FromJson(info.Original, info.Entity.GetType(), null);
        return JsonFormats.Parse(conventions.Serializer.ToJson(fresh));
    }

    private ReadOnlyMemory<byte> Join(ReadOnlyMemory<byte> json, DocumentInfo info) =>
        Join(json, info.Entity, info.TouchedMetadata, info.OriginalMetadata);

    private ReadOnlyMemory<byte> Join(
        ReadOnlyMemory<byte> json, object entity, IMetadataDictionary? metadata, JsonElement? original)
    {
        using JsonScratch scratch = JsonScratch.Rent();
        WriteMetadata(scratch.Writer, entity, metadata, original);
        ReadOnlySpan<byte> written = scratch.Written.Span;
        ReadOnlySpan<byte> name = json.Length > 2 ? ",\"@metadata\":"u8 : "\"@metadata\":"u8;
        byte[] joined = new byte[json.Length + name.Length + written.Length];
        json.Span[..^1].CopyTo(joined);
        name.CopyTo(joined.AsSpan(json.Length - 1));
        written.CopyTo(joined.AsSpan(json.Length - 1 + name.Length));
        joined[^1] = (byte)'}';
        return joined;
    }
}
