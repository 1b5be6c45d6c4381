using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Session;

/// <summary>The ranges of one time series that a session has read, apart from each other and in their order.</summary>
internal sealed class KnownSeries
{
    private readonly List<Range> _ranges = [];

    /// <summary>The entries of a range, if all of it is known.</summary>
    internal TimeSeriesEntry[]? Find(DateTime from, DateTime to)
    {
        foreach (Range range in _ranges)
        {
            if (range.From <= from && to <= range.To)
            {
                return Between(range.Entries, from, to);
            }
        }

        return null;
    }

    /// <summary>Keeps a range as it was read; what was known of it before is forgotten.</summary>
    internal void Add(DateTime from, DateTime to, TimeSeriesEntry[] entries)
    {
        var added = new Range(from, to, Copy(entries));
        int at = 0;
        while (at < _ranges.Count)
        {
            Range known = _ranges[at];
            if (IsBefore(known.To, added.From))
            {
                at++;
            }
            else if (IsBefore(added.To, known.From))
            {
                break;
            }
            else
            {
                added = Join(known, added);
                _ranges.RemoveAt(at);
            }
        }

        _ranges.Insert(at, added);
    }

    /// <summary>Whether there is time between the end of a range and the beginning of another.</summary>
    private static bool IsBefore(DateTime end, DateTime start) =>
        start.Ticks - end.Ticks > TimeSpan.TicksPerMillisecond;

    private static Range Join(Range known, Range fresh) => new(
        known.From < fresh.From ? known.From : fresh.From, known.To > fresh.To ? known.To : fresh.To,
        [
            .. known.Entries.Where(entry => entry.Timestamp < fresh.From), .. fresh.Entries,
            .. known.Entries.Where(entry => entry.Timestamp > fresh.To),
        ]);

    private static TimeSeriesEntry[] Between(TimeSeriesEntry[] entries, DateTime from, DateTime to)
    {
        int first = 0;
        while (first < entries.Length && entries[first].Timestamp < from)
        {
            first++;
        }

        int end = entries.Length;
        while (end > first && entries[end - 1].Timestamp > to)
        {
            end--;
        }

        return Copy(entries.AsSpan(first..end));
    }

    /// <summary>Entries of their own: what a caller does with those that it was given changes none that is kept.
    /// </summary>
    private static TimeSeriesEntry[] Copy(ReadOnlySpan<TimeSeriesEntry> entries)
    {
        var copies = new TimeSeriesEntry[entries.Length];
        for (int i = 0; i < copies.Length; i++)
        {
            TimeSeriesEntry entry = entries[i];
            copies[i] = new TimeSeriesEntry
            {
                Timestamp = entry.Timestamp,
                Tag = entry.Tag,
                Values = [.. entry.Values],
                IsRollup = entry.IsRollup,
                NodeValues = entry.NodeValues?.ToDictionary(
                    node => node.Key, node => (double[])[.. node.Value], entry.NodeValues.Comparer),
            };
        }

        return copies;
    }

    private readonly record struct Range(DateTime From, DateTime To, TimeSeriesEntry[] Entries);
}
