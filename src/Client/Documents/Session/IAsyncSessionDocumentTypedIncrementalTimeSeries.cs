using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Session;

/// <summary>An incremental time series of one document, whose values are objects.</summary>
public interface IAsyncSessionDocumentTypedIncrementalTimeSeries<TValues>
    : ISessionDocumentTypedIncrementTimeSeriesBase<TValues>, ISessionDocumentDeleteTimeSeriesBase,
    IAsyncSessionTimeSeriesReader<TimeSeriesEntry<TValues>>
    where TValues : new();
