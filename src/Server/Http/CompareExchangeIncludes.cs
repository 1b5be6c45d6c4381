using System.Runtime.InteropServices;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Ids;
using Raven.Documents.Rows;

namespace Raven.Server.Http;

/// <summary>
/// The compare-exchange values that are sent along with documents: their keys are the texts at a path in the documents.
/// A path that leads to nothing may be a key itself. Its memory is the request's.
/// </summary>
internal sealed class CompareExchangeIncludes
{
    private readonly DistinctIds _keys;
    private readonly List<Asked> _asked = [];

    /// <summary>Makes an empty request for values.</summary>
    internal CompareExchangeIncludes(RequestContext request)
    {
        _keys = new DistinctIds(request.Server.HashSeed);
        _keys.Reset(request.Operation);
    }

    /// <summary>Asks for the values whose keys are at a path.</summary>
    internal void AddPath(NativeSlice path) => _asked.Add(new Asked(path, default, HasLed: false));

    /// <summary>Asks for the values whose keys are at a path, or for that of a key.</summary>
    internal void AddPathOrKey(NativeSlice path, NativeSlice key) => _asked.Add(new Asked(path, key, HasLed: false));

    /// <summary>Asks for the value of a key.</summary>
    internal void AddKey(ReadOnlySpan<byte> key) => _keys.Add(key);

    /// <summary>Finds the keys in a document.</summary>
    internal void Collect(BlittableObject document)
    {
        foreach (ref Asked one in CollectionsMarshal.AsSpan(_asked))
        {
            int before = _keys.Count;
            IncludePath.Collect(document, one.Path.Span, _keys);
            one.HasLed |= _keys.Count > before;
        }
    }

    /// <summary>Writes the values by their keys; a missing one with index -1, as clients expect.</summary>
    internal void Write(ref JsonOutput json, DocumentSnapshot snapshot, Database database)
    {
        AddKeys(snapshot);
        json.StartObject();
        for (int i = 0; i < _keys.Count; i++)
        {
            json.Name(_keys[i].Span);
            if (snapshot.TryGetCompareExchange(_keys.KeyOf(i).Span, out CompareExchangeValue value))
            {
                CompareExchangeJson.Write(ref json, in value, database);
                continue;
            }

            CompareExchangeJson.WriteMissing(ref json, _keys[i].Span);
        }

        json.EndObject();
    }

    /// <summary>Adds the texts that are keys: paths that led to nothing, and texts that may be both.</summary>
    private void AddKeys(DocumentSnapshot snapshot)
    {
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        foreach (Asked one in _asked)
        {
            if (!one.Key.IsEmpty && (!one.HasLed || (DocumentId.TryFold(one.Key.Span, folded, out int length, out _)
                && snapshot.TryGetCompareExchange(folded[..length], out _))))
            {
                _keys.Add(one.Key.Span);
            }
        }
    }

    private record struct Asked(NativeSlice Path, NativeSlice Key, bool HasLed);
}
