using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Session;

/// <summary>The calls on a time series whose values are numbers.</summary>
internal sealed class SessionDocumentTimeSeries(AsyncDocumentSession session, string id, string name)
    : SessionSeriesReader<TimeSeriesEntry>(session, id, name), IAsyncSessionDocumentTimeSeries,
        ISessionDocumentTimeSeries, IAsyncSessionDocumentIncrementalTimeSeries, ISessionDocumentIncrementalTimeSeries
{
    public void Append(DateTime timestamp, IEnumerable<double> values, string? tag = null) =>
        AppendValues(timestamp, [.. values], tag);

    public void Append(DateTime timestamp, double value, string? tag = null) => AppendValues(timestamp, [value], tag);

    public void Increment(DateTime timestamp, IEnumerable<double> values) => IncrementValues(timestamp, [.. values]);

    public void Increment(IEnumerable<double> values) => IncrementValues(null, [.. values]);

    public void Increment(DateTime timestamp, double value) => IncrementValues(timestamp, [value]);

    public void Increment(double value) => IncrementValues(null, [value]);

    private protected override TimeSeriesEntry Convert(TimeSeriesEntry entry) => entry;
}
