using Raven.Blittable.Json;

namespace Raven.Documents.Counters;

/// <summary>Counters in the JSON of the HTTP API.</summary>
public static class CounterJson
{
    /// <summary>Writes one counter.</summary>
    public static void Write(
        ref JsonOutput json, ReadOnlySpan<byte> documentId, ReadOnlySpan<byte> name, long value,
        ReadOnlySpan<byte> changeVector)
    {
        WriteFacts(ref json, documentId, name, value, changeVector);

        // Clients read it even if they did not ask for it.
        json.Name("CounterValues"u8);
        json.Null();
        json.EndObject();
    }

    /// <summary>Writes one counter with what each node added to it; there is only one node.</summary>
    public static void WriteFull(
        ref JsonOutput json, ReadOnlySpan<byte> documentId, ReadOnlySpan<byte> name, long value,
        ReadOnlySpan<byte> changeVector, ReadOnlySpan<byte> databaseId)
    {
        WriteFacts(ref json, documentId, name, value, changeVector);
        json.Name("CounterValues"u8);
        json.StartObject();
        json.Name(databaseId);
        json.Number(value);
        json.EndObject();
        json.EndObject();
    }

    private static void WriteFacts(
        ref JsonOutput json, ReadOnlySpan<byte> documentId, ReadOnlySpan<byte> name, long value,
        ReadOnlySpan<byte> changeVector)
    {
        json.StartObject();
        json.Name("DocumentId"u8);
        json.String(documentId);
        json.Name("CounterName"u8);
        json.String(name);
        json.Name("TotalValue"u8);
        json.Number(value);
        json.Name("Etag"u8);
        json.Number(Rows.ChangeVector.TryReadLocalEtag(changeVector, out long etag) ? etag : 0);
        json.Name("ChangeVector"u8);
        json.String(changeVector);
    }
}
