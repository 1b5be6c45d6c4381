using System.Buffers.Binary;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Documents.Rows.Series;
using Raven.Documents.TimeSeries;
using Raven.Storage.Tables;

namespace Raven.Documents.Smuggler;

/// <summary>
/// The time series of a dump: each item has some of the entries of one series, in the form of bulk inserts. Roll-ups
/// are series as all others.
/// </summary>
internal sealed class DumpSeries(DocumentSnapshot snapshot, DumpOptions options, DumpResult result, DumpWriter writer)
{
    private readonly RowHeap? _rows = snapshot.Transaction.TryOpenRowHeap(SeriesTables.Rows);
    private readonly SealedSegment _sealed = new();
    private readonly PointList _points = new();

    /// <summary>The tree of the segments.</summary>
    internal static ReadOnlySpan<byte> Tree => SeriesTables.ByKey;

    /// <summary>Writes a segment.</summary>
    /// <param name="rowId">The number of its row.</param>
    internal void Write(NativeSlice rowId)
    {
        NativeSlice row = _rows!.Read(BinaryPrimitives.ReadInt64LittleEndian(rowId.Span));
        if (!options.HasCollection(snapshot.CollectionName(RowLayout.ReadHeader(row.Span).CollectionId)))
        {
            result.TimeSeries.Skipped++;
            return;
        }

        ReadOnlySpan<byte> body = RowLayout.Body(row).Span;
        SegmentHead head = SegmentHead.Read(body);
        _points.Clear();
        if (head.Kind == SegmentHead.Open)
        {
            OpenSegment.Read(body, _points);
        }
        else
        {
            _sealed.Read(body, _points);
        }

        writer.BeginItem();
        var json = new JsonOutput(writer.Buffer);
        json.StartObject();
        json.Name("DocId"u8);
        json.String(RowLayout.Id(row).Span);
        json.Name("Name"u8);
        json.String(head.Name(body));
        json.Name("Entries"u8);
        json.StartArray();
        for (int i = 0; i < _points.Count; i++)
        {
            WriteEntry(ref json, i);
        }

        json.EndArray();
        json.EndObject();
        json.Flush();
        result.TimeSeries.Read++;
    }

    private void WriteEntry(ref JsonOutput json, int index)
    {
        ReadOnlySpan<double> values = _points.ValuesAt(index);
        json.StartArray();
        json.Number(SeriesTime.ToUnix(_points.TimeAt(index)));
        json.Number((long)values.Length);
        foreach (double value in values)
        {
            // As a whole number it would lose its sign.
            if (value == 0 && double.IsNegative(value))
            {
                json.Raw("-0.0"u8);
            }
            else
            {
                json.Number(value);
            }
        }

        if (!_points.TagAt(index).IsEmpty)
        {
            json.String(_points.TagAt(index));
        }

        json.EndArray();
    }

    /// <summary>Adds an item of an import to a batch.</summary>
    /// <returns>What is wrong with it; null if it was added.</returns>
    internal static string? Add(BatchCommand batch, Arena arena, BlittableObject item, NativeSlice id, NativeSlice name)
    {
        Span<byte> documentKey = stackalloc byte[DocumentId.SizeBytesMax];
        var action = new TimeSeriesAction(arena) { SkipsMissing = true };
        if (!DocumentId.TryFold(id.Span, documentKey, out int length, out _)
            || !action.TrySetName(documentKey[..length], name, out _))
        {
            return "has a DocId or a Name that is not valid.";
        }

        if (!item.TryGet("Entries"u8, out BlittableValue list) || !list.TryGetArray(out BlittableArray entries))
        {
            return "needs Entries, a list.";
        }

        Span<double> values = stackalloc double[PointList.ValuesMax];
        Span<byte> tag = stackalloc byte[4 * PointList.TagSizeBytesMax];
        for (int i = 0; i < entries.Count; i++)
        {
            if (!TryRead(entries[i], values, tag, out long time, out int count, out int tagLength))
            {
                return $"has an entry {i} that is not [milliseconds since 1970, number of values, values, tag?].";
            }

            action.Appends.Add(time, values[..count], tag[..tagLength]);
        }

        batch.TryAddAction(id.Span, action, ExpectedVersion.Any);
        return null;
    }

    private static bool TryRead(
        BlittableValue entry, Span<double> values, Span<byte> tag, out long time, out int count, out int tagLength)
    {
        time = 0;
        count = 0;
        tagLength = 0;
        if (!entry.TryGetArray(out BlittableArray row) || row.Count < 3
            || !row[0].TryGetInt64(out long unix) || !SeriesTime.TryOfUnix(unix, out time)
            || !row[1].TryGetInt64(out long number) || number is < 1 or > PointList.ValuesMax
            || row.Count < number + 2 || row.Count > number + 3)
        {
            return false;
        }

        count = (int)number;
        for (int i = 0; i < count; i++)
        {
            if (!row[2 + i].TryGetDouble(out values[i]) || !double.IsFinite(values[i]))
            {
                return false;
            }
        }

        if (row.Count == count + 2)
        {
            return true;
        }

        BlittableValue text = row[count + 2];
        bool isTag = text.Kind == ValueKind.String && text.Utf8LengthMax <= tag.Length;
        tagLength = isTag ? text.CopyUtf8To(tag) : 0;
        return isTag && tagLength <= PointList.TagSizeBytesMax;
    }
}
