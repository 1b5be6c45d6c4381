using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Session;

/// <summary>A time series of one document.</summary>
public interface ISessionDocumentTimeSeries
    : ISessionDocumentAppendTimeSeriesBase, ISessionDocumentDeleteTimeSeriesBase,
    ISessionTimeSeriesReader<TimeSeriesEntry>;
