using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Session;

/// <summary>An incremental time series of one document.</summary>
public interface ISessionDocumentIncrementalTimeSeries
    : ISessionDocumentIncrementTimeSeriesBase, ISessionDocumentDeleteTimeSeriesBase,
    ISessionTimeSeriesReader<TimeSeriesEntry>;
