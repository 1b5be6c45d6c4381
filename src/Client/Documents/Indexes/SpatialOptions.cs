using Raven.Client.Documents.Queries.Spatial;

namespace Raven.Client.Documents.Indexes;

/// <summary>How a spatial field is kept.</summary>
public sealed class SpatialOptions
{
    /// <summary>What the two numbers of a place are.</summary>
    public SpatialFieldType Type { get; set; }

    /// <summary>How shapes are kept.</summary>
    public SpatialSearchStrategy Strategy { get; set; }

    /// <summary>The units of the field's distances.</summary>
    public SpatialUnits Units { get; set; }
}

/// <summary>What the two numbers of a place are.</summary>
public enum SpatialFieldType
{
    /// <summary>Longitude and latitude.</summary>
    Geography,

    /// <summary>Those of a plane, which this server refuses.</summary>
    Cartesian,
}

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
