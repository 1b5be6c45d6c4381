namespace Raven.Client.Documents.Queries.Spatial;

/// <summary>The unit of distances.</summary>
public enum SpatialUnits
{
    /// <summary>Kilometers.</summary>
    Kilometers,

    /// <summary>Miles.</summary>
    Miles,
}
