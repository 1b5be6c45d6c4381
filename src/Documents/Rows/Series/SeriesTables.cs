using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Rows.Series;

//   NAME                      STRUCTURE  KEY                                     VALUE
//   TimeSeries                RowHeap                                            rows: RowLayout, its body a segment
//   TimeSeries.ByKey          Tree       folded id, 0x1E, folded name, 0x1E,     int64, row
//                                        time of the first point (big-endian)
//   TimeSeries.ByEtag         FixedTree  etag                                    int64, row
//   TimeSeries.Names          Tree       folded id, 0x1E, folded name            StoredSeries
//   TimeSeries.Deleted        RowHeap                                            rows: RowLayout, its body a range
//   TimeSeries.Deleted.ByKey  Tree       folded id, 0x1E, folded name, 0x1E,     int64, row
//                                        etag (big-endian)
//   TimeSeries.Deleted.ByEtag FixedTree  etag                                    int64, row
//
//   TS-1  Every segment is in both trees, under its own key and etag.
//   TS-2  A series is in Names exactly if it has points; its numbers are those of its segments.
//   TS-3  A document has the flag HasTimeSeries exactly if it has series.
//   TS-4  The ranges that were deleted from a series are kept until it is deleted whole.

/// <summary>The structures of time series in one write transaction, opened when they are first needed.</summary>
internal sealed class SeriesTables
{
    private WriteTransaction _transaction = null!;
    private Tree? _names;

    internal static ReadOnlySpan<byte> Rows => "TimeSeries"u8;

    internal static ReadOnlySpan<byte> ByKey => "TimeSeries.ByKey"u8;

    internal static ReadOnlySpan<byte> ByEtag => "TimeSeries.ByEtag"u8;

    internal static ReadOnlySpan<byte> NamesTree => "TimeSeries.Names"u8;

    internal static ReadOnlySpan<byte> DeletedByEtag => "TimeSeries.Deleted.ByEtag"u8;

    /// <summary>The segments.</summary>
    internal IndexedRows<SegmentNames> Segments { get; } = new();

    /// <summary>The ranges that were deleted.</summary>
    internal IndexedRows<DeletedNames> Deleted { get; } = new();

    private Tree Names => _names ??= _transaction.OpenOrCreateTree(NamesTree);

    /// <summary>Opens nothing yet: most commands do not use time series.</summary>
    internal void Begin(WriteTransaction transaction)
    {
        _transaction = transaction;
        _names = null;
        Segments.Begin(transaction);
        Deleted.Begin(transaction);
    }

    /// <summary>Finds a series in any transaction.</summary>
    internal static bool TryFind(Transaction transaction, ReadOnlySpan<byte> series, out StoredSeries found)
    {
        NativeSlice row = default;
        bool isThere = transaction.TryOpenTree(NamesTree) is { } names && names.TryGet(series, out row);
        found = new StoredSeries(row);
        return isThere;
    }

    /// <summary>The segments of a series in any transaction, from that which has a time on.</summary>
    internal static SegmentCursor SegmentsOf(Transaction transaction, ReadOnlySpan<byte> series, long from) =>
        transaction.TryOpenTree(ByKey) is { } byKey
            ? new SegmentCursor(byKey, transaction.TryOpenRowHeap(Rows)!, series, from)
            : default;

    /// <summary>The segments of a series in this transaction.</summary>
    internal SegmentCursor SegmentsOf(ReadOnlySpan<byte> series, long from) =>
        SegmentsOf(_transaction, series, from);

    /// <summary>Finds a series of this transaction; valid until the next change.</summary>
    internal bool TryFind(ReadOnlySpan<byte> series, out StoredSeries found) =>
        TryFind(_transaction, series, out found);

    /// <summary>Writes what is stored of a series beside its segments.</summary>
    internal void PutName(
        ReadOnlySpan<byte> series, ReadOnlySpan<byte> name, long count, long first, long last, long etag)
    {
        NativeSlice row = Names.Reserve(series, StoredSeries.NameOffset + name.Length);
        StoredSeries.Write(row.WritableSpan, count, first, last, etag, name);
    }

    /// <summary>Removes a series without points.</summary>
    internal void RemoveName(ReadOnlySpan<byte> series) => Names.Delete(series);

    /// <summary>Whether a document has time series.</summary>
    internal bool Any(ReadOnlySpan<byte> documentKey)
    {
        if (_transaction.TryOpenTree(NamesTree) is not { } names)
        {
            return false;
        }

        Span<byte> prefix = stackalloc byte[SeriesKey.SizeBytesMax];
        prefix = prefix[..SeriesKey.WritePrefix(prefix, documentKey)];
        TreeCursor cursor = names.GetCursor();
        return cursor.Seek(prefix) && cursor.Key.StartsWith(prefix);
    }

    /// <summary>Removes all series of a document, with the ranges that were deleted: the deletion of the document
    /// stands for all of them.</summary>
    internal void RemoveAll(ReadOnlySpan<byte> documentKey)
    {
        Span<byte> prefix = stackalloc byte[SeriesKey.SizeBytesMax];
        prefix = prefix[..SeriesKey.WritePrefix(prefix, documentKey)];
        RemoveDeleted(prefix);
        if (!Any(documentKey))
        {
            return;
        }

        Span<byte> key = stackalloc byte[SeriesKey.SegmentSizeBytesMax];
        while (Segments.TryFirstKey(prefix, key, out int length))
        {
            RemoveSegment(key[..length]);
        }

        while (TryFirstName(prefix, key, out int length))
        {
            Names.Delete(key[..length]);
        }
    }

    /// <summary>Removes ranges that were deleted from the series whose keys begin with this.</summary>
    /// <param name="prefix">What the keys begin with.</param>
    /// <param name="to">Only those that end no later.</param>
    internal void RemoveDeleted(ReadOnlySpan<byte> prefix, long to = long.MaxValue)
    {
        if (_transaction.TryOpenFixedTree(DeletedByEtag) is null)
        {
            return;
        }

        Span<byte> key = stackalloc byte[SeriesKey.SegmentSizeBytesMax];
        while (TryFirstDeleted(prefix, to, key, out int length))
        {
            Deleted.TryFind(key[..length], out long rowId, out NativeSlice row);
            Deleted.Remove(key[..length], rowId, RowLayout.ReadHeader(row.Span).Etag);
        }
    }

    /// <summary>Removes a segment; there must be one.</summary>
    internal void RemoveSegment(ReadOnlySpan<byte> key)
    {
        Segments.TryFind(key, out long rowId, out NativeSlice row);
        Segments.Remove(key, rowId, RowLayout.ReadHeader(row.Span).Etag);
    }

    /// <summary>Keeps a range that was deleted from a series.</summary>
    internal void AddDeleted(
        ReadOnlySpan<byte> series, in RowHeader header, ReadOnlySpan<byte> documentId,
        ReadOnlySpan<byte> changeVector, DeletedRange range, ReadOnlySpan<byte> name)
    {
        Span<byte> key = stackalloc byte[SeriesKey.SegmentSizeBytesMax];
        key = key[..SeriesKey.WriteSegment(key, series, header.Etag)];
        int size = RowLayout.SizeOf(documentId.Length, changeVector.Length, DeletedRange.NameOffset + name.Length);
        NativeSlice row = Deleted.Insert(key, header.Etag, size);
        Span<byte> body = RowLayout.Write(row.WritableSpan, in header, documentId, changeVector);
        BinaryPrimitives.WriteInt64LittleEndian(body, range.From);
        BinaryPrimitives.WriteInt64LittleEndian(body[sizeof(long)..], range.To);
        name.CopyTo(body[DeletedRange.NameOffset..]);
    }

    private bool TryFirstDeleted(ReadOnlySpan<byte> prefix, long to, Span<byte> key, out int length)
    {
        TreeCursor cursor = Deleted.ByKey.GetCursor();
        for (bool isOn = cursor.Seek(prefix); isOn && cursor.Key.StartsWith(prefix); isOn = cursor.MoveNext())
        {
            ReadOnlySpan<byte> range = RowLayout.Body(Deleted.Read(cursor.Value)).Span;
            if (BinaryPrimitives.ReadInt64LittleEndian(range[sizeof(long)..]) <= to)
            {
                length = cursor.Key.Length;
                cursor.Key.CopyTo(key);
                return true;
            }
        }

        length = 0;
        return false;
    }

    private bool TryFirstName(ReadOnlySpan<byte> prefix, Span<byte> key, out int length)
    {
        TreeCursor cursor = Names.GetCursor();
        bool found = cursor.Seek(prefix) && cursor.Key.StartsWith(prefix);
        length = found ? cursor.Key.Length : 0;
        if (found)
        {
            cursor.Key.CopyTo(key);
        }

        return found;
    }

    internal readonly struct SegmentNames : IIndexedRowNames
    {
        public static ReadOnlySpan<byte> Rows => SeriesTables.Rows;

        public static ReadOnlySpan<byte> ByKey => SeriesTables.ByKey;

        public static ReadOnlySpan<byte> ByEtag => SeriesTables.ByEtag;
    }

    internal readonly struct DeletedNames : IIndexedRowNames
    {
        public static ReadOnlySpan<byte> Rows => "TimeSeries.Deleted"u8;

        public static ReadOnlySpan<byte> ByKey => "TimeSeries.Deleted.ByKey"u8;

        public static ReadOnlySpan<byte> ByEtag => DeletedByEtag;
    }
}
