namespace Raven.Client.Documents.Session;

/// <summary>Adds to values of an incremental time series with the next save.</summary>
public interface ISessionDocumentIncrementTimeSeriesBase
{
    /// <summary>Adds to the values of the entry of a time.</summary>
    void Increment(DateTime timestamp, IEnumerable<double> values);

    /// <summary>Adds to the values of the entry of the time at which the server writes it.</summary>
    void Increment(IEnumerable<double> values);

    /// <summary>Adds to the one value of the entry of a time.</summary>
    void Increment(DateTime timestamp, double value);

    /// <summary>Adds to the one value of the entry of the time at which the server writes it.</summary>
    void Increment(double value);
}
