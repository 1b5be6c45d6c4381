using System.Buffers;
using Raven.Blittable.Json;
using Raven.Documents.Json;

namespace Raven.Documents.Queries.Results;

/// <summary>Results without a projection: documents, or what is stored in an index that groups.</summary>
internal sealed class DocumentResultWriter(bool isMetadataOnly) : ResultWriter
{
    /// <inheritdoc/>
    internal override bool TryWrite(IBufferWriter<byte> target, in QueryHit hit)
    {
        if (hit.HasDocument)
        {
            StoredDocument document = hit.Document;
            if (IsWanted?.Invoke(ResultHash.Of(document.Id.Span)) == false)
            {
                return false;
            }

            var json = new JsonOutput(target);
            DocumentJson.Write(ref json, in document, isMetadataOnly, hit.Score, hit.Location);
            json.Flush();
            return true;
        }

        if (hit.Stored.IsEmpty || IsWanted?.Invoke(ResultHash.OfJson(hit.Stored.Span)) == false)
        {
            return false;
        }

        WriteOpen(target, hit.Stored.Span);
        WriteStoredMetadata(target, in hit);
        target.Write("}"u8);
        return true;
    }

    private static void WriteStoredMetadata(IBufferWriter<byte> target, in QueryHit hit)
    {
        var json = new JsonOutput(target);
        json.String("@metadata"u8);
        json.Flush();
        target.Write(":"u8);
        json = new JsonOutput(target);
        json.StartObject();
        json.Name("@change-vector"u8);
        json.Null();
        if (hit.Score is { } score)
        {
            json.Name("@index-score"u8);
            json.Number(score);
        }

        hit.Location?.Write(ref json);

        json.EndObject();
        json.Flush();
    }
}
