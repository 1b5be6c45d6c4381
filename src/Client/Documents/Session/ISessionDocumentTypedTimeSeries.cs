using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Session;

/// <summary>A time series of one document, whose values are objects.</summary>
public interface ISessionDocumentTypedTimeSeries<TValues>
    : ISessionDocumentTypedAppendTimeSeriesBase<TValues>, ISessionDocumentDeleteTimeSeriesBase,
    ISessionTimeSeriesReader<TimeSeriesEntry<TValues>>
    where TValues : new();
