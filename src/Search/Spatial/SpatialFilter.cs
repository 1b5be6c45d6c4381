using NetTopologySuite.Geometries;
using NetTopologySuite.IO;

namespace Raven.Search.Spatial;

/// <summary>
/// Selects shapes of a field by their relation to a circle on the earth, or to a shape in well-known text (longitude
/// before latitude, degrees). Distances are on the sphere; edges of shapes are straight in degrees.
/// </summary>
public sealed class SpatialFilter
{
    private const int CirclePoints = 128;

    /// <summary>
    /// How far from its place a point may be stored, half of a step's diagonal: it still counts as that place.
    /// </summary>
    private const double PointKilometers = 5.3e-6;

    private const double PointDegrees = 1e-7;

    /// <summary>The depth of nested collections: the reader of the text recurses into them.</summary>
    private const int DepthMax = 32;

    internal static readonly GeometryFactory Factory = new(new PrecisionModel(), 4326);

    private readonly bool _isCircle;
    private readonly double _latitude;
    private readonly double _longitude;
    private readonly double _kilometers;
    private readonly Geometry _shape;
    private readonly ShapeParts _parts;

    private SpatialFilter(SpatialRelation relation, Geometry shape, GeoBox box)
    {
        Relation = relation;
        _shape = shape;
        _parts = new ShapeParts(shape);
        Box = box;
    }

    private SpatialFilter(SpatialRelation relation, double latitude, double longitude, double kilometers)
        : this(
            relation, CircleShape(latitude, longitude, kilometers),
            GeoBox.OfCircle(latitude, longitude, kilometers + PointKilometers))
    {
        _isCircle = true;
        _latitude = latitude;
        _longitude = longitude;
        _kilometers = kilometers;
    }

    /// <summary>The required relation.</summary>
    public SpatialRelation Relation { get; }

    /// <summary>The box that all points of it lie in.</summary>
    internal GeoBox Box { get; }

    /// <summary>A circle.</summary>
    /// <param name="relation">The required relation.</param>
    /// <param name="latitude">The latitude of its center, degrees.</param>
    /// <param name="longitude">The longitude of its center, degrees.</param>
    /// <param name="kilometers">Its radius.</param>
    /// <exception cref="FormatException">It is no valid place.</exception>
    public static SpatialFilter Circle(
        SpatialRelation relation, double latitude, double longitude, double kilometers)
    {
        Check(latitude, longitude);
        return kilometers >= 0
            ? new SpatialFilter(relation, latitude, longitude, kilometers)
            : throw new FormatException($"A circle cannot have the radius {kilometers}.");
    }

    /// <summary>A shape in well-known text, or in one of the older forms.</summary>
    /// <param name="relation">The required relation.</param>
    /// <param name="wellKnownText">The text.</param>
    /// <param name="kilometersPerUnit">The unit of the radius of <c>CIRCLE(x y d=r)</c>.</param>
    /// <exception cref="FormatException">The text is no shape; the message has the cause.</exception>
    public static SpatialFilter Shape(SpatialRelation relation, string wellKnownText, double kilometersPerUnit = 1)
    {
        ArgumentNullException.ThrowIfNull(wellKnownText);
        if (LegacyShapeText.TryReadCircle(wellKnownText, out double latitude, out double longitude, out double radius))
        {
            return Circle(relation, latitude, longitude, radius * kilometersPerUnit);
        }

        Geometry shape = Parse(wellKnownText);
        if (shape is Point point)
        {
            return Circle(relation, point.Y, point.X, 0);
        }

        Envelope box = shape.EnvelopeInternal;
        return new SpatialFilter(relation, shape, new GeoBox(
            Math.Max(-90, box.MinY - PointDegrees), Math.Max(-180, box.MinX - PointDegrees),
            Math.Min(90, box.MaxY + PointDegrees), Math.Min(180, box.MaxX + PointDegrees)));
    }

    /// <summary>The middle of a shape in well-known text, degrees.</summary>
    /// <exception cref="FormatException">The text is no shape.</exception>
    public static (double Latitude, double Longitude) CenterOf(string wellKnownText)
    {
        ArgumentNullException.ThrowIfNull(wellKnownText);
        if (LegacyShapeText.TryReadCircle(wellKnownText, out double latitude, out double longitude, out _))
        {
            Check(latitude, longitude);
            return (latitude, longitude);
        }

        Point center = Parse(wellKnownText).Centroid;
        return (center.Y, center.X);
    }

    /// <summary>Refuses coordinates that are no valid place.</summary>
    internal static void Check(double latitude, double longitude)
    {
        if (!(Math.Abs(latitude) <= 90 && Math.Abs(longitude) <= 180))
        {
            throw new FormatException(
                $"Latitude {latitude}, longitude {longitude} is no place on earth: at most 90 and 180 degrees.");
        }
    }

    internal static Geometry Parse(string wellKnownText, double kilometersPerUnit = 1)
    {
        ArgumentNullException.ThrowIfNull(wellKnownText);
        CheckParentheses(wellKnownText);
        try
        {
            Geometry shape = Read(wellKnownText, kilometersPerUnit);
            while (shape is GeometryCollection { NumGeometries: 1 } one)
            {
                shape = one.GetGeometryN(0);
            }

            if (shape.IsEmpty || !shape.IsValid)
            {
                throw new FormatException("The shape is empty or cuts itself.");
            }

            Envelope box = shape.EnvelopeInternal;
            Check(box.MinY, box.MinX);
            Check(box.MaxY, box.MaxX);
            return shape;
        }
        catch (Exception wrong) when (wrong is ParseException or ArgumentException or InvalidOperationException)
        {
            throw new FormatException($"'{Shorten(wellKnownText)}' is no shape in well-known text: {wrong.Message}");
        }
    }

    private static Geometry Read(string text, double kilometersPerUnit)
    {
        if (LegacyShapeText.TryReadCircle(text, out double latitude, out double longitude, out double radius))
        {
            Check(latitude, longitude);
            return radius >= 0
                ? CircleShape(latitude, longitude, radius * kilometersPerUnit)
                : throw new FormatException($"A circle cannot have the radius {radius}.");
        }

        return LegacyShapeText.TryReadShape(text, out Geometry? shape)
            ? shape!
            : new WKTReader(new NetTopologySuite.NtsGeometryServices(new PrecisionModel(), 4326)).Read(text);
    }

    private static void CheckParentheses(string wellKnownText)
    {
        int depth = 0;
        bool isClosed = false;
        foreach (char one in wellKnownText)
        {
            if (isClosed && !char.IsWhiteSpace(one))
            {
                throw new FormatException(
                    $"'{Shorten(wellKnownText)}' is no shape: something stands behind what it closes.");
            }

            depth += one == '(' ? 1 : one == ')' ? -1 : 0;
            isClosed |= one == ')' && depth == 0;
            if (depth > DepthMax)
            {
                throw new FormatException(
                    $"'{Shorten(wellKnownText)}' is no shape: it has more than {DepthMax} parentheses in one another.");
            }
        }
    }

    /// <summary>Whether a point is selected.</summary>
    internal bool Matches(double latitude, double longitude) => Relation switch
    {
        SpatialRelation.Contains => _isCircle && _kilometers == 0 && Covers(latitude, longitude),
        SpatialRelation.Disjoint => !Covers(latitude, longitude),
        _ => Covers(latitude, longitude),
    };

    /// <summary>Whether the shape of a term is selected.</summary>
    internal bool Matches(ReadOnlySpan<byte> term, ShapeCode code)
    {
        if (!_shape.EnvelopeInternal.Intersects(ShapeCode.ReadBox(term)))
        {
            return Relation == SpatialRelation.Disjoint;
        }

        Geometry shape = code.Read(term);
        return Relation switch
        {
            SpatialRelation.Within => _parts.Covers(shape),
            SpatialRelation.Contains => new ShapeParts(shape).Covers(_shape),
            SpatialRelation.Disjoint => !_parts.Intersects(shape),
            _ => _parts.Intersects(shape),
        };
    }

    private bool Covers(double latitude, double longitude) => _isCircle
        ? GeoDistance.Kilometers(_latitude, _longitude, latitude, longitude) <= _kilometers + PointKilometers
        : _parts.CoversPoint(latitude, longitude);

    private static Geometry CircleShape(double latitude, double longitude, double kilometers)
    {
        if (kilometers == 0)
        {
            return Factory.CreatePoint(new Coordinate(longitude, latitude));
        }

        Coordinate[] ring = new Coordinate[CirclePoints + 1];
        for (int i = 0; i < CirclePoints; i++)
        {
            (double north, double east) = GeoDistance.Destination(
                latitude, longitude, kilometers, 2 * Math.PI * i / CirclePoints);
            ring[i] = new Coordinate(east, north);
        }

        ring[CirclePoints] = ring[0].Copy();
        return Factory.CreatePolygon(ring);
    }

    private static string Shorten(string text) => text.Length <= 60 ? text : text[..60] + "...";
}
