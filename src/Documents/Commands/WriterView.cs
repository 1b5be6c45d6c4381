using Raven.Blittable.Memory;
using Raven.Documents.Rows;
using Raven.Documents.Rows.Series;
using Raven.Documents.Scripts;

namespace Raven.Documents.Commands;

/// <summary>The open write transaction, as scripts and the checks of their reads look at it.</summary>
internal sealed class WriterView(DocumentWriter writer) : IDatabaseView
{
    /// <inheritdoc/>
    public long LastEtag => writer.LastEtag;

    /// <inheritdoc/>
    public bool TryFindRow(ReadOnlySpan<byte> key, out NativeSlice row) => writer.Tables.TryFind(key, out _, out row);

    /// <inheritdoc/>
    public long Identity(ReadOnlySpan<byte> key) => writer.Tables.Identity(key);

    /// <inheritdoc/>
    public bool TryFindCounter(ReadOnlySpan<byte> key, out StoredCounter counter) =>
        writer.Counters.TryFind(key, out counter);

    /// <inheritdoc/>
    public long TimeSeriesVersion(ReadOnlySpan<byte> key) =>
        writer.Series.Tables.TryFind(key, out StoredSeries series) ? series.Etag : 0;

    /// <inheritdoc/>
    public void ReadTimeSeries(ReadOnlySpan<byte> key, long from, long to, PointList target) =>
        writer.Series.Read(key, new DeletedRange(from, to), target);

    /// <inheritdoc/>
    public bool TryFindCompareExchange(ReadOnlySpan<byte> key, out CompareExchangeValue value) =>
        writer.CompareExchange.TryFind(key, out value);
}
