namespace Raven.Documents.Queries;

/// <summary>What a query includes.</summary>
public enum QueryIncludeKind
{
    /// <summary>Documents whose ids are at a path in the results.</summary>
    Documents,

    /// <summary>Counters of the results, or of documents at a path in them.</summary>
    Counters,

    /// <summary>Compare-exchange values whose keys are at a path in the results, or are given.</summary>
    CompareExchange,

    /// <summary>Revisions of the results: of a time, of a change vector, or of those at a path in them.</summary>
    Revisions,
}
