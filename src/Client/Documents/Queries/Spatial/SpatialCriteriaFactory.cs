namespace Raven.Client.Documents.Queries.Spatial;

/// <summary>
/// Makes spatial conditions on documents. Latitude first, in degrees; well-known text has the longitude first.
/// </summary>
public sealed class SpatialCriteriaFactory
{
    internal static readonly SpatialCriteriaFactory Instance = new();

    private SpatialCriteriaFactory()
    {
    }

    /// <summary>Within a distance of a point.</summary>
    public SpatialCriteria WithinRadius(
        double radius, double latitude, double longitude, SpatialUnits units = SpatialUnits.Kilometers) =>
        new(SpatialRelation.Within, rql =>
        {
            string circle = string.Join(
                ", ", rql.Parameter(radius), rql.Parameter(latitude), rql.Parameter(longitude));
            return units == SpatialUnits.Kilometers
                ? $"spatial.circle({circle})"
                : $"spatial.circle({circle}, '{units.ToString().ToLowerInvariant()}')";
        });

    /// <summary>Inside of a shape.</summary>
    /// <param name="shapeWkt">Well-known text.</param>
    public SpatialCriteria Within(string shapeWkt) => RelatesToShape(shapeWkt, SpatialRelation.Within);

    /// <summary>Around a shape.</summary>
    /// <param name="shapeWkt">Well-known text.</param>
    public SpatialCriteria Contains(string shapeWkt) => RelatesToShape(shapeWkt, SpatialRelation.Contains);

    /// <summary>Without a point in common with a shape.</summary>
    /// <param name="shapeWkt">Well-known text.</param>
    public SpatialCriteria Disjoint(string shapeWkt) => RelatesToShape(shapeWkt, SpatialRelation.Disjoint);

    /// <summary>With a point in common with a shape.</summary>
    /// <param name="shapeWkt">Well-known text.</param>
    public SpatialCriteria Intersects(string shapeWkt) => RelatesToShape(shapeWkt, SpatialRelation.Intersects);

    /// <summary>In a given relation to a shape.</summary>
    /// <param name="shapeWkt">Well-known text.</param>
    /// <param name="relation">The relation.</param>
    public SpatialCriteria RelatesToShape(string shapeWkt, SpatialRelation relation)
    {
        ArgumentException.ThrowIfNullOrEmpty(shapeWkt);
        return new(relation, rql => $"spatial.wkt({rql.Parameter(shapeWkt)})");
    }
}
