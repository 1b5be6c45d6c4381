namespace Raven.Client.Documents.Session;

/// <summary>Deletes entries of a time series with the next save.</summary>
public interface ISessionDocumentDeleteTimeSeriesBase
{
    /// <summary>Deletes a range, both ends of which belong to it; null for an open end.</summary>
    void Delete(DateTime? from = null, DateTime? to = null);

    /// <summary>Deletes the entry of a time.</summary>
    void Delete(DateTime at);
}
