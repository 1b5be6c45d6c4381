namespace Raven.Client.Documents.Queries.Spatial;

/// <summary>The relation of a document's shape to a given one.</summary>
public enum SpatialRelation
{
    /// <summary>Inside of it.</summary>
    Within,

    /// <summary>Around it.</summary>
    Contains,

    /// <summary>They have no point in common.</summary>
    Disjoint,

    /// <summary>They have a point in common.</summary>
    Intersects,
}

/// <summary>The unit of distances.</summary>
public enum SpatialUnits
{
    /// <summary>Kilometers.</summary>
    Kilometers,

    /// <summary>Miles.</summary>
    Miles,
}
