namespace Raven.Documents.Queries.Results;

/// <summary>Takes what the scripts of a query include in its answer.</summary>
public interface IScriptIncludes
{
    /// <summary>A document is to be sent along.</summary>
    void AddDocument(string id);

    /// <summary>A compare-exchange value is to be sent along.</summary>
    void AddCompareExchange(string key);
}
