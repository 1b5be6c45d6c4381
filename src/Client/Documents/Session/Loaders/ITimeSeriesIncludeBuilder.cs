namespace Raven.Client.Documents.Session.Loaders;

/// <summary>Selects which documents are sent along with entries of a time series.</summary>
public interface ITimeSeriesIncludeBuilder
{
    /// <summary>Sends the documents that the tags name.</summary>
    ITimeSeriesIncludeBuilder IncludeTags();

    /// <summary>Sends the document that the series belongs to.</summary>
    ITimeSeriesIncludeBuilder IncludeDocument();
}
