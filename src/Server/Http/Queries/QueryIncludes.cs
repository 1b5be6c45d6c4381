using System.Runtime.InteropServices;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Json;
using Raven.Documents.Queries;
using Raven.Documents.Queries.Results;
using Raven.Documents.Queries.Rql;
using Raven.Documents.Queries.Series;
using Raven.Documents.Sweeps;

namespace Raven.Server.Http.Queries;

/// <summary>
/// What is sent along with the results of a query: documents, counters, compare-exchange values, revisions.
/// </summary>
internal sealed class QueryIncludes : IScriptIncludes
{
    private readonly RequestContext _request;
    private readonly QuerySession _session;
    private readonly OperationContext _scratch;
    private readonly List<byte[]> _paths = [];
    private readonly List<NativeSlice> _revisions = [];
    private readonly List<long> _revisionTimes = [];
    private readonly List<NativeSlice> _revisionsOf = [];
    private CompareExchangeIncludes? _compareExchange;
    private QueryCounterIncludes? _counters;
    private readonly QuerySeriesIncludes? _series;
    private int _at;

    /// <summary>Parses the includes of a query.</summary>
    /// <exception cref="RqlException">One of them is not served.</exception>
    /// <param name="request">The request.</param>
    /// <param name="session">The query.</param>
    /// <param name="scratch">Memory of one result, which is reset.</param>
    internal QueryIncludes(RequestContext request, QuerySession session, OperationContext scratch)
    {
        _scratch = scratch;
        _request = request;
        _session = session;
        Ids = new DistinctIds(request.Server.HashSeed);
        Ids.Reset(request.Operation);
        foreach (QueryInclude include in QueryInclude.Of(session))
        {
            Add(in include);
        }

        IReadOnlyList<SeriesInclude> series = session.SeriesIncludes();
        _series = series.Count == 0 ? null : new QuerySeriesIncludes(request, series);
    }

    /// <summary>The documents to send along.</summary>
    internal DistinctIds Ids { get; }

    private bool HasRevisions => _revisions.Count + _revisionTimes.Count > 0;

    /// <summary>Collects what a result refers to.</summary>
    internal void Collect(in QueryHit hit)
    {
        bool looksInside = _paths.Count > 0 || _compareExchange != null || _counters is { HasPaths: true }
            || _series is { HasPaths: true };
        if (looksInside && hit.TryGetData(_scratch, out BlittableObject data))
        {
            foreach (byte[] path in _paths)
            {
                IncludePath.Collect(data, path, Ids);
            }

            _compareExchange?.Collect(data);
            _counters?.Collect(data);
            _series?.Collect(data);
            _scratch.Reset();
        }

        if (hit.HasDocument)
        {
            _counters?.Collect(hit.Document.Id.Span);
            _series?.Collect(hit.Document.Id.Span);
            if (HasRevisions)
            {
                _revisionsOf.Add(Keep(hit.Document.Id.Span));
            }
        }
    }

    /// <inheritdoc/>
    public void AddDocument(string id) => Ids.Add(Encoding.UTF8.GetBytes(id));

    /// <inheritdoc/>
    public void AddCompareExchange(string key)
    {
        _compareExchange ??= new CompareExchangeIncludes(_request);
        _compareExchange.AddKey(Encoding.UTF8.GetBytes(key));
    }

    /// <summary>Begins to write the documents, after all results.</summary>
    internal void BeginDocuments() => _at = 0;

    /// <summary>Writes one more document; false if there is none.</summary>
    internal bool TryWriteDocument(ResponseWriter response)
    {
        if (_at == Ids.Count)
        {
            return false;
        }

        if (_at > 0)
        {
            response.Write(","u8);
        }

        bool isFound = _session.Snapshot.TryGetByKey(Ids.KeyOf(_at).Span, out StoredDocument document);
        var json = new JsonOutput(response);
        json.String(isFound ? document.Id.Span : Ids[_at].Span);
        json.Flush();
        response.Write(":"u8);
        json = new JsonOutput(response);
        if (isFound)
        {
            DocumentJson.Write(ref json, in document, isMetadataOnly: false);
        }
        else
        {
            json.Null();
        }

        json.Flush();
        _at++;
        return true;
    }

    /// <summary>Writes the other includes, each after a comma.</summary>
    internal void WriteMore(ResponseWriter response)
    {
        if (_paths.Count > 0)
        {
            string paths = string.Join(',', _paths.Select(path =>
                System.Text.Json.JsonSerializer.Serialize(Encoding.UTF8.GetString(path))));
            response.Write(Encoding.UTF8.GetBytes($",\"IncludedPaths\":[{paths}]"));
        }

        if (_compareExchange != null)
        {
            response.Write(",\"CompareExchangeValueIncludes\":"u8);
            var json = new JsonOutput(response);
            _compareExchange.Write(ref json, _session.Snapshot, _request.Database);
            json.Flush();
        }

        _counters?.Write(response, _session.Snapshot);
        _series?.Write(response, _session.Snapshot);

        if (HasRevisions)
        {
            response.Write(",\"RevisionIncludes\":"u8);
            var json = new JsonOutput(response);
            ReadOnlySpan<long> times = CollectionsMarshal.AsSpan(_revisionTimes);
            RevisionIncludes.Write(ref json, _request, _session.Snapshot, RevisedDocuments(), _revisions, times);
            json.Flush();
        }
    }

    /// <summary>The documents of the results, in the current snapshot.</summary>
    private List<StoredDocument> RevisedDocuments()
    {
        List<StoredDocument> documents = [];
        foreach (NativeSlice id in _revisionsOf)
        {
            if (_session.Snapshot.TryGet(id.Span, out StoredDocument document))
            {
                documents.Add(document);
            }
        }

        return documents;
    }

    private void Add(in QueryInclude include)
    {
        switch (include.Kind)
        {
            case QueryIncludeKind.Counters:
                AddCounters(in include);
                break;
            case QueryIncludeKind.CompareExchange:
                AddCompareExchange(in include);
                break;
            case QueryIncludeKind.Revisions:
                AddRevisions(in include);
                break;
            default:
                _paths.AddRange(include.Arguments.Select(argument => Encoding.UTF8.GetBytes(argument.Path)));
                break;
        }
    }

    /// <summary>Adds counters: a field is the alias of the results, or a path in them to other documents; texts
    /// are names.</summary>
    private void AddCounters(in QueryInclude include)
    {
        _counters ??= new QueryCounterIncludes(_request);
        string? path = null;
        List<NativeSlice> names = [];
        foreach (QueryIncludeArgument argument in include.Arguments)
        {
            if (!argument.IsField)
            {
                names.Add(Keep(argument.Text));
            }
            else if (argument.Number == 0)
            {
                path = argument.IsResult ? null : argument.Path;
            }
            else
            {
                throw new RqlException(
                    _session.Input.Text, argument.Position, "expected the name of a counter behind the path");
            }
        }

        _counters.Add(path, names);
    }

    /// <summary>Adds compare-exchange values: a field is a path to keys; a text is a path, or a key.</summary>
    private void AddCompareExchange(in QueryInclude include)
    {
        _compareExchange ??= new CompareExchangeIncludes(_request);
        foreach (QueryIncludeArgument argument in include.Arguments)
        {
            if (argument.IsField)
            {
                _compareExchange.AddPath(Keep(argument.Path));
            }
            else
            {
                _compareExchange.AddPathOrKey(Keep(argument.Path), Keep(argument.Text));
            }
        }

        if (!include.HasArguments)
        {
            throw new RqlException(_session.Input.Text, include.Position, "expected a path to keys, or keys");
        }
    }

    /// <summary>Adds revisions: a time means the version of that time; other texts are change vectors, or paths
    /// to some.</summary>
    private void AddRevisions(in QueryInclude include)
    {
        int before = _revisions.Count + _revisionTimes.Count;
        foreach (QueryIncludeArgument argument in include.Arguments)
        {
            // "May" is a path, and would parse as a time.
            string text = argument.Text;
            bool isNumber = text.Length > 0 && char.IsAsciiDigit(text[0]);
            if (isNumber && DocumentTime.TryRead(text, out long ticks))
            {
                _revisionTimes.Add(ticks);
            }
            else if (text.Length > 0)
            {
                _revisions.Add(Keep(argument.Path));
            }
        }

        if (_revisions.Count + _revisionTimes.Count == before)
        {
            throw new RqlException(
                _session.Input.Text, include.Position,
                "expected a time, a change vector or a path to change vectors");
        }
    }

    private NativeSlice Keep(string text) => Keep(Encoding.UTF8.GetBytes(text));

    private NativeSlice Keep(ReadOnlySpan<byte> utf8)
    {
        NativeSlice kept = _request.Operation.Arena.Allocate(Math.Max(1, utf8.Length));
        utf8.CopyTo(kept.WritableSpan);
        return kept.Slice(0, utf8.Length);
    }
}
