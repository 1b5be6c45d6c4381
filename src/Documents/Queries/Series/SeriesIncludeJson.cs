using System.Text;
using Raven.Blittable.Json;
using Raven.Blittable.Text;
using Raven.Documents.Ids;
using Raven.Documents.Rows.Series;
using Raven.Documents.TimeSeries;

namespace Raven.Documents.Queries.Series;

/// <summary>Writes the time series that are sent along with documents, as clients read them.</summary>
public static class SeriesIncludeJson
{
    /// <summary>Writes the ranges of one document: its id, and an object by the names of the series.</summary>
    /// <param name="json">Takes the JSON, in an object.</param>
    /// <param name="snapshot">What is read.</param>
    /// <param name="id">The document, UTF-8.</param>
    /// <param name="includes">What is asked of it.</param>
    /// <param name="cancellation">Ends it.</param>
    public static void Write(
        ref JsonOutput json, DocumentSnapshot snapshot, ReadOnlySpan<byte> id, IReadOnlyList<SeriesInclude> includes,
        CancellationToken cancellation)
    {
        json.Name(id);
        json.StartObject();
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        if (DocumentId.TryFold(id, folded, out int length, out _))
        {
            byte[] documentKey = folded[..length].ToArray();
            var reader = new TimeSeriesReader(snapshot.Transaction);
            foreach (string name in NamesOf(snapshot, documentKey, includes))
            {
                json.Name(name.AsSpan());
                json.StartArray();
                foreach (SeriesInclude include in includes)
                {
                    if (include.Name is null || Key(include.Name) == Key(name))
                    {
                        cancellation.ThrowIfCancellationRequested();
                        WriteRange(ref json, reader, documentKey, name, include);
                    }
                }

                json.EndArray();
            }
        }

        json.EndObject();
    }

    private static string Key(string name) => DocumentId.FoldedText(Encoding.UTF8.GetBytes(name));

    private static List<string> NamesOf(
        DocumentSnapshot snapshot, byte[] documentKey, IReadOnlyList<SeriesInclude> includes)
    {
        List<string> names = [];
        HashSet<string> known = [];
        bool isAll = false;
        foreach (SeriesInclude include in includes)
        {
            isAll |= include.Name is null;
            if (include.Name is { } name && known.Add(Key(name)))
            {
                names.Add(name);
            }
        }

        if (isAll)
        {
            TimeSeriesCursor all = snapshot.TimeSeriesOf(documentKey);
            while (all.MoveNext(out StoredSeries series))
            {
                string name = Encoding.UTF8.GetString(series.Name.Span);
                if (known.Add(Key(name)))
                {
                    names.Add(name);
                }
            }
        }

        return names;
    }

    private static void WriteRange(
        ref JsonOutput json, TimeSeriesReader reader, byte[] documentKey, string name, SeriesInclude include)
    {
        Span<byte> key = stackalloc byte[SeriesKey.SizeBytesMax];
        bool isName = SeriesKey.TryWrite(key, documentKey, Encoding.UTF8.GetBytes(name), out int length, out _);
        StoredSeries series = default;
        bool isThere = isName && reader.TryFind(key[..length], out series);
        long total = isThere ? series.Count : 0;
        long? from = !isThere || (include.Count == 0 && include.Length.IsEmpty) ? include.From
            : include.Count != 0 ? reader.TimeOfLast(key[..length], include.Count)
            : include.Length.Before(series.Last);
        long written = 0;
        json.StartObject();
        json.Name("Entries"u8);
        json.StartArray();
        if (isThere)
        {
            reader.Begin(key[..length], from ?? 0, include.To ?? SeriesTime.Max);
            while (reader.MoveNext())
            {
                for (int i = reader.Start; i < reader.End; i++, written++)
                {
                    WriteEntry(ref json, reader.Points, i, name.Contains('@', StringComparison.Ordinal));
                }
            }
        }

        json.EndArray();
        WriteTime(ref json, "From"u8, from);
        WriteTime(ref json, "To"u8, include.To);
        if (written == total)
        {
            json.Name("TotalResults"u8);
            json.Number(written);
        }

        json.EndObject();
    }

    private static void WriteEntry(ref JsonOutput json, PointList points, int index, bool isRollup)
    {
        ReadOnlySpan<byte> tag = points.TagAt(index);
        json.StartObject();
        WriteTime(ref json, "Timestamp"u8, points.TimeAt(index));
        json.Name("Tag"u8);
        if (tag.IsEmpty)
        {
            json.Null();
        }
        else
        {
            json.String(tag);
        }

        json.Name("Values"u8);
        json.StartArray();
        foreach (double value in points.ValuesAt(index))
        {
            json.Number(value);
        }

        json.EndArray();
        json.Name("IsRollup"u8);
        json.Boolean(isRollup);
        json.EndObject();
    }

    private static void WriteTime(ref JsonOutput json, ReadOnlySpan<byte> name, long? time)
    {
        json.Name(name);
        if (time is not { } known)
        {
            json.Null();
            return;
        }

        Span<byte> text = stackalloc byte[DateText.Length];
        DateText.TryFormat(SeriesTime.ToTicks(known), text);
        json.String(text);
    }
}
