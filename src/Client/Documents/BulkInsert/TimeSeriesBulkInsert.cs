using Raven.Client.Documents.Operations.TimeSeries;
using Raven.Client.Documents.Session;
using Raven.Client.Json;

namespace Raven.Client.Documents.BulkInsert;

/// <summary>Entries of one time series in a bulk insert.</summary>
public sealed class TimeSeriesBulkInsert : IDisposable
{
    private readonly BulkInsertOperation _operation;
    private readonly string _id;
    private readonly string _name;
    private bool _isDisposed;

    internal TimeSeriesBulkInsert(BulkInsertOperation operation, string id, string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        _operation = operation;
        _id = id;
        _name = SeriesNames.CheckPlain(name);
    }

    /// <summary>Writes an entry of one value, in place of one at the same time.</summary>
    /// <param name="timestamp">Its time, to the millisecond; one of no kind is taken as UTC.</param>
    /// <param name="value">Its value.</param>
    /// <param name="tag">Where it comes from, often the id of a document.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    public ValueTask AppendAsync(
        DateTime timestamp, double value, string? tag = null, CancellationToken cancellationToken = default) =>
        WriteAsync(timestamp, [value], tag, cancellationToken);

    /// <summary>Writes an entry of several values, in place of one at the same time.</summary>
    public ValueTask AppendAsync(
        DateTime timestamp, ICollection<double> values, string? tag = null,
        CancellationToken cancellationToken = default) =>
        WriteAsync(timestamp, values as double[] ?? [.. values], tag, cancellationToken);

    /// <summary>Writes an entry of one value, blocking.</summary>
    public void Append(DateTime timestamp, double value, string? tag = null) =>
        AppendAsync(timestamp, value, tag).AsTask().GetAwaiter().GetResult();

    /// <summary>Writes an entry of several values, blocking.</summary>
    public void Append(DateTime timestamp, ICollection<double> values, string? tag = null) =>
        AppendAsync(timestamp, values, tag).AsTask().GetAwaiter().GetResult();

    /// <summary>Ends the series: no more entries are taken. The bulk insert goes on.</summary>
    public void Dispose() => _isDisposed = true;

    internal ValueTask WriteAsync(
        DateTime timestamp, double[] values, string? tag, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        TimeSeriesOperation.CheckValues(values);
        TimeSeriesOperation.CheckTag(tag);
        return _operation.WriteAsync((_id, _name, Time: SeriesTime.Of(timestamp), values, tag), static (writer, it) =>
            writer.WriteEntry(it._id, it._name, it.Time, it.values, it.tag), countsAs: 0, cancellationToken);
    }
}
