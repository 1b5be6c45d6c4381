using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Session;

/// <summary>Writes entries of a time series, whose values are objects, with the next save.</summary>
public interface ISessionDocumentTypedAppendTimeSeriesBase<TValues> where TValues : new()
{
    /// <summary>Writes an entry, in place of one at the same time.</summary>
    /// <param name="timestamp">Its time, to the millisecond; one of no kind is taken as UTC.</param>
    /// <param name="entry">Its values; NaN at the end for those that it does not have.</param>
    /// <param name="tag">Where it comes from, often the id of a document.</param>
    void Append(DateTime timestamp, TValues entry, string? tag = null);

    /// <summary>Writes an entry, in place of one at the same time.</summary>
    void Append(TimeSeriesEntry<TValues> entry);
}
