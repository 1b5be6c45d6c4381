using System.Text;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Queries.Series;

namespace Raven.Server.Http.Queries;

/// <summary>
/// The time series that are sent along with the results of a query: those of the results, and those of documents at a
/// path in them. Each document is written once.
/// </summary>
internal sealed class QuerySeriesIncludes
{
    private readonly RequestContext _request;
    private readonly List<(byte[]? Path, List<SeriesInclude> Includes, DistinctIds Ids)> _asked = [];

    internal QuerySeriesIncludes(RequestContext request, IReadOnlyList<SeriesInclude> includes)
    {
        _request = request;
        foreach (IGrouping<string?, SeriesInclude> path in includes.GroupBy(include => include.Path))
        {
            var ids = new DistinctIds(request.Server.HashSeed);
            ids.Reset(request.Operation);
            _asked.Add((path.Key is null ? null : Encoding.UTF8.GetBytes(path.Key), [.. path], ids));
        }
    }

    /// <summary>True if the documents have to be read.</summary>
    internal bool HasPaths => _asked.Exists(one => one.Path is not null);

    /// <summary>Adds a result.</summary>
    internal void Collect(ReadOnlySpan<byte> id)
    {
        foreach ((byte[]? path, _, DistinctIds ids) in _asked)
        {
            if (path is null)
            {
                ids.Add(id);
            }
        }
    }

    /// <summary>Adds the documents that a result names.</summary>
    internal void Collect(BlittableObject data)
    {
        foreach ((byte[]? path, _, DistinctIds ids) in _asked)
        {
            if (path is not null)
            {
                IncludePath.Collect(data, path, ids);
            }
        }
    }

    /// <summary>Writes the member of the answer, after a comma.</summary>
    internal void Write(ResponseWriter response, DocumentSnapshot snapshot)
    {
        var all = new DistinctIds(_request.Server.HashSeed);
        all.Reset(_request.Operation);
        foreach ((_, _, DistinctIds ids) in _asked)
        {
            for (int i = 0; i < ids.Count; i++)
            {
                all.Add(ids[i].Span);
            }
        }

        response.Write(",\"TimeSeriesIncludes\":"u8);
        var json = new JsonOutput(response);
        json.StartObject();
        for (int i = 0; i < all.Count; i++)
        {
            List<SeriesInclude> includes = [];
            foreach ((_, List<SeriesInclude> asked, DistinctIds ids) in _asked)
            {
                if (ids.Contains(all[i].Span))
                {
                    includes.AddRange(asked);
                }
            }

            SeriesIncludeJson.Write(ref json, snapshot, all[i].Span, includes, _request.Aborted);
        }

        json.EndObject();
        json.Flush();
    }
}
