using System.Runtime.CompilerServices;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Queries.Rql;

namespace Raven.Documents.Queries;

/// <summary>Collects the fields that an index must have to answer a query.</summary>
internal sealed class QueryFields
{
    private static readonly string[] SearchCalls = ["search", "lucene"];
    private static readonly string[] FieldCalls = ["startswith", "endswith", "exists", "regex"];

    private static readonly ConditionalWeakTable<RqlQuery, IReadOnlyList<AutoField>> Known = [];

    private readonly SortedDictionary<string, AutoField> _fields = new(StringComparer.Ordinal);
    private readonly RqlQuery _rql;
    private readonly string _text;
    private bool _isExact;

    private QueryFields(RqlQuery rql, string text)
    {
        _rql = rql;
        _text = text;
    }

    /// <summary>The fields of a query, in the order of their paths; computed once.</summary>
    /// <param name="rql">The query.</param>
    /// <param name="text">The text of the query, for errors.</param>
    /// <exception cref="RqlException">It needs something that no index of a query has.</exception>
    internal static IReadOnlyList<AutoField> Of(RqlQuery rql, string text)
    {
        if (!Known.TryGetValue(rql, out IReadOnlyList<AutoField>? fields))
        {
            fields = Find(rql, text);
            Known.AddOrUpdate(rql, fields);
        }

        return fields;
    }

    private static List<AutoField> Find(RqlQuery rql, string text)
    {
        var fields = new QueryFields(rql, text);
        fields.AddGroups();
        if (rql.Where is { } where)
        {
            fields.AddCondition(where);
        }

        foreach (RqlOrder order in rql.OrderBy)
        {
            fields.AddOrder(order.Expression);
        }

        foreach (RqlNamed item in rql.Select)
        {
            fields.AddSelected(item.Expression);
        }

        foreach (RqlExpression include in rql.Include)
        {
            if (include is RqlCall { Name: "highlight", Arguments: [var highlighted, ..] })
            {
                fields.Add(highlighted, isSearch: true);
            }
        }

        return [.. fields._fields.Values];
    }

    private void AddGroups()
    {
        foreach (RqlExpression key in _rql.GroupBy)
        {
            RqlExpression field = key is RqlCall { Arguments: [var inner] } ? inner : key;
            string path = IndexFieldNames.PathOf(field, _rql) ?? "";
            _fields[path] = new AutoField(path, false, false)
            {
                Aggregate = AggregateKind.Key,
                IsWhole = key is RqlCall,
            };
        }

        if (_rql.GroupBy.Count > 0)
        {
            _fields["Count"] = new AutoField("", false, false) { Aggregate = AggregateKind.Count };
        }
    }

    private void AddCondition(RqlExpression expression)
    {
        switch (expression)
        {
            case RqlLogical logical:
                AddCondition(logical.Left);
                AddCondition(logical.Right);
                break;
            case RqlNot not:
                AddCondition(not.Inner);
                break;
            case RqlComparison comparison:
                Add(comparison.Left, isSearch: false);
                break;
            case RqlBetween between:
                Add(between.Field, isSearch: false);
                break;
            case RqlIn list:
                Add(list.Field, isSearch: false);
                break;
            case RqlCall call:
                AddCall(call);
                break;
        }
    }

    private void AddCall(RqlCall call)
    {
        string name = call.Name.ToLowerInvariant();
        if (RqlSpatial.RelationOf(call) is not null)
        {
            AddPlace(call);
        }
        else if (RqlVectors.IsOne(call))
        {
            AddVector(call);
        }
        else if (name == "morelikethis")
        {
            throw Error(
                call, "moreLikeThis() compares the words of an index that a user defined: from index 'Name' where ...");
        }
        else if (SearchCalls.Contains(name) || FieldCalls.Contains(name))
        {
            if (call.Arguments.Count > 0)
            {
                // An exact lucene() compares exact values: it needs no words.
                Add(call.Arguments[0], SearchCalls.Contains(name) && !(_isExact && name == "lucene"));
            }
        }
        else if (name == "when")
        {
            AddConditions(call.Arguments.Skip(1));
        }
        else if (name is "boost" or "fuzzy" or "proximity")
        {
            AddConditions(call.Arguments.Take(1));
        }
        else if (name == "exact")
        {
            _isExact = true;
            AddConditions(call.Arguments);
            _isExact = false;
        }
        else if (name is "intersect" or "fuse")
        {
            AddConditions(call.Arguments);
        }
    }

    private void AddConditions(IEnumerable<RqlExpression> conditions)
    {
        foreach (RqlExpression condition in conditions)
        {
            AddCondition(condition);
        }
    }

    private void AddOrder(RqlExpression key)
    {
        if (key is RqlField || IndexFieldNames.IsAggregate(key))
        {
            Add(key, isSearch: false);
        }
        else if (key is RqlCall call && call.Name.Equals("spatial.distance", StringComparison.OrdinalIgnoreCase))
        {
            AddPlace(call);
        }
        else if (key is RqlCall { Arguments: [var sorted, _] } custom
            && custom.Name.Equals("custom", StringComparison.OrdinalIgnoreCase))
        {
            Add(sorted, isSearch: false);
        }
    }

    private void AddPlace(RqlCall call)
    {
        if (call.Arguments.Count == 0 || RqlSpatial.PlaceOf(call.Arguments[0], _rql) is not { } place)
        {
            return;
        }

        if (_rql.GroupBy.Count > 0)
        {
            throw Error(
                call, $"'{place.Name}': a query that groups has no places.");
        }

        _fields[place.Name] = new AutoField(place.Name, false, false) { Spatial = place };
    }

    private void AddVector(RqlCall call)
    {
        if (call.Arguments.Count == 0 || RqlVectors.VectorOf(call.Arguments[0], _rql) is not { } vector)
        {
            return;
        }

        if (_rql.GroupBy.Count > 0)
        {
            throw Error(
                call, $"'{vector.Path}': a query that groups has no vectors.");
        }

        _fields[vector.Name] = new AutoField(vector.Name, false, false) { Vector = vector };
    }

    private void AddSelected(RqlExpression item)
    {
        if (item is not RqlCall call)
        {
            return;
        }

        switch (call.Name.ToLowerInvariant())
        {
            case "sum" when _rql.GroupBy.Count > 0:
                Add(call, isSearch: false);
                break;
            case "suggest" when call.Arguments.Count > 0:
                Add(call.Arguments[0], isSearch: false);
                break;
            case "facet":
                foreach (RqlExpression argument in call.Arguments)
                {
                    AddFacet(argument);
                }

                break;
        }
    }

    private void AddFacet(RqlExpression argument)
    {
        switch (argument)
        {
            case RqlField:
                Add(argument, isSearch: false);
                break;
            case RqlCall { Arguments: [RqlField aggregated] }:
                Add(aggregated, isSearch: false);
                break;
            case RqlAliased aliased:
                AddFacet(aliased.Inner);
                break;
            default:
                AddCondition(argument);
                break;
        }
    }

    private void Add(RqlExpression expression, bool isSearch)
    {
        string? path = IndexFieldNames.PathOf(expression, _rql);
        if (path is null or IndexFieldNames.Id)
        {
            return;
        }

        bool isGrouped = _rql.GroupBy.Count > 0;
        if (isGrouped && path == "Count")
        {
            return;
        }

        if (isGrouped && (isSearch || _isExact))
        {
            throw Error(
                expression, $"'{path}': a query that groups compares keys and sums, no words and no exact values.");
        }

        if (expression is RqlCall && _fields.GetValueOrDefault(path) is { Aggregate: AggregateKind.Key })
        {
            throw Error(
                expression, $"'{path}' is grouped by: it cannot be summed up as well.");
        }

        AutoField field = _fields.TryGetValue(path, out AutoField? there)
            ? there
            : new AutoField(path, false, false)
            {
                Aggregate = isGrouped ? AggregateKind.Sum : AggregateKind.None,
            };
        _fields[path] = field with
        {
            HasExact = field.HasExact || (_isExact && !isSearch),
            HasSearch = field.HasSearch || isSearch,
        };
    }

    private RqlException Error(RqlExpression place, string problem) => new(_text, place.Position, problem);
}
