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
        if (increments.Count > 0)
        {
            new PointsReader(place, "Increments", isIncrement: true, isUnix).Read(increments, action.Increments);
        }

        if (appends.Count > 0)
        {
            new PointsReader(place, "Appends", isIncrement: false, isUnix).Read(appends, action.Appends);
        }

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
    internal static long TimeOf(BlittableValue value, long defaultTime, string place, string member) =>
        TryTimeOf(value, defaultTime, out long time) ? time : throw Wrong(place, $"{member} must be a time.");

    /// <summary>A time; the default if the value is null or absent.</summary>
    /// <returns>False if it is none.</returns>
    internal static bool TryTimeOf(BlittableValue value, long defaultTime, out long time)
    {
        time = defaultTime;
        if (value.IsNull)
        {
            return true;
        }

        if (value.Kind != ValueKind.String)
        {
            return false;
        }

        if (value.TryGetUtf8(out ReadOnlySpan<byte> text) && text.Length >= 19
            && DateText.TryParse(text, out DateTime date))
        {
            time = SeriesTime.OfTicks(date.Ticks);
            return true;
        }

        bool isTime = DocumentTime.TryRead(value.GetString(), out long ticks);
        time = SeriesTime.OfTicks(ticks);
        return isTime;
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
}
