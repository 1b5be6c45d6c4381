using System.Runtime.InteropServices;
using System.Text;
using Raven.Documents;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Documents.Rows.Series;
using Raven.Documents.TimeSeries;

namespace FastTests.Documents.Series;

/// <summary>What time series are, in the simplest form: points in a sorted list of each series.</summary>
internal sealed class SeriesModel
{
    private readonly SortedDictionary<string, SortedDictionary<string, SortedList<long, Point>>> _documents =
        new(StringComparer.Ordinal);

    internal IReadOnlyCollection<string> Documents => _documents.Keys;

    internal IReadOnlyCollection<string> NamesOf(string id) => _documents[id].Keys;

    internal void Put(string id) => _documents.TryAdd(id, new(StringComparer.Ordinal));

    internal void Delete(string id) => _documents.Remove(id);

    internal SortedList<long, Point> Of(string id, string name)
    {
        if (!_documents[id].TryGetValue(name, out SortedList<long, Point>? series))
        {
            series = [];
            _documents[id][name] = series;
        }

        return series;
    }

    internal void Append(string id, string name, long time, double[] values, string tag) =>
        Of(id, name)[time] = new Point([.. values], tag);

    internal void Increment(string id, string name, long time, double[] values)
    {
        SortedList<long, Point> series = Of(id, name);
        if (!series.TryGetValue(time, out Point? old))
        {
            series[time] = new Point([.. values], "");
            return;
        }

        double[] sum = new double[Math.Max(old.Values.Length, values.Length)];
        for (int i = 0; i < sum.Length; i++)
        {
            sum[i] = old.Values.ElementAtOrDefault(i) + values.ElementAtOrDefault(i);
        }

        series[time] = new Point(sum, old.Tag);
    }

    internal void Delete(string id, string name, long from, long to)
    {
        SortedList<long, Point> series = Of(id, name);
        foreach (long time in series.Keys.Where(time => time >= from && time <= to).ToList())
        {
            series.Remove(time);
        }
    }

    /// <summary>Drops the series without points, as the end of a command does.</summary>
    internal void DropEmpty()
    {
        foreach (SortedDictionary<string, SortedList<long, Point>> series in _documents.Values)
        {
            foreach (string name in series.Keys.Where(name => series[name].Count == 0).ToList())
            {
                series.Remove(name);
            }
        }
    }

    internal SeriesModel Freeze()
    {
        var copy = new SeriesModel();
        foreach ((string id, SortedDictionary<string, SortedList<long, Point>> all) in _documents)
        {
            copy.Put(id);
            foreach ((string name, SortedList<long, Point> series) in all)
            {
                copy._documents[id][name] = new SortedList<long, Point>(series);
            }
        }

        return copy;
    }

    /// <summary>That a snapshot has these series and no others, in all that can be read of them.</summary>
    internal void AssertSame(DocumentSnapshot snapshot, Random random, string where)
    {
        try
        {
            AssertSame(snapshot, random);
        }
        catch (Xunit.Sdk.XunitException e)
        {
            Assert.Fail($"{where}: {e.Message}");
        }
    }

    /// <summary>The same; a failure does not say where it is.</summary>
    internal void AssertSame(DocumentSnapshot snapshot, Random random)
    {
        Assert.Equal(_documents.Count, snapshot.DocumentCount);
        foreach ((string id, SortedDictionary<string, SortedList<long, Point>> all) in _documents)
        {
            Assert.True(snapshot.TryGet(Encoding.UTF8.GetBytes(id), out StoredDocument document), id);
            Assert.Equal(all.Count != 0, (document.Flags & DocumentFlags.HasTimeSeries) != 0);
            byte[] documentKey = Encoding.UTF8.GetBytes(id);
            List<string> names = [];
            TimeSeriesCursor cursor = snapshot.TimeSeriesOf(documentKey);
            while (cursor.MoveNext(out StoredSeries series))
            {
                string name = Encoding.UTF8.GetString(series.Name.Span);
                names.Add(name);
                Assert.True(all.TryGetValue(name, out SortedList<long, Point>? points), name);
                Assert.Equal(
                    (points.Count, points.Keys[0], points.Keys[^1]), (series.Count, series.First, series.Last));
            }

            Assert.Equal(all.Keys, names);
            foreach ((string name, SortedList<long, Point> points) in all)
            {
                AssertSame(snapshot, documentKey, name, points, random);
            }
        }
    }

    private static void AssertSame(
        DocumentSnapshot snapshot, byte[] documentKey, string name, SortedList<long, Point> points, Random random)
    {
        byte[] key = new byte[SeriesKey.SizeBytesMax];
        Assert.True(SeriesKey.TryWrite(
            key, documentKey, Encoding.UTF8.GetBytes(name), out int length, out DocumentIdError _));
        var reader = new TimeSeriesReader(snapshot.Transaction);
        AssertRange(reader, key.AsSpan(0, length), points, 0, SeriesTime.Max, 0);
        long from = points.Keys[random.Next(points.Count)] + random.Next(-1, 2);
        long to = points.Keys[random.Next(points.Count)] + random.Next(-1, 2);
        AssertRange(reader, key.AsSpan(0, length), points, from, to, random.Next(3) * random.Next(points.Count));
        int count = 1 + random.Next(points.Count);
        Assert.Equal(points.Keys[^count], reader.TimeOfLast(key.AsSpan(0, length), count));
        Assert.Equal(points.Keys[0], reader.TimeOfLast(key.AsSpan(0, length), points.Count));
        AssertSegments(reader, key.AsSpan(0, length), points);
    }

    private static void AssertRange(
        TimeSeriesReader reader, ReadOnlySpan<byte> key, SortedList<long, Point> points, long from, long to,
        long asked)
    {
        long skip = asked;
        IList<long> times = points.Keys;
        int next = 0;
        while (next < times.Count && (times[next] < from || skip-- > 0))
        {
            next++;
        }

        reader.Begin(key, from, to, asked);
        while (reader.MoveNext())
        {
            for (int i = reader.Start; i < reader.End; i++, next++)
            {
                if (next == times.Count || times[next] != reader.Points.TimeAt(i) || times[next] > to
                    || !points.Values[next].IsSame(reader.Points, i))
                {
                    Assert.Fail($"{from} to {to}, {asked} skipped: point {next} is wrong");
                }
            }
        }

        Assert.True(next == times.Count || times[next] > to, $"{from} to {to}, {asked} skipped: ends at {next}");
    }

    private static void AssertSegments(TimeSeriesReader reader, ReadOnlySpan<byte> key, SortedList<long, Point> points)
    {
        reader.Begin(key, 0, SeriesTime.Max);
        long last = -1;
        int count = 0;
        while (reader.MoveNextSegment(out TimeSeriesSegment segment))
        {
            Assert.True(segment.First > last && segment.Last >= segment.First);
            last = segment.Last;
            count += segment.Count;
            Assert.True(!segment.IsOpen || last == points.Keys[^1], "TS-5");
        }

        Assert.Equal(points.Count, count);
    }

    internal sealed record Point(double[] Values, string Tag)
    {
        private readonly byte[] _tag = Encoding.UTF8.GetBytes(Tag);

        internal bool IsSame(PointList points, int index) =>
            MemoryMarshal.AsBytes(Values.AsSpan()).SequenceEqual(MemoryMarshal.AsBytes(points.ValuesAt(index)))
            && points.TagAt(index).SequenceEqual(_tag);
    }
}
