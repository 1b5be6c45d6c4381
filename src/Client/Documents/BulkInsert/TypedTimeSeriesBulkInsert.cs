using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.BulkInsert;

/// <summary>Entries of one time series, whose values are objects, in a bulk insert.</summary>
public sealed class TypedTimeSeriesBulkInsert<TValues> : IDisposable where TValues : new()
{
    private readonly TimeSeriesBulkInsert _entries;

    internal TypedTimeSeriesBulkInsert(BulkInsertOperation operation, string id, string name) =>
        _entries = new TimeSeriesBulkInsert(operation, id, name);

    /// <summary>Writes an entry, in place of one at the same time.</summary>
    /// <param name="timestamp">Its time, to the millisecond; one of no kind is taken as UTC.</param>
    /// <param name="values">Its values; NaN at the end for those that it does not have.</param>
    /// <param name="tag">Where it comes from, often the id of a document.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    public ValueTask AppendAsync(
        DateTime timestamp, TValues values, string? tag = null, CancellationToken cancellationToken = default) =>
        _entries.WriteAsync(timestamp, TimeSeriesValues<TValues>.Write(values), tag, cancellationToken);

    /// <summary>Writes an entry, in place of one at the same time.</summary>
    public ValueTask AppendAsync(TimeSeriesEntry<TValues> entry, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(entry);
        return _entries.WriteAsync(entry.Timestamp, entry.Written, entry.Tag, cancellationToken);
    }

    /// <summary>Writes an entry, blocking.</summary>
    public void Append(DateTime timestamp, TValues values, string? tag = null) =>
        AppendAsync(timestamp, values, tag).AsTask().GetAwaiter().GetResult();

    /// <summary>Writes an entry, blocking.</summary>
    public void Append(TimeSeriesEntry<TValues> entry) => AppendAsync(entry).AsTask().GetAwaiter().GetResult();

    /// <summary>Ends the series: no more entries are taken. The bulk insert goes on.</summary>
    public void Dispose() => _entries.Dispose();
}
