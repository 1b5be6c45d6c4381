using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Blittable.Text;
using Raven.Documents.Commands;
using Raven.Documents.Ids;
using Raven.Documents.Rows.Series;
using Raven.Documents.Sweeps;
using Raven.Documents.TimeSeries;

namespace Raven.Server.Http.TimeSeries;

/// <summary>Reads what is to be done to one time series: its name, deletions, increments and appends.</summary>
internal static class TimeSeriesBody
{
    /// <summary>Adds the changes of a series to a batch.</summary>
    /// <param name="batch">The batch.</param>
    /// <param name="id">The document.</param>
    /// <param name="body">An object with Name, and Appends, Deletes or Increments.</param>
    /// <param name="place">Where the object is, for errors; empty, or it ends with a space.</param>
    /// <returns>False if the command fails: then the batch's failure says why.</returns>
    /// <exception cref="BadRequestException">A member is missing or wrong; the message says which one.</exception>
    internal static bool TryAdd(BatchCommand batch, NativeSlice id, BlittableObject body, string place)
    {
        Arena arena = batch.Context.Arena;
        var action = new TimeSeriesAction(arena);
        if (!batch.TryAddAction(id.Span, action, ExpectedVersion.Any))
        {
            return false;
        }

        NativeSlice key = batch.Added(batch.Count - 1).Key;
        NativeSlice name = body.TryGet("Name"u8, out BlittableValue text) && text.Kind == ValueKind.String
            ? text.GetUtf8(arena)
            : throw Wrong(place, "Name must be a text.");
        CheckName(name, place, "Name");
        if (!action.TrySetName(key.Span, name, out DocumentIdError error))
        {
            throw Wrong(place, $"Name: {error.Describe()}");
        }

        bool isIncremental = IsIncremental(name.Span);
        BlittableArray deletes = ListOf(body, "Deletes", place);
        for (int i = 0; i < deletes.Count; i++)
        {
            AddDeletion(action, deletes[i], place, i);
        }

        BlittableArray increments = ListOf(body, "Increments", place);
        if (increments.Count > 0 && !isIncremental)
        {
            throw Wrong(place, $"Increments need a series whose name begins with INC:, not '{Text(name)}'.");
        }

        BlittableArray appends = ListOf(body, "Appends", place);
        if (appends.Count > 0 && isIncremental)
        {
            throw Wrong(place, $"'{Text(name)}' is incremental: it takes Increments, not Appends.");
        }

        bool isUnix = IsUnix(body, place);
        ReadPoints(action.Increments, increments, place, "Increments", isIncrement: true, isUnix);
        ReadPoints(action.Appends, appends, place, "Appends", isIncrement: false, isUnix);
        return true;
    }

    /// <summary>Refuses a name that no client may write to.</summary>
    internal static void CheckName(NativeSlice name, string place, string member)
    {
        if (name.Span.Contains((byte)'@'))
        {
            throw Wrong(place, $"{member}: '{Text(name)}' has an @, which only the names of roll-ups have.");
        }
    }

    /// <summary>Whether values of a series are added up.</summary>
    internal static bool IsIncremental(ReadOnlySpan<byte> name) =>
        name.Length >= 4 && Ascii.EqualsIgnoreCase(name[..4], "INC:"u8);

    /// <summary>A time of a member; the default if it is null or absent.</summary>
    internal static long TimeOf(BlittableValue value, long defaultTime, string place, string member)
    {
        if (value.IsNull)
        {
            return defaultTime;
        }

        if (value.Kind == ValueKind.String)
        {
            if (value.TryGetUtf8(out ReadOnlySpan<byte> text) && text.Length >= 19
                && DateText.TryParse(text, out DateTime date))
            {
                return SeriesTime.OfTicks(date.Ticks);
            }

            if (DocumentTime.TryRead(value.GetString(), out long ticks))
            {
                return SeriesTime.OfTicks(ticks);
            }
        }

        throw Wrong(place, $"{member} must be a time.");
    }

    internal static BadRequestException Wrong(string place, string what) =>
        new(400, ErrorType.Argument, place + what);

    private static string Text(NativeSlice utf8) => Encoding.UTF8.GetString(utf8.Span);

    private static BlittableArray ListOf(BlittableObject body, string name, string place)
    {
        Span<byte> utf8 = stackalloc byte[16];
        int length = Encoding.UTF8.GetBytes(name, utf8);
        if (!body.TryGet(utf8[..length], out BlittableValue value) || value.IsNull)
        {
            return default;
        }

        return value.TryGetArray(out BlittableArray list) ? list : throw Wrong(place, $"{name} must be a list.");
    }

    private static bool IsUnix(BlittableObject body, string place)
    {
        if (!body.TryGet("TimeFormat"u8, out BlittableValue format) || format.IsNull)
        {
            return false;
        }

        return format.Kind == ValueKind.String && format.StringEquals("UnixTimeInMs"u8)
            ? true
            : throw Wrong(place, "TimeFormat must be UnixTimeInMs.");
    }

    private static void AddDeletion(TimeSeriesAction action, BlittableValue item, string place, int index)
    {
        if (!item.TryGetObject(out BlittableObject range))
        {
            throw Wrong(place, $"Deletes[{index}] must be an object.");
        }

        range.TryGet("From"u8, out BlittableValue from);
        range.TryGet("To"u8, out BlittableValue to);
        long first = TimeOf(from, 0, place, $"Deletes[{index}].From");
        long last = TimeOf(to, SeriesTime.Max, place, $"Deletes[{index}].To");
        if (first > last)
        {
            throw Wrong(place, $"Deletes[{index}] ends before it begins.");
        }

        action.AddDeletion(first, last);
    }

    private static void ReadPoints(
        PointList points, BlittableArray list, string place, string member, bool isIncrement, bool isUnix)
    {
        Span<double> values = stackalloc double[PointList.ValuesMax];
        Span<byte> tag = stackalloc byte[4 * PointList.TagSizeBytesMax];
        for (int i = 0; i < list.Count; i++)
        {
            long time;
            int count;
            BlittableValue tagValue;
            if (list[i].TryGetArray(out BlittableArray row))
            {
                count = ReadRow(row, isUnix, values, place, $"{member}[{i}]", out time, out tagValue);
            }
            else if (list[i].TryGetObject(out BlittableObject item))
            {
                item.TryGet("Timestamp"u8, out BlittableValue timestamp);
                item.TryGet("Tag"u8, out tagValue);
                long none = isIncrement ? SeriesTime.Unknown : -2;
                time = TimeOf(timestamp, none, place, $"{member}[{i}].Timestamp");
                count = item.TryGet("Values"u8, out BlittableValue all) && all.TryGetArray(out BlittableArray array)
                    ? ReadValues(array, 0, array.Count, values, place, $"{member}[{i}].Values")
                    : throw Wrong(place, $"{member}[{i}].Values must be a list of numbers.");
            }
            else
            {
                throw Wrong(place, $"{member}[{i}] must be an object.");
            }

            if (time < SeriesTime.Unknown)
            {
                throw Wrong(place, $"{member}[{i}].Timestamp must be a time.");
            }

            int tagLength = ReadTag(tagValue, tag, place, $"{member}[{i}].Tag", isIncrement);
            points.Add(time, values[..count], tag[..tagLength]);
        }
    }

    /// <summary>A point as bulk inserts write it: time, number of values, values, perhaps a tag.</summary>
    private static int ReadRow(
        BlittableArray row, bool isUnix, Span<double> values, string place, string member, out long time,
        out BlittableValue tag)
    {
        if (row.Count < 3)
        {
            throw Wrong(place, $"{member} must have a time, a number of values and the values.");
        }

        if (!isUnix || !row[0].TryGetInt64(out long unix) || !SeriesTime.TryOfUnix(unix, out time))
        {
            time = isUnix
                ? throw Wrong(place, $"{member}[0] must be milliseconds since 1970, of the years 1 to 9999.")
                : TimeOf(row[0], -2, place, $"{member}[0]");
        }

        if (!row[1].TryGetInt64(out long count) || count < 1 || count > row.Count - 2 || row.Count > count + 3)
        {
            throw Wrong(place, $"{member}[1] must be the number of the values that follow.");
        }

        tag = row.Count > count + 2 ? row[(int)count + 2] : default;
        return ReadValues(row, 2, (int)count, values, place, member);
    }

    private static int ReadValues(
        BlittableArray list, int start, int count, Span<double> values, string place, string member)
    {
        if (count is 0 or > PointList.ValuesMax)
        {
            throw Wrong(place, $"{member} must have 1 to {PointList.ValuesMax} values, not {count}.");
        }

        for (int i = 0; i < count; i++)
        {
            if (!list[start + i].TryGetDouble(out values[i]) || !double.IsFinite(values[i]))
            {
                throw Wrong(place, $"{member}[{start + i}] must be a number that a double can hold.");
            }
        }

        return count;
    }

    private static int ReadTag(BlittableValue value, Span<byte> tag, string place, string member, bool isIncrement)
    {
        if (value.IsNull)
        {
            return 0;
        }

        if (value.Kind != ValueKind.String || isIncrement)
        {
            throw Wrong(place, isIncrement ? $"{member}: an increment takes no tag." : $"{member} must be a text.");
        }

        int length = value.Utf8LengthMax <= tag.Length ? value.CopyUtf8To(tag) : tag.Length;
        return length <= PointList.TagSizeBytesMax
            ? length
            : throw Wrong(place, $"{member} is longer than {PointList.TagSizeBytesMax} bytes.");
    }
}
