using System.Text;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents;

namespace Raven.Server.Http.Queries;

/// <summary>
/// The counters that are sent along with the results of a query: those of the results, and those of documents at a path
/// in them. Each document is written once, with all names that were asked for.
/// </summary>
internal sealed class QueryCounterIncludes(RequestContext request)
{
    private readonly List<Asked> _asked = [];

    /// <summary>True if the documents have to be read.</summary>
    internal bool HasPaths => _asked.Exists(one => one.Path != null);

    /// <summary>Asks for counters.</summary>
    /// <param name="path">The path of the ids of their documents in a result; null for the result itself.</param>
    /// <param name="names">Their names; none for all of the document.</param>
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

    /// <summary>Adds a result.</summary>
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

    /// <summary>Adds the documents that a result names.</summary>
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

    /// <summary>Writes both members of the answer, each after a comma.</summary>
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

    /// <summary>The names that were asked of a document; null for all.</summary>
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
