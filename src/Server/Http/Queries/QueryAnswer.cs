using System.Buffers;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Documents;
using Raven.Documents.Patching;
using Raven.Documents.Queries;
using Raven.Documents.Queries.Filters;
using Raven.Documents.Queries.Results;
using Raven.Documents.Queries.Rql;

namespace Raven.Server.Http.Queries;

//   ANS-1  Written bytes are sent when there are enough of them: an answer of any length takes bounded memory.

/// <summary>Writes the answer to a query, with the fields that clients read.</summary>
internal sealed class QueryAnswer : IDisposable
{
    private readonly RequestContext _request;
    private readonly QuerySession _session;
    private readonly OperationContext _scratch;
    private readonly OperationContext _scripts;
    private ScriptTextShare? _texts;
    private readonly QueryIncludes _includes;
    private readonly RowWriter _rows;
    private readonly Highlights _highlights;
    private readonly Explanations _explanations;
    private readonly QueryTimings _timings;
    private readonly AnswerFacts _facts;
    private readonly BoundedSet<UInt128>? _distinct;
    private readonly StreamPace? _pace;
    private readonly CancellationToken _aborted;
    private QueryTurns _turns;
    private ScanWatch _watch;
    private FilteredHits? _filtered;
    private long _skipped;
    private long _written;
    private bool _isLines;
    private bool _isBehindPage;
    private QueryHit _held;
    private bool _isHeld;

    /// <summary>Makes the answer to a query.</summary>
    /// <param name="request">The request.</param>
    /// <param name="session">The query.</param>
    /// <param name="began">When it began, a time stamp.</param>
    /// <param name="isStream">Whether it may go on from newer snapshots.</param>
    internal QueryAnswer(RequestContext request, QuerySession session, long began, bool isStream)
    {
        _pace = isStream ? new StreamPace(request, session) : null;
        _turns = new QueryTurns(request, hasScripts: ScriptRows.IsOne(session.Input.Rql));
        _request = request;
        _session = session;
        _facts = new AnswerFacts(request, session, began);
        _aborted = request.Aborted;
        _watch = new ScanWatch(_aborted);
        _scratch = request.Server.RentContext();
        _scripts = request.Server.RentContext();
        try
        {
            _includes = new QueryIncludes(request, session, _scratch);
            _distinct = session.Input.Rql.IsDistinct
                ? new BoundedSet<UInt128>(request.Server.RequestMemoryBytesMax)
                : null;
            _rows = RowsOf();
            _rows.IsWanted = _distinct is null ? null : IsWanted;
            _highlights = new Highlights(session, _scripts);
            _explanations = new Explanations(session, _scripts);
            _timings = new QueryTimings(request.Server.Time, began);
            _timings.Ended("Wait");
        }
        catch
        {
            _explanations?.Dispose();
            _rows?.Dispose();
            Return();
            throw;
        }
    }

    /// <summary>Writes the whole answer.</summary>
    internal async ValueTask WriteAsync()
    {
        ResponseWriter response = _request.Response;
        response.Headers.ContentType = ContentType.Json;
        QueryHits hits = Find();
        _timings.Ended("Search");
        response.Write("{\"Results\":["u8);
        while (await WriteMoreAsync(hits, isLines: false).ConfigureAwait(false))
        {
            await FlushIfFullAsync(hits).ConfigureAwait(false);
        }

        await CountDistinctAsync(hits).ConfigureAwait(false);
        response.Write("]"u8);
        await WriteIncludesAsync(hits).ConfigureAwait(false);
        if (_highlights.ToJson() is { } highlights)
        {
            response.Write(",\"Highlightings\":"u8);
            response.Write(Encoding.UTF8.GetBytes(highlights));
        }

        if (_explanations.ToJson() is { } explanations)
        {
            response.Write(",\"Explanations\":"u8);
            response.Write(Encoding.UTF8.GetBytes(explanations));
        }

        long total = hits.TotalCount;
        _timings.Ended("Results");
        WriteTimings();
        WriteEnd(total, hits.SkippedCount);
    }

    /// <summary>Writes an answer from the terms of an index: facets or suggestions.</summary>
    internal async ValueTask WriteTermsAsync()
    {
        System.Text.Json.Utf8JsonWriter json = _request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        if (SuggestAnswer.IsOne(_session.Input.Rql.Select[0]))
        {
            new SuggestAnswer(_session).Write(json);
        }
        else
        {
            new FacetAnswer(_session).Write(json);
        }

        json.WriteEndArray();
        json.Flush();
        if (_session.Input.Rql.Include.Count > 0)
        {
            CollectAll();
        }

        await WriteIncludesAsync(hits: null).ConfigureAwait(false);
        _timings.Ended("Results");
        WriteTimings();
        WriteEnd(_session.Input.Rql.Select.Count, skipped: 0);
    }

    /// <summary>
    /// Writes a stream as one object: what is known beforehand, then the results, and nothing else. Clients read these
    /// members in this order, without reading their names.
    /// </summary>
    internal async ValueTask WriteStreamAsync()
    {
        ResponseWriter response = _request.Response;
        response.Headers.ContentType = ContentType.Json;
        QueryHits hits = Find();
        _facts.WriteHead(hits.CountBeforehand);
        while (await WriteMoreAsync(hits, isLines: false).ConfigureAwait(false))
        {
            await FlushIfFullAsync(hits).ConfigureAwait(false);
        }

        response.Write("]}"u8);
    }

    /// <summary>Collects the includes of all results whose terms are counted: facets have no page
    /// of documents.</summary>
    private void CollectAll()
    {
        _session.Workspace.Query.Clear();
        QueryHits hits = _session.Find(_request.Operation, isWhole: true);
        while (hits.TryNext(out QueryHit hit))
        {
            _watch.Step();
            _includes.Collect(in hit);
        }
    }

    private async ValueTask WriteIncludesAsync(QueryHits? hits)
    {
        ResponseWriter response = _request.Response;
        response.Write(",\"Includes\":{"u8);
        _includes.BeginDocuments();
        while (_includes.TryWriteDocument(response))
        {
            await FlushIfFullAsync(hits).ConfigureAwait(false);
        }

        response.Write("}"u8);
        _includes.WriteMore(response);
    }

    /// <summary>Writes a line with what is known beforehand, and then a line for each result.</summary>
    internal async ValueTask WriteLinesAsync()
    {
        ResponseWriter response = _request.Response;
        response.Headers.ContentType = ContentType.JsonLines;
        QueryHits hits = Find();
        response.Write("{\"Stats\":{"u8);
        _facts.Write(hits.CountBeforehand, hits.SkippedCount, _filtered?.ScannedCount);
        response.Write("}}\n"u8);
        while (await WriteMoreAsync(hits, isLines: true).ConfigureAwait(false))
        {
            await FlushIfFullAsync(hits).ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _filtered?.Dispose();
        _explanations.Dispose();
        _rows.Dispose();
        _texts?.GiveBack();
        Return();
    }

    private void Return()
    {
        _request.Server.Contexts.Return(_scratch);
        _request.Server.Contexts.Return(_scripts);
    }

    private QueryHits Find()
    {
        bool isWhole = _distinct is not null;
        if (_session.Input.Rql.Filter is null)
        {
            return _session.Find(_request.Operation, isWhole);
        }

        return _filtered = FilteredHits.Find(
            _session, _request.Server.Queries, _request.Operation, _includes, isWhole);
    }

    private RowWriter RowsOf()
    {
        QueryInput input = _session.Input;
        RqlQuery rql = input.Rql;
        if (input.IsOfEntries || QueryPlan.IsOfTerms(rql))
        {
            return new EntryRows(_session);
        }

        var loaded = new LoadedDocuments(_session, _scratch, _request.Server.HashSeed);
        if (ScriptRows.IsOne(rql))
        {
            _texts = new ScriptTextShare(_request.Server.Scripts.Texts, waits: true);
            var host = new QueryScriptHost(_session, _scripts, _includes, _texts);
            return new ScriptRows(input, loaded, _scratch, _request.Server.Scripts, host, _request.Aborted);
        }

        return rql.Select.Count > 0
            ? new FieldRows(input, _session.Translator, loaded, _scratch)
            : new DocumentRows(input.IsMetadataOnly);
    }

    private ValueTask FlushIfFullAsync(QueryHits? hits)
    {
        ResponseWriter response = _request.Response;
        return response.BufferedBytes <= _request.Server.ResponseBufferBytesMax ? ValueTask.CompletedTask
            : _pace is null || hits is null ? response.FlushAsync(CancellationToken.None)
            : _pace.SendAsync(hits);
    }

    /// <summary>Writes results until the buffer or a turn is full (true), or there are no more (false).</summary>
    private ValueTask<bool> WriteMoreAsync(QueryHits hits, bool isLines)
    {
        if (!_turns.IsLong)
        {
            bool isMore = WriteTurn(hits, isLines);
            if (!_isHeld)
            {
                return new ValueTask<bool>(isMore);
            }
        }

        return TakeTurnAsync(hits, isLines);
    }

    /// <summary>Apart from what calls it, so that a short query makes no closure. Nothing is sent, and no snapshot is
    /// renewed, before a result that waits for memory is written.</summary>
    private async ValueTask<bool> TakeTurnAsync(QueryHits hits, bool isLines)
    {
        bool isMore;
        do
        {
            if (_isHeld)
            {
                await _texts!.WaitAsync(_aborted).ConfigureAwait(false);
            }

            isMore = await _turns.TakeAsync(() => WriteTurn(hits, isLines)).ConfigureAwait(false);
        }
        while (_isHeld);
        return isMore;
    }

    private bool WriteTurn(QueryHits hits, bool isLines)
    {
        long bufferedMax = _request.Server.ResponseBufferBytesMax;
        _aborted.ThrowIfCancellationRequested();
        _turns.Begin();
        while (TryWriteNext(hits, isLines))
        {
            if (_turns.IsOver() || _request.Response.BufferedBytes > bufferedMax)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Writes one more result; false if there is none.</summary>
    private bool TryWriteNext(QueryHits hits, bool isLines)
    {
        int take = _distinct is null ? int.MaxValue : _session.Page().Take;
        while ((_isBehindPage || _written < take) && TryTake(hits, out QueryHit hit))
        {
            _watch.Step();
            try
            {
                if (_distinct is null ? TryWrite(in hit, isLines) : TryWriteDistinct(in hit, isLines))
                {
                    _isHeld = false;
                    _written++;
                    return true;
                }

                _isHeld = false;
            }
            catch (LongTextException)
            {
                (_held, _isHeld) = (hit, true);
                return false;
            }
        }

        return false;
    }

    /// <summary>Takes the result that had to wait, or the next one.</summary>
    private bool TryTake(QueryHits hits, out QueryHit hit)
    {
        hit = _held;
        return _isHeld || hits.TryNext(out hit);
    }

    private bool TryWrite(in QueryHit hit, bool isLines)
    {
        ResponseWriter response = _request.Response;
        if (!_isHeld)
        {
            response.Write(isLines ? "{\"Item\":"u8 : _written > 0 ? ","u8 : ""u8);
        }

        bool isWritten = _rows.TryWrite(response, in hit);
        if (!isWritten)
        {
            response.Write("null"u8);
        }

        response.Write(isLines ? "}\n"u8 : ""u8);
        Collect(in hit);
        return true;
    }

    /// <summary>Collects what is written after the results. A stream has nothing there, and may have millions
    /// of results.</summary>
    private void Collect(in QueryHit hit)
    {
        if (_pace is null)
        {
            _includes.Collect(in hit);
            _highlights.Collect(in hit);
            _explanations.Collect(in hit);
        }
    }

    /// <summary>A row that is like one before is left out, and so are the first ones where they are skipped.</summary>
    private bool TryWriteDistinct(in QueryHit hit, bool isLines)
    {
        _isLines = isLines;
        int before = _distinct!.Count;
        if (!_rows.TryWrite(_request.Response, in hit))
        {
            _skipped += _distinct.Count == before ? 1 : 0;
            return false;
        }

        _request.Response.Write(isLines ? "}\n"u8 : ""u8);
        Collect(in hit);
        return true;
    }

    /// <summary>Whether a row is unlike all before, and of the page: then it is about to be written.</summary>
    private bool IsWanted(UInt128 row)
    {
        if (!_distinct!.Add(row) || _isBehindPage || _distinct.Count <= _session.Page().Skip)
        {
            return false;
        }

        _request.Response.Write(_isLines ? "{\"Item\":"u8 : _written > 0 ? ","u8 : ""u8);
        return true;
    }

    private void WriteTimings()
    {
        if (!_session.Input.Rql.Include.Exists(include => include is RqlCall call
            && call.Name.Equals("timings", StringComparison.OrdinalIgnoreCase)))
        {
            return;
        }

        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new System.Text.Json.Utf8JsonWriter(buffer))
        {
            _timings.Write(json);
        }

        _request.Response.Write(",\"Timings\":"u8);
        _request.Response.Write(buffer.WrittenSpan);
    }

    /// <summary>Behind the page: how many different rows there are in all.</summary>
    private async ValueTask CountDistinctAsync(QueryHits hits)
    {
        _isBehindPage = true;
        while (_distinct is not null && await WriteMoreAsync(hits, isLines: false).ConfigureAwait(false))
        {
            // No row is wanted any more, so that the first turn goes to the end.
        }
    }

    /// <summary>Ends the answer. All different rows were counted: skipped ones, entries of a document that was
    /// found already or equal rows, are no results. A filter does not count entries of a document that was found
    /// already anyway.</summary>
    private void WriteEnd(long total, long skipped)
    {
        _request.Response.Write(","u8);
        long results = _distinct is null || _filtered is not null ? total : total - skipped;

        // Pages are counted in documents, or in different rows: their starts need no correction for skipped results.
        // The number of those is reported if no page follows.
        bool isLast = _written < _session.Page().Take;
        _facts.Write(results - _skipped, isLast ? skipped + _skipped : 0, _filtered?.ScannedCount);
        _request.Response.Write("}"u8);
    }
}
