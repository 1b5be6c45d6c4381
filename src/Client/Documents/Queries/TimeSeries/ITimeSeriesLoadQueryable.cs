using System.Linq.Expressions;
using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>A query of a time series that has loaded the documents that the tags name.</summary>
public interface ITimeSeriesLoadQueryable<TEntity> : ITimeSeriesQueryable
{
    /// <summary>Only entries that meet a condition on themselves and on the document that their tag names.</summary>
    ITimeSeriesQueryable Where(Expression<Func<TimeSeriesEntry, TEntity, bool>> predicate);
}
