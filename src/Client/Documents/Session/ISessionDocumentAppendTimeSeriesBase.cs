namespace Raven.Client.Documents.Session;

/// <summary>Writes entries of a time series with the next save.</summary>
public interface ISessionDocumentAppendTimeSeriesBase
{
    /// <summary>Writes an entry of several values, in place of one at the same time.</summary>
    /// <param name="timestamp">Its time, to the millisecond; one of no kind is taken as UTC.</param>
    /// <param name="values">Its values, 1 to 32.</param>
    /// <param name="tag">Where it comes from, often the id of a document.</param>
    void Append(DateTime timestamp, IEnumerable<double> values, string? tag = null);

    /// <summary>Writes an entry of one value, in place of one at the same time.</summary>
    void Append(DateTime timestamp, double value, string? tag = null);
}
