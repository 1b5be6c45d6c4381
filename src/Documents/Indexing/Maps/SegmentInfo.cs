using System.Text;
using Raven.Documents.Rows;
using Raven.Documents.Rows.Series;
using Raven.Documents.TimeSeries;

namespace Raven.Documents.Indexing.Maps;

/// <summary>A part of a time series, as maps over time series see it. Its points are valid until the next one.
/// </summary>
/// <param name="DocumentId">The id of the document.</param>
/// <param name="Name">The name of the series.</param>
/// <param name="Points">The entries.</param>
internal readonly record struct SegmentInfo(string DocumentId, string Name, PointList Points)
{
    /// <summary>The segments of the time series of a document.</summary>
    internal static IEnumerable<SegmentInfo> Of(StoredDocument document)
    {
        if ((document.Flags & DocumentFlags.HasTimeSeries) == 0)
        {
            yield break;
        }

        string id = Encoding.UTF8.GetString(document.Id.Span);
        var reader = new TimeSeriesReader(document.Snapshot.Transaction);
        foreach ((string name, byte[] key) in NamesOf(document))
        {
            reader.Begin(key, 0, SeriesTime.Max);
            while (reader.MoveNext())
            {
                yield return new SegmentInfo(id, name, reader.Points);
            }
        }
    }

    /// <summary>The time of an entry.</summary>
    internal DateTime TimeAt(int index) => new(SeriesTime.ToTicks(Points.TimeAt(index)), DateTimeKind.Utc);

    /// <summary>The tag of an entry; null without one.</summary>
    internal string? TagAt(int index) =>
        Points.TagAt(index).IsEmpty ? null : Encoding.UTF8.GetString(Points.TagAt(index));

    /// <summary>The least, the greatest and the sum of the values of each column.</summary>
    internal (double[] Min, double[] Max, double[] Sum) Summarize()
    {
        var columns = new ColumnSummary[Points.Width];
        for (int i = 0; i < Points.Count; i++)
        {
            ReadOnlySpan<double> values = Points.ValuesAt(i);
            for (int column = 0; column < values.Length; column++)
            {
                columns[column].Add(values[column]);
            }
        }

        return (
            Array.ConvertAll(columns, column => column.Min), Array.ConvertAll(columns, column => column.Max),
            Array.ConvertAll(columns, column => Math.Clamp(column.Sum, double.MinValue, double.MaxValue)));
    }

    private static List<(string Name, byte[] Key)> NamesOf(StoredDocument document)
    {
        Span<byte> documentKey = stackalloc byte[Ids.DocumentId.SizeBytesMax];
        Ids.DocumentId.TryFold(document.Id.Span, documentKey, out int length, out _);
        List<(string, byte[])> names = [];
        Span<byte> key = stackalloc byte[SeriesKey.SizeBytesMax];
        TimeSeriesCursor all = document.Snapshot.TimeSeriesOf(documentKey[..length]);
        while (all.MoveNext(out StoredSeries series))
        {
            SeriesKey.TryWrite(key, documentKey[..length], series.Name.Span, out int keyLength, out _);
            names.Add((Encoding.UTF8.GetString(series.Name.Span), key[..keyLength].ToArray()));
        }

        return names;
    }
}
