using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Session;

/// <summary>What a policy has made of a time series of one document.</summary>
public interface ISessionDocumentRollupTypedTimeSeries<TValues>
    : ISessionTimeSeriesReader<TimeSeriesRollupEntry<TValues>>
    where TValues : new();
