using System.Text;
using Raven.Blittable.Memory;
using Raven.Documents.Changes;
using Raven.Documents.Commands;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Documents.Rows.Series;

namespace Raven.Documents.TimeSeries;

/// <summary>
/// Changes one time series of a document: first ranges are deleted, then values are added to what is there, then points
/// are written. The document gets a new version only if the series comes or goes.
/// </summary>
public class TimeSeriesAction : BatchAction
{
    private readonly List<DeletedRange> _deletions = [];
    private readonly Arena _arena;
    private PointList? _appends;
    private PointList? _increments;
    private NativeSlice _key;
    private SeriesChange _change;
    private bool _isAppendSorted;
    private bool _isIncrementSorted;

    /// <summary>An action that changes nothing yet.</summary>
    /// <param name="arena">The memory of the batch.</param>
    public TimeSeriesAction(Arena arena) => _arena = arena;

    /// <summary>The name of the series, UTF-8.</summary>
    public NativeSlice Name { get; private set; }

    /// <summary>The points to write.</summary>
    public PointList Appends => _appends ??= new PointList();

    /// <summary>The points whose values are added to those at the same time.</summary>
    public PointList Increments => _increments ??= new PointList();

    /// <summary>How many points it writes.</summary>
    public int EntryCount => (_appends?.Count ?? 0) + (_increments?.Count ?? 0);

    /// <summary>Whether a document that is not there is no failure: nothing is done then.</summary>
    internal bool SkipsMissing { get; init; }

    /// <summary>The key of the series.</summary>
    internal NativeSlice Key => _key;

    /// <summary>Whether ranges are to be deleted.</summary>
    private protected bool HasDeletions => _deletions.Count != 0;

    /// <summary>The memory of the batch.</summary>
    private protected Arena Arena => _arena;

    /// <summary>Says which series it is.</summary>
    /// <param name="documentKey">The folded id of the document.</param>
    /// <param name="name">Its name, in the memory of the batch.</param>
    /// <param name="error">What is wrong with the name.</param>
    public bool TrySetName(ReadOnlySpan<byte> documentKey, NativeSlice name, out DocumentIdError error)
    {
        Name = name;
        return SeriesKey.TryCreate(_arena, documentKey, name.Span, out _key, out error);
    }

    /// <summary>Deletes the points of a range of time; both ends belong to it.</summary>
    /// <param name="from">The first time, in ms since 0001-01-01.</param>
    /// <param name="to">The last time.</param>
    public void AddDeletion(long from, long to) => _deletions.Add(new DeletedRange(from, to));

    /// <summary>What points would be after this; increments without a time are left out.</summary>
    internal PointList ApplyTo(PointList points)
    {
        foreach (DeletedRange range in _deletions)
        {
            var left = new PointList();
            for (int i = 0; i < points.Count; i++)
            {
                if (points.TimeAt(i) < range.From || points.TimeAt(i) > range.To)
                {
                    left.AddRange(points, i, 1);
                }
            }

            points = left;
        }

        return MergeInto(MergeInto(points, _increments, isSum: true), _appends, isSum: false);
    }

    internal override OperationTrace TraceAfter(OperationTrace before) => before;

    internal override bool TryCheck(
        DocumentWriter writer, in DocumentOperation operation, OperationTrace trace, Arena arena,
        out CommandFailure failure)
    {
        bool exists = trace == OperationTrace.Written
            || (trace == OperationTrace.None && writer.Tables.Exists(operation.Key.Span));
        failure = exists || SkipsMissing ? default : Missing(operation.Id);
        return exists || SkipsMissing;
    }

    internal override void Execute(DocumentWriter writer, ref DocumentOperation operation)
    {
        if (!SkipsMissing || writer.Tables.Exists(operation.Key.Span))
        {
            Apply(writer, ref operation);
            return;
        }

        _change = default;
        operation.IsChanged = false;
        operation.Etag = 0;
    }

    /// <summary>Does it to the document of an operation, which is there.</summary>
    private protected void Apply(DocumentWriter writer, ref DocumentOperation operation)
    {
        if (!writer.Tables.TryFind(operation.Key.Span, out _, out NativeSlice document))
        {
            throw new CommandRefusedException(Missing(operation.Id));
        }

        var target = new SeriesTarget
        {
            Key = _key.Span,
            Name = Name.Span,
            DocumentId = operation.Id.Span,
            CollectionId = RowLayout.ReadHeader(document.Span).CollectionId,
            NowTicks = writer.Now.Ticks,
        };
        bool isThere = writer.Series.Tables.TryFind(_key.Span, out _);
        _change = new SeriesChange { WasThere = isThere, IsThere = isThere };
        foreach (DeletedRange range in _deletions)
        {
            _change.Add(writer.Series.Delete(in target, range));
        }

        Write(writer, in target);
        if (_change.WasThere != _change.IsThere)
        {
            bool any = writer.Series.Tables.Any(operation.Key.Span);
            writer.Versions.Touch(
                ref operation, _arena, any ? DocumentFlags.HasTimeSeries : 0, any ? 0 : DocumentFlags.HasTimeSeries);
            return;
        }

        writer.ReadVersion(ref operation);
        operation.IsChanged = _change.Etag != 0;
        operation.Etag = _change.Etag != 0 ? _change.Etag : operation.Etag;
    }

    internal override void Notify(DocumentWriter writer, in DocumentOperation operation)
    {
        if (_change.Etag == 0)
        {
            return;
        }

        Span<byte> vector = stackalloc byte[ChangeVector.LocalSizeBytesMax];
        bool isWritten = _appends is { Count: > 0 } || _increments is { Count: > 0 };
        (long from, long to) = Span();
        writer.Changes.Notify(new TimeSeriesChange
        {
            Type = !isWritten ? "Delete"u8 : _deletions.Count == 0 ? "Put"u8 : "Mixed"u8,
            Name = Name.Span,
            DocumentId = operation.Id.Span,
            Collection = writer.CollectionNameOf(operation.CollectionId),
            ChangeVector = vector[..writer.FormatChangeVector(vector, _change.Etag)],
            From = from,
            To = to,
        });
        if (_change.WasThere != _change.IsThere)
        {
            writer.NotifyPut(in operation);
        }
    }

    /// <summary>Forgets what it is to do: an action that finds that out by itself may be executed again (CMD-2).
    /// </summary>
    private protected void Forget()
    {
        _deletions.Clear();
        _appends?.Clear();
        _isAppendSorted = false;
        _change = default;
    }

    private protected static CommandFailure Missing(NativeSlice id) =>
        new() { Kind = CommandFailureKind.DocumentMissing, Id = id };

    private static CommandFailure TooLarge(in SeriesTarget target, long time)
    {
        var at = new DateTime(SeriesTime.ToTicks(time), DateTimeKind.Utc);
        return new CommandFailure
        {
            Kind = CommandFailureKind.OutOfRange,
            Detail = $"Time series '{Encoding.UTF8.GetString(target.Name)}' of document "
                + $"'{Encoding.UTF8.GetString(target.DocumentId)}': the values at {at:O} would add up to more than a "
                + "double holds.",
        };
    }

    private static PointList MergeInto(PointList points, PointList? more, bool isSum)
    {
        if (more is null || more.Count == 0)
        {
            return points;
        }

        var merged = new PointList();
        PointList sorted = PointOrder.Sort(more, isSum);
        PointOrder.Merge(points, sorted, 0, sorted.Count, isSum, merged);
        return merged;
    }

    private void Write(DocumentWriter writer, in SeriesTarget target)
    {
        if (_increments is not null)
        {
            if (!_isIncrementSorted)
            {
                _increments.SetUnknownTimes(writer.Now.Ticks / TimeSpan.TicksPerMillisecond);
                _increments = PointOrder.Sort(_increments, isSum: true);
                _isIncrementSorted = true;
            }

            _change.Add(writer.Series.Write(in target, _increments, isSum: true));
            if (_change.OverflowTime is { } time)
            {
                throw new CommandRefusedException(TooLarge(in target, time));
            }
        }

        if (_appends is not null)
        {
            if (!_isAppendSorted)
            {
                _appends = PointOrder.Sort(_appends, isSum: false);
                _isAppendSorted = true;
            }

            _change.Add(writer.Series.Write(in target, _appends, isSum: false));
        }
    }

    /// <summary>The times between which something may have changed.</summary>
    private (long From, long To) Span()
    {
        long from = long.MaxValue;
        long to = long.MinValue;
        foreach (DeletedRange range in _deletions)
        {
            (from, to) = (Math.Min(from, range.From), Math.Max(to, range.To));
        }

        foreach (PointList? points in (ReadOnlySpan<PointList?>)[_appends, _increments])
        {
            if (points is { Count: > 0 })
            {
                from = Math.Min(from, points.TimeAt(0));
                to = Math.Max(to, points.TimeAt(points.Count - 1));
            }
        }

        return (from, to);
    }
}
