using System.Text;
using Raven.Documents.Rows.Series;
using Raven.Scripting.Hosting;

namespace Raven.Documents.TimeSeries;

/// <summary>Points of time series in the form of scripts.</summary>
internal static class ScriptTimeSeries
{
    /// <summary>The points of a range of time; both ends belong to it.</summary>
    internal static IEnumerable<ScriptTimeSeriesEntry> Entries(PointList points, long from, long to)
    {
        for (int i = 0; i < points.Count; i++)
        {
            if (points.TimeAt(i) >= from && points.TimeAt(i) <= to)
            {
                yield return Entry(points, i);
            }
        }
    }

    /// <summary>The points of a range that a reader was begun for.</summary>
    internal static IEnumerable<ScriptTimeSeriesEntry> Entries(TimeSeriesReader reader)
    {
        while (reader.MoveNext())
        {
            for (int i = reader.Start; i < reader.End; i++)
            {
                yield return Entry(reader.Points, i);
            }
        }
    }

    private static ScriptTimeSeriesEntry Entry(PointList points, int index)
    {
        ReadOnlySpan<byte> tag = points.TagAt(index);
        return new ScriptTimeSeriesEntry
        {
            Time = new DateTimeOffset(SeriesTime.ToTicks(points.TimeAt(index)), TimeSpan.Zero),
            Values = points.ValuesAt(index).ToArray(),
            Tag = tag.IsEmpty ? null : Encoding.UTF8.GetString(tag),
        };
    }
}
