namespace Raven.Search.Spatial;

/// <summary>How the shape of an entry lies to that of a query.</summary>
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
