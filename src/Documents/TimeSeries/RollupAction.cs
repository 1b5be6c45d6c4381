using System.Text;
using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Rows;
using Raven.Documents.Rows.Series;
using Raven.Documents.Settings;

namespace Raven.Documents.TimeSeries;

//   RUP-5  What is made of a series depends on its points alone, not on when or how often frames are made: a roll-up
//          that was cut short, by a limit or by a crash, goes on where it was.

/// <summary>
/// Makes the frames of one time series that are over, and those again that were changed since, as points of the series
/// of the next policy. It reads a limited number of points; more is left for the next one.
/// </summary>
internal sealed class RollupAction : PolicyAction
{
    private const int PointsMax = 1 << 17;

    private readonly int _pointsMax;
    private readonly PointList _old = new();
    private int _read;

    /// <summary>An action for a series.</summary>
    /// <param name="arena">The memory of the batch.</param>
    /// <param name="source">The key of the series.</param>
    /// <param name="pointsMax">How many points it reads before it leaves the rest to the next one.</param>
    internal RollupAction(Arena arena, NativeSlice source, int pointsMax = PointsMax)
        : base(arena, source) => _pointsMax = pointsMax;

    private protected override void Execute(
        DocumentWriter writer, ref DocumentOperation operation, RollupRule? rule, ref RollupState state)
    {
        SeriesRollups rollups = writer.Series.Rollups;
        if (rule?.Frame is not { } frame)
        {
            return;
        }

        long now = frame.FloorOf(SeriesTime.OfTicks(writer.Now.Ticks));
        if (!TrySetTarget(writer, in operation, rule))
        {
            // The name of the series is so long that there is none for its frames: it is not rolled up.
            state.Made = Math.Max(state.Made, now);
            rollups.Put(Source, in state);
            return;
        }

        Prepare(writer, rule, frame, ref state);
        _read = 0;
        if (MakeLate(writer, rule, frame, in state) && state.Made < now)
        {
            state.Made = Make(writer, rule, frame, state.Made, now);
        }

        rollups.Put(Source, in state);
        if (Appends.Count != 0 || HasDeletions)
        {
            Apply(writer, ref operation);
        }
    }

    private bool TrySetTarget(DocumentWriter writer, in DocumentOperation operation, RollupRule rule)
    {
        ReadOnlySpan<byte> name = writer.Series.Tables.TryFind(Source, out StoredSeries stored)
            ? stored.Name.Span
            : Source[(Source.LastIndexOf(TombstoneKey.Separator) + 1)..];
        int at = name.IndexOf((byte)'@');
        byte[] target =
            [.. at < 0 ? name : name[..at], (byte)'@', .. Encoding.UTF8.GetBytes(rule.Target!)];
        NativeSlice kept = Arena.Allocate(target.Length);
        target.CopyTo(kept.WritableSpan);
        return TrySetName(operation.Key.Span, kept, out _);
    }

    /// <summary>Begins anew if frames were made in another way before, or none were.</summary>
    private void Prepare(DocumentWriter writer, RollupRule rule, SeriesPeriod frame, ref RollupState state)
    {
        SeriesRollups rollups = writer.Series.Rollups;
        if (state.Rule != rule.Hash)
        {
            while (rollups.TryFirstLate(Source, out DeletedRange late))
            {
                rollups.RemoveLate(Source, late.From);
            }

            state.Rule = rule.Hash;
            state.Retired = frame.CeilingOf(state.Retired);
            state.Made = state.Retired;
        }

        if (state.Made == 0 && writer.Series.Tables.TryFind(Source, out StoredSeries source)
            && writer.Series.Tables.TryFind(Key.Span, out StoredSeries target)
            && target.First < frame.FloorOf(source.First))
        {
            // The frames came from elsewhere, as from a dump, and are older than all points: those were retired there.
            state.Retired = frame.FloorOf(source.First);
            state.Made = state.Retired;
        }
    }

    /// <summary>Makes frames again that are late; false if some are left.</summary>
    private bool MakeLate(DocumentWriter writer, RollupRule rule, SeriesPeriod frame, in RollupState state)
    {
        SeriesRollups rollups = writer.Series.Rollups;
        long done = state.Retired;
        while (rollups.TryFirstLate(Source, out DeletedRange late))
        {
            if (_read >= _pointsMax)
            {
                return false;
            }

            rollups.RemoveLate(Source, late.From);
            long from = Math.Max(done, frame.FloorOf(Math.Max(0, late.From)));
            long to = Math.Min(late.To, state.Made - 1);
            if (from > to)
            {
                continue;
            }

            long end = frame.NextOf(frame.FloorOf(to));
            done = Make(writer, rule, frame, from, end);
            if (done < end)
            {
                rollups.PutLate(Source, done, to);
                return false;
            }
        }

        return true;
    }

    /// <summary>Makes the frames between two times, which are ends of frames.</summary>
    /// <returns>The end of the last one that is made, if there are too many points.</returns>
    private long Make(DocumentWriter writer, RollupRule rule, SeriesPeriod frame, long from, long to)
    {
        int first = Appends.Count;
        var frames = new RollupFrames(frame, rule.IsOfRollup, Appends);
        var reader = new TimeSeriesReader(writer.Tables.Transaction);
        reader.Begin(Source, from, to - 1);
        long end = to;
        while (end == to && reader.MoveNext())
        {
            for (int i = reader.Start; i < reader.End; i++, _read++)
            {
                long time = reader.Points.TimeAt(i);
                if (_read >= _pointsMax && frames.Start >= 0 && time >= frame.NextOf(frames.Start))
                {
                    end = frame.FloorOf(time);
                    break;
                }

                frames.Add(time, reader.Points.ValuesAt(i));
            }
        }

        frames.End();
        DropOthers(writer, first, from, end);
        return end;
    }

    /// <summary>Removes the points of frames that have none any more.</summary>
    private void DropOthers(DocumentWriter writer, int first, long from, long to)
    {
        _old.Clear();
        writer.Series.Read(Key.Span, new DeletedRange(from, to - 1), _old);
        ReadOnlySpan<long> made = Appends.Times[first..];
        for (int i = 0; i < _old.Count; i++)
        {
            if (made.BinarySearch(_old.TimeAt(i)) >= 0)
            {
                continue;
            }

            long start = _old.TimeAt(i);
            while (i + 1 < _old.Count && made.BinarySearch(_old.TimeAt(i + 1)) < 0
                && (made.IsEmpty || ~made.BinarySearch(_old.TimeAt(i + 1)) == ~made.BinarySearch(start)))
            {
                i++;
            }

            AddDeletion(start, _old.TimeAt(i));
        }
    }
}
