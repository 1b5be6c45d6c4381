namespace Raven.Client.Documents.Session;

/// <summary>Adds to values of an incremental time series, which are objects, with the next save.</summary>
public interface ISessionDocumentTypedIncrementTimeSeriesBase<TValues> where TValues : new()
{
    /// <summary>Adds to the values of the entry of a time.</summary>
    void Increment(DateTime timestamp, TValues entry);

    /// <summary>Adds to the values of the entry of the time at which the server writes it.</summary>
    void Increment(TValues entry);
}
