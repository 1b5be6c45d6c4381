using System.Globalization;
using System.Text;
using Raven.Documents.Queries.Rql;
using Raven.Search.Queries;

namespace Raven.Documents.Queries;

/// <summary>Translates <c>order by</c> of a query to the keys of the search engine.</summary>
/// <param name="text">The text of the query, for errors.</param>
/// <param name="rql">The same, parsed.</param>
/// <param name="translator">Gives fields and values.</param>
/// <param name="names">The names of the fields in the index.</param>
/// <param name="spatial">Parses <c>spatial.distance</c>.</param>
internal sealed class RqlOrdering(
    string text, RqlQuery rql, RqlTranslator translator, IndexFieldNames names, RqlSpatial spatial)
{
    private readonly string _text = text;
    private readonly RqlQuery _rql = rql;
    private readonly RqlTranslator _translator = translator;
    private readonly IndexFieldNames _names = names;
    private readonly RqlSpatial _spatial = spatial;

    /// <summary>The point that the first order by distance measures from; null without one.</summary>
    internal DistanceOrigin? Measured { get; private set; }

    /// <summary>Adds the keys.</summary>
    /// <exception cref="RqlException">One of them is not valid, or has no order.</exception>
    internal void AddTo(SearchRequest request)
    {
        if (_rql.OrderBy.Count > SearchRequest.OrdersMax)
        {
            throw Error(
                _rql.OrderBy[SearchRequest.OrdersMax].Expression,
                $"expected at most {SearchRequest.OrdersMax} fields to order by");
        }

        foreach (RqlOrder order in _rql.OrderBy)
        {
            request.Orders.Add(Order(order));
        }
    }

    private OrderKey Order(RqlOrder order)
    {
        bool nullsLast = order.NullsLast ?? order.IsDescending;
        switch (order.Expression)
        {
            case RqlField field:
                return FieldOrder(order, FieldOf(field), nullsLast);
            case RqlCall call when IndexFieldNames.PathOf(call, _rql) is not null:
                return FieldOrder(order, FieldOf(call), nullsLast);
            case RqlCall call when Is(call, "spatial.distance"):
                _translator.Expect(call, 2, 3);

                // Entries without a point are last in either direction.
                double unit = _translator.KilometersPerUnitOf(call.Arguments[0]);
                OrderKey key = _spatial.Order(
                    call, _translator.PlaceName(call.Arguments[0]), unit, order.IsDescending, order.NullsLast ?? true);
                Measured ??= new DistanceOrigin(key.Field, key.Latitude, key.Longitude, unit);
                return key;
            case RqlCall call when Is(call, "custom"):
                return CustomOrder(call, order.IsDescending, nullsLast);
            case RqlCall call when Is(call, "score"):
                _translator.Expect(call, 0, 0);
                return new OrderKey(OrderKind.Score, "", !order.IsDescending, nullsLast, 0);
            case RqlCall call when Is(call, "random"):
                _translator.Expect(call, 0, 1);
                int seed = call.Arguments.Count == 0 ? _translator.Functions?.Chance ?? 0
                    : Convert.ToString(_translator.Evaluate(call.Arguments[0]), CultureInfo.InvariantCulture)
                        is { } given ? HashOf(given) : 0;
                return new OrderKey(OrderKind.Random, "", false, false, seed);
            default:
                throw Error(
                    order.Expression,
                    "expected a field, score() or random(), custom() or spatial.distance() to order by");
        }
    }

    private OrderKey CustomOrder(RqlCall call, bool isDescending, bool nullsLast)
    {
        _translator.Expect(call, 2, 2);
        string name = _translator.Evaluate(call.Arguments[1]) as string
            ?? throw Error(call.Arguments[1], "expected a text");
        return new OrderKey(OrderKind.Custom, FieldOf(call.Arguments[0]), isDescending, nullsLast, 0)
        {
            Comparator = _translator.Sorters(name) ?? throw new RefusedException(
                RefusalReason.SorterMissing,
                Error(call.Arguments[1], $"There is no sorter with '{name}' name").Message),
        };
    }

    private string FieldOf(RqlExpression expression) =>
        IndexFieldNames.PathOf(expression, _rql) is { } path && _names.WhyUnordered(path) is { } problem
            ? throw Error(expression, problem)
            : _translator.FieldOf(expression);

    private static OrderKey FieldOrder(RqlOrder order, string name, bool nullsLast)
    {
        OrderKind kind = order.Type switch
        {
            "long" or "double" => OrderKind.Number,
            "alphanumeric" => OrderKind.AlphaNumeric,
            "string" => OrderKind.Text,
            _ => OrderKind.Value,
        };
        return new OrderKey(kind, name, order.IsDescending, nullsLast, 0);
    }

    /// <summary>FNV-1a: the same on every machine, unlike the hash of the runtime.</summary>
    private static int HashOf(string given)
    {
        uint hash = 2166136261;
        foreach (byte one in Encoding.UTF8.GetBytes(given))
        {
            hash = (hash ^ one) * 16777619;
        }

        return (int)hash;
    }

    private static bool Is(RqlCall call, string name) => call.Name.Equals(name, StringComparison.OrdinalIgnoreCase);

    private RqlException Error(RqlExpression place, string problem) => new(_text, place.Position, problem);
}
