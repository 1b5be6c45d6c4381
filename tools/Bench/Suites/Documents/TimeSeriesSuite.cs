using System.Diagnostics;
using System.Globalization;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Raven.Documents.Rows.Series;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>
/// Time series over HTTP: bulk insert of regular points, the bytes that they take, a range out of many, and appends
/// beside PUTs of documents.
/// </summary>
internal sealed class TimeSeriesSuite : IBenchSuite
{
    private const int SeriesCount = 1000;
    private const int PointsOfSeries = 2000;
    private const int PointsOfCommand = 1000;
    private const int LongPoints = 2_000_000;
    private const long Start = 1_767_225_600_000;
    private const string InsertName = "bulk insert of regular points of 2 decimals, 1,000 series, durable";
    private const string SizeName = "bytes a point of 2 decimals";
    private const string RangeName = "a range of 1,000 points out of 2,000,000, p50";
    private const string HoursName = "hourly mean, least and greatest of 2,000,000 points of one series";
    private const string AppendName = "append of one point, 64 connections, each document a series";

    public string Name => "timeseries";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        foreach (BenchRow row in GetSegmentRows().Where(row => context.Wants(row.Name)))
        {
            yield return row;
        }

        if (!Array.Exists([InsertName, SizeName, RangeName, HoursName, AppendName], context.Wants))
        {
            yield break;
        }

        using BenchDatabase ours = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "timeseries"));
        double rate = Load(ours.Client, SeriesCount, PointsOfSeries);
        yield return new BenchRow
        {
            Name = InsertName,
            Unit = "points/s",
            Target = BenchTarget.AtLeast(1_000_000),
            WarmUpRuns = 0,
            Runs = 1,
            Ours = () => rate,
        };
        Load(ours.Client, 1, LongPoints, "long");
        yield return new BenchRow
        {
            Name = SizeName,
            Unit = "B",
            Target = BenchTarget.AtMost(2),
            WarmUpRuns = 0,
            Runs = 1,
            Ours = () => BytesOfPoint(ours.Client),
        };
        yield return new BenchRow
        {
            Name = RangeName,
            Unit = "us",
            Target = BenchTarget.AtMost(1000),
            WarmUpRuns = 1,
            Ours = () => RangeMicroseconds(ours.Client),
        };
        yield return new BenchRow
        {
            Name = HoursName,
            Unit = "us",
            Target = BenchTarget.AtMost(20_000),
            WarmUpRuns = 1,
            Ours = () => HoursMicroseconds(ours.Client),
        };
        ours.Load();
        yield return new BenchRow
        {
            Name = AppendName,
            Unit = "requests/s",
            PeerName = "PUT of 1 KB",
            Target = BenchTarget.RatioAtLeast(0.9),
            WarmUpRuns = 1,
            Ours = () => Append(ours).RequestsPerSecond,
            Peer = () => ours.Run("PUT", "docs?id=", 64).RequestsPerSecond,
        };
    }

    /// <summary>Segments alone, without storage.</summary>
    private static IEnumerable<BenchRow> GetSegmentRows()
    {
        PointList points = Sensor(LongPoints);
        var columns = new SealedSegment();
        List<byte[]> segments = Seal(columns, points);
        yield return new BenchRow
        {
            Name = "points of 2 decimals into sealed segments",
            Unit = "points/s",
            Target = BenchTarget.AtLeast(10_000_000),
            Ours = () => Measure.OperationsPerCpuSecond(LongPoints, () => Seal(columns, points)),
        };
        yield return new BenchRow
        {
            Name = "bytes a point of 2 decimals in sealed segments",
            Unit = "B",
            Target = BenchTarget.AtMost(2),
            WarmUpRuns = 0,
            Runs = 1,
            Ours = () => segments.Sum(segment => segment.Length) / (double)LongPoints,
        };
        var read = new PointList();
        yield return new BenchRow
        {
            Name = "points of 2 decimals out of sealed segments",
            Unit = "points/s",
            Target = BenchTarget.AtLeast(100_000_000),
            Ours = () => Measure.OperationsPerCpuSecond(LongPoints, () => Read(columns, segments, read)),
        };
        yield return new BenchRow
        {
            Name = "memory of reading them",
            Unit = "B/point",
            Target = BenchTarget.AtMost(0),
            Ours = () => Measure.AllocatedBytesPerOperation(LongPoints, () => Read(columns, segments, read)),
        };
    }

    private static PointList Sensor(int count)
    {
        var random = new Random(1);
        var points = new PointList();
        for (int i = 0; i < count; i++)
        {
            double value = 20 + (3 * Math.Sin(i / 500.0)) + (random.NextDouble() / 5);
            SeriesTime.TryOfUnix(Start + (i * 1000L), out long time);
            points.Add(time, [Math.Round(value, 2)], default);
        }

        return points;
    }

    private static List<byte[]> Seal(SealedSegment columns, PointList points)
    {
        List<byte[]> segments = [];
        byte[] body = new byte[8000];
        for (int start = 0; start < points.Count;)
        {
            int count = points.Count - start;
            int length = columns.Write(body, points, start, ref count, "x"u8);
            segments.Add(body[..length]);
            start += count;
        }

        return segments;
    }

    private static void Read(SealedSegment columns, List<byte[]> segments, PointList target)
    {
        foreach (byte[] segment in segments)
        {
            target.Clear();
            columns.Read(segment, target);
        }
    }

    private static double Load(HttpClient client, int series, int points, string prefix = "series")
    {
        List<byte[]> bodies = [];
        for (int first = 0; first < series; first += 100)
        {
            var random = new Random(first);
            var body = new StringBuilder("[");
            for (int i = first; i < Math.Min(series, first + 100); i++)
            {
                AddSeries(body, $"{prefix}/{i}", points, random);
            }

            body[^1] = ']';
            bodies.Add(Encoding.UTF8.GetBytes(body.ToString()));
        }

        long start = Stopwatch.GetTimestamp();
        foreach (byte[] body in bodies)
        {
            using var content = new ByteArrayContent(body);
            content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
            using HttpResponseMessage answer =
                client.PostAsync(new Uri("/databases/bench/bulk_insert", UriKind.Relative), content)
                    .GetAwaiter().GetResult();
            answer.EnsureSuccessStatusCode();
        }

        return (double)series * points / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    private static void AddSeries(StringBuilder body, string id, int points, Random random)
    {
        body.Append(CultureInfo.InvariantCulture, $"{{\"Id\":\"{id}\",\"Type\":\"PUT\",\"Document\":{{}}}},");
        for (int first = 0; first < points; first += PointsOfCommand)
        {
            body.Append(
                CultureInfo.InvariantCulture,
                $"{{\"Id\":\"{id}\",\"Type\":\"TimeSeriesBulkInsert\",\"TimeSeries\":{{\"Name\":\"x\",");
            body.Append("\"TimeFormat\":\"UnixTimeInMs\",\"Appends\":[");
            for (int i = first; i < Math.Min(points, first + PointsOfCommand); i++)
            {
                double value = 20 + (3 * Math.Sin(i / 500.0)) + (random.NextDouble() / 5);
                body.Append(CultureInfo.InvariantCulture, $"[{Start + (i * 1000L)},1,{value:0.00}],");
            }

            body.Length--;
            body.Append("]}},");
        }
    }

    private static double BytesOfPoint(HttpClient client)
    {
        using JsonDocument summary = JsonDocument.Parse(client.GetStringAsync(new Uri(
            "/databases/bench/timeseries/debug/segments-summary?docId=long/0&name=x", UriKind.Relative))
            .GetAwaiter().GetResult());
        return summary.RootElement.GetProperty("Results").EnumerateArray()
            .Sum(segment => segment.GetProperty("SizeInBytes").GetInt64()) / (double)LongPoints;
    }

    private static double RangeMicroseconds(HttpClient client)
    {
        var random = new Random(1);
        var times = new double[200];
        for (int i = 0; i < times.Length; i++)
        {
            DateTimeOffset from =
                DateTimeOffset.FromUnixTimeMilliseconds(Start + (random.NextInt64(LongPoints - 1000) * 1000));
            DateTimeOffset to = from.AddSeconds(999);
            string url = $"/databases/bench/timeseries?docId=long/0&name=x&from={Text(from)}&to={Text(to)}";
            long start = Stopwatch.GetTimestamp();
            client.GetByteArrayAsync(new Uri(url, UriKind.Relative)).GetAwaiter().GetResult();
            times[i] = Stopwatch.GetElapsedTime(start).TotalMicroseconds;
        }

        Array.Sort(times);
        return times[times.Length / 2];
    }

    /// <summary>The median of a query that groups all points of the long series by hours.</summary>
    private static double HoursMicroseconds(HttpClient client)
    {
        byte[] body = Encoding.UTF8.GetBytes(
            "{\"Query\":\"from '@all_docs' where id() = 'long/0' select timeseries("
            + "from x group by 1 hour select avg(), min(), max())\"}");
        var times = new double[9];
        for (int i = 0; i < times.Length; i++)
        {
            using var content = new ByteArrayContent(body);
            long start = Stopwatch.GetTimestamp();
            var url = new Uri("/databases/bench/queries", UriKind.Relative);
            using HttpResponseMessage answer = client.PostAsync(url, content).GetAwaiter().GetResult();
            answer.EnsureSuccessStatusCode();
            _ = answer.Content.ReadAsByteArrayAsync().GetAwaiter().GetResult();
            times[i] = Stopwatch.GetElapsedTime(start).TotalMicroseconds;
        }

        Array.Sort(times);
        return times[times.Length / 2];
    }

    private static string Text(DateTimeOffset time) =>
        time.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss.fffZ", CultureInfo.InvariantCulture);

    /// <summary>Increments without a time: each adds a point at the end of its series.</summary>
    private static LoadReport Append(BenchDatabase ours)
    {
        byte[] body = """{"Name":"INC:n","Increments":[{"Values":[1]}]}"""u8.ToArray();
        string url = new Uri(ours.Server.Url, "/databases/bench/timeseries?docId=bench/").AbsoluteUri + "{n}";
        return ours.Server.Load(
            RequestTemplate.Create("POST", url, body, keepAlive: true, []), 64, BenchDatabase.RunTime, 0, 0,
            BenchDatabase.DocumentCount);
    }
}
