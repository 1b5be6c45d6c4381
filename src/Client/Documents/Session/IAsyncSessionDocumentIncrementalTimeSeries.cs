using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Session;

/// <summary>An incremental time series of one document.</summary>
public interface IAsyncSessionDocumentIncrementalTimeSeries
    : ISessionDocumentIncrementTimeSeriesBase, ISessionDocumentDeleteTimeSeriesBase,
    IAsyncSessionTimeSeriesReader<TimeSeriesEntry>;
