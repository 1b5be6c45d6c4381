using System.Buffers.Binary;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Server.Documents;
using Raven.Server.Documents.Ids;
using Raven.Server.Documents.Rows;
using Raven.Storage.Checksums;

namespace Raven.Server.Http;

/// <summary>
/// The documents of a multi-get, found but not written: distinct by their folded ids, in the order in which they were
/// asked for, with the documents they include. One snapshot, one thread; kept by its thread for the next time.
/// </summary>
internal sealed class DocumentsPage
{
    private const int KeptMax = 1024;

    [ThreadStatic]
    private static DocumentsPage? t_kept;

    private readonly List<Entry> _results = [];
    private readonly List<Entry> _includes = [];
    private readonly KeyMap _keys;

    private DocumentsPage(ulong hashSeed) => _keys = new KeyMap(hashSeed);

    /// <summary>How many of the documents that were asked for exist.</summary>
    internal int FoundCount { get; private set; }

    internal static DocumentsPage Rent(ulong hashSeed)
    {
        DocumentsPage page = t_kept ?? new DocumentsPage(hashSeed);
        t_kept = null;
        return page;
    }

    /// <summary>Finds the documents.</summary>
    internal void Collect(OperationContext context, DocumentSnapshot snapshot, in DocumentsRequest wanted)
    {
        FoundCount = 0;
        foreach (NativeSlice id in wanted.Ids)
        {
            if (TryAdd(context, snapshot, id.Span, _results, out Entry entry) && entry.IsFound)
            {
                FoundCount++;
            }
        }

        if (wanted.Includes != null)
        {
            var collector = new IncludeCollector(context, this, snapshot);
            for (int i = 0; i < _results.Count; i++)
            {
                if (_results[i].IsFound)
                {
                    collector.Collect(_results[i].Document.Data, wanted.Includes);
                }
            }
        }
    }

    /// <summary>Adds a document that another one names, unless it is there already.</summary>
    internal void Include(OperationContext context, DocumentSnapshot snapshot, ReadOnlySpan<byte> id) =>
        TryAdd(context, snapshot, id, _includes, out _);

    /// <summary>A hash over the versions of all that is shown.</summary>
    internal ulong Hash(bool isMetadataOnly)
    {
        ulong hash = isMetadataOnly ? 1u : 0u;
        Hash(_results, ref hash);
        Hash(_includes, ref hash);
        return hash;
    }

    /// <summary>Writes the answer; the snapshot must still be open.</summary>
    internal async ValueTask WriteAsync(RequestContext request, bool isMetadataOnly)
    {
        var list = new DocumentListWriter(request, isMetadataOnly);
        for (int i = 0; i < _results.Count; i++)
        {
            if (_results[i].IsFound)
            {
                StoredDocument document = _results[i].Document;
                list.Write(in document);
            }
            else
            {
                list.WriteNull();
            }

            if (list.IsFull)
            {
                await request.Response.FlushAsync(CancellationToken.None).ConfigureAwait(false);
            }
        }

        list.BeginIncludes();
        for (int i = 0; i < _includes.Count; i++)
        {
            WriteInclude(request.Response, _includes[i], isFirst: i == 0);
            if (list.IsFull)
            {
                await request.Response.FlushAsync(CancellationToken.None).ConfigureAwait(false);
            }
        }

        request.Response.Write("}}"u8);
    }

    internal void Return()
    {
        _results.Clear();
        _includes.Clear();
        _keys.Clear();
        if (_results.Capacity <= KeptMax && _includes.Capacity <= KeptMax)
        {
            t_kept = this;
        }
    }

    private static void WriteInclude(ResponseWriter response, in Entry entry, bool isFirst)
    {
        if (!isFirst)
        {
            response.Write(","u8);
        }

        var json = new JsonOutput(response);
        if (entry.IsFound)
        {
            StoredDocument document = entry.Document;
            json.Name(document.Id.Span);
            DocumentJson.Write(ref json, in document, isMetadataOnly: false);
        }
        else
        {
            json.Name(entry.Id.Span);
            json.Null();
        }

        json.Flush();
    }

    private static void Hash(List<Entry> entries, ref ulong hash)
    {
        Span<byte> number = stackalloc byte[sizeof(ulong)];
        foreach (Entry entry in entries)
        {
            StoredDocument document = entry.Document;
            BinaryPrimitives.WriteUInt64LittleEndian(number, entry.IsFound ? (ulong)document.Etag : 0);
            hash = XxHash3.Hash(number, hash + 1);
            hash = entry.IsFound
                ? XxHash3.Hash(document.ChangeVector.Span, hash)
                : XxHash3.Hash(entry.Id.Span, hash);
        }
    }

    private bool TryAdd(
        OperationContext context, DocumentSnapshot snapshot, ReadOnlySpan<byte> id, List<Entry> to, out Entry entry)
    {
        entry = default;
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        if (!DocumentId.TryFold(id, folded, out int length, out _))
        {
            return false;
        }

        NativeSlice key = Keep(context.Arena, folded[..length]);
        _keys.FindOrAdd(key, out bool isNew);
        if (!isNew)
        {
            return false;
        }

        bool isFound = snapshot.TryGetByKey(key.Span, out StoredDocument document);
        entry = new Entry(isFound, document, isFound ? default : Keep(context.Arena, id));
        to.Add(entry);
        return true;
    }

    private static NativeSlice Keep(Arena arena, ReadOnlySpan<byte> bytes)
    {
        NativeSlice kept = arena.Allocate(bytes.Length);
        bytes.CopyTo(kept.WritableSpan);
        return kept;
    }

    private readonly record struct Entry(bool IsFound, StoredDocument Document, NativeSlice Id);
}
