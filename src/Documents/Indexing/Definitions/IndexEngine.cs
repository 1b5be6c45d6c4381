namespace Raven.Documents.Indexing.Definitions;

/// <summary>Which engine keeps the entries of an index, by the names that clients have for them.</summary>
public enum IndexEngine
{
    /// <summary>Our own: clients call so the engine that is not Lucene. The default.</summary>
    Corax,

    /// <summary>Lucene.Net.</summary>
    Lucene,
}
