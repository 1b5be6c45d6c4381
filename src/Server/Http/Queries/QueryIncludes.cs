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
        foreach (RqlExpression include in session.Input.Rql.Include)
        {
            Add(include);
        }
    }

    /// <summary>The documents to send along.</summary>
    internal DistinctIds Ids { get; }

    private bool HasRevisions => _revisions.Count + _revisionTimes.Count > 0;

    /// <summary>Collects what a result refers to.</summary>
    internal void Collect(in QueryHit hit)
    {
        bool looksInside = _paths.Count > 0 || _compareExchange != null || _counters is { HasPaths: true };
        if (looksInside && hit.TryGetData(_scratch, out BlittableObject data))
        {
            foreach (byte[] path in _paths)
            {
                IncludePath.Collect(data, path, Ids);
            }

            _compareExchange?.Collect(data);
            _counters?.Collect(data);
            _scratch.Reset();
        }

        if (hit.HasDocument)
        {
            _counters?.Collect(hit.Document.Id.Span);
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

    private void Add(RqlExpression include)
    {
        string? alias = _session.Input.Rql.Alias;
        switch (include)
        {
            case RqlField field:
                _paths.Add(Encoding.UTF8.GetBytes(IndexFieldNames.WithoutAlias(field.Path, alias)));
                break;
            case RqlLiteral { Value: string path }:
                _paths.Add(Encoding.UTF8.GetBytes(IndexFieldNames.WithoutAlias(path, alias)));
                break;
            case RqlCall { Arguments.Count: > 0 } call when IsCall(call, "timings"):
                throw new RqlException(_session.Input.Text, call.Position, "timings() takes no arguments");
            case RqlCall call when IsWrittenElsewhere(call):
                break;
            case RqlCall call when IsCall(call, "cmpxchg"):
                AddCompareExchange(call, alias);
                break;
            case RqlCall call when IsCall(call, "counters"):
                AddCounters(call, alias);
                break;
            case RqlCall call when IsCall(call, "revisions"):
                AddRevisions(call, alias);
                break;
            default:
                throw new RqlException(
                    _session.Input.Text, include.Position,
                    "expected a path, counters(), cmpxchg(), revisions(), highlight(), explanations() or timings(): "
                    + "nothing else is included here");
        }
    }

    /// <summary>Adds counters: a field is the alias of the results, or a path in them to other documents; texts
    /// are names.</summary>
    private void AddCounters(RqlCall call, string? alias)
    {
        _counters ??= new QueryCounterIncludes(_request);
        string? path = null;
        List<NativeSlice> names = [];
        for (int i = 0; i < call.Arguments.Count; i++)
        {
            if (call.Arguments[i] is not RqlField field)
            {
                names.AddRange(Texts(call.Arguments[i]).Select(Keep));
            }
            else if (i == 0)
            {
                bool isResult = alias != null && field.Path.Equals(alias, StringComparison.Ordinal);
                path = isResult ? null : IndexFieldNames.WithoutAlias(field.Path, alias);
            }
            else
            {
                throw new RqlException(
                    _session.Input.Text, field.Position, "expected the name of a counter behind the path");
            }
        }

        _counters.Add(path, names);
    }

    /// <summary>Adds compare-exchange values: a field is a path to keys; a text is a path, or a key.</summary>
    private void AddCompareExchange(RqlCall call, string? alias)
    {
        _compareExchange ??= new CompareExchangeIncludes(_request);
        foreach (RqlExpression argument in call.Arguments)
        {
            if (argument is RqlField field)
            {
                _compareExchange.AddPath(Keep(IndexFieldNames.WithoutAlias(field.Path, alias)));
                continue;
            }

            foreach (string text in Texts(argument))
            {
                _compareExchange.AddPathOrKey(Keep(IndexFieldNames.WithoutAlias(text, alias)), Keep(text));
            }
        }

        if (call.Arguments.Count == 0)
        {
            throw new RqlException(_session.Input.Text, call.Position, "expected a path to keys, or keys");
        }
    }

    /// <summary>Adds revisions: a time means the version of that time; other texts are change vectors, or paths
    /// to some.</summary>
    private void AddRevisions(RqlCall call, string? alias)
    {
        int before = _revisions.Count + _revisionTimes.Count;
        foreach (RqlExpression argument in call.Arguments)
        {
            foreach (string text in argument is RqlField field ? [field.Path] : Texts(argument))
            {
                // "May" is a path, and would parse as a time.
                bool isNumber = text.Length > 0 && char.IsAsciiDigit(text[0]);
                if (isNumber && DocumentTime.TryRead(text, out long ticks))
                {
                    _revisionTimes.Add(ticks);
                }
                else if (text.Length > 0)
                {
                    _revisions.Add(Keep(IndexFieldNames.WithoutAlias(text, alias)));
                }
            }
        }

        if (_revisions.Count + _revisionTimes.Count == before)
        {
            throw new RqlException(
                _session.Input.Text, call.Position, "expected a time, a change vector or a path to change vectors");
        }
    }

    private static bool IsWrittenElsewhere(RqlCall call) =>
        call.Name.ToLowerInvariant() is "timings" or "highlight" or "explanations";

    private static bool IsCall(RqlCall call, string name) =>
        call.Name.Equals(name, StringComparison.OrdinalIgnoreCase);

    private IEnumerable<string> Texts(RqlExpression expression)
    {
        object? value = _session.Translator.Evaluate(expression);
        List<object?> all = value is List<object?> list ? list : [value];
        return all.TrueForAll(one => one is string)
            ? all.Cast<string>()
            : throw new RqlException(_session.Input.Text, expression.Position, "expected a text, or texts");
    }

    private NativeSlice Keep(string text) => Keep(Encoding.UTF8.GetBytes(text));

    private NativeSlice Keep(ReadOnlySpan<byte> utf8)
    {
        NativeSlice kept = _request.Operation.Arena.Allocate(Math.Max(1, utf8.Length));
        utf8.CopyTo(kept.WritableSpan);
        return kept.Slice(0, utf8.Length);
    }
}
