using System.Buffers.Binary;
using System.IO.Hashing;
using Raven.Blittable.Contexts;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Documents.Json;
using Raven.Documents;
using Raven.Server.Http.TimeSeries;

namespace Raven.Server.Http;

/// <summary>
/// The documents of a multi-get, found but not written: distinct by their folded ids, in the order of the request, with
/// the documents they include. One snapshot, one thread; kept by its thread for the next request.
/// </summary>
internal sealed class DocumentsPage
{
    private const int KeptMax = 1024;

    [ThreadStatic]
    private static DocumentsPage? t_kept;

    private readonly List<Entry> _entries = [];
    private readonly DistinctIds _ids;
    private int _resultCount;

    /// <summary>The number of the result that an invalid id stood before; -1 if there was none.</summary>
    private int _emptyAt;

    private DocumentsPage(ulong hashSeed) => _ids = new DistinctIds(hashSeed);

    /// <summary>How many of the requested documents exist.</summary>
    internal int FoundCount { get; private set; }

    internal static DocumentsPage Rent(ulong hashSeed)
    {
        DocumentsPage page = t_kept ?? new DocumentsPage(hashSeed);
        t_kept = null;
        return page;
    }

    /// <summary>Finds the documents, and those that they include.</summary>
    internal void Collect(OperationContext context, DocumentSnapshot snapshot, in DocumentsRequest wanted)
    {
        FoundCount = 0;
        _emptyAt = -1;
        _ids.Reset(context);
        foreach (NativeSlice id in wanted.Ids)
        {
            if (!id.IsEmpty)
            {
                _ids.Add(id.Span);
            }
            else if (_emptyAt < 0)
            {
                _emptyAt = _ids.Count;
            }
        }

        _resultCount = _ids.Count;
        FindFrom(0, snapshot);
        foreach (Entry entry in _entries)
        {
            FoundCount += entry.IsFound ? 1 : 0;
        }

        if (wanted.Includes != null)
        {
            for (int i = 0; i < _resultCount; i++)
            {
                CollectIncludes(_entries[i], wanted.Includes);
            }

            FindFrom(_resultCount, snapshot);
        }
    }

    /// <summary>A hash over the versions of everything in the answer.</summary>
    internal ulong Hash(bool isMetadataOnly)
    {
        ulong hash = (isMetadataOnly ? 1u : 0u) + (2 * (ulong)(_emptyAt + 1));
        Span<byte> number = stackalloc byte[sizeof(ulong)];
        foreach (Entry entry in _entries)
        {
            StoredDocument document = entry.Document;
            BinaryPrimitives.WriteUInt64LittleEndian(number, entry.IsFound ? (ulong)document.Etag : 0);
            hash = XxHash3.HashToUInt64(number, (long)(hash + 1));
            hash = entry.IsFound
                ? XxHash3.HashToUInt64(document.ChangeVector.Span, (long)hash)
                : XxHash3.HashToUInt64(entry.Id.Span, (long)hash);
        }

        return hash;
    }

    /// <summary>Writes the answer; the snapshot must still be open.</summary>
    internal async ValueTask WriteAsync(RequestContext request, bool isMetadataOnly)
    {
        var list = new DocumentListWriter(request, isMetadataOnly);
        for (int i = 0; i < _resultCount; i++)
        {
            if (i == _emptyAt)
            {
                list.WriteNull();
            }

            if (_entries[i].IsFound)
            {
                StoredDocument document = _entries[i].Document;
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

        if (_emptyAt == _resultCount)
        {
            list.WriteNull();
        }

        list.BeginIncludes();
        for (int i = _resultCount; i < _entries.Count; i++)
        {
            WriteInclude(request.Response, _entries[i], isFirst: i == _resultCount);
            if (list.IsFull)
            {
                await request.Response.FlushAsync(CancellationToken.None).ConfigureAwait(false);
            }
        }

        request.Response.Write("}"u8);
    }

    /// <summary>Writes the includes that are no documents, after the included documents, and the end.</summary>
    internal void WriteEnd(RequestContext request, DocumentSnapshot snapshot, in DocumentsRequest wanted)
    {
        if (wanted.Counters is { } names)
        {
            WriteCounters(request, snapshot, names);
        }

        if (wanted.TimeSeries is { } series)
        {
            WriteTimeSeries(request, snapshot, series);
        }

        if (wanted.CompareExchange is { } texts)
        {
            WriteCompareExchange(request, snapshot, texts);
        }

        if (wanted.Revisions != null || wanted.RevisionsBeforeTicks != null)
        {
            request.Response.Write(","u8);
            var json = new JsonOutput(request.Response);
            json.Name("RevisionIncludes"u8);
            ReadOnlySpan<long> times = wanted.RevisionsBeforeTicks is { } before ? [before] : [];
            RevisionIncludes.Write(ref json, request, snapshot, FoundDocuments(), wanted.Revisions, times);
            json.Flush();
        }

        request.Response.Write("}"u8);
    }

    internal void Return()
    {
        _entries.Clear();
        if (_entries.Capacity <= KeptMax)
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

    private void WriteCounters(RequestContext request, DocumentSnapshot snapshot, List<NativeSlice> names)
    {
        request.Response.Write(","u8);
        var json = new JsonOutput(request.Response);
        json.Name("CounterIncludes"u8);
        json.StartObject();
        for (int i = 0; i < _resultCount; i++)
        {
            if (_entries[i].IsFound)
            {
                StoredDocument document = _entries[i].Document;
                CounterIncludes.Write(ref json, snapshot, document.Id.Span, _ids.KeyOf(i).Span, names);
            }
        }

        json.EndObject();
        json.Name("IncludedCounterNames"u8);
        json.StartObject();
        for (int i = 0; i < _resultCount; i++)
        {
            if (_entries[i].IsFound)
            {
                StoredDocument document = _entries[i].Document;
                CounterIncludes.WriteNames(ref json, document.Id.Span, names);
            }
        }

        json.EndObject();
        json.Flush();
    }

    private void WriteTimeSeries(RequestContext request, DocumentSnapshot snapshot, TimeSeriesIncludes series)
    {
        request.Response.Write(","u8);
        var json = new JsonOutput(request.Response);
        json.Name("TimeSeriesIncludes"u8);
        json.StartObject();
        for (int i = 0; i < _resultCount; i++)
        {
            if (_entries[i].IsFound)
            {
                series.Write(ref json, request, snapshot, _entries[i].Document.Id, _ids.KeyOf(i));
            }
        }

        json.EndObject();
        json.Flush();
    }

    private void WriteCompareExchange(RequestContext request, DocumentSnapshot snapshot, List<NativeSlice> texts)
    {
        var values = new CompareExchangeIncludes(request);
        foreach (NativeSlice text in texts)
        {
            values.AddPathOrKey(text, text);
        }

        foreach (StoredDocument document in FoundDocuments())
        {
            values.Collect(document.Data);
        }

        request.Response.Write(","u8);
        var json = new JsonOutput(request.Response);
        json.Name("CompareExchangeValueIncludes"u8);
        values.Write(ref json, snapshot, request.Database);
        json.Flush();
    }

    private List<StoredDocument> FoundDocuments()
    {
        List<StoredDocument> found = [];
        for (int i = 0; i < _resultCount; i++)
        {
            if (_entries[i].IsFound)
            {
                found.Add(_entries[i].Document);
            }
        }

        return found;
    }

    private void CollectIncludes(in Entry entry, List<NativeSlice> paths)
    {
        if (!entry.IsFound)
        {
            return;
        }

        StoredDocument document = entry.Document;
        foreach (NativeSlice path in paths)
        {
            IncludePath.Collect(document.Data, path.Span, _ids);
        }
    }

    private void FindFrom(int first, DocumentSnapshot snapshot)
    {
        for (int i = first; i < _ids.Count; i++)
        {
            bool isFound = snapshot.TryGetByKey(_ids.KeyOf(i).Span, out StoredDocument document);
            _entries.Add(new Entry(isFound, document, _ids[i]));
        }
    }

    private readonly record struct Entry(bool IsFound, StoredDocument Document, NativeSlice Id);
}
