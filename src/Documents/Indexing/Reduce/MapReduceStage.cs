using System.Buffers;
using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Maps;
using Raven.Storage.Transactions;

namespace Raven.Documents.Indexing.Reduce;

/// <summary>
/// Incremental map-reduce: the results of a document keep their slots in their groups, unchanged results change no
/// group, and a changed group is reduced along one path of its tree (<see cref="GroupTree"/>).
/// </summary>
internal sealed class MapReduceStage : ReduceStage
{
    internal const int OutputKeySize = 20;

    private readonly GroupReducer _reducer;
    private readonly ReduceSink _mapped;
    private readonly ReduceSink _reduced = new();
    private readonly GroupTree _tree;
    private readonly GroupKey _key = new();
    private readonly SortedDictionary<long, SortedSet<long>> _touched = [];
    private readonly List<(long Group, long Slot)> _before = [];
    private readonly List<(long Group, long Slot)> _after = [];
    private readonly List<Range> _keys = [];
    private readonly ArrayBufferWriter<byte> _keyBytes = new(256);
    private byte[] _document = [];
    private ReduceTables? _tables;

    /// <summary>Makes a stage.</summary>
    /// <param name="reducer">Groups and reduces; disposed with the stage.</param>
    /// <param name="countField">A field that each result of a map gets with the value 1; null for none.</param>
    internal MapReduceStage(GroupReducer reducer, string? countField = null)
    {
        _reducer = reducer;
        _mapped = new ReduceSink(countField);
        _tree = new GroupTree(reducer, _reduced);
    }

    internal override MapSink Sink => _mapped;

    /// <inheritdoc/>
    internal override IReadOnlyList<string> Fields => _reducer.Fields;

    /// <inheritdoc/>
    internal override bool HasDurations => _reducer.HasDurations;

    /// <summary>Makes the stage of an automatic index, for a query with <c>group by</c>.</summary>
    /// <param name="keys">The fields whose values make the key; maps emit them.</param>
    /// <param name="sums">The fields that are summed up; maps emit them.</param>
    /// <param name="countField">The name of the count, which maps do not emit; null for none.</param>
    internal static MapReduceStage OfAggregates(
        IEnumerable<string> keys, IEnumerable<string> sums, string? countField) =>
        new(new AggregateReducer(keys, countField is null ? sums : sums.Append(countField)), countField);

    /// <summary>How many results the reduce has run over.</summary>
    internal long ReducedCount => _tree.ReducedCount;

    private ReduceTables Tables => _tables ?? throw new InvalidOperationException("No batch is under way.");

    internal override void Begin(WriteTransaction transaction)
    {
        GroupCount = 0;
        FailedGroupCount = 0;
        _touched.Clear();
        _tables = new ReduceTables(transaction);
    }

    internal override void BeginDocument(ReadOnlySpan<byte> key)
    {
        _mapped.Clear();
        _mapped.References = References;
        _document = key.ToArray();
    }

    internal override void EndDocument(bool isFailed)
    {
        if (isFailed)
        {
            _mapped.Entries.Clear();
        }

        EmittedCount = _mapped.Entries.Count;
        Apply(_document);
        _mapped.Clear();
    }

    internal override void DeleteDocument(ReadOnlySpan<byte> key)
    {
        _mapped.Clear();
        Apply(key);
    }

    internal override void Complete(ReduceOutput output)
    {
        foreach ((long group, SortedSet<long> slots) in _touched)
        {
            GroupRecord record = Tables.ReadGroup(group);
            if (record.Count == 0)
            {
                Delete(output, Tables.NameOf(group), 0, record.ResultCount);
                Tables.DeleteGroup(group);
            }
            else if (_tree.Update(Tables, group, record.NextSlot, slots))
            {
                Give(output, group, record);
            }
        }

        _touched.Clear();
    }

    internal override void End()
    {
        _touched.Clear();
        _tables = null;
        _mapped.Clear();
        _reduced.Clear();
    }

    protected override void Dispose(bool isDisposing)
    {
        if (isDisposing)
        {
            _reducer.Dispose();
            _mapped.Dispose();
            _reduced.Dispose();
        }

        base.Dispose(isDisposing);
    }

    /// <summary>
    /// Replaces the former results of the document in their groups by those that the map has emitted now.
    /// </summary>
    private void Apply(ReadOnlySpan<byte> document)
    {
        FindKeys();
        Tables.ReadDocument(document, _before);
        bool isMoved = _mapped.Entries.Count != _before.Count;
        _after.Clear();
        for (int i = 0; i < _keys.Count; i++)
        {
            BlittableObject entry = _mapped.Entries[i];
            long group = Tables.FindOrAddGroup(_keyBytes.WrittenSpan[_keys[i]]);
            int same = _before.FindIndex(place => place.Group == group);
            long slot;
            if (same < 0)
            {
                slot = TakeSlot(group);
                isMoved = true;
                Put(group, slot, entry);
            }
            else
            {
                slot = _before[same].Slot;
                _before.RemoveAt(same);
                Replace(group, slot, entry);
            }

            _after.Add((group, slot));
        }

        foreach ((long group, long slot) in _before)
        {
            GroupRecord record = Tables.ReadGroup(group);
            Tables.WriteGroup(group, record with { Count = record.Count - 1 });
            Tables.DeleteNode(group, 0, slot);
            Touch(group, slot);
        }

        if (isMoved)
        {
            Tables.WriteDocument(document, _after);
        }
    }

    /// <summary>Computes the keys of all emitted results before anything is changed, as the user's code
    /// may throw.</summary>
    private void FindKeys()
    {
        _keys.Clear();
        _keyBytes.ResetWrittenCount();
        foreach (BlittableObject entry in _mapped.Entries)
        {
            int start = _keyBytes.WrittenCount;
            _keyBytes.Write(_key.Encode(_reducer.KeyOf(entry, _mapped.Context)));
            _keys.Add(start.._keyBytes.WrittenCount);
        }
    }

    private long TakeSlot(long group)
    {
        GroupRecord record = Tables.ReadGroup(group);
        Tables.WriteGroup(group, record with { NextSlot = record.NextSlot + 1, Count = record.Count + 1 });
        return record.NextSlot;
    }

    private void Replace(long group, long slot, BlittableObject entry)
    {
        bool isSame = Tables.TryGetNode(group, 0, slot, out NativeSlice former)
            && former.Span.SequenceEqual(entry.Memory.Span);
        if (!isSame)
        {
            Put(group, slot, entry);
        }
    }

    private void Put(long group, long slot, BlittableObject entry)
    {
        Tables.PutNode(group, 0, slot, entry.Memory.Span);
        Touch(group, slot);
    }

    private void Touch(long group, long slot)
    {
        if (!_touched.TryGetValue(group, out SortedSet<long>? slots))
        {
            slots = [];
            _touched[group] = slots;
        }

        slots.Add(slot);
    }

    private void Give(ReduceOutput output, long group, in GroupRecord record)
    {
        GroupCount++;
        Span<byte> key = stackalloc byte[OutputKeySize];
        (ulong First, ulong Second) name = Tables.NameOf(group);
        int count = _reduced.Entries.Count;
        for (int i = 0; i < count; i++)
        {
            WriteOutputKey(key, name, i);
            output.Put(key, _reduced.Entries[i]);
        }

        Delete(output, name, count, record.ResultCount);
        if (record.ResultCount != count)
        {
            Tables.WriteGroup(group, record with { ResultCount = count });
        }

        if (_tree.Failure is { } failure)
        {
            FailedGroupCount++;
            WriteOutputKey(key, name, 0);
            output.Fail(key, failure);
        }

        _reduced.Clear();
    }

    private static void Delete(
        ReduceOutput output, (ulong First, ulong Second) name, long from, long to)
    {
        Span<byte> key = stackalloc byte[OutputKeySize];
        for (long i = from; i < to; i++)
        {
            WriteOutputKey(key, name, i);
            output.Delete(key);
        }
    }

    private static void WriteOutputKey(Span<byte> target, (ulong First, ulong Second) name, long number)
    {
        BinaryPrimitives.WriteUInt64BigEndian(target, name.First);
        BinaryPrimitives.WriteUInt64BigEndian(target[8..], name.Second);
        BinaryPrimitives.WriteInt32BigEndian(target[16..], (int)number);
    }
}
