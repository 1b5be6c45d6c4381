namespace Raven.Search.Spatial;

/// <summary>The relation of an entry's shape to that of a query.</summary>
public enum SpatialRelation
{
    /// <summary>The shapes have a point in common.</summary>
    Intersects,

    /// <summary>The shape of the entry is within that of the query.</summary>
    Within,

    /// <summary>The shape of the query is within that of the entry.</summary>
    Contains,

    /// <summary>The shapes have no point in common.</summary>
    Disjoint,
}
