using Raven.Documents.Queries.Rql;
using Raven.Documents.Settings;

namespace Raven.Documents.Queries.Series;

/// <summary>
/// Puts entries, which come in the order of time, into groups: a frame is written when the first entry behind it comes.
/// </summary>
internal sealed class SeriesGroups(RqlTimeSeries query, SeriesPeriod? frame, SeriesRows rows, SeriesScope scope)
{
    /// <summary>What stands for a second key that is null.</summary>
    private static readonly object NoKey = new();

    private readonly Dictionary<object, SeriesGroup> _byKey = [];
    private readonly List<SeriesGroup> _open = [];
    private SeriesGroup? _last;
    private long _start = -1;
    private long _end = -1;

    /// <summary>Adds an entry.</summary>
    internal void Add(long time, ReadOnlySpan<double> values, bool isRollup, SeriesNeeds needs, object? key)
    {
        if (time >= _end || _open.Count == 0)
        {
            Close();
            _start = frame?.FloorOf(time) ?? time;
            _end = frame?.NextOf(_start) ?? long.MaxValue;
        }

        SeriesGroup group = GroupOf(key);
        group.Add(time, values, isRollup, needs);
        if (frame is null)
        {
            group.Extend(time);
        }

        rows.Count += isRollup ? (long)values[5] : 1;
    }

    /// <summary>Writes what is left.</summary>
    internal void End() => Close();

    private SeriesGroup GroupOf(object? key)
    {
        if (query.GroupKey is null && _open.Count == 1)
        {
            return _open[0];
        }

        if (!_byKey.TryGetValue(key ?? NoKey, out SeriesGroup? group))
        {
            group = new SeriesGroup(_start, _end, key);
            _byKey[key ?? NoKey] = group;
            _open.Add(group);
            rows.Check(_open.Count);
        }

        return group;
    }

    private void Close()
    {
        foreach (SeriesGroup group in _open)
        {
            Fill(group);
            rows.Group(group);
            _last = group;
        }

        _byKey.Clear();
        _open.Clear();
    }

    /// <summary>Writes the frames between the last one and this one.</summary>
    private void Fill(SeriesGroup next)
    {
        if (query.Fill == RqlSeriesFill.None || _last is not { } last || frame is not { } period)
        {
            return;
        }

        double length = next.Start - last.Start;
        for (long start = last.End; start < next.Start; start = period.NextOf(start))
        {
            double part = (start - last.Start) / length;
            rows.Between(last, next, start, period.NextOf(start), query.Fill switch
            {
                RqlSeriesFill.Linear => part,
                RqlSeriesFill.Nearest => part <= 0.5 ? 0 : 1,
                RqlSeriesFill.Last => 0,
                _ => 1,
            });
            scope.Session.Cancellation.ThrowIfCancellationRequested();
        }
    }
}
