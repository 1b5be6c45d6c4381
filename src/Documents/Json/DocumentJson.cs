using System.Diagnostics;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Blittable.Text;
using Raven.Documents.Commands;
using Raven.Documents.Rows;

namespace Raven.Documents.Json;

/// <summary>
/// Documents as JSON, straight from mapped memory: the stored bytes, with id, change vector, last modification,
/// collection and flags added to <c>@metadata</c>. Nothing is built in between.
/// </summary>
public static class DocumentJson
{
    private static ReadOnlySpan<byte> MetadataName => "@metadata"u8;

    private static ReadOnlySpan<byte> CollectionName => "@collection"u8;

    /// <summary>Writes a document.</summary>
    /// <param name="json">Takes the JSON, in the place of a value.</param>
    /// <param name="document">The document; its snapshot must be open.</param>
    /// <param name="isMetadataOnly">Write only <c>@metadata</c>.</param>
    public static void Write(ref JsonOutput json, in StoredDocument document, bool isMetadataOnly) =>
        Write(ref json, in document, isMetadataOnly, score: null, location: null);

    /// <summary>Writes a document that a query found.</summary>
    /// <param name="json">Takes the JSON, in the place of a value.</param>
    /// <param name="document">The document; its snapshot must be open.</param>
    /// <param name="isMetadataOnly">Write only <c>@metadata</c>.</param>
    /// <param name="score">How well it fits the query; null if that was not asked for.</param>
    /// <param name="location">Its position and distance from the point of the query; null if the query
    /// measures none.</param>
    internal static void Write(
        ref JsonOutput json, in StoredDocument document, bool isMetadataOnly, float? score, ResultLocation? location)
    {
        var systemFields = new DocumentSystemFields
        {
            Id = document.Id.Span,
            ChangeVector = document.ChangeVector.Span,
            Collection = document.Collection,
            LastModifiedTicks = document.LastModifiedTicks,
            Flags = document.Flags,
        };
        WriteBegin(ref json, document.Data, in systemFields, isMetadataOnly);
        if (document.Flags != DocumentFlags.None)
        {
            LinkedMetadata.Write(ref json, in document);
        }

        if (score is { } fit)
        {
            json.Name("@index-score"u8);
            json.Number(fit);
        }

        location?.Write(ref json);

        json.EndObject();
        json.EndObject();
    }

    /// <summary>Writes a document that is not, or not yet, in a snapshot.</summary>
    public static void Write(ref JsonOutput json, BlittableObject data, in DocumentSystemFields systemFields)
    {
        WriteBegin(ref json, data, in systemFields, isMetadataOnly: false);
        json.EndObject();
        json.EndObject();
    }

    /// <summary>Writes <c>@flags</c>, if there are any.</summary>
    public static void WriteFlags(ref JsonOutput json, DocumentFlags flags)
    {
        if (flags != DocumentFlags.None)
        {
            json.Name(ServerMetadata.Flags);
            json.String(flags.ToString().AsSpan());
        }
    }

    /// <summary>Writes an instant as <c>yyyy-MM-ddTHH:mm:ss.fffffffZ</c>.</summary>
    public static void WriteDate(ref JsonOutput json, long ticks)
    {
        Span<byte> text = stackalloc byte[DateText.Length + 2];
        text[0] = (byte)'"';
        bool fits = DateText.TryFormat(ticks, text[1..]);
        text[^1] = (byte)'"';
        Debug.Assert(fits);
        json.Raw(text);
    }

    /// <summary>Writes everything except the ends of <c>@metadata</c> and of the document.</summary>
    private static void WriteBegin(
        ref JsonOutput json, BlittableObject data, in DocumentSystemFields systemFields, bool isMetadataOnly)
    {
        int metadataIndex = data.IndexOf(MetadataName);
        json.StartObject();
        if (!isMetadataOnly)
        {
            json.Properties(data, metadataIndex);
        }

        json.RawName("\"@metadata\":"u8);
        json.StartObject();
        bool hasCollection = false;
        if (metadataIndex >= 0 && data.GetProperty(metadataIndex).Value.TryGetObject(out BlittableObject metadata))
        {
            json.Properties(metadata, -1);
            hasCollection = metadata.IndexOf(CollectionName) >= 0;
        }

        if (!hasCollection)
        {
            json.RawName("\"@collection\":"u8);
            json.String(systemFields.Collection);
        }

        json.RawName("\"@id\":"u8);
        json.String(systemFields.Id);
        if (!systemFields.ChangeVector.IsEmpty)
        {
            json.RawName("\"@change-vector\":"u8);
            json.String(systemFields.ChangeVector);
            json.RawName("\"@last-modified\":"u8);
            WriteDate(ref json, systemFields.LastModifiedTicks);
        }

        WriteFlags(ref json, systemFields.Flags);
    }
}
