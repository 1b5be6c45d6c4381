using System.Diagnostics;
using Raven.Blittable.Memory;
using Raven.Documents.Settings;
using Raven.Storage.Transactions;

namespace Raven.Documents.Rows.Series;

//   TS-5  The segments of a series are sealed ones, and behind them at most one open one that takes the next points.
//         When it has no more room, its points become sealed, together with those of the segment before if that is
//         not full and not much larger: so a point is written again a few times, however long the series is.

/// <summary>
/// Changes the points of time series in the write transaction of a database. One thread, that of the writer.
/// </summary>
internal sealed class SeriesWriter
{
    // The longest row that lies in a page with others: a longer one takes pages of its own.
    private const int RowSizeMax = 8140;
    private const int StepBytes = 256;
    private const int OpenPointsMax = 255;
    private const int JoinFactor = 24;

    private readonly DocumentTables _documents;
    private readonly DatabaseId _databaseId;
    private readonly SealedSegment _sealed = new();
    private readonly PointList _stored = new();
    private readonly PointList _merged = new();
    private readonly byte[] _body = new byte[RowSizeMax];
    private readonly byte[] _name = new byte[Ids.DocumentId.SizeBytesMax];
    private long _etag;

    internal SeriesWriter(DocumentTables documents, DatabaseId databaseId)
    {
        _documents = documents;
        _databaseId = databaseId;
        Rollups = new SeriesRollups(documents);
    }

    /// <summary>The structures.</summary>
    internal SeriesTables Tables { get; } = new();

    /// <summary>What is to be rolled up and retired.</summary>
    internal SeriesRollups Rollups { get; }

    /// <summary>Starts a command.</summary>
    internal void Begin(WriteTransaction transaction, TimeSeriesConfiguration? configuration)
    {
        Tables.Begin(transaction);
        Rollups.Begin(transaction, configuration);
    }

    /// <summary>Removes all series of a document.</summary>
    internal void RemoveAll(ReadOnlySpan<byte> documentKey)
    {
        Tables.RemoveAll(documentKey);
        Span<byte> prefix = stackalloc byte[SeriesKey.SizeBytesMax];
        Rollups.Remove(prefix[..SeriesKey.WritePrefix(prefix, documentKey)]);
    }

    /// <summary>Writes points; one at the time of another replaces it, or is added to it.</summary>
    /// <param name="target">The series.</param>
    /// <param name="points">The points, in order (<see cref="PointOrder"/>).</param>
    /// <param name="isSum">Whether values are added to those at the same time.</param>
    internal SeriesChange Write(in SeriesTarget target, PointList points, bool isSum)
    {
        Debug.Assert(points.IsInOrder, "SEG-1");
        SeriesTarget series = target;
        bool wasThere = TakeName(ref series, out StoredSeries old);
        if (points.Count == 0)
        {
            return new SeriesChange { WasThere = wasThere, IsThere = wasThere };
        }

        long count = wasThere ? old.Count : 0;
        long first = wasThere ? Math.Min(old.First, points.TimeAt(0)) : points.TimeAt(0);
        long last = wasThere ? Math.Max(old.Last, points.TimeAt(points.Count - 1)) : points.TimeAt(points.Count - 1);
        long? overflow = points.OverflowTime;
        for (int i = 0; i < points.Count;)
        {
            i = WriteSome(in series, points, i, isSum, ref count);
            overflow ??= _merged.OverflowTime;
        }

        Tables.PutName(series.Key, series.Name, count, first, last, _etag);
        Rollups.Written(in series, points);
        return new SeriesChange
        {
            Etag = _etag, WasThere = wasThere, IsThere = true, OverflowTime = overflow,
        };
    }

    /// <summary>Removes the points of a range of time; both ends belong to it.</summary>
    internal SeriesChange Delete(in SeriesTarget target, DeletedRange range)
    {
        SeriesTarget series = target;
        bool wasThere = TakeName(ref series, out StoredSeries old);
        long count = wasThere ? old.Count : 0;
        long removed = 0;
        long position = range.From;
        while (count != 0 && position <= range.To && TryFindFrom(in series, position, out NativeSlice row))
        {
            NativeSlice body = RowLayout.Body(row);
            SegmentHead head = SegmentHead.Read(body.Span);
            if (head.First > range.To)
            {
                break;
            }

            position = head.Last + 1;
            removed += DeleteFrom(in series, in head, body, range);
        }

        if (removed == 0)
        {
            return new SeriesChange { WasThere = wasThere, IsThere = wasThere };
        }

        bool isThere = removed != count;
        KeepDeleted(in series, isThere ? range : new DeletedRange(0, long.MaxValue));
        if (!isThere)
        {
            Tables.RemoveName(series.Key);
        }
        else
        {
            SegmentCursor segments = Tables.SegmentsOf(series.Key, 0);
            segments.MoveNext(out NativeSlice first);
            segments.TryLast(out NativeSlice last);
            Tables.PutName(
                series.Key, series.Name, count - removed, SegmentHead.Read(RowLayout.Body(first).Span).First,
                SegmentHead.Read(RowLayout.Body(last).Span).Last, _etag);
        }

        Rollups.Deleted(in series, range);
        return new SeriesChange { Etag = _etag, WasThere = true, IsThere = isThere };
    }

    /// <summary>Adds the points of a range of time to a list.</summary>
    internal void Read(ReadOnlySpan<byte> key, DeletedRange range, PointList target)
    {
        SegmentCursor segments = Tables.SegmentsOf(key, range.From);
        while (segments.MoveNext(out NativeSlice row))
        {
            ReadOnlySpan<byte> body = RowLayout.Body(row).Span;
            if (SegmentHead.Read(body).First > range.To)
            {
                break;
            }

            _stored.Clear();
            Read(body, _stored);
            for (int i = 0; i < _stored.Count; i++)
            {
                if (_stored.TimeAt(i) >= range.From && _stored.TimeAt(i) <= range.To)
                {
                    target.AddRange(_stored, i, 1);
                }
            }
        }
    }

    /// <summary>Copies the stored name of a series, which the next change of a page would move.</summary>
    private bool TakeName(ref SeriesTarget series, out StoredSeries stored)
    {
        _etag = 0;
        if (!Tables.TryFind(series.Key, out stored))
        {
            return false;
        }

        ReadOnlySpan<byte> name = stored.Name.Span;
        name.CopyTo(_name);
        series.Name = _name.AsSpan(0, name.Length);
        return true;
    }

    /// <summary>Writes the points that belong to one segment.</summary>
    /// <returns>The index of the first point that is left.</returns>
    private int WriteSome(in SeriesTarget series, PointList points, int start, bool isSum, ref long count)
    {
        SegmentCursor segments = Tables.SegmentsOf(series.Key, points.TimeAt(start));
        if (!segments.MoveNext(out NativeSlice row))
        {
            _merged.Clear();
            return Append(in series, points, start, ref count);
        }

        NativeSlice body = RowLayout.Body(row);
        SegmentHead head = SegmentHead.Read(body.Span);
        int end = points.Count;
        if (segments.MoveNext(out NativeSlice following))
        {
            long next = SegmentHead.Read(RowLayout.Body(following).Span).First;
            end = start + points.Times[start..].BinarySearch(next);
            end = end < start ? start + ~(end - start) : end;
        }
        else if (points.TimeAt(start) > head.Last)
        {
            return AppendBehind(in series, in head, body, points, start, ref count);
        }

        _stored.Clear();
        Read(body.Span, _stored);
        _merged.Clear();
        count += PointOrder.Merge(_stored, points, start, end, isSum, _merged);
        Replace(in series, in head);
        return end;
    }

    /// <summary>Appends points behind the last segment.</summary>
    private int AppendBehind(
        in SeriesTarget series, in SegmentHead head, NativeSlice body, PointList points, int start, ref long count)
    {
        _merged.Clear();
        int left = points.Count - start;
        if (head.Kind == SegmentHead.Sealed)
        {
            if (!head.IsFull && left > OpenPointsMax && head.Count <= JoinFactor * (long)left)
            {
                Read(body.Span, _merged);
            }

            return Append(in series, points, start, ref count);
        }

        body.Span.CopyTo(_body);
        _body.AsSpan(body.Length).Clear();
        int next = start;
        while (next < points.Count && OpenSegment.TryAppend(
            _body.AsSpan(0, OpenSegment.SizeBytesMax), points.TimeAt(next), points.ValuesAt(next), points.TagAt(next)))
        {
            next++;
        }

        count += next - start;
        if (next == points.Count)
        {
            PutOpen(in series);
            return next;
        }

        Span<byte> key = stackalloc byte[SeriesKey.SegmentSizeBytesMax];
        SegmentCursor segments = Tables.SegmentsOf(series.Key, head.First - 1);
        if (segments.MoveNext(out NativeSlice before))
        {
            NativeSlice other = RowLayout.Body(before);
            SegmentHead joined = SegmentHead.Read(other.Span);
            if (joined.First < head.First && !joined.IsFull && joined.Count <= JoinFactor * (long)head.Count)
            {
                Read(other.Span, _merged);
                Tables.RemoveSegment(key[..SeriesKey.WriteSegment(key, series.Key, head.First)]);
            }
        }

        OpenSegment.Read(_body, _merged);
        return Append(in series, points, next, ref count);
    }

    /// <summary>Writes the gathered points and the others as the last segments of the series.</summary>
    private int Append(in SeriesTarget series, PointList points, int start, ref long count)
    {
        int gathered = _merged.Count;
        _merged.AddRange(points, start, points.Count - start);
        count += points.Count - start;
        for (int i = 0; i < _merged.Count;)
        {
            int left = _merged.Count - i;
            if (i < gathered || left > OpenPointsMax || !TryPutOpen(in series, i, left))
            {
                PutSealed(in series, i, ref left);
            }

            i += left;
        }

        return points.Count;
    }

    /// <summary>Writes the merged points in place of a segment.</summary>
    private void Replace(in SeriesTarget series, in SegmentHead old)
    {
        if (_merged.Count == 0 || _merged.TimeAt(0) != old.First)
        {
            Span<byte> key = stackalloc byte[SeriesKey.SegmentSizeBytesMax];
            Tables.RemoveSegment(key[..SeriesKey.WriteSegment(key, series.Key, old.First)]);
        }

        if (_merged.Count != 0
            && (old.Kind != SegmentHead.Open || !TryPutOpen(in series, 0, _merged.Count)))
        {
            PutHalves(in series, 0, _merged.Count);
        }
    }

    /// <summary>Writes points as one segment, or as two of half as many, so that the next late point need not
    /// split it again.</summary>
    private void PutHalves(in SeriesTarget series, int start, int count)
    {
        int written = count;
        int length = _sealed.Write(Room(in series), _merged, start, ref written, series.Name);
        if (written == count)
        {
            Put(in series, _merged.TimeAt(start), _body.AsSpan(0, length));
            return;
        }

        PutHalves(in series, start, count / 2);
        PutHalves(in series, start + (count / 2), count - (count / 2));
    }

    private void PutSealed(in SeriesTarget series, int start, ref int count)
    {
        int length = _sealed.Write(Room(in series), _merged, start, ref count, series.Name);
        Put(in series, _merged.TimeAt(start), _body.AsSpan(0, length));
    }

    /// <summary>Writes merged points as an open segment, if they fit.</summary>
    private bool TryPutOpen(in SeriesTarget series, int start, int count)
    {
        if (count > OpenPointsMax)
        {
            return false;
        }

        int width = 1;
        foreach (byte each in _merged.Counts.Slice(start, count))
        {
            width = Math.Max(width, each);
        }

        Span<byte> body = _body.AsSpan(0, OpenSegment.SizeBytesMax);
        OpenSegment.Begin(body, width, series.Name);
        for (int i = start; i < start + count; i++)
        {
            if (!OpenSegment.TryAppend(body, _merged.TimeAt(i), _merged.ValuesAt(i), _merged.TagAt(i)))
            {
                return false;
            }
        }

        PutOpen(in series);
        return true;
    }

    /// <summary>Writes the open segment, with some room behind it, so that its row seldom moves.</summary>
    private void PutOpen(in SeriesTarget series)
    {
        SegmentHead head = SegmentHead.Read(_body);
        int length = (head.Length + StepBytes - 1) / StepBytes * StepBytes;
        Put(in series, head.First, _body.AsSpan(0, length));
    }

    private Span<byte> Room(in SeriesTarget series) =>
        _body.AsSpan(0, RowSizeMax - RowLayout.SizeOf(series.DocumentId.Length, ChangeVector.LocalSizeBytesMax, 0));

    /// <summary>Writes a segment in place of that which begins at the same time, if there is one.</summary>
    private void Put(in SeriesTarget series, long first, ReadOnlySpan<byte> body)
    {
        Span<byte> key = stackalloc byte[SeriesKey.SegmentSizeBytesMax];
        key = key[..SeriesKey.WriteSegment(key, series.Key, first)];
        RowHeader header = NextHeader(in series, isTombstone: false);
        Span<byte> vector = stackalloc byte[ChangeVector.LocalSizeBytesMax];
        vector = vector[..ChangeVector.Format(vector, header.Etag, _databaseId)];
        int size = RowLayout.SizeOf(series.DocumentId.Length, vector.Length, body.Length);
        bool isThere = Tables.Segments.TryFind(key, out long rowId, out NativeSlice old);
        NativeSlice row = isThere
            ? Tables.Segments.Replace(key, rowId, RowLayout.ReadHeader(old.Span).Etag, header.Etag, size)
            : Tables.Segments.Insert(key, header.Etag, size);
        body.CopyTo(RowLayout.Write(row.WritableSpan, in header, series.DocumentId, vector));
    }

    /// <summary>Removes points of one segment.</summary>
    private int DeleteFrom(in SeriesTarget series, in SegmentHead head, NativeSlice body, DeletedRange range)
    {
        Span<byte> key = stackalloc byte[SeriesKey.SegmentSizeBytesMax];
        if (head.First >= range.From && head.Last <= range.To)
        {
            Tables.RemoveSegment(key[..SeriesKey.WriteSegment(key, series.Key, head.First)]);
            return head.Count;
        }

        _stored.Clear();
        Read(body.Span, _stored);
        int from = IndexFrom(_stored, range.From);
        int to = range.To == long.MaxValue ? _stored.Count : IndexFrom(_stored, range.To + 1);
        if (from < to)
        {
            _merged.Clear();
            _merged.AddRange(_stored, 0, from);
            _merged.AddRange(_stored, to, _stored.Count - to);
            Replace(in series, in head);
        }

        return to - from;
    }

    private void KeepDeleted(in SeriesTarget series, DeletedRange range)
    {
        if (range.From == 0)
        {
            Span<byte> prefix = stackalloc byte[SeriesKey.SizeBytesMax + 1];
            Tables.RemoveDeleted(prefix[..SeriesKey.WritePrefix(prefix, series.Key)], range.To);
        }

        RowHeader header = NextHeader(in series, isTombstone: true);
        Span<byte> vector = stackalloc byte[ChangeVector.LocalSizeBytesMax];
        vector = vector[..ChangeVector.Format(vector, header.Etag, _databaseId)];
        Tables.AddDeleted(series.Key, in header, series.DocumentId, vector, range, series.Name);
    }

    private RowHeader NextHeader(in SeriesTarget series, bool isTombstone)
    {
        _etag = _documents.NextEtag();
        return new RowHeader
        {
            Etag = _etag,
            LastModifiedTicks = series.NowTicks,
            CollectionId = series.CollectionId,
            Kind = RowKind.TimeSeries,
            IsTombstone = isTombstone,
        };
    }

    /// <summary>The first segment that has points at a time or behind it.</summary>
    private bool TryFindFrom(in SeriesTarget series, long time, out NativeSlice row)
    {
        SegmentCursor segments = Tables.SegmentsOf(series.Key, time);
        return segments.MoveNext(out row)
            && (SegmentHead.Read(RowLayout.Body(row).Span).Last >= time || segments.MoveNext(out row));
    }

    private void Read(ReadOnlySpan<byte> body, PointList target)
    {
        if (body[0] == SegmentHead.Open)
        {
            OpenSegment.Read(body, target);
        }
        else
        {
            _sealed.Read(body, target);
        }
    }

    private static int IndexFrom(PointList points, long time)
    {
        int index = points.Times.BinarySearch(time);
        return index < 0 ? ~index : index;
    }
}
