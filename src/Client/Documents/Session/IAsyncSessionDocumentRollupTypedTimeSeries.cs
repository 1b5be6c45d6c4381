using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Session;

/// <summary>What a policy has made of a time series of one document.</summary>
public interface IAsyncSessionDocumentRollupTypedTimeSeries<TValues>
    : IAsyncSessionTimeSeriesReader<TimeSeriesRollupEntry<TValues>>
    where TValues : new();
