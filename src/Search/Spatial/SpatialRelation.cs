namespace Raven.Search.Spatial;

/// <summary>The relation of an entry's shape to that of a query.</summary>
public enum SpatialRelation
{
    /// <summary>They have a point in common.</summary>
    Intersects,

    /// <summary>The entry's lies in the query's.</summary>
    Within,

    /// <summary>The query's lies in the entry's.</summary>
    Contains,

    /// <summary>They have no point in common.</summary>
    Disjoint,
}
