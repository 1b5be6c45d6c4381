namespace Raven.Documents.Indexing.Definitions;

/// <summary>The kinds of indexes. The names are what clients read.</summary>
public enum IndexType
{
    /// <summary>Not set.</summary>
    None,

    /// <summary>Made by a query.</summary>
    AutoMap,

    /// <summary>Made by a query that groups.</summary>
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
