using System.Linq.Expressions;
using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Entities;
using Raven.Client.Documents.Operations.TimeSeries;
using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Session.Loaders;

/// <summary>See <see cref="IIncludeBuilder{T}"/>.</summary>
internal sealed class IncludeBuilder<T>(EntitySerializer serializer) : IIncludeBuilder<T>
{
    internal IncludeList List { get; } = new();

    public IIncludeBuilder<T> IncludeDocuments(string path)
    {
        List.Paths.Add(path);
        return this;
    }

    public IIncludeBuilder<T> IncludeDocuments(Expression<Func<T, string?>> path) =>
        IncludeDocuments(serializer.PathOf(path));

    public IIncludeBuilder<T> IncludeDocuments(Expression<Func<T, IEnumerable<string>>> path) =>
        IncludeDocuments(serializer.PathOf(path));

    public IIncludeBuilder<T> IncludeCounter(string name) => IncludeCounters(name);

    public IIncludeBuilder<T> IncludeCounters(params string[] names)
    {
        List.Counters.AddRange(names);
        return this;
    }

    public IIncludeBuilder<T> IncludeAllCounters()
    {
        List.AllCounters = true;
        return this;
    }

    public IIncludeBuilder<T> IncludeCompareExchangeValue(string path)
    {
        List.CompareExchange.Add(path);
        return this;
    }

    public IIncludeBuilder<T> IncludeCompareExchangeValue(Expression<Func<T, string?>> path) =>
        IncludeCompareExchangeValue(serializer.PathOf(path));

    public IIncludeBuilder<T> IncludeCompareExchangeValue(Expression<Func<T, IEnumerable<string>>> path) =>
        IncludeCompareExchangeValue(serializer.PathOf(path));

    public IIncludeBuilder<T> IncludeTimeSeries(string name, DateTime? from = null, DateTime? to = null)
    {
        TimeSeriesOperation.CheckRange(from, to);
        return Include(new SeriesInclude { Name = name, From = from, To = to });
    }

    public IIncludeBuilder<T> IncludeTimeSeries(string name, TimeSeriesRangeType type, TimeValue time)
    {
        RequireLast(type);
        return Include(new SeriesInclude { Name = name, Time = time });
    }

    public IIncludeBuilder<T> IncludeTimeSeries(string name, TimeSeriesRangeType type, int count)
    {
        RequireLast(type);
        return Include(new SeriesInclude { Name = name, Count = count });
    }

    public IIncludeBuilder<T> IncludeTimeSeries(string[] names, TimeSeriesRangeType type, TimeValue time)
    {
        foreach (string name in names)
        {
            IncludeTimeSeries(name, type, time);
        }

        return this;
    }

    public IIncludeBuilder<T> IncludeTimeSeries(string[] names, TimeSeriesRangeType type, int count)
    {
        foreach (string name in names)
        {
            IncludeTimeSeries(name, type, count);
        }

        return this;
    }

    public IIncludeBuilder<T> IncludeAllTimeSeries(TimeSeriesRangeType type, TimeValue time) =>
        IncludeTimeSeries(SeriesInclude.All, type, time);

    public IIncludeBuilder<T> IncludeAllTimeSeries(TimeSeriesRangeType type, int count) =>
        IncludeTimeSeries(SeriesInclude.All, type, count);

    private static void RequireLast(TimeSeriesRangeType type)
    {
        if (type != TimeSeriesRangeType.Last)
        {
            throw new ArgumentException("A range is counted from the last entry back.", nameof(type));
        }
    }

    private IncludeBuilder<T> Include(SeriesInclude series)
    {
        ArgumentException.ThrowIfNullOrEmpty(series.Name);
        List.Series.Add(series);
        return this;
    }
}
