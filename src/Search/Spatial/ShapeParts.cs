using NetTopologySuite.Geometries;
using NetTopologySuite.Geometries.Prepared;
using NetTopologySuite.Operation.Union;

namespace Raven.Search.Spatial;

/// <summary>
/// A shape as parts that the geometry library supports: it refuses a collection of shapes of several kinds. Such a
/// collection becomes one part of areas, one of lines, and one of points.
/// </summary>
internal sealed class ShapeParts
{
    /// <summary>How far from its place a point may be stored, half of a step and a little more, in degrees.</summary>
    private const double PointLatitude = 2.2e-8;
    private const double PointLongitude = 4.3e-8;

    private readonly IPreparedGeometry[] _parts;

    internal ShapeParts(Geometry shape) => _parts =
    [
        .. SimpleOf(shape).GroupBy(part => part.Dimension).Select(alike => PreparedGeometryFactory.Prepare(
            alike.Count() > 1 ? UnaryUnionOp.Union(alike) : alike.First())),
    ];

    /// <summary>Whether a point lies in it, or so near to it that its true place may lie in it.</summary>
    internal bool CoversPoint(double latitude, double longitude)
    {
        Point point = SpatialFilter.Factory.CreatePoint(new Coordinate(longitude, latitude));
        foreach (IPreparedGeometry part in _parts)
        {
            if (part.Covers(point))
            {
                return true;
            }
        }

        Geometry around = SpatialFilter.Factory.ToGeometry(new Envelope(
            longitude - PointLongitude, longitude + PointLongitude,
            latitude - PointLatitude, latitude + PointLatitude));
        foreach (IPreparedGeometry part in _parts)
        {
            if (part.Intersects(around))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether all of another shape lies in it: each of its parts in one of these.</summary>
    internal bool Covers(Geometry other) =>
        SimpleOf(other).All(one => Array.Exists(_parts, part => part.Covers(one)));

    /// <summary>Whether it has a point that another shape has, too.</summary>
    internal bool Intersects(Geometry other) =>
        SimpleOf(other).Any(one => Array.Exists(_parts, part => part.Intersects(one)));

    /// <summary>The shapes that a shape is made of, none of which is a collection of several kinds.</summary>
    private static IEnumerable<Geometry> SimpleOf(Geometry shape) =>
        shape.OgcGeometryType != OgcGeometryType.GeometryCollection
            ? [shape]
            : Enumerable.Range(0, shape.NumGeometries).SelectMany(i => SimpleOf(shape.GetGeometryN(i)));
}
