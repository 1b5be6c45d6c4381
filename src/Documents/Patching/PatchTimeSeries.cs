using System.Text;
using Raven.Blittable.Memory;
using Raven.Documents.Ids;
using Raven.Documents.Rows.Series;
using Raven.Documents.Scripts;
using Raven.Documents.TimeSeries;
using Raven.Scripting.Hosting;

namespace Raven.Documents.Patching;

/// <summary>The time series of the scripts of a batch: stored, and changed by the batch so far.</summary>
internal sealed class PatchTimeSeries(PatchPlan plan)
{
    private readonly List<(TimeSeriesAction Action, string Key)> _planned = [];
    private TimeSeriesAction? _last;
    private string _lastKey = "";

    /// <summary>Drops the changes of the batch.</summary>
    internal void Clear()
    {
        _planned.Clear();
        _last = null;
    }

    /// <summary>Adds the changes of an earlier command of the batch.</summary>
    internal void Note(TimeSeriesAction action) => _planned.Add((action, TextOf(action.Key)));

    /// <summary>Appends a point.</summary>
    internal void Append(
        string documentId, string name, DateTimeOffset time, ReadOnlySpan<double> values, string? tag)
    {
        CheckKind(name, isIncrement: false);
        byte[] utf8 = Encoding.UTF8.GetBytes(tag ?? "");
        if (utf8.Length > PointList.TagSizeBytesMax)
        {
            throw new ScriptHostException($"A tag has at most {PointList.TagSizeBytesMax} bytes");
        }

        Check(values);
        Change(documentId, name, isDeletion: false).Appends.Add(TimeOf(time), values, utf8);
    }

    /// <summary>Adds values to those of a point.</summary>
    internal void Increment(string documentId, string name, DateTimeOffset? time, ReadOnlySpan<double> values)
    {
        CheckKind(name, isIncrement: true);
        Check(values);
        Change(documentId, name, isDeletion: false).Increments.Add(
            time is { } known ? TimeOf(known) : SeriesTime.Unknown, values, default);
    }

    /// <summary>Deletes the points of a range.</summary>
    internal void Delete(string documentId, string name, DateTimeOffset from, DateTimeOffset to)
    {
        if (from <= to)
        {
            Change(documentId, name, isDeletion: true).AddDeletion(TimeOf(from), TimeOf(to));
        }
    }

    /// <summary>The points of a range, as the batch leaves them so far.</summary>
    internal IEnumerable<ScriptTimeSeriesEntry> Read(
        string documentId, string name, DateTimeOffset from, DateTimeOffset to)
    {
        var points = new PointList();
        if (!TryKey(documentId, name, out _, out _, out NativeSlice key))
        {
            return [];
        }

        plan.Reads.Add(ReadKind.TimeSeries, key, plan.View.TimeSeriesVersion(key.Span));
        plan.View.ReadTimeSeries(key.Span, TimeOf(from), TimeOf(to), points);
        string text = TextOf(key);
        foreach ((TimeSeriesAction action, string changed) in _planned)
        {
            points = changed == text ? action.ApplyTo(points) : points;
        }

        return ScriptTimeSeries.Entries(points, TimeOf(from), TimeOf(to));
    }

    private static long TimeOf(DateTimeOffset time) => SeriesTime.OfTicks(time.UtcTicks);

    private static void Check(ReadOnlySpan<double> values)
    {
        if (values.Length is 0 or > PointList.ValuesMax)
        {
            throw new ScriptHostException($"A point of a time series has 1 to {PointList.ValuesMax} values");
        }

        foreach (double value in values)
        {
            if (!double.IsFinite(value))
            {
                throw new ScriptHostException("A value of a time series is a finite number");
            }
        }
    }

    private static void CheckKind(string name, bool isIncrement)
    {
        if (name.StartsWith("INC:", StringComparison.OrdinalIgnoreCase) != isIncrement)
        {
            throw new ScriptHostException(
                isIncrement
                    ? $"Only a series whose name begins with INC: is incremented, not '{name}'"
                    : $"'{name}' is incremental: it is incremented, not appended to");
        }

        if (name.Contains('@'))
        {
            throw new ScriptHostException($"'{name}' has an @, which only the names of roll-ups have");
        }
    }

    /// <summary>The action that takes the next change: that of the change before if it is of the same series, and
    /// keeps their order.</summary>
    private TimeSeriesAction Change(string documentId, string name, bool isDeletion)
    {
        if (!TryKey(documentId, name, out NativeSlice id, out NativeSlice documentKey, out NativeSlice key))
        {
            throw new ScriptHostException($"'{name}' cannot be a time series of '{documentId}'");
        }

        string text = TextOf(key);
        if (_last is not null && !isDeletion && text == _lastKey && plan.IsLast(_last))
        {
            return _last;
        }

        var action = new TimeSeriesAction(plan.Context.Arena);
        if (!action.TrySetName(documentKey.Span, plan.Keep(Encoding.UTF8.GetBytes(name)), out DocumentIdError error))
        {
            throw new ScriptHostException(error.Describe());
        }

        plan.AddHidden(id, action);
        _planned.Add((action, text));
        _last = action;
        _lastKey = text;
        return action;
    }

    private bool TryKey(
        string documentId, string name, out NativeSlice id, out NativeSlice documentKey, out NativeSlice key)
    {
        key = default;
        return plan.TryKey(documentId, out id, out documentKey)
            && SeriesKey.TryCreate(
                plan.Context.Arena, documentKey.Span, Encoding.UTF8.GetBytes(name), out key, out _);
    }

    private static string TextOf(NativeSlice key) => Encoding.UTF8.GetString(key.Span);
}
