using System.Linq.Expressions;
using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>A query of a time series, for the lambdas of queries.</summary>
public interface ITimeSeriesQueryable
{
    /// <summary>Only entries that meet a condition.</summary>
    ITimeSeriesQueryable Where(Expression<Func<TimeSeriesEntry, bool>> predicate);

    /// <summary>Only so much time from the first entry on.</summary>
    ITimeSeriesQueryable FromFirst(Action<ITimePeriodBuilder> timePeriod);

    /// <summary>Only so much time before the last entry.</summary>
    ITimeSeriesQueryable FromLast(Action<ITimePeriodBuilder> timePeriod);

    /// <summary>Loads the documents that the tags name, for conditions.</summary>
    ITimeSeriesLoadQueryable<TEntity> LoadByTag<TEntity>();

    /// <summary>Groups entries by frames of the clock, such as <c>1 hour</c>.</summary>
    ITimeSeriesAggregationQueryable GroupBy(string timePeriod);

    /// <summary>Groups entries by frames of the clock.</summary>
    ITimeSeriesAggregationQueryable GroupBy(Action<ITimePeriodBuilder> timePeriod);

    /// <summary>Works out values of all entries, as one group.</summary>
    ITimeSeriesAggregationQueryable Select(Expression<Func<ITimeSeriesGrouping, object>> selector);

    /// <summary>Multiplies all values.</summary>
    ITimeSeriesQueryable Scale(double value);

    /// <summary>Adds a span to all times of the result, such as that of a zone.</summary>
    ITimeSeriesQueryable Offset(TimeSpan offset);

    /// <summary>The entries.</summary>
    TimeSeriesRawResult ToList();
}
