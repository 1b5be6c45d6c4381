namespace Raven.Client.Documents.Queries.Spatial;

/// <summary>A spatial condition on documents; made by <see cref="SpatialCriteriaFactory"/>.</summary>
public sealed class SpatialCriteria
{
    private readonly SpatialRelation _relation;
    private readonly Func<RqlBuilder, string> _shape;

    internal SpatialCriteria(SpatialRelation relation, Func<RqlBuilder, string> shape)
    {
        _relation = relation;
        _shape = shape;
    }

    internal string ToCondition(RqlBuilder rql, string field) =>
        $"spatial.{_relation.ToString().ToLowerInvariant()}({field}, {_shape(rql)})";
}
