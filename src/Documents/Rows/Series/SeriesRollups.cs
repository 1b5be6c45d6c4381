using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Documents.Settings;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Rows.Series;

//   NAME                       STRUCTURE  KEY                                         VALUE
//   TimeSeries.Rollups         Tree       folded id, 0x1E, folded name                RollupState
//   TimeSeries.Rollups.Due     Tree       time (big-endian), folded id, 0x1E, folded  empty
//                                         name
//   TimeSeries.Rollups.Late    Tree       folded id, 0x1E, folded name, 0x1E, time    int64: the last time of the range
//                                         (big-endian)
//
//   RUP-1  A frame says what the points in it say, once it is over: one that changes afterwards is late, and made
//          again.
//   RUP-2  The frame of a point that its policy has removed stays as it is: it cannot be made again.
//   RUP-3  A series with something to be done is in Due, under the time that its state names.

/// <summary>
/// Which time series have frames to be made, or points to be removed, and when: kept by each change of a series, in the
/// transaction of the change. One thread, that of the writer.
/// </summary>
internal sealed class SeriesRollups
{
    /// <summary>At once, or as soon as that is looked for.</summary>
    internal const long Now = 0;

    private readonly DocumentTables _documents;
    private readonly Dictionary<(int Collection, string Name), RollupRule?> _rules = [];
    private WriteTransaction _transaction = null!;
    private TimeSeriesConfiguration? _configuration;
    private Tree? _states;
    private bool _isActive;

    internal SeriesRollups(DocumentTables documents) => _documents = documents;

    internal static ReadOnlySpan<byte> StatesTree => "TimeSeries.Rollups"u8;

    internal static ReadOnlySpan<byte> DueTree => "TimeSeries.Rollups.Due"u8;

    internal static ReadOnlySpan<byte> LateTree => "TimeSeries.Rollups.Late"u8;

    /// <summary>The key of the time of a series in <see cref="DueTree"/>.</summary>
    internal static int DueKeySizeBytesMax => sizeof(long) + SeriesKey.SizeBytesMax;

    private Tree States => _states ??= _transaction.OpenOrCreateTree(StatesTree);

    /// <summary>Starts a command.</summary>
    internal void Begin(WriteTransaction transaction, TimeSeriesConfiguration? configuration)
    {
        _transaction = transaction;
        _states = null;
        if (!ReferenceEquals(configuration, _configuration))
        {
            _configuration = configuration;
            _rules.Clear();
        }

        _isActive = configuration is { IsActive: true };
    }

    /// <summary>When the next series has something to be done, in UTC ticks; the largest number for never.</summary>
    internal static long NextDueTicks(Transaction transaction, DatabaseSettings settings)
    {
        if (settings.TimeSeries is not { IsActive: true } configuration)
        {
            return long.MaxValue;
        }

        if (!RollupSurvey.IsDone(transaction, configuration))
        {
            return 0;
        }

        if (transaction.TryOpenTree(DueTree) is not { } due)
        {
            return long.MaxValue;
        }

        TreeCursor cursor = due.GetCursor();
        return cursor.SeekFirst() ? SeriesTime.ToTicks(BinaryPrimitives.ReadInt64BigEndian(cursor.Key)) : long.MaxValue;
    }

    /// <summary>The rule of a series; null if nothing is done with it.</summary>
    internal RollupRule? RuleOf(int collectionId, ReadOnlySpan<byte> seriesKey)
    {
        if (!_isActive)
        {
            return null;
        }

        // All raw series of a collection have one rule, and those of a policy another one.
        ReadOnlySpan<byte> name = seriesKey[(seriesKey.LastIndexOf(TombstoneKey.Separator) + 1)..];
        int at = name.IndexOf((byte)'@');
        (int, string) key = (collectionId, at < 0 ? "" : System.Text.Encoding.UTF8.GetString(name[at..]));
        if (!_rules.TryGetValue(key, out RollupRule? rule))
        {
            TimeSeriesCollection? collection = _configuration!.ActiveOf(_documents.CollectionName(collectionId));
            rule = collection is null ? null : RollupRule.Of(collection, name);
            _rules[key] = rule;
        }

        return rule;
    }

    /// <summary>What is stored of a series; nothing was made yet if nothing is.</summary>
    internal RollupState StateOf(ReadOnlySpan<byte> seriesKey) =>
        _transaction.TryOpenTree(StatesTree) is { } states && states.TryGet(seriesKey, out NativeSlice stored)
            ? RollupState.Read(stored.Span)
            : new RollupState { Due = RollupState.Never };

    /// <summary>Stores the state of a series, and keeps <see cref="DueTree"/> (RUP-3).</summary>
    internal void Put(ReadOnlySpan<byte> seriesKey, in RollupState state)
    {
        Tree due = _transaction.OpenOrCreateTree(DueTree);
        RollupState old = StateOf(seriesKey);
        Span<byte> key = stackalloc byte[DueKeySizeBytesMax];
        if (old.Due != state.Due && old.Due != RollupState.Never)
        {
            due.Delete(key[..WriteDue(key, old.Due, seriesKey)]);
        }

        if (old.Due != state.Due && state.Due != RollupState.Never)
        {
            due.Put(key[..WriteDue(key, state.Due, seriesKey)], default);
        }

        Span<byte> value = stackalloc byte[RollupState.SizeBytes];
        state.Write(value);
        States.Put(seriesKey, value);
    }

    /// <summary>Notes points that were written, in order.</summary>
    internal void Written(in SeriesTarget series, PointList points)
    {
        if (RuleOf(series.CollectionId, series.Key) is not { } rule)
        {
            return;
        }

        RollupState state = StateOf(series.Key);
        long due = state.Due;
        if (state.Rule != rule.Hash && state.Rule != 0)
        {
            due = Now;
        }
        else
        {
            int next = rule.Frame is { } frame ? NoteLate(series.Key, points, frame, in state, ref due) : points.Count;
            due = next < points.Count ? Math.Min(due, rule.EndOf(points.TimeAt(next))) : due;
            due = Math.Min(due, rule.RetiredAt(points.TimeAt(0)));
        }

        Reschedule(series.Key, in state, rule, due);
    }

    /// <summary>Notes a range whose points were removed.</summary>
    internal void Deleted(in SeriesTarget series, DeletedRange range)
    {
        if (RuleOf(series.CollectionId, series.Key) is not { Frame: { } frame } rule)
        {
            return;
        }

        RollupState state = StateOf(series.Key);
        long from = Math.Max(range.From, state.Retired);
        long to = Math.Min(range.To, state.Made - 1);
        if (from <= to)
        {
            PutLate(series.Key, frame.FloorOf(from), to);
            Reschedule(series.Key, in state, rule, Now);
        }
    }

    /// <summary>The first range with frames that are to be made again.</summary>
    internal bool TryFirstLate(ReadOnlySpan<byte> seriesKey, out DeletedRange range)
    {
        range = default;
        Span<byte> prefix = stackalloc byte[SeriesKey.SegmentSizeBytesMax];
        prefix = prefix[..SeriesKey.WritePrefix(prefix, seriesKey)];
        if (_transaction.TryOpenTree(LateTree) is not { } late)
        {
            return false;
        }

        TreeCursor cursor = late.GetCursor();
        if (!cursor.Seek(prefix) || !cursor.Key.StartsWith(prefix))
        {
            return false;
        }

        range = new DeletedRange(
            BinaryPrimitives.ReadInt64BigEndian(cursor.Key[prefix.Length..]),
            BinaryPrimitives.ReadInt64LittleEndian(cursor.Value.Span));
        return true;
    }

    /// <summary>Forgets such a range.</summary>
    internal void RemoveLate(ReadOnlySpan<byte> seriesKey, long from)
    {
        Span<byte> key = stackalloc byte[SeriesKey.SegmentSizeBytesMax];
        _transaction.OpenOrCreateTree(LateTree).Delete(key[..SeriesKey.WriteSegment(key, seriesKey, from)]);
    }

    /// <summary>Notes a range with frames that are to be made again.</summary>
    internal void PutLate(ReadOnlySpan<byte> seriesKey, long from, long to)
    {
        Span<byte> key = stackalloc byte[SeriesKey.SegmentSizeBytesMax];
        key = key[..SeriesKey.WriteSegment(key, seriesKey, from)];
        Tree late = _transaction.OpenOrCreateTree(LateTree);
        if (late.TryGet(key, out NativeSlice stored) && BinaryPrimitives.ReadInt64LittleEndian(stored.Span) >= to)
        {
            return;
        }

        Span<byte> value = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(value, to);
        late.Put(key, value);
    }

    /// <summary>Forgets all series of a document, or one series: what the keys begin with.</summary>
    internal void Remove(ReadOnlySpan<byte> prefix)
    {
        if (_transaction.TryOpenTree(StatesTree) is not { } states)
        {
            return;
        }

        Span<byte> key = stackalloc byte[SeriesKey.SegmentSizeBytesMax];
        while (TryFirst(states, prefix, key, out int length))
        {
            RollupState gone = StateOf(key[..length]);
            gone.Due = RollupState.Never;
            Put(key[..length], in gone);
            States.Delete(key[..length]);
        }

        Tree late = _transaction.OpenOrCreateTree(LateTree);
        while (TryFirst(late, prefix, key, out int length))
        {
            late.Delete(key[..length]);
        }
    }

    internal static int WriteDue(Span<byte> target, long time, ReadOnlySpan<byte> seriesKey)
    {
        BinaryPrimitives.WriteInt64BigEndian(target, time);
        seriesKey.CopyTo(target[sizeof(long)..]);
        return sizeof(long) + seriesKey.Length;
    }

    private static bool TryFirst(Tree tree, ReadOnlySpan<byte> prefix, Span<byte> key, out int length)
    {
        TreeCursor cursor = tree.GetCursor();
        bool found = cursor.Seek(prefix) && cursor.Key.StartsWith(prefix);
        length = found ? cursor.Key.Length : 0;
        if (found)
        {
            cursor.Key.CopyTo(key);
        }

        return found;
    }

    /// <summary>Notes the frames of points that are late.</summary>
    /// <returns>The index of the first point that is not.</returns>
    private int NoteLate(
        ReadOnlySpan<byte> seriesKey, PointList points, SeriesPeriod frame, in RollupState state, ref long due)
    {
        int next = 0;
        while (next < points.Count && points.TimeAt(next) < state.Made)
        {
            long start = frame.FloorOf(points.TimeAt(next));
            long end = frame.NextOf(start);
            if (start >= state.Retired)
            {
                PutLate(seriesKey, start, end - 1);
                due = Now;
            }

            int behind = points.Times[next..].BinarySearch(end);
            next += behind < 0 ? ~behind : behind;
        }

        return next;
    }

    private void Reschedule(ReadOnlySpan<byte> seriesKey, in RollupState state, RollupRule rule, long due)
    {
        if (due < state.Due)
        {
            RollupState changed = state;
            changed.Rule = state.Rule == 0 ? rule.Hash : state.Rule;
            changed.Due = due;
            Put(seriesKey, in changed);
        }
    }
}
