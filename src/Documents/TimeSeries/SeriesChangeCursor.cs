using Raven.Blittable.Memory;
using Raven.Documents.Rows;
using Raven.Documents.Rows.Series;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.TimeSeries;

/// <summary>
/// Walks the segments of time series, or the ranges that were deleted, in the order of their last changes. Belongs to a
/// snapshot and ends with it; allocates nothing.
/// </summary>
internal ref struct SeriesChangeCursor
{
    private readonly RowHeap? _rows;
    private FixedTreeCursor _cursor;
    private bool _isOn;

    internal SeriesChangeCursor(Transaction transaction, long fromEtag, bool isOfDeletions)
    {
        ReadOnlySpan<byte> name = isOfDeletions ? SeriesTables.DeletedByEtag : SeriesTables.ByEtag;
        if (transaction.TryOpenFixedTree(name) is { } byEtag)
        {
            _rows = transaction.TryOpenRowHeap(isOfDeletions ? SeriesTables.DeletedNames.Rows : SeriesTables.Rows);
            _cursor = byEtag.GetCursor();
            _isOn = _cursor.Seek(fromEtag);
        }
    }

    /// <summary>The row of the last change that <see cref="MoveNext"/> gave: of a segment, or of a deleted range.
    /// </summary>
    internal NativeSlice Row { get; private set; }

    /// <summary>The last change of a time series; 0 if there is none.</summary>
    internal static long Last(Transaction transaction) => Math.Max(
        Last(transaction, SeriesTables.ByEtag), Last(transaction, SeriesTables.DeletedByEtag));

    /// <summary>Goes to the next change; false at the end.</summary>
    /// <param name="etag">The change.</param>
    /// <param name="documentId">The document of the series.</param>
    internal bool MoveNext(out long etag, out NativeSlice documentId)
    {
        etag = 0;
        documentId = default;
        if (!_isOn)
        {
            return false;
        }

        NativeSlice row = _rows!.Read(_cursor.Int64Value);
        etag = _cursor.Key;
        documentId = RowLayout.Id(row);
        Row = row;
        _isOn = _cursor.MoveNext();
        return true;
    }

    private static long Last(Transaction transaction, ReadOnlySpan<byte> name)
    {
        if (transaction.TryOpenFixedTree(name) is not { } byEtag)
        {
            return 0;
        }

        FixedTreeCursor cursor = byEtag.GetCursor();
        return cursor.SeekLast() ? cursor.Key : 0;
    }
}
