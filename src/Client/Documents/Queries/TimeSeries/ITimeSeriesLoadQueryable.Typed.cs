using System.Linq.Expressions;
using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>
/// A query of a time series whose values are objects, which has loaded the documents that the tags name.
/// </summary>
public interface ITimeSeriesLoadQueryable<T, TEntity> : ITimeSeriesQueryable<T> where T : new()
{
    /// <summary>Only entries that meet a condition on themselves and on the document that their tag names.</summary>
    ITimeSeriesQueryable<T> Where(Expression<Func<TimeSeriesEntry<T>, TEntity, bool>> predicate);
}
