namespace Raven.Client.Documents.Indexes;

/// <summary>What the two numbers of a place are.</summary>
public enum SpatialFieldType
{
    /// <summary>Longitude and latitude.</summary>
    Geography,

    /// <summary>Those of a plane, which this server refuses.</summary>
    Cartesian,
}
