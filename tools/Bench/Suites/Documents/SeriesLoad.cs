using System.Diagnostics;
using System.Globalization;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>Points in our server, over HTTP as clients send and read them. A series is that of a document.</summary>
internal sealed class SeriesLoad(BenchDatabase ours)
{
    private const int PointsOfCommand = 1000;
    private const int PointsOfRequest = 1_000_000;
    private const int Connections = 64;

    /// <summary>Numbers that appended points have not had yet: each run takes so many of its own.</summary>
    private const long NumbersOfRun = 10_000_000;

    private int _appendRuns;

    /// <summary>Writes series by bulk inserts: points/s, and points per second of the server's CPU time.</summary>
    /// <param name="prefix">What the ids of the documents begin with.</param>
    /// <param name="kind">What the series are like.</param>
    /// <param name="first">The number of the first series.</param>
    /// <param name="series">How many there are.</param>
    /// <param name="points">The points of each.</param>
    internal double[] Write(string prefix, SeriesKind kind, int first, int series, int points)
    {
        double seconds = 0;
        double cpu = ours.Server.ReadCpuSeconds();
        var body = new StringBuilder("[");
        int pending = 0;
        for (int i = first; i < first + series; i++)
        {
            string id = string.Create(CultureInfo.InvariantCulture, $"{prefix}/{i}");
            body.Append(CultureInfo.InvariantCulture, $"{{\"Id\":\"{id}\",\"Type\":\"PUT\",\"Document\":{{}}}},");
            foreach (string[] appends in SeriesData.Values(kind, i).Take(points).Select(Text).Chunk(PointsOfCommand))
            {
                body.Append(
                    CultureInfo.InvariantCulture,
                    $"{{\"Id\":\"{id}\",\"Type\":\"TimeSeriesBulkInsert\",\"TimeSeries\":{{\"Name\":\"x\",");
                body.Append("\"TimeFormat\":\"UnixTimeInMs\",\"Appends\":[").AppendJoin(',', appends).Append("]}},");
                pending += appends.Length;
                if (pending >= PointsOfRequest)
                {
                    seconds += Send(body);
                    pending = 0;
                }
            }
        }

        seconds += body.Length > 1 ? Send(body) : 0;
        double all = (double)series * points;
        return [all / seconds, all / Math.Max(0.01, ours.Server.ReadCpuSeconds() - cpu)];
    }

    /// <summary>Bytes a point of the segments of one series.</summary>
    internal double BytesOfPoint(string id)
    {
        using JsonDocument summary = JsonDocument.Parse(ours.Client.GetStringAsync(new Uri(
            $"/databases/bench/timeseries/debug/segments-summary?docId={id}&name=x", UriKind.Relative))
            .GetAwaiter().GetResult());
        JsonElement[] segments = [.. summary.RootElement.GetProperty("Results").EnumerateArray()];
        return segments.Sum(segment => segment.GetProperty("SizeInBytes").GetInt64())
            / (double)segments.Sum(segment => segment.GetProperty("NumberOfEntries").GetInt64());
    }

    /// <summary>Microseconds of reading a range.</summary>
    internal double Range(string id, long from, long to)
    {
        string url = $"/databases/bench/timeseries?docId={id}&name=x&from={Time(from)}&to={Time(to)}";
        long start = Stopwatch.GetTimestamp();
        _ = ours.Client.GetByteArrayAsync(new Uri(url, UriKind.Relative)).GetAwaiter().GetResult();
        return Stopwatch.GetElapsedTime(start).TotalMicroseconds;
    }

    /// <summary>Microseconds of the mean, the least and the greatest value of each hour of a series.</summary>
    internal double Hours(string id)
    {
        byte[] body = Encoding.UTF8.GetBytes(
            $"{{\"Query\":\"from '@all_docs' where id() = '{id}' select timeseries("
            + "from x group by 1 hour select avg(), min(), max())\"}");
        using var content = new ByteArrayContent(body);
        long start = Stopwatch.GetTimestamp();
        using HttpResponseMessage answer = ours.Client.PostAsync(
            new Uri("/databases/bench/queries", UriKind.Relative), content).GetAwaiter().GetResult();
        answer.EnsureSuccessStatusCode();
        _ = answer.Content.ReadAsByteArrayAsync().GetAwaiter().GetResult();
        return Stopwatch.GetElapsedTime(start).TotalMicroseconds;
    }

    /// <summary>Managed bytes that the server has allocated since it was started.</summary>
    internal double AllocatedBytes()
    {
        const string name = "raven_managed_allocated_bytes_total ";
        string metrics = ours.Client.GetStringAsync(new Uri("/metrics", UriKind.Relative)).GetAwaiter().GetResult();
        string line = metrics.Split('\n').First(each => each.StartsWith(name, StringComparison.Ordinal));
        return double.Parse(line[name.Length..], CultureInfo.InvariantCulture);
    }

    /// <summary>Appends of one point behind all others by 64 connections, in turn to each of some series:
    /// requests/s.</summary>
    internal double Append(params string[] ids)
    {
        byte[] body = """{"Name":"x","TimeFormat":"UnixTimeInMs","Appends":[[200{n},1,20.5]]}"""u8.ToArray();
        RequestTemplate[] requests = [.. ids.Select(id => RequestTemplate.Create(
            "POST", new Uri(ours.Server.Url, $"/databases/bench/timeseries?docId={id}").AbsoluteUri, body,
            keepAlive: true, []))];
        return ours.Server.Load(new LoadOptions
        {
            Server = new(System.Net.IPAddress.Loopback, ours.Server.Url.Port),
            Requests = requests,
            Clients = Connections,
            Duration = BenchDatabase.RunTime,
            FirstNumber = _appendRuns++ * NumbersOfRun,
            NumberCount = NumbersOfRun,
        })[0];
    }

    private static string Text(double[] values, int index) => string.Create(
        CultureInfo.InvariantCulture,
        $"[{SeriesData.Start + (index * SeriesData.Step)},{values.Length},{string.Join(',', values.Select(Number))}]");

    private static string Number(double value) => value.ToString("R", CultureInfo.InvariantCulture);

    private static string Time(long time) => DateTimeOffset.FromUnixTimeMilliseconds(time).UtcDateTime
        .ToString("yyyy-MM-ddTHH:mm:ss.fffZ", CultureInfo.InvariantCulture);

    private double Send(StringBuilder body)
    {
        body[^1] = ']';
        using var content = new ByteArrayContent(Encoding.UTF8.GetBytes(body.ToString()));
        body.Clear().Append('[');
        content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        long start = Stopwatch.GetTimestamp();
        using HttpResponseMessage answer = ours.Client.PostAsync(
            new Uri("/databases/bench/bulk_insert", UriKind.Relative), content).GetAwaiter().GetResult();
        answer.EnsureSuccessStatusCode();
        return Stopwatch.GetElapsedTime(start).TotalSeconds;
    }
}
