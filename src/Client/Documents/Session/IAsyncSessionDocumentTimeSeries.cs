using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Session;

/// <summary>A time series of one document.</summary>
public interface IAsyncSessionDocumentTimeSeries
    : ISessionDocumentAppendTimeSeriesBase, ISessionDocumentDeleteTimeSeriesBase,
    IAsyncSessionTimeSeriesReader<TimeSeriesEntry>;
