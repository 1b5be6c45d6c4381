using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Text;
using Raven.Documents;
using Raven.Documents.Json;
using Raven.Documents.Rows.Series;
using Raven.Documents.TimeSeries;

namespace Raven.Server.Http.TimeSeries;

/// <summary>
/// Writes ranges of time series as clients read them, segment by segment: an answer is sent while it grows, so that
/// its memory does not depend on how many points there are.
/// </summary>
internal sealed class TimeSeriesRangeWriter
{
    private readonly RequestContext _request;
    private readonly DocumentSnapshot _snapshot;
    private readonly TimeSeriesReader _reader;
    private long _written;
    private long _first;
    private long _last;
    private bool _isCut;

    internal TimeSeriesRangeWriter(RequestContext request, DocumentSnapshot snapshot)
    {
        _request = request;
        _snapshot = snapshot;
        _reader = new TimeSeriesReader(snapshot.Transaction);
    }

    /// <summary>Whether entries say what each database added; there is only one.</summary>
    internal bool IsFull { get; init; }

    /// <summary>Takes the tags, if the documents that they name are sent along.</summary>
    internal DistinctIds? Tags { get; init; }

    /// <summary>The folded id of the document.</summary>
    internal required NativeSlice DocumentKey { get; init; }

    /// <summary>The reader, for what is asked of a series beside its points.</summary>
    internal TimeSeriesReader Reader => _reader;

    /// <summary>Writes a range, an object; without its end if there is more to write.</summary>
    /// <param name="range">The range.</param>
    /// <param name="skip">How many of its points are passed over.</param>
    /// <param name="take">How many are written at most.</param>
    /// <param name="isClosed">Whether to end the object.</param>
    /// <returns>How many points were passed over or written.</returns>
    internal async ValueTask<long> WriteAsync(TimeSeriesRange range, long skip, long take, bool isClosed)
    {
        Begin(range, skip);
        _request.Response.Write("{\"Entries\":["u8);
        while (MoveNext(take))
        {
            WriteRun(take);
            if (_request.Response.BufferedBytes > _request.Server.ResponseBufferBytesMax)
            {
                await _request.Response.FlushAsync(CancellationToken.None).ConfigureAwait(false);
            }
        }

        var json = new JsonOutput(_request.Response);
        json.Raw("]"u8);
        WriteEnd(ref json, range, skip);
        json.Flush();
        if (isClosed)
        {
            _request.Response.Write("}"u8);
        }

        return _written;
    }

    /// <summary>Writes a whole range as a value.</summary>
    internal void Write(ref JsonOutput json, TimeSeriesRange range)
    {
        Begin(range, 0);
        json.StartObject();
        json.Name("Entries"u8);
        json.StartArray();
        while (MoveNext(long.MaxValue))
        {
            for (int i = _reader.Start; i < _reader.End; i++)
            {
                WriteEntry(ref json, range.Name.Span, i);
            }

            Count(_reader.Start, _reader.End);
        }

        json.EndArray();
        WriteEnd(ref json, range, 0);
        json.EndObject();
    }

    /// <summary>A time as answers have it.</summary>
    internal static void WriteTime(ref JsonOutput json, ReadOnlySpan<byte> name, long time)
    {
        Span<byte> text = stackalloc byte[DateText.Length];
        DateText.TryFormat(SeriesTime.ToTicks(time), text);
        json.Name(name);
        json.String(text);
    }

    private NativeSlice Name { get; set; }

    private long Total { get; set; }

    private void Begin(TimeSeriesRange range, long skip)
    {
        Span<byte> key = stackalloc byte[SeriesKey.SizeBytesMax];
        _written = 0;
        _isCut = false;
        Name = range.Name;
        Total = 0;
        bool isThere = SeriesKey.TryWrite(key, DocumentKey.Span, range.Name.Span, out int length, out _)
            && _reader.TryFind(key[..length], out StoredSeries series) && Take(series);
        _reader.Begin(isThere ? key[..length] : "\u001e"u8, range.First, range.Last, skip);
    }

    private bool Take(StoredSeries series)
    {
        Total = series.Count;
        return true;
    }

    private bool MoveNext(long take)
    {
        if (_isCut)
        {
            return false;
        }

        bool isMore = _reader.MoveNext();
        _isCut = isMore && _written >= take;
        return isMore && !_isCut;
    }

    private void WriteRun(long take)
    {
        int end = (int)Math.Min(_reader.End, _reader.Start + take - _written);
        _isCut = end < _reader.End;
        for (int i = _reader.Start; i < end; i++)
        {
            if (_written != 0 || i != _reader.Start)
            {
                _request.Response.Write(","u8);
            }

            var json = new JsonOutput(_request.Response);
            WriteEntry(ref json, Name.Span, i);
            json.Flush();
        }

        Count(_reader.Start, end);
    }

    private void Count(int start, int end)
    {
        _first = _written == 0 ? _reader.Points.TimeAt(start) : _first;
        _last = _reader.Points.TimeAt(end - 1);
        _written += end - start;
    }

    /// <summary>
    /// Writes what follows the entries. The end of a page is that of its last entry: clients keep ranges, and take them
    /// for complete up to their ends.
    /// </summary>
    private void WriteEnd(ref JsonOutput json, TimeSeriesRange range, long skip)
    {
        long? from = skip > 0 && _written > 0 ? _first : range.From;
        long? to = _isCut ? (_written > 0 ? _last : range.First) : range.To;
        WriteBound(ref json, "From"u8, from);
        WriteBound(ref json, "To"u8, to);
        if (!_isCut && skip == 0 && _written == Total)
        {
            json.Name("TotalResults"u8);
            json.Number(_written);
        }
    }

    private static void WriteBound(ref JsonOutput json, ReadOnlySpan<byte> name, long? time)
    {
        if (time is { } known)
        {
            WriteTime(ref json, name, known);
            return;
        }

        json.Name(name);
        json.Null();
    }

    private void WriteEntry(ref JsonOutput json, ReadOnlySpan<byte> name, int index)
    {
        PointList points = _reader.Points;
        ReadOnlySpan<byte> tag = points.TagAt(index);
        json.StartObject();
        WriteTime(ref json, "Timestamp"u8, points.TimeAt(index));
        json.Name("Tag"u8);
        if (tag.IsEmpty)
        {
            json.Null();
        }
        else
        {
            json.String(tag);
            Tags?.Add(tag);
        }

        json.Name("Values"u8);
        WriteValues(ref json, points.ValuesAt(index));
        json.Name("IsRollup"u8);
        json.Boolean(name.Contains((byte)'@'));
        if (IsFull)
        {
            json.Name("NodeValues"u8);
            json.StartObject();
            json.Name(_request.Database.Id.Utf8);
            WriteValues(ref json, points.ValuesAt(index));
            json.EndObject();
        }

        json.EndObject();
    }

    private static void WriteValues(ref JsonOutput json, ReadOnlySpan<double> values)
    {
        json.StartArray();
        foreach (double value in values)
        {
            json.Number(value);
        }

        json.EndArray();
    }

    /// <summary>Writes the documents that are sent along, an object by their ids.</summary>
    internal void WriteDocuments(ref JsonOutput json, DistinctIds ids)
    {
        json.StartObject();
        for (int i = 0; i < ids.Count; i++)
        {
            json.Name(ids[i].Span);
            if (_snapshot.TryGetByKey(ids.KeyOf(i).Span, out StoredDocument document))
            {
                DocumentJson.Write(ref json, in document, isMetadataOnly: false);
            }
            else
            {
                json.Null();
            }
        }

        json.EndObject();
    }
}
