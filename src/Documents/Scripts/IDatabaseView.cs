using Raven.Blittable.Memory;
using Raven.Documents.Rows;
using Raven.Documents.Rows.Series;

namespace Raven.Documents.Scripts;

/// <summary>
/// One state of a database, as scripts and the checks of their reads look at it: a snapshot, or the open write
/// transaction. What it gives lives until that ends, or writes.
/// </summary>
internal interface IDatabaseView
{
    /// <summary>The last etag that was given out.</summary>
    long LastEtag { get; }

    /// <summary>Finds the row of a document by its folded id.</summary>
    bool TryFindRow(ReadOnlySpan<byte> key, out NativeSlice row);

    /// <summary>The last value of an identity, by its folded name with its bar; 0 where there is none.</summary>
    long Identity(ReadOnlySpan<byte> key);

    /// <summary>Finds a counter by its key.</summary>
    bool TryFindCounter(ReadOnlySpan<byte> key, out StoredCounter counter);

    /// <summary>The last change of a time series; 0 if there is none.</summary>
    long TimeSeriesVersion(ReadOnlySpan<byte> key);

    /// <summary>Adds the points of a range of a time series to a list; both ends belong to the range.</summary>
    void ReadTimeSeries(ReadOnlySpan<byte> key, long from, long to, PointList target);

    /// <summary>Finds a compare-exchange value by its folded key.</summary>
    bool TryFindCompareExchange(ReadOnlySpan<byte> key, out CompareExchangeValue value);
}
