using System.Linq.Expressions;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>See <see cref="ITimeSeriesQueryBuilder"/>.</summary>
internal sealed class TimeSeriesQueryBuilder(FieldTranslator fields) : ITimeSeriesQueryBuilder
{
    private SeriesQueryWriter? _written;
    private string? _raw;

    /// <summary>The query of the series.</summary>
    /// <exception cref="InvalidOperationException">Nothing was said.</exception>
    internal string Text => _raw ?? _written?.ToText()
        ?? throw new InvalidOperationException("It is not said which time series is selected.");

    public ITimeSeriesQueryable From(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        _written = new SeriesQueryWriter(fields, name);
        return new Calls<object>(_written);
    }

    public T Raw<T>(string queryText) where T : TimeSeriesQueryResult
    {
        ArgumentException.ThrowIfNullOrEmpty(queryText);
        _raw = queryText;
        return null!;
    }

    /// <summary>Passes calls on to what writes the query.</summary>
    private sealed class Calls<TEntity>(SeriesQueryWriter writer)
        : ITimeSeriesLoadQueryable<TEntity>, ITimeSeriesAggregationQueryable
    {
        public ITimeSeriesQueryable Where(Expression<Func<TimeSeriesEntry, bool>> predicate) =>
            Do(() => writer.Where(predicate));

        public ITimeSeriesQueryable Where(Expression<Func<TimeSeriesEntry, TEntity, bool>> predicate) =>
            Do(() => writer.Where(predicate));

        public ITimeSeriesQueryable FromFirst(Action<ITimePeriodBuilder> timePeriod) =>
            Do(() => writer.FromEdge(isLast: false, timePeriod));

        public ITimeSeriesQueryable FromLast(Action<ITimePeriodBuilder> timePeriod) =>
            Do(() => writer.FromEdge(isLast: true, timePeriod));

        public ITimeSeriesLoadQueryable<TTag> LoadByTag<TTag>()
        {
            writer.Load();
            return new Calls<TTag>(writer);
        }

        public ITimeSeriesAggregationQueryable GroupBy(string timePeriod) => Do(() => writer.GroupBy(timePeriod));

        public ITimeSeriesAggregationQueryable GroupBy(Action<ITimePeriodBuilder> timePeriod) =>
            Do(() => writer.GroupBy(timePeriod));

        public ITimeSeriesAggregationQueryable Select(Expression<Func<ITimeSeriesGrouping, object>> selector) =>
            Do(() => writer.Select(selector));

        ITimeSeriesQueryable ITimeSeriesQueryable.Scale(double value) => Do(() => writer.Scale(value));

        ITimeSeriesAggregationQueryable ITimeSeriesAggregationQueryable.Scale(double value) =>
            Do(() => writer.Scale(value));

        ITimeSeriesQueryable ITimeSeriesQueryable.Offset(TimeSpan offset) => Do(() => writer.Offset(offset));

        ITimeSeriesAggregationQueryable ITimeSeriesAggregationQueryable.Offset(TimeSpan offset) =>
            Do(() => writer.Offset(offset));

        TimeSeriesRawResult ITimeSeriesQueryable.ToList() => null!;

        TimeSeriesAggregationResult ITimeSeriesAggregationQueryable.ToList() => null!;

        private Calls<TEntity> Do(Action write)
        {
            write();
            return this;
        }
    }
}
