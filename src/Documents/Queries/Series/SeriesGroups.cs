using Raven.Documents.Queries.Rql;
using Raven.Documents.Settings;
using Raven.Documents.TimeSeries;

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
    private SeriesGroup? _spare;
    private long _start = -1;
    private long _end = -1;

    /// <summary>Adds an entry.</summary>
    internal void Add(long time, ReadOnlySpan<double> values, bool isRollup, SeriesNeeds needs, object? key)
    {
        Enter(time);
        SeriesGroup group = GroupOf(key);
        group.Add(time, values, isRollup, needs);
        Extend(group, time);
        rows.Take(isRollup ? CountOf(values) : 1);
    }

    /// <summary>Adds entries of one value each that are in the same frame, if there is no second key.</summary>
    /// <param name="times">Their times.</param>
    /// <param name="values">Their values.</param>
    /// <returns>How many of them are in the frame of the first.</returns>
    internal int AddRun(ReadOnlySpan<long> times, ReadOnlySpan<double> values)
    {
        Enter(times[0]);
        int count = times.Length;
        if (times[^1] >= _end)
        {
            int behind = times.BinarySearch(_end);
            count = behind < 0 ? ~behind : behind;
        }

        SeriesGroup group = GroupOf(key: null);
        group.Add(times[..count], values[..count]);
        Extend(group, times[count - 1]);
        rows.Take(count);
        return count;
    }

    /// <summary>Adds all entries of a segment by what its head says of them, if they are in one frame and there is no
    /// second key.</summary>
    /// <returns>False if they are in several frames, or a sum becomes too great: nothing is added.</returns>
    internal bool TryAddSegment(TimeSeriesReader segment, bool isRollup)
    {
        Enter(segment.Head.First);
        if (segment.Head.Last >= _end)
        {
            return false;
        }

        SeriesGroup group = GroupOf(key: null);
        if (!group.TryAdd(segment, isRollup))
        {
            return false;
        }

        Extend(group, segment.Head.Last);
        rows.Take(isRollup ? segment.Summary(SeriesGroup.PartsOfRollup - 1).Sum : segment.Head.Count);
        return true;
    }

    /// <summary>Writes what is left.</summary>
    internal void End() => Close();

    /// <summary>Goes to the frame of a time.</summary>
    private void Enter(long time)
    {
        if (time >= _end || _open.Count == 0)
        {
            Close();
            _start = frame?.FloorOf(time) ?? time;
            _end = frame?.NextOf(_start) ?? long.MaxValue;
        }
    }

    /// <summary>How many entries one of a roll-up stands for; one that came with a dump may have too few values.
    /// </summary>
    private static double CountOf(ReadOnlySpan<double> values) =>
        values.Length < SeriesGroup.PartsOfRollup ? 0 : values[SeriesGroup.PartsOfRollup - 1];

    private void Extend(SeriesGroup group, long time)
    {
        if (frame is null)
        {
            group.Extend(time);
        }
    }

    private SeriesGroup GroupOf(object? key)
    {
        if (query.GroupKey is null && _open.Count == 1)
        {
            return _open[0];
        }

        if (!_byKey.TryGetValue(key ?? NoKey, out SeriesGroup? group))
        {
            group = _spare ?? new SeriesGroup();
            _spare = null;
            group.Begin(_start, _end, key);
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
            _spare = _last;
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
