using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Session;

/// <summary>The calls on a time series whose values are objects.</summary>
internal sealed class SessionDocumentTypedTimeSeries<TValues>(AsyncDocumentSession session, string id, string name)
    : SessionSeriesReader<TimeSeriesEntry<TValues>>(session, id, name), IAsyncSessionDocumentTypedTimeSeries<TValues>,
        ISessionDocumentTypedTimeSeries<TValues>, IAsyncSessionDocumentTypedIncrementalTimeSeries<TValues>,
        ISessionDocumentTypedIncrementalTimeSeries<TValues>
    where TValues : new()
{
    public void Append(DateTime timestamp, TValues entry, string? tag = null) =>
        AppendValues(timestamp, TimeSeriesValues<TValues>.Write(entry), tag);

    public void Append(TimeSeriesEntry<TValues> entry)
    {
        ArgumentNullException.ThrowIfNull(entry);
        AppendValues(entry.Timestamp, [.. entry.Written], entry.Tag);
    }

    public void Increment(DateTime timestamp, TValues entry) =>
        IncrementValues(timestamp, TimeSeriesValues<TValues>.Write(entry));

    public void Increment(TValues entry) =>
        IncrementValues(null, TimeSeriesValues<TValues>.Write(entry));

    private protected override TimeSeriesEntry<TValues> Convert(TimeSeriesEntry entry) => new()
    {
        Timestamp = entry.Timestamp,
        Tag = entry.Tag,
        Values = entry.Values,
        IsRollup = entry.IsRollup,
        NodeValues = entry.NodeValues,
    };
}
