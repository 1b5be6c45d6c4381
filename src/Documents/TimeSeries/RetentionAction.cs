using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Rows.Series;

namespace Raven.Documents.TimeSeries;

/// <summary>
/// Removes the points of one time series that its policy does not keep, frame by frame, and none before its frame is
/// made; then says when there is something to be done with the series again.
/// </summary>
internal sealed class RetentionAction(Arena arena, NativeSlice source) : PolicyAction(arena, source)
{
    /// <summary>What could not be done now is tried again later, not at once.</summary>
    private const long RetryMilliseconds = 60_000;

    private protected override void Execute(
        DocumentWriter writer, ref DocumentOperation operation, RollupRule? rule, ref RollupState state)
    {
        SeriesRollups rollups = writer.Series.Rollups;
        if (rule is null)
        {
            state.Due = RollupState.Never;
            rollups.Put(Source, in state);
            return;
        }

        long now = SeriesTime.OfTicks(writer.Now.Ticks);
        bool isLate = rollups.TryFirstLate(Source, out DeletedRange late);
        long cut = rule.CutAt(now);
        cut = rule.Frame is null ? cut : Math.Min(cut, state.Made);
        cut = isLate ? Math.Min(cut, late.From) : cut;
        bool isThere = writer.Series.Tables.TryFind(Source, out StoredSeries stored);
        if (IsSourceDue(writer, rule, now))
        {
            // Its points may change yet, and what is made of them: it is looked at again after the finer series.
            state.Due = isThere ? SeriesRollups.Now : RollupState.Never;
            rollups.Put(Source, in state);
            return;
        }

        if (isThere && stored.First < cut)
        {
            // RUP-2: the state says so before the points go, so that their frames are not made again.
            state.Retired = Math.Max(state.Retired, cut);
            rollups.Put(Source, in state);
            SetName(in operation, stored);
            AddDeletion(0, cut - 1);
            Apply(writer, ref operation);
            isThere = writer.Series.Tables.TryFind(Source, out stored);
        }

        state.Due = isThere ? NextDue(writer, rule, in state, stored.First, now, isLate) : RollupState.Never;
        rollups.Put(Source, in state);
    }

    private bool IsSourceDue(DocumentWriter writer, RollupRule rule, long now)
    {
        if (rule.Source is not { } suffix)
        {
            return false;
        }

        ReadOnlySpan<byte> key = Source;
        int length = key.LastIndexOf((byte)'@');
        Span<byte> finer = stackalloc byte[SeriesKey.SizeBytesMax];
        if (length + suffix.Length > finer.Length)
        {
            return false;
        }

        key[..length].CopyTo(finer);
        suffix.CopyTo(finer[length..]);
        return writer.Series.Rollups.StateOf(finer[..(length + suffix.Length)]).Due <= now;
    }

    private void SetName(in DocumentOperation operation, StoredSeries stored)
    {
        NativeSlice name = Arena.Allocate(stored.Name.Length);
        stored.Name.Span.CopyTo(name.WritableSpan);
        TrySetName(operation.Key.Span, name, out _);
    }

    private long NextDue(
        DocumentWriter writer, RollupRule rule, in RollupState state, long first, long now, bool isLate)
    {
        long due = rule.RetiredAt(first);
        due = due <= now ? now + RetryMilliseconds : due;
        if (rule.Frame is not { } frame)
        {
            return due;
        }

        if (isLate || state.Made < frame.FloorOf(now))
        {
            return SeriesRollups.Now;
        }

        var reader = new TimeSeriesReader(writer.Tables.Transaction);
        reader.Begin(Source, state.Made, SeriesTime.Max);
        return reader.MoveNext() ? Math.Min(due, rule.EndOf(reader.Points.TimeAt(reader.Start))) : due;
    }
}
