using Raven.Documents.Rows.Series;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>Segments of time series alone, without storage.</summary>
internal sealed class SegmentSuite : IBenchSuite
{
    private const int Points = 2_000_000;
    private const string WriteName = "points of 2 decimals into sealed segments";
    private const string ReadName = "points of 2 decimals out of sealed segments";
    private const string SizeName = "bytes a point of 2 decimals in sealed segments";
    private const string MemoryName = "memory of reading points of 2 decimals out of sealed segments";

    public string Name => "timeseries";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!Array.Exists([WriteName, ReadName, SizeName, MemoryName], context.Wants))
        {
            yield break;
        }

        PointList points = Sensor(Math.Max(1, (int)(Points * context.Scale)));
        var columns = new SealedSegment();
        List<byte[]> segments = Seal(columns, points);
        var read = new PointList();
        yield return new BenchRow
        {
            Name = WriteName,
            Unit = "points/s",
            Target = BenchTarget.AtLeast(10_000_000),
            Ours = () => Measure.OperationsPerCpuSecond(points.Count, () => Seal(columns, points)),
        };
        yield return new BenchRow
        {
            Name = SizeName,
            Unit = "B",
            Target = BenchTarget.AtMost(2),
            WarmUpRuns = 0,
            Runs = 1,
            Ours = () => segments.Sum(segment => segment.Length) / (double)points.Count,
        };
        yield return new BenchRow
        {
            Name = ReadName,
            Unit = "points/s",
            Target = BenchTarget.AtLeast(100_000_000),
            Ours = () => Measure.OperationsPerCpuSecond(points.Count, () => Read(columns, segments, read)),
        };
        yield return new BenchRow
        {
            Name = MemoryName,
            Unit = "B/point",
            Target = BenchTarget.AtMost(0),
            Ours = () => Measure.AllocatedBytesPerOperation(points.Count, () => Read(columns, segments, read)),
        };
    }

    private static PointList Sensor(int count)
    {
        var points = new PointList();
        long unix = SeriesData.Start;
        foreach (double[] values in SeriesData.Values(SeriesKind.Sensor, 1).Take(count))
        {
            SeriesTime.TryOfUnix(unix, out long time);
            points.Add(time, values, default);
            unix += SeriesData.Step;
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
}
