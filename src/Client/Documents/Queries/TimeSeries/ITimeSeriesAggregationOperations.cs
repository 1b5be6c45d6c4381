using System.Linq.Expressions;

namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>Says how entries are grouped beside their times.</summary>
public interface ITimeSeriesAggregationOperations
{
    /// <summary>In each stretch of time one group of each tag.</summary>
    void ByTag();

    /// <summary>In each stretch of time one group of each value of a field of the documents that tags name.</summary>
    void ByTag<TEntity>(Expression<Func<TEntity, object?>> selector);

    /// <summary>Fills stretches of time without entries.</summary>
    void WithOptions(TimeSeriesAggregationOptions options);
}
