using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Session;

/// <summary>The calls on a roll-up, which only policies write.</summary>
internal sealed class SessionDocumentRollupTypedTimeSeries<TValues>(
    AsyncDocumentSession session, string id, string name)
    : SessionSeriesReader<TimeSeriesRollupEntry<TValues>>(session, id, name),
        IAsyncSessionDocumentRollupTypedTimeSeries<TValues>, ISessionDocumentRollupTypedTimeSeries<TValues>
    where TValues : new()
{
    private protected override TimeSeriesRollupEntry<TValues> Convert(TimeSeriesEntry entry) => new()
    {
        Timestamp = entry.Timestamp,
        Tag = entry.Tag,
        Values = entry.Values,
        IsRollup = entry.IsRollup,
        NodeValues = entry.NodeValues,
    };
}
