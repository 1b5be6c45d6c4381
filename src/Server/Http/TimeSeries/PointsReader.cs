using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents.Rows.Series;

namespace Raven.Server.Http.TimeSeries;

/// <summary>Reads a list of points. It allocates nothing for a point: texts of errors are made when there is one.
/// </summary>
/// <param name="place">Where the list is, for errors; empty, or it ends with a space.</param>
/// <param name="member">The name of the list.</param>
/// <param name="isIncrement">Whether a point may have no time, and has no tag.</param>
/// <param name="isUnix">Whether times of rows are milliseconds since 1970.</param>
internal readonly ref struct PointsReader(string place, string member, bool isIncrement, bool isUnix)
{
    // A time that no point has, and another one than that of an increment without a time.
    private const long NoTime = SeriesTime.Unknown - 1;

    /// <summary>Adds the points of a list.</summary>
    /// <exception cref="BadRequestException">One of them is wrong; the message says which and what.</exception>
    internal void Read(BlittableArray list, PointList points)
    {
        Span<double> values = stackalloc double[PointList.ValuesMax];
        Span<byte> tag = stackalloc byte[4 * PointList.TagSizeBytesMax];
        int length = list.Count;
        points.EnsureCapacity(length);
        for (int i = 0; i < length; i++)
        {
            BlittableValue point = list[i];
            int count;
            long time;
            BlittableValue tagValue;
            if (point.TryGetArray(out BlittableArray row))
            {
                count = ReadRow(row, i, values, out time, out tagValue);
            }
            else if (point.TryGetObject(out BlittableObject item))
            {
                count = ReadObject(item, i, values, out time, out tagValue);
            }
            else
            {
                throw Wrong(i, " must be an object.");
            }

            if (time < SeriesTime.Unknown)
            {
                throw Wrong(i, ".Timestamp must be a time.");
            }

            points.Add(time, values[..count], tag[..ReadTag(tagValue, i, tag)]);
        }
    }

    private int ReadObject(
        BlittableObject item, int index, Span<double> values, out long time, out BlittableValue tag)
    {
        item.TryGet("Timestamp"u8, out BlittableValue timestamp);
        item.TryGet("Tag"u8, out tag);
        if (!TimeSeriesBody.TryTimeOf(timestamp, isIncrement ? SeriesTime.Unknown : NoTime, out time))
        {
            throw Wrong(index, ".Timestamp must be a time.");
        }

        return item.TryGet("Values"u8, out BlittableValue all) && all.TryGetArray(out BlittableArray array)
            ? ReadValues(array, 0, array.Count, values, index, ".Values")
            : throw Wrong(index, ".Values must be a list of numbers.");
    }

    /// <summary>A point as bulk inserts write it: time, number of values, values, perhaps a tag.</summary>
    private int ReadRow(BlittableArray row, int index, Span<double> values, out long time, out BlittableValue tag)
    {
        int length = row.Count;
        if (length < 3)
        {
            throw Wrong(index, " must have a time, a number of values and the values.");
        }

        if (isUnix)
        {
            if (!row[0].TryGetInt64(out long unix) || !SeriesTime.TryOfUnix(unix, out time))
            {
                throw Wrong(index, "[0] must be milliseconds since 1970, of the years 1 to 9999.");
            }
        }
        else if (!TimeSeriesBody.TryTimeOf(row[0], NoTime, out time))
        {
            throw Wrong(index, "[0] must be a time.");
        }

        if (!row[1].TryGetInt64(out long count) || count < 1 || count > length - 2 || length > count + 3)
        {
            throw Wrong(index, "[1] must be the number of the values that follow.");
        }

        tag = length > count + 2 ? row[(int)count + 2] : default;
        return ReadValues(row, 2, (int)count, values, index, "");
    }

    private int ReadValues(
        BlittableArray list, int start, int count, Span<double> values, int index, string part)
    {
        if (count is 0 or > PointList.ValuesMax)
        {
            throw Wrong(index, $"{part} must have 1 to {PointList.ValuesMax} values, not {count}.");
        }

        for (int i = 0; i < count; i++)
        {
            if (!list[start + i].TryGetDouble(out values[i]) || !double.IsFinite(values[i]))
            {
                throw Wrong(index, $"{part}[{start + i}] must be a number that a double can hold.");
            }
        }

        return count;
    }

    private int ReadTag(BlittableValue value, int index, Span<byte> tag)
    {
        if (value.IsNull)
        {
            return 0;
        }

        if (value.Kind != ValueKind.String || isIncrement)
        {
            throw Wrong(index, isIncrement ? ".Tag: an increment takes no tag." : ".Tag must be a text.");
        }

        int length = value.Utf8LengthMax <= tag.Length ? value.CopyUtf8To(tag) : tag.Length;
        return length <= PointList.TagSizeBytesMax
            ? length
            : throw Wrong(index, $".Tag is longer than {PointList.TagSizeBytesMax} bytes.");
    }

    private BadRequestException Wrong(int index, string what) =>
        TimeSeriesBody.Wrong(place, $"{member}[{index}]{what}");
}
