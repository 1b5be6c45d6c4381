using System.Linq.Expressions;
using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>A query of a time series whose values are objects, for the lambdas of queries.</summary>
public interface ITimeSeriesQueryable<T> where T : new()
{
    /// <summary>Only entries that meet a condition.</summary>
    ITimeSeriesQueryable<T> Where(Expression<Func<TimeSeriesEntry<T>, bool>> predicate);

    /// <summary>Only so much time from the first entry on.</summary>
    ITimeSeriesQueryable<T> FromFirst(Action<ITimePeriodBuilder> timePeriod);

    /// <summary>Only so much time before the last entry.</summary>
    ITimeSeriesQueryable<T> FromLast(Action<ITimePeriodBuilder> timePeriod);

    /// <summary>Loads the documents that the tags name, for conditions.</summary>
    ITimeSeriesLoadQueryable<T, TEntity> LoadByTag<TEntity>();

    /// <summary>Groups entries by frames of the clock, such as <c>1 hour</c>.</summary>
    ITimeSeriesAggregationQueryable<T> GroupBy(string timePeriod);

    /// <summary>Groups entries by frames of the clock.</summary>
    ITimeSeriesAggregationQueryable<T> GroupBy(Action<ITimePeriodBuilder> timePeriod);

    /// <summary>Works out values of all entries, as one group.</summary>
    ITimeSeriesAggregationQueryable<T> Select(Expression<Func<ITimeSeriesGrouping<T>, object>> selector);

    /// <summary>Multiplies all values.</summary>
    ITimeSeriesQueryable<T> Scale(double value);

    /// <summary>Adds a span to all times of the result, such as that of a zone.</summary>
    ITimeSeriesQueryable<T> Offset(TimeSpan offset);

    /// <summary>The entries.</summary>
    TimeSeriesRawResult<T> ToList();
}
