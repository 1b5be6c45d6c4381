using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Session;

/// <summary>A time series of one document, whose values are objects.</summary>
public interface IAsyncSessionDocumentTypedTimeSeries<TValues>
    : ISessionDocumentTypedAppendTimeSeriesBase<TValues>, ISessionDocumentDeleteTimeSeriesBase,
    IAsyncSessionTimeSeriesReader<TimeSeriesEntry<TValues>>
    where TValues : new();
