using Raven.Client.Documents.Queries.Spatial;

namespace Raven.Client.Documents.Indexes;

/// <summary>How a spatial field is indexed.</summary>
public sealed class SpatialOptions
{
    /// <summary>The coordinate system of the field.</summary>
    public SpatialFieldType Type { get; set; }

    /// <summary>How shapes are indexed.</summary>
    public SpatialSearchStrategy Strategy { get; set; }

    /// <summary>The units of the field's distances.</summary>
    public SpatialUnits Units { get; set; }
}

/// <summary>The coordinate system of the field.</summary>
public enum SpatialFieldType
{
    /// <summary>Longitude and latitude.</summary>
    Geography,

    /// <summary>Coordinates of a plane. This server refuses them.</summary>
    Cartesian,
}

/// <summary>How shapes are indexed.</summary>
public enum SpatialSearchStrategy
{
    /// <summary>The exact shapes, found by cells.</summary>
    GeohashPrefixTree,

    /// <summary>The same as <see cref="GeohashPrefixTree"/>.</summary>
    QuadPrefixTree,

    /// <summary>The bounding box of each shape.</summary>
    BoundingBox,
}
