using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Documents.Counters;
using Raven.Documents.Rows;

namespace Raven.Server.Http;

/// <summary>Counters as clients read them.</summary>
internal static class CounterJson
{
    /// <summary>Writes one counter.</summary>
    internal static void Write(
        ref JsonOutput json, ReadOnlySpan<byte> documentId, ReadOnlySpan<byte> name, long value,
        ReadOnlySpan<byte> changeVector)
    {
        WriteMembers(ref json, documentId, name, value, changeVector);

        // Clients read it even if they did not ask for it.
        json.Name("CounterValues"u8);
        json.Null();
        json.EndObject();
    }

    /// <summary>Writes one counter with what each node added to it; there is only one node.</summary>
    internal static void WriteFull(
        ref JsonOutput json, ReadOnlySpan<byte> documentId, ReadOnlySpan<byte> name, long value,
        ReadOnlySpan<byte> changeVector, ReadOnlySpan<byte> databaseId)
    {
        WriteMembers(ref json, documentId, name, value, changeVector);
        json.Name("CounterValues"u8);
        json.StartObject();
        json.Name(databaseId);
        json.Number(value);
        json.EndObject();
        json.EndObject();
    }

    /// <summary>Writes the counter that each change left, null if there is none; deletions have no result.</summary>
    /// <param name="json">Takes the JSON.</param>
    /// <param name="documentId">The document.</param>
    /// <param name="counters">The changes, after their commit.</param>
    /// <param name="isFull">Whether to write what each database added.</param>
    /// <param name="databaseId">The id of this database.</param>
    internal static void WriteResults(
        ref JsonOutput json, NativeSlice documentId, CountersAction counters, bool isFull = false,
        ReadOnlySpan<byte> databaseId = default)
    {
        foreach (ref readonly CounterOperation change in counters.Operations)
        {
            if (change.Kind is CounterOperationKind.Delete or CounterOperationKind.None)
            {
                continue;
            }

            if (change.Exists && isFull)
            {
                WriteFull(
                    ref json, documentId.Span, change.Name.Span, change.Value, change.ChangeVector.Span, databaseId);
            }
            else if (change.Exists)
            {
                Write(ref json, documentId.Span, change.Name.Span, change.Value, change.ChangeVector.Span);
            }
            else
            {
                json.Null();
            }
        }
    }

    private static void WriteMembers(
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
        json.Number(ChangeVector.TryReadLocalEtag(changeVector, out long etag) ? etag : 0);
        json.Name("ChangeVector"u8);
        json.String(changeVector);
    }
}
