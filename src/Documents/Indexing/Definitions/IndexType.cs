namespace Raven.Documents.Indexing.Definitions;

/// <summary>The kinds of indexes. Clients read these names.</summary>
public enum IndexType
{
    /// <summary>Not set.</summary>
    None,

    /// <summary>An automatic index.</summary>
    AutoMap,

    /// <summary>An automatic index of a query that groups.</summary>
    AutoMapReduce,

    /// <summary>Maps in C#.</summary>
    Map,

    /// <summary>Maps and a reduce in C#.</summary>
    MapReduce,

    /// <summary>An index that could not be opened.</summary>
    Faulty,

    /// <summary>Maps in JavaScript.</summary>
    JavaScriptMap,

    /// <summary>Maps and a reduce in JavaScript.</summary>
    JavaScriptMapReduce,
}
