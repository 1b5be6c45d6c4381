namespace Raven.Client.Documents.Queries.Spatial;

/// <summary>The relation of a document's shape to a given one.</summary>
public enum SpatialRelation
{
    /// <summary>The shape is inside of the given one.</summary>
    Within,

    /// <summary>The shape contains the given one.</summary>
    Contains,

    /// <summary>The shapes have no point in common.</summary>
    Disjoint,

    /// <summary>The shapes have a point in common.</summary>
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
