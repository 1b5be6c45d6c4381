namespace Raven.Client.Documents.Indexes;

/// <summary>How shapes are kept in an index.</summary>
public enum SpatialSearchStrategy
{
    /// <summary>As they are, found by cells.</summary>
    GeohashPrefixTree,

    /// <summary>The same.</summary>
    QuadPrefixTree,

    /// <summary>As the box around each.</summary>
    BoundingBox,
}
