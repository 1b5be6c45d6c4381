namespace Raven.Search;

/// <summary>Which engine keeps an index and searches it.</summary>
public enum SearchEngineType
{
    /// <summary>Our own, by the name that clients send for the engine that is not Lucene. The default.</summary>
    Corax,

    /// <summary>Lucene.Net.</summary>
    Lucene,
}
