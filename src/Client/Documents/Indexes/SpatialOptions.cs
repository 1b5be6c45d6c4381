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
