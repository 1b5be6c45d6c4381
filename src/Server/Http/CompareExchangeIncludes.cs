using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Server.Documents;
using Raven.Server.Documents.CompareExchange;
using Raven.Server.Documents.Ids;
using Raven.Server.Handlers;

namespace Raven.Server.Http;

/// <summary>The compare-exchange values that are sent along with documents.</summary>
internal static class CompareExchangeIncludes
{
    /// <summary>Writes the values by their keys; one that is not there with index -1, as clients know it.</summary>
    internal static void Write(
        ref JsonOutput json, DocumentSnapshot snapshot, List<NativeSlice> keys, Database database)
    {
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        foreach (NativeSlice key in keys)
        {
            json.Name(key.Span);
            if (DocumentId.TryFold(key.Span, folded, out int length, out _)
                && snapshot.TryGetCompareExchange(folded[..length], out CompareExchangeValue value))
            {
                CompareExchangeHandler.Write(ref json, in value, database);
                continue;
            }

            json.StartObject();
            json.Name("Key"u8);
            json.String(key.Span);
            json.Name("Index"u8);
            json.Number(-1);
            json.Name("Value"u8);
            json.Null();
            json.EndObject();
        }
    }
}
