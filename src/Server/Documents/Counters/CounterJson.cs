using Raven.Blittable.Json;

namespace Raven.Server.Documents.Counters;

/// <summary>Counters as the HTTP API tells them.</summary>
internal static class CounterJson
{
    /// <summary>Writes one counter.</summary>
    internal static void Write(
        ref JsonOutput json, ReadOnlySpan<byte> documentId, ReadOnlySpan<byte> name, long value)
    {
        json.StartObject();
        json.Name("DocumentId"u8);
        json.String(documentId);
        json.Name("CounterName"u8);
        json.String(name);
        json.Name("TotalValue"u8);
        json.Number(value);
        json.EndObject();
    }

    /// <summary>Writes one counter with what each node added to it: there is one node.</summary>
    internal static void WriteFull(
        ref JsonOutput json, ReadOnlySpan<byte> documentId, ReadOnlySpan<byte> name, long value,
        ReadOnlySpan<byte> databaseId)
    {
        json.StartObject();
        json.Name("DocumentId"u8);
        json.String(documentId);
        json.Name("CounterName"u8);
        json.String(name);
        json.Name("TotalValue"u8);
        json.Number(value);
        json.Name("CounterValues"u8);
        json.StartObject();
        json.Name(databaseId);
        json.Number(value);
        json.EndObject();
        json.EndObject();
    }
}
