using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Session;

/// <summary>An incremental time series of one document, whose values are objects.</summary>
public interface ISessionDocumentTypedIncrementalTimeSeries<TValues>
    : ISessionDocumentTypedIncrementTimeSeriesBase<TValues>, ISessionDocumentDeleteTimeSeriesBase,
    ISessionTimeSeriesReader<TimeSeriesEntry<TValues>>
    where TValues : new();
