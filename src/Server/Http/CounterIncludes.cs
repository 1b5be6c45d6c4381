using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Documents;
using Raven.Documents.Counters;
using Raven.Documents.Rows;

namespace Raven.Server.Http;

/// <summary>The counters that are sent along with documents.</summary>
internal static class CounterIncludes
{
    private static ReadOnlySpan<byte> All => "@all_counters"u8;

    /// <summary>Writes the counters of one document, a list; null for those that are missing.</summary>
    /// <param name="json">Takes the JSON.</param>
    /// <param name="snapshot">The snapshot to read.</param>
    /// <param name="id">The document.</param>
    /// <param name="documentKey">Its folded id.</param>
    /// <param name="names">The names; null, or <c>@all_counters</c> among them, for all of the document.</param>
    internal static void Write(
        ref JsonOutput json, DocumentSnapshot snapshot, ReadOnlySpan<byte> id, ReadOnlySpan<byte> documentKey,
        List<NativeSlice>? names)
    {
        json.Name(id);
        json.StartArray();
        if (names is null || AreAll(names))
        {
            CounterCursor counters = snapshot.CountersOf(documentKey);
            while (counters.MoveNext(out StoredCounter counter))
            {
                CounterJson.Write(
                    ref json, id, counter.Name.Span, counter.Value, counter.ChangeVector.Span);
            }
        }
        else
        {
            WriteNamed(ref json, snapshot, id, documentKey, names);
        }

        json.EndArray();
    }

    /// <summary>Writes which counters of a document were asked for; none named means all.</summary>
    internal static void WriteNames(ref JsonOutput json, ReadOnlySpan<byte> id, List<NativeSlice>? names)
    {
        json.Name(id);
        json.StartArray();
        if (names is not null && !AreAll(names))
        {
            foreach (NativeSlice name in names)
            {
                json.String(name.Span);
            }
        }

        json.EndArray();
    }

    private static bool AreAll(List<NativeSlice> names) => names.Exists(name => name.Span.SequenceEqual(All));

    private static void WriteNamed(
        ref JsonOutput json, DocumentSnapshot snapshot, ReadOnlySpan<byte> id, ReadOnlySpan<byte> documentKey,
        List<NativeSlice> names)
    {
        Span<byte> key = stackalloc byte[CounterKey.SizeBytesMax];
        foreach (NativeSlice name in names)
        {
            if (CounterKey.TryWrite(key, documentKey, name.Span, out int length, out _)
                && snapshot.TryGetCounter(key[..length], out StoredCounter counter))
            {
                CounterJson.Write(
                    ref json, id, counter.Name.Span, counter.Value, counter.ChangeVector.Span);
            }
            else
            {
                json.Null();
            }
        }
    }
}
