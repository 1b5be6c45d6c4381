using System.Text;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Server.Documents;
using Raven.Server.Http;

namespace Raven.Server.Queries.Results;

/// <summary>
/// The counters that are sent along with the results of a query: those of the results, and those of documents to which
/// a path leads in them. Each document is told once, with all the names that were asked of it.
/// </summary>
internal sealed class QueryCounterIncludes(RequestContext request)
{
    private readonly List<Asked> _asked = [];

    /// <summary>True where documents have to be looked into.</summary>
    internal bool HasPaths => _asked.Exists(one => one.Path != null);

    /// <summary>Asks for counters.</summary>
    /// <param name="path">Where the ids of their documents stand in a result; null for the result itself.</param>
    /// <param name="names">Their names; none for all there are.</param>
    internal void Add(string? path, IEnumerable<NativeSlice> names)
    {
        byte[]? utf8 = path is null ? null : Encoding.UTF8.GetBytes(path);
        Asked? same = _asked.Find(one => path is null
            ? one.Path is null
            : one.Path is { } other && other.AsSpan().SequenceEqual(utf8));
        if (same is null)
        {
            same = new Asked(utf8, new DistinctIds(request.Server.HashSeed));
            same.Ids.Reset(request.Operation);
            _asked.Add(same);
        }

        int before = same.Names.Count;
        same.Names.AddRange(names);
        same.IsAll |= same.Names.Count == before;
    }

    /// <summary>Notes a result.</summary>
    internal void Collect(ReadOnlySpan<byte> id)
    {
        foreach (Asked one in _asked)
        {
            if (one.Path is null)
            {
                one.Ids.Add(id);
            }
        }
    }

    /// <summary>Finds in a result the documents that it names.</summary>
    internal void Collect(BlittableObject data)
    {
        foreach (Asked one in _asked)
        {
            if (one.Path is { } path)
            {
                IncludePath.Collect(data, path, one.Ids);
            }
        }
    }

    /// <summary>Writes both members of the answer, each behind a comma.</summary>
    internal void Write(ResponseWriter response, DocumentSnapshot snapshot)
    {
        var all = new DistinctIds(request.Server.HashSeed);
        all.Reset(request.Operation);
        foreach (Asked one in _asked)
        {
            for (int i = 0; i < one.Ids.Count; i++)
            {
                all.Add(one.Ids[i].Span);
            }
        }

        response.Write(",\"CounterIncludes\":"u8);
        var json = new JsonOutput(response);
        json.StartObject();
        for (int i = 0; i < all.Count; i++)
        {
            CounterIncludes.Write(ref json, snapshot, all[i].Span, all.KeyOf(i).Span, NamesOf(all[i].Span));
        }

        json.EndObject();
        json.Flush();
        response.Write(",\"IncludedCounterNames\":"u8);
        json = new JsonOutput(response);
        json.StartObject();
        for (int i = 0; i < all.Count; i++)
        {
            CounterIncludes.WriteNames(ref json, all[i].Span, NamesOf(all[i].Span));
        }

        json.EndObject();
        json.Flush();
    }

    /// <summary>What was asked of a document; null for all there are.</summary>
    private List<NativeSlice>? NamesOf(ReadOnlySpan<byte> id)
    {
        List<NativeSlice> names = [];
        foreach (Asked one in _asked)
        {
            if (!one.Ids.Contains(id))
            {
                continue;
            }

            if (one.IsAll)
            {
                return null;
            }

            names.AddRange(one.Names);
        }

        return names;
    }

    private sealed class Asked(byte[]? path, DistinctIds ids)
    {
        internal byte[]? Path => path;

        internal DistinctIds Ids => ids;

        internal List<NativeSlice> Names { get; } = [];

        internal bool IsAll { get; set; }
    }
}
