using System.Globalization;

namespace FastTests.Queries;

/// <summary>Random queries of a time series as text, and what they give in the simplest form.</summary>
internal sealed class NaiveSeries(Random random)
{
    private static readonly DateTime Begin = new(2026, 1, 30, 22, 0, 0, DateTimeKind.Utc);

    private static readonly Dictionary<string, (string Kind, long? Size)> Watches = new()
    {
        ["watches/1"] = ("sport", 1),
        ["watches/2"] = ("Sport", 5),
        ["watches/3"] = ("old", null),
    };

    private static readonly string[] Names =
        ["Count", "First", "Last", "Min", "Max", "Sum", "Average", "Percentile", "Slope", "Standard Deviation"];

    private readonly List<Func<Entry, bool>> _conditions = [];

    internal List<Entry> Entries { get; } = [];

    /// <summary>The documents of the tags, by their ids.</summary>
    internal static IEnumerable<(string Id, string Json)> Documents => Watches.Select(watch => (
        watch.Key, System.Text.Json.JsonSerializer.Serialize(new { watch.Value.Kind, watch.Value.Size })));

    /// <summary>Makes the series: all entries have one value, or two, or each has as many as it will.</summary>
    internal void Make(int count)
    {
        DateTime time = Begin;
        int width = random.Next(3);
        for (int i = 0; i < count; i++)
        {
            int step = random.Next(10) == 0 ? random.Next(1, 100_000_000) : random.Next(1, 3_000_000);
            time += TimeSpan.FromMilliseconds(step);
            double[] values = [.. Enumerable.Range(0, width == 0 ? 1 + random.Next(2) : width)
                .Select(_ => random.Next(-50, 50) / 4.0)];
            string? tag = random.Next(3) == 0 ? null : $"watches/{1 + random.Next(4)}";
            Entries.Add(new Entry(time, values, tag));
        }
    }

    /// <summary>Makes a query, and what it gives: the number of entries, and a row of texts and numbers of each
    /// result.</summary>
    internal (string Text, int Count, List<object?[]> Rows, string[] Columns) Next()
    {
        _conditions.Clear();
        string text = "from Users as u select timeseries(from u.Heart" + Range() + " load Tag as w" + Where();
        List<Entry> taken = [.. Entries.Where(entry => _conditions.TrueForAll(one => one(entry)))];
        bool isGrouped = random.Next(4) != 0;
        Func<DateTime, DateTime> floor = time => time;
        Func<DateTime, DateTime> next = time => time;
        Func<Entry, object?>? key = null;
        if (isGrouped)
        {
            text += " group by " + Period(out floor, out next);
            (string, Func<Entry, object?>)[] keys =
                [(", tag", entry => entry.Tag), (", w.Kind", entry => WatchOf(entry)?.Kind)];
            if (random.Next(3) == 0)
            {
                (string suffix, key) = keys[random.Next(keys.Length)];
                text += suffix;
            }
        }

        double percent = random.Next(0, 101);
        int[] selected = isGrouped || random.Next(2) == 0 ? Selected(isGrouped, percent, ref text) : [];
        double scale = random.Next(3) == 0 ? random.Next(1, 9) / 2.0 : 1;
        text += scale == 1 ? "" : $" scale {scale.ToString(CultureInfo.InvariantCulture)}";
        TimeSpan offset = TimeSpan.FromMinutes(random.Next(3) == 0 ? random.Next(-600, 600) : 0);
        text += offset == TimeSpan.Zero ? "" : $" offset '{offset:c}'";
        bool isRaw = !isGrouped && selected.Length == 0;
        return (
            text + ")", taken.Count,
            isRaw
                ? [.. taken.Select(entry => Raw(entry, scale, offset))]
                : Groups(taken, isGrouped, floor, next, key, selected, percent, scale, offset),
            isRaw ? [] : [.. selected.Select(index => Names[index])]);
    }

    private static (string Kind, long? Size)? WatchOf(Entry entry) =>
        entry.Tag is { } tag && Watches.TryGetValue(tag, out (string, long?) watch) ? watch : null;

    private static object?[] Raw(Entry entry, double scale, TimeSpan offset) =>
        [entry.Time + offset, entry.Tag, .. entry.Values.Select(value => (object)(value * scale))];

    private static List<object?[]> Groups(
        List<Entry> taken, bool isGrouped, Func<DateTime, DateTime> floor, Func<DateTime, DateTime> next,
        Func<Entry, object?>? key, int[] selected, double percent, double scale, TimeSpan offset)
    {
        List<object?[]> rows = [];
        foreach (IGrouping<(DateTime, object?), Entry> group in taken.GroupBy(entry =>
            (isGrouped ? floor(entry.Time) : default, key?.Invoke(entry))))
        {
            DateTime from = isGrouped ? group.Key.Item1 : group.First().Time;
            DateTime to = isGrouped ? next(from) : group.Last().Time;
            List<object?> row = [from + offset, to + offset, key is null ? null : group.Key.Item2];
            int width = group.Max(entry => entry.Values.Length);
            foreach (int index in selected)
            {
                for (int column = 0; column < width; column++)
                {
                    Entry[] of = [.. group.Where(entry => entry.Values.Length > column)];
                    double value = Aggregate(index, [.. of.Select(entry => entry.Values[column])], of, percent);
                    row.Add(index == 0 ? value : value * scale);
                }
            }

            rows.Add([.. row]);
        }

        return rows;
    }

    private static double Aggregate(int index, double[] values, Entry[] of, double percent)
    {
        double mean = values.Average();
        double[] sorted = [.. values.Order()];
        double rank = percent / 100 * (sorted.Length - 1);
        int below = (int)rank;
        return index switch
        {
            0 => values.Length,
            1 => values[0],
            2 => values[^1],
            3 => values.Min(),
            4 => values.Max(),
            5 => values.Sum(),
            6 => mean,
            7 => sorted[below] + ((sorted[Math.Min(below + 1, sorted.Length - 1)] - sorted[below]) * (rank - below)),
            8 => of.Length == 1 ? 0 : (values[^1] - values[0]) / (of[^1].Time - of[0].Time).TotalMilliseconds,
            _ => Math.Sqrt(values.Sum(value => (value - mean) * (value - mean)) / values.Length),
        };
    }

    private int[] Selected(bool isGrouped, double percent, ref string text)
    {
        string[] calls =
        [
            "count()", "first()", "last()", "min()", "max()", "sum()", "avg()",
            $"percentile({percent.ToString(CultureInfo.InvariantCulture)})", "slope()", "stddev()",
        ];
        int[] selected = [.. Enumerable.Range(0, calls.Length)
            .Where(index => (index != 8 || isGrouped) && random.Next(3) == 0)];
        if (selected.Length == 0)
        {
            return isGrouped ? [0, 1, 2, 3, 4, 5, 6] : [];
        }

        text += " select " + string.Join(", ", selected.Select(index => calls[index]));
        return selected;
    }

    private string Range()
    {
        DateTime first = Entries[random.Next(Entries.Count)].Time.AddMilliseconds(random.Next(-1, 2));
        DateTime last = Entries[random.Next(Entries.Count)].Time.AddMilliseconds(random.Next(-1, 2));
        if (last < first)
        {
            (first, last) = (last, first);
        }

        switch (random.Next(5))
        {
            case 0:
                _conditions.Add(entry => entry.Time >= first && entry.Time <= last);
                return $" between '{first:O}' and '{last:O}'";
            case 1:
                int hours = random.Next(1, 60);
                _conditions.Add(entry => entry.Time <= Entries[0].Time.AddHours(hours));
                return $" first {hours} h";
            case 2:
                int days = random.Next(1, 9);
                _conditions.Add(entry => entry.Time >= Entries[^1].Time.AddDays(-days));
                return $" last '{days} days'";
            default:
                return "";
        }
    }

    private string Where()
    {
        if (random.Next(3) == 0)
        {
            return "";
        }

        (string left, Func<Entry, bool> isLeft) = Condition();
        (string right, Func<Entry, bool> isRight) = Condition();
        switch (random.Next(4))
        {
            case 0:
                _conditions.Add(entry => isLeft(entry) && isRight(entry));
                return $" where {left} and {right}";
            case 1:
                _conditions.Add(entry => isLeft(entry) || isRight(entry));
                return $" where {left} or {right}";
            case 2:
                _conditions.Add(entry => isLeft(entry) && !isRight(entry));
                return $" where ({left}) and not ({right})";
            default:
                _conditions.Add(isLeft);
                return $" where {left}";
        }
    }

    private (string Text, Func<Entry, bool> IsMet) Condition()
    {
        double number = random.Next(-50, 50) / 4.0;
        string text = number.ToString(CultureInfo.InvariantCulture);
        DateTime time = Entries[random.Next(Entries.Count)].Time;
        switch (random.Next(8))
        {
            case 0:
                return ($"Value > {text}", entry => entry.Values[0] > number);
            case 1:
                return ($"Values[1] <= {text}", entry => entry.Values.Length > 1 && entry.Values[1] <= number);
            case 2:
                return ("Tag = 'WATCHES/2'", entry => entry.Tag == "watches/2");
            case 3:
                return ("Tag != null", entry => entry.Tag is not null);
            case 4:
                return ("tag in ('watches/1', 'x', null)", entry => entry.Tag is "watches/1" or null);
            case 5:
                return ($"Timestamp >= '{time:O}'", entry => entry.Time >= time);
            case 6:
                return ("w.Size between 2 and 5", entry => WatchOf(entry)?.Size is >= 2 and <= 5);
            default:
                return ("w.Kind = 'sport'", entry =>
                    "sport".Equals(WatchOf(entry)?.Kind, StringComparison.OrdinalIgnoreCase));
        }
    }

    private string Period(out Func<DateTime, DateTime> floor, out Func<DateTime, DateTime> next)
    {
        int number = random.Next(1, 5);
        if (random.Next(4) == 0)
        {
            floor = time =>
            {
                var start = new DateTime(1, 1, 1, 0, 0, 0, DateTimeKind.Utc);
                int months = ((time.Year - 1) * 12) + time.Month - 1;
                return start.AddMonths(months / number * number);
            };
            next = time => time.AddMonths(number);
            return $"{number} months";
        }

        (string unit, TimeSpan length)[] units =
            [("min", TimeSpan.FromMinutes(1)), ("hours", TimeSpan.FromHours(1)), ("d", TimeSpan.FromDays(1)),
            ("weeks", TimeSpan.FromDays(7)), ("ms", TimeSpan.FromMilliseconds(1)), ("s", TimeSpan.FromSeconds(1))];
        (string name, TimeSpan one) = units[random.Next(units.Length)];
        TimeSpan span = one * number;
        floor = time => new DateTime(time.Ticks / span.Ticks * span.Ticks, DateTimeKind.Utc);
        next = time => time + span;
        return $"'{number} {name}'";
    }

    internal sealed record Entry(DateTime Time, double[] Values, string? Tag);
}
