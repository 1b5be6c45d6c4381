using Raven.Client.Documents.Queries.Spatial;

namespace Raven.Client.Documents.Indexes;

/// <summary>How a spatial field is kept.</summary>
public sealed class SpatialOptions
{
    /// <summary>The units that users of the field mean.</summary>
    public SpatialUnits Units { get; set; }
}
