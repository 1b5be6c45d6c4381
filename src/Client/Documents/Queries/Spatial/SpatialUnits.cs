namespace Raven.Client.Documents.Queries.Spatial;

/// <summary>In what distances are measured.</summary>
public enum SpatialUnits
{
    /// <summary>Kilometers.</summary>
    Kilometers,

    /// <summary>Miles.</summary>
    Miles,
}
