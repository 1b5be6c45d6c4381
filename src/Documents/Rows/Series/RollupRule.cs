using System.IO.Hashing;
using System.Text;
using Raven.Documents.Ids;
using Raven.Documents.Settings;

namespace Raven.Documents.Rows.Series;

/// <summary>What is done with one time series by itself.</summary>
internal sealed class RollupRule
{
    private RollupRule(TimeSeriesPolicy? before, TimeSeriesPolicy of, TimeSeriesPolicy? next)
    {
        Source = before is null ? null
            : before.Aggregation is null ? [] : Encoding.UTF8.GetBytes($"@{DocumentId.FoldedText(
                Encoding.UTF8.GetBytes(before.Name))}");
        Retention = of.Retention;
        Frame = next?.Aggregation;
        Target = next?.Name;
        IsOfRollup = of.Aggregation is not null;
        Hash = Math.Max(1, XxHash3.HashToUInt64(Encoding.UTF8.GetBytes($"{of.Name}\n{Target}\n{Frame}")));
    }

    /// <summary>What the folded name of the series that it is made from has behind that of the raw one; null for the
    /// raw one itself.</summary>
    internal byte[]? Source { get; }

    /// <summary>How long its points are kept; null for ever.</summary>
    internal SeriesPeriod? Retention { get; }

    /// <summary>The length of the frames that are made of it; null if none are.</summary>
    internal SeriesPeriod? Frame { get; }

    /// <summary>The policy whose series takes the frames.</summary>
    internal string? Target { get; }

    /// <summary>Whether its points are frames themselves, with six values for each raw one.</summary>
    internal bool IsOfRollup { get; }

    /// <summary>Differs for rules that make other frames.</summary>
    internal ulong Hash { get; }

    /// <summary>The rule of a series; null if nothing is done with it.</summary>
    internal static RollupRule? Of(TimeSeriesCollection collection, ReadOnlySpan<byte> foldedName)
    {
        (TimeSeriesPolicy? before, TimeSeriesPolicy? of, TimeSeriesPolicy? next) = collection.Find(foldedName);
        return of is null || (next is null && of.Retention is null) ? null : new RollupRule(before, of, next);
    }

    /// <summary>The end of the frame that a time lies in; of a series without frames, the time behind it.</summary>
    internal long EndOf(long time) => Frame is { } frame ? frame.NextOf(frame.FloorOf(time)) : time + 1;

    /// <summary>When a point is to be removed: a frame is removed whole.</summary>
    internal long RetiredAt(long time) =>
        Retention is { } kept ? kept.After(Math.Min(EndOf(time), SeriesTime.Max)) : RollupState.Never;

    /// <summary>The time before which all points are to be removed.</summary>
    internal long CutAt(long now)
    {
        long cut = Retention is { } kept ? kept.Before(now) : 0;
        return Frame is { } frame ? frame.FloorOf(cut) : cut;
    }
}
