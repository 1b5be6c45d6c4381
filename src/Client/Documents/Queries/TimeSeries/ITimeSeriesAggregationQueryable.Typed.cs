using System.Linq.Expressions;

namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>Groups of a time series whose values are objects, for the lambdas of queries.</summary>
public interface ITimeSeriesAggregationQueryable<T> where T : new()
{
    /// <summary>Works out values of each group; without it, all that need no argument.</summary>
    ITimeSeriesAggregationQueryable<T> Select(Expression<Func<ITimeSeriesGrouping<T>, object>> selector);

    /// <summary>Multiplies all values.</summary>
    ITimeSeriesAggregationQueryable<T> Scale(double value);

    /// <summary>Adds a span to all times of the result, such as that of a zone.</summary>
    ITimeSeriesAggregationQueryable<T> Offset(TimeSpan offset);

    /// <summary>The groups.</summary>
    TimeSeriesAggregationResult<T> ToList();
}
