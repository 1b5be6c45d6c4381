using System.Buffers;
using System.Text.Json;
using Raven.Blittable.Contexts;
using Raven.Documents;
using Raven.Documents.Queries;
using Raven.Documents.Queries.Results;

namespace Raven.Server.Http.Queries;

//   ANS-1  Written bytes are sent when there are enough of them: an answer of any length takes bounded memory.

/// <summary>Writes the answer to a query, with the fields that clients read.</summary>
internal sealed class QueryAnswer : IDisposable
{
    private readonly RequestContext _request;
    private readonly QuerySession _session;
    private readonly OperationContext _scratch;
    private readonly QueryIncludes _includes;
    private readonly QueryResults _results;
    private readonly QueryTimings? _timings;
    private readonly AnswerEnvelope _envelope;
    private readonly StreamBackpressure? _backpressure;
    private readonly CancellationToken _aborted;
    private QuerySlices _slices;
    private ScanCancellation _scan;
    private long _skipped;
    private long _written;
    private bool _isLines;
    private bool _isBehindPage;
    private QueryHit _held;
    private bool _isHeld;
    private long _loadStamps;
    private CsvLines? _csv;

    /// <summary>Makes the answer to a query.</summary>
    /// <param name="request">The request.</param>
    /// <param name="session">The query.</param>
    /// <param name="began">When it began, a time stamp.</param>
    /// <param name="isStream">Whether it may go on from newer snapshots.</param>
    internal QueryAnswer(RequestContext request, QuerySession session, long began, bool isStream)
    {
        _request = request;
        _session = session;
        _envelope = new AnswerEnvelope(request, session, began);
        _aborted = request.Aborted;
        _scan = new ScanCancellation(_aborted);
        _scratch = request.Server.RentContext();
        try
        {
            _includes = new QueryIncludes(request, session, _scratch);
            _results = new QueryResults(session, request.Server.Queries, _scratch, _includes, IsWanted);
            _backpressure = isStream ? new StreamBackpressure(request, session, _results) : null;
            _slices = new QuerySlices(request, _results.HasScripts);
            if (session.Input.WantsTimings)
            {
                _timings = new QueryTimings(request.Server.Time, began);
                _timings.Parsed(request.StartedTimestamp);
                _timings.Ended("Wait", ("Plan", session.PlanTime));
            }
        }
        catch
        {
            _results?.Dispose();
            request.Server.Contexts.Return(_scratch);
            throw;
        }
    }

    /// <summary>Writes the whole answer.</summary>
    internal async ValueTask WriteAsync()
    {
        ResponseWriter response = _request.Response;
        response.Headers.ContentType = ContentType.Json;
        _results.Find(_request.Operation);
        _timings?.Ended("Search");
        response.Write("{\"Results\":["u8);
        while (await WriteMoreAsync(isLines: false).ConfigureAwait(false))
        {
            await FlushIfFullAsync().ConfigureAwait(false);
        }

        await CountDistinctAsync().ConfigureAwait(false);
        response.Write("]"u8);
        ResultsEnded();
        await WriteIncludesAsync().ConfigureAwait(false);
        if (_results.HighlightsByField is { } highlights)
        {
            response.Write(",\"Highlightings\":"u8);
            response.Write(JsonSerializer.SerializeToUtf8Bytes(highlights));
        }

        if (_results.ExplanationsByName is { } explanations)
        {
            response.Write(",\"Explanations\":"u8);
            response.Write(JsonSerializer.SerializeToUtf8Bytes(explanations));
        }

        long total = _results.TotalCount;
        _timings?.Ended("Includes");
        WriteTimings();
        WriteEnd(total, _results.SkippedCount);
    }

    /// <summary>Writes an answer from the terms of an index: facets or suggestions.</summary>
    internal async ValueTask WriteTermsAsync()
    {
        Utf8JsonWriter json = _request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        TermsJson.Write(json, _results);
        json.WriteEndArray();
        json.Flush();
        if (_session.Input.IncludePlace is not null)
        {
            CollectAll();
        }

        await WriteIncludesAsync().ConfigureAwait(false);
        _timings?.Ended("Results");
        WriteTimings();
        WriteEnd(_session.Input.SelectedCount, skipped: 0);
    }

    /// <summary>
    /// Writes a stream as one object: what is known beforehand, then the results, and nothing else. Clients read these
    /// members in this order, without reading their names.
    /// </summary>
    internal async ValueTask WriteStreamAsync()
    {
        ResponseWriter response = _request.Response;
        response.Headers.ContentType = ContentType.Json;
        _results.Find(_request.Operation);
        _envelope.WriteHead(_results.CountBeforehand);
        while (await WriteMoreAsync(isLines: false).ConfigureAwait(false))
        {
            await FlushIfFullAsync().ConfigureAwait(false);
        }

        response.Write("]}"u8);
    }

    /// <summary>Collects the includes of all results whose terms are counted: facets have no page
    /// of documents.</summary>
    private void CollectAll()
    {
        _results.FindCounted(_request.Operation);
        while (_results.TryNext(out QueryHit hit))
        {
            _scan.Step();
            _includes.Collect(in hit);
        }
    }

    private async ValueTask WriteIncludesAsync()
    {
        ResponseWriter response = _request.Response;
        response.Write(",\"Includes\":{"u8);
        _includes.BeginDocuments();
        while (_includes.TryWriteDocument(response))
        {
            await FlushIfFullAsync().ConfigureAwait(false);
        }

        response.Write("}"u8);
        _includes.WriteMore(response);
    }

    /// <summary>Writes a line with what is known beforehand, and then a line for each result.</summary>
    internal async ValueTask WriteLinesAsync()
    {
        ResponseWriter response = _request.Response;
        response.Headers.ContentType = ContentType.JsonLines;
        _results.Find(_request.Operation);
        response.Write("{\"Stats\":{"u8);
        _envelope.Write(_results.CountBeforehand, _results.SkippedCount, _results.ScannedCount);
        response.Write("}}\n"u8);
        while (await WriteMoreAsync(isLines: true).ConfigureAwait(false))
        {
            await FlushIfFullAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Writes a header, and then a line for each result.</summary>
    internal async ValueTask WriteCsvAsync(CsvLines csv)
    {
        ResponseWriter response = _request.Response;
        response.Headers.ContentType = ContentType.Csv;
        _csv = csv;
        _results.Find(_request.Operation);
        while (await WriteMoreAsync(isLines: false).ConfigureAwait(false))
        {
            await FlushIfFullAsync().ConfigureAwait(false);
        }

        csv.EndAll(response);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _results.Dispose();
        _request.Server.Contexts.Return(_scratch);
    }

    private ValueTask FlushIfFullAsync()
    {
        ResponseWriter response = _request.Response;
        return response.BufferedBytes <= _request.Server.ResponseBufferBytesMax ? ValueTask.CompletedTask
            : _backpressure is null ? response.FlushAsync(CancellationToken.None)
            : _backpressure.SendAsync();
    }

    /// <summary>Writes results until the buffer or a time slice is full (true), or there are no more (false).</summary>
    private ValueTask<bool> WriteMoreAsync(bool isLines)
    {
        if (!_slices.IsLong)
        {
            bool isMore = WriteSlice(isLines);
            if (!_isHeld)
            {
                return new ValueTask<bool>(isMore);
            }
        }

        return RunSliceAsync(isLines);
    }

    /// <summary>Apart from what calls it, so that a short query makes no closure. Nothing is sent, and no snapshot is
    /// renewed, before a result that waits for memory is written.</summary>
    private async ValueTask<bool> RunSliceAsync(bool isLines)
    {
        bool isMore;
        do
        {
            if (_isHeld)
            {
                await _results.WaitAsync(_aborted).ConfigureAwait(false);
            }

            isMore = await _slices.RunAsync(() => WriteSlice(isLines)).ConfigureAwait(false);
        }
        while (_isHeld);
        return isMore;
    }

    private bool WriteSlice(bool isLines)
    {
        long bufferedMax = _request.Server.ResponseBufferBytesMax;
        _aborted.ThrowIfCancellationRequested();
        _slices.Begin();
        while (TryWriteNext(isLines))
        {
            if (_slices.IsOver() || _request.Response.BufferedBytes > bufferedMax)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Writes one more result; false if there is none.</summary>
    private bool TryWriteNext(bool isLines)
    {
        int take = _results.IsDistinct ? _session.Page().Take : int.MaxValue;
        while ((_isBehindPage || _written < take) && TryTake(out QueryHit hit))
        {
            _scan.Step();
            if (_results.IsDistinct ? TryWriteDistinct(in hit, isLines) : TryWrite(in hit, isLines))
            {
                _isHeld = false;
                _written++;
                return true;
            }

            _isHeld = _results.IsWaiting;
            if (_isHeld)
            {
                _held = hit;
                return false;
            }
        }

        return false;
    }

    /// <summary>Takes the result that had to wait, or the next one.</summary>
    private bool TryTake(out QueryHit hit)
    {
        hit = _held;
        if (_isHeld || _timings is null)
        {
            return _isHeld || _results.TryNext(out hit);
        }

        long began = _request.Server.Time.GetTimestamp();
        bool isFound = _results.TryNext(out hit);
        _loadStamps += _request.Server.Time.GetTimestamp() - began;
        return isFound;
    }

    /// <summary>The results are found one by one as they are written: both have taken their part of the time.</summary>
    private void ResultsEnded()
    {
        if (_timings is null)
        {
            return;
        }

        TimeSpan load = _request.Server.Time.GetElapsedTime(0, _loadStamps);
        TimeSpan rest = _timings.SinceLast - load;
        _timings.Ended("Results", ("Load", load), (_results.HasScripts ? "Script" : "Write", rest));
    }

    private bool TryWrite(in QueryHit hit, bool isLines)
    {
        ResponseWriter response = _request.Response;
        if (!_isHeld && _csv is null)
        {
            response.Write(isLines ? "{\"Item\":"u8 : _written > 0 ? ","u8 : ""u8);
        }

        IBufferWriter<byte> target = _csv is null ? response : _csv.Begin();
        if (!_results.TryWrite(target, in hit))
        {
            if (_results.IsWaiting)
            {
                return false;
            }

            target.Write("null"u8);
        }

        response.Write(isLines ? "}\n"u8 : ""u8);
        _csv?.End(response);
        Collect(in hit);
        return true;
    }

    /// <summary>Collects what is written after the results. A stream has nothing there, and may have millions
    /// of results.</summary>
    private void Collect(in QueryHit hit)
    {
        if (_backpressure is null)
        {
            _includes.Collect(in hit);
            _results.Collect(in hit);
        }
    }

    /// <summary>A result that equals one before is left out, and so are the first ones if they are skipped.</summary>
    private bool TryWriteDistinct(in QueryHit hit, bool isLines)
    {
        _isLines = isLines;
        int before = _results.DistinctCount;
        if (!_results.TryWrite(_csv is null ? _request.Response : _csv.Begin(), in hit))
        {
            _skipped += _results.DistinctCount == before && !_results.IsWaiting ? 1 : 0;
            return false;
        }

        _request.Response.Write(isLines ? "}\n"u8 : ""u8);
        _csv?.End(_request.Response);
        Collect(in hit);
        return true;
    }

    /// <summary>Whether a result is unlike all before, and of the page: then it is about to be written.</summary>
    private bool IsWanted(UInt128 result)
    {
        if (!_results.AddDistinct(result) || _isBehindPage || _results.DistinctCount <= _session.Page().Skip)
        {
            return false;
        }

        if (_csv is null)
        {
            _request.Response.Write(_isLines ? "{\"Item\":"u8 : _written > 0 ? ","u8 : ""u8);
        }

        return true;
    }

    private void WriteTimings()
    {
        if (_timings is null)
        {
            return;
        }

        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            _timings.Write(json);
        }

        _request.Response.Write(",\"Timings\":"u8);
        _request.Response.Write(buffer.WrittenSpan);
    }

    /// <summary>Behind the page: how many distinct results there are in all.</summary>
    private async ValueTask CountDistinctAsync()
    {
        _isBehindPage = true;
        while (_results.IsDistinct && await WriteMoreAsync(isLines: false).ConfigureAwait(false))
        {
            // No result is wanted any more, so that the first slice goes to the end.
        }
    }

    /// <summary>Ends the answer. All distinct results were counted: skipped ones, entries of a document that was
    /// found already and equal results, are no results. A filter does not count entries of a document that was found
    /// already anyway.</summary>
    private void WriteEnd(long total, long skipped)
    {
        _request.Response.Write(","u8);
        long results = !_results.IsDistinct || _results.ScannedCount is not null ? total : total - skipped;

        // Pages are counted in documents, or in distinct results: their starts need no correction for skipped results.
        // The number of those is reported if no page follows.
        bool isLast = _written < _session.Page().Take;
        _envelope.Write(results - _skipped, isLast ? skipped + _skipped : 0, _results.ScannedCount);
        _request.Response.Write("}"u8);
    }
}
