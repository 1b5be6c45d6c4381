using System.Linq.Expressions;

namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>Groups of a time series, for the lambdas of queries.</summary>
public interface ITimeSeriesAggregationQueryable
{
    /// <summary>Works out values of each group; without it, all that need no argument.</summary>
    ITimeSeriesAggregationQueryable Select(Expression<Func<ITimeSeriesGrouping, object>> selector);

    /// <summary>Multiplies all values.</summary>
    ITimeSeriesAggregationQueryable Scale(double value);

    /// <summary>Adds a span to all times of the result, such as that of a zone.</summary>
    ITimeSeriesAggregationQueryable Offset(TimeSpan offset);

    /// <summary>The groups.</summary>
    TimeSeriesAggregationResult ToList();
}
