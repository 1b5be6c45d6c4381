using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Queries.Rql;
using Raven.Search.Queries;
using Raven.Search.Spatial;

namespace Raven.Documents.Queries;

/// <summary>Parses <c>spatial.*</c> of a query: conditions, shapes, and the order by distance.</summary>
/// <param name="text">The query, for errors.</param>
/// <param name="evaluate">Gives the values of literals and parameters.</param>
internal sealed class RqlSpatial(string text, Func<RqlExpression, object?> evaluate)
{
    private readonly string _text = text;
    private readonly Func<RqlExpression, object?> _evaluate = evaluate;

    /// <summary>The relation of a function that is a spatial condition; null for others.</summary>
    internal static SpatialRelation? RelationOf(RqlCall call) => call.Name.ToLowerInvariant() switch
    {
        "spatial.within" => SpatialRelation.Within,
        "spatial.contains" => SpatialRelation.Contains,
        "spatial.disjoint" => SpatialRelation.Disjoint,
        "spatial.intersects" => SpatialRelation.Intersects,
        _ => null,
    };

    /// <summary>The paths of a field <c>spatial.point(latitude, longitude)</c> or <c>spatial.wkt(text)</c>; null if it
    /// is no such field.</summary>
    internal static AutoSpatial? PlaceOf(RqlExpression expression, RqlQuery rql)
    {
        if (expression is not RqlCall call)
        {
            return null;
        }

        string?[] paths = [.. call.Arguments.Select(argument =>
            argument is RqlField ? IndexFieldNames.PathOf(argument, rql) : null)];
        return (call.Name.ToLowerInvariant(), paths) switch
        {
            ("spatial.point", [{ } latitude, { } longitude]) => new AutoSpatial(latitude, longitude),
            ("spatial.wkt", [{ } text]) => new AutoSpatial(text, null),
            _ => null,
        };
    }

    /// <summary>The filter of a condition, whose second argument is the shape.</summary>
    /// <param name="relation">The relation of entries to the shape.</param>
    /// <param name="condition">The condition.</param>
    /// <param name="unit">How many kilometers the unit of radii has if the query does not say.</param>
    /// <exception cref="RqlException">The shape is not valid.</exception>
    internal SpatialFilter Filter(SpatialRelation relation, RqlCall condition, double unit)
    {
        RqlCall shape = ShapeOf(condition);
        try
        {
            switch (shape.Name.ToLowerInvariant())
            {
                case "spatial.circle" when shape.Arguments.Count is 3 or 4:
                    return SpatialFilter.Circle(
                        relation, Number(shape, 1), Number(shape, 2), Number(shape, 0) * UnitOf(shape, 3, unit));
                case "spatial.wkt" when shape.Arguments.Count is 1 or 2:
                    return SpatialFilter.Shape(relation, Text(shape, 0), UnitOf(shape, 1, unit));
                case "spatial.point" when shape.Arguments.Count == 2:
                    return SpatialFilter.Circle(relation, Number(shape, 0), Number(shape, 1), 0);
                default:
                    throw NoShape(shape);
            }
        }
        catch (FormatException wrong)
        {
            throw new RqlException(_text, shape.Position, wrong.Message);
        }
    }

    /// <summary>The order by the distance from a point, or from the center of a circle.</summary>
    /// <exception cref="RqlException">The point of the distances is not valid.</exception>
    internal OrderKey Order(RqlCall distance, string field, double unit, bool isDescending, bool nullsLast)
    {
        RqlCall shape = ShapeOf(distance);
        (double latitude, double longitude) = CenterOf(shape);
        return new OrderKey(OrderKind.Distance, field, isDescending, nullsLast, 0)
        {
            Latitude = latitude,
            Longitude = longitude,
            DistanceStep = distance.Arguments.Count > 2 ? Step(distance.Arguments[2]) * unit : 0,
        };
    }

    /// <summary>The point that a condition measures from, for the distances of its results; null if its shape has
    /// no center.</summary>
    internal DistanceOrigin? TryMeasure(RqlCall condition, string field, double unit)
    {
        if (condition.Arguments.Count < 2 || condition.Arguments[1] is not RqlCall { Name: var name } shape
            || !(name.Equals("spatial.circle", StringComparison.OrdinalIgnoreCase)
                || name.Equals("spatial.point", StringComparison.OrdinalIgnoreCase)
                || name.Equals("spatial.wkt", StringComparison.OrdinalIgnoreCase))
            || shape.Arguments.Count == 0)
        {
            return null;
        }

        (double latitude, double longitude) = CenterOf(shape);
        return new DistanceOrigin(field, latitude, longitude, unit);
    }

    /// <summary>The step that distances are rounded to; null is no rounding.</summary>
    private double Step(RqlExpression argument) => _evaluate(argument) switch
    {
        null => 0,
        long integer => integer,
        double number => number,
        _ => throw new RqlException(_text, argument.Position, "expected a number"),
    };

    private (double Latitude, double Longitude) CenterOf(RqlCall shape)
    {
        switch (shape.Name.ToLowerInvariant())
        {
            case "spatial.point" when shape.Arguments.Count == 2:
                return (Number(shape, 0), Number(shape, 1));
            case "spatial.circle" when shape.Arguments.Count is 3 or 4:
                return (Number(shape, 1), Number(shape, 2));
            case "spatial.wkt" when shape.Arguments.Count is 1 or 2:
                try
                {
                    return SpatialFilter.CenterOf(Text(shape, 0));
                }
                catch (FormatException wrong)
                {
                    throw new RqlException(_text, shape.Position, wrong.Message);
                }

            default:
                throw new RqlException(
                    _text, shape.Position,
                    "expected spatial.point(latitude, longitude), spatial.circle(...) or spatial.wkt(text) to measure "
                    + "distances from");
        }
    }

    private RqlCall ShapeOf(RqlCall call) =>
        call.Arguments.Count is 2 or 3 && call.Arguments[1] is RqlCall shape
            ? shape
            : throw new RqlException(_text, call.Position, $"'{call.Name}' takes a field and a shape");

    private RqlException NoShape(RqlCall shape) => new(
        _text, shape.Position,
        "expected spatial.circle(radius, latitude, longitude), spatial.wkt(text) or "
        + "spatial.point(latitude, longitude)");

    private double UnitOf(RqlCall shape, int argument, double otherwise)
    {
        if (shape.Arguments.Count <= argument)
        {
            return otherwise;
        }

        return Text(shape, argument).ToLowerInvariant() switch
        {
            "kilometers" => 1,
            "miles" => GeoDistance.KilometersPerMile,
            _ => throw new RqlException(
                _text, shape.Arguments[argument].Position, "expected 'Kilometers' or 'Miles'"),
        };
    }

    private double Number(RqlCall call, int argument) => _evaluate(call.Arguments[argument]) switch
    {
        long integer => integer,
        double number => number,
        _ => throw new RqlException(_text, call.Arguments[argument].Position, "expected a number"),
    };

    private string Text(RqlCall call, int argument) => _evaluate(call.Arguments[argument]) as string
        ?? throw new RqlException(_text, call.Arguments[argument].Position, "expected a text");
}
