using System.Buffers.Binary;
using System.IO.Hashing;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Search.Fields;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Indexing.Reduce;

// docs/formats/reduce.md has a drawing of them.
//   Reduce.Documents   a document's key -> GROUP SLOT (8, 8), one pair for each of its results
//   Reduce.Keys        the key of a group -> its number (8)
//   Reduce.Groups      the number of a group -> GroupRecord; number 0 holds the last number given out, and the format
//   Reduce.Nodes       GROUP LEVEL INDEX (8, 1, 8, big-endian) -> level 0: the result in slot INDEX;
//                      level n: what the reduce made of up to 64 nodes below; level 255: the key of the group

/// <summary>The structures of a map-reduce index in the transaction of a batch.</summary>
internal sealed class ReduceTables
{
    internal const int FanOut = 64;
    internal const int NodeKeySize = 17;
    private const byte KeyLevel = 255;
    private const long FormatVersion = 1;

    private readonly Tree _documents;
    private readonly Tree _keys;
    private readonly FixedTree _groups;
    private readonly Tree _nodes;

    internal ReduceTables(WriteTransaction transaction)
    {
        _documents = transaction.OpenOrCreateTree("Reduce.Documents");
        _keys = transaction.OpenOrCreateTree("Reduce.Keys");
        _groups = transaction.OpenOrCreateFixedTree("Reduce.Groups"u8, GroupRecord.SizeBytes);
        _nodes = transaction.OpenOrCreateTree("Reduce.Nodes");
        GroupRecord head = ReadGroup(0);
        if (head.Count == 0)
        {
            WriteGroup(0, new GroupRecord(0, FormatVersion, 0));
        }
        else if (head.Count != FormatVersion)
        {
            throw new SearchIndexException(
                $"The map-reduce data has format {head.Count}, this build reads {FormatVersion}: index anew.");
        }
    }

    internal Tree Nodes => _nodes;

    internal static void WriteNodeKey(Span<byte> target, long group, int level, long index)
    {
        BinaryPrimitives.WriteInt64BigEndian(target, group);
        target[8] = (byte)level;
        BinaryPrimitives.WriteInt64BigEndian(target[9..], index);
    }

    /// <summary>Reads the groups and slots of a document's results.</summary>
    internal void ReadDocument(ReadOnlySpan<byte> key, List<(long Group, long Slot)> places)
    {
        places.Clear();
        if (_documents.TryGet(key, out NativeSlice value))
        {
            ReadOnlySpan<long> numbers = MemoryMarshal.Cast<byte, long>(value.Span);
            for (int i = 0; i < numbers.Length; i += 2)
            {
                places.Add((numbers[i], numbers[i + 1]));
            }
        }
    }

    internal void WriteDocument(ReadOnlySpan<byte> key, List<(long Group, long Slot)> places)
    {
        if (places.Count == 0)
        {
            _documents.Delete(key);
            return;
        }

        Span<long> numbers = places.Count <= 32 ? stackalloc long[64] : new long[places.Count * 2];
        numbers = numbers[..(places.Count * 2)];
        for (int i = 0; i < places.Count; i++)
        {
            numbers[i * 2] = places[i].Group;
            numbers[(i * 2) + 1] = places[i].Slot;
        }

        _documents.Put(key, MemoryMarshal.AsBytes(numbers));
    }

    /// <summary>The number of the group with a key. The group is added if there is none.</summary>
    internal long FindOrAddGroup(ReadOnlySpan<byte> key)
    {
        if (_keys.TryGet(key, out NativeSlice value))
        {
            return BinaryPrimitives.ReadInt64LittleEndian(value.Span);
        }

        GroupRecord head = ReadGroup(0);
        long group = head.NextSlot + 1;
        WriteGroup(0, head with { NextSlot = group });
        WriteGroup(group, default);
        Span<byte> number = stackalloc byte[8];
        BinaryPrimitives.WriteInt64LittleEndian(number, group);
        _keys.Put(key, number);
        Span<byte> node = stackalloc byte[NodeKeySize];
        WriteNodeKey(node, group, KeyLevel, 0);
        _nodes.Put(node, key);
        return group;
    }

    internal GroupRecord ReadGroup(long group) => _groups.TryGet(group, out NativeSlice value)
        ? MemoryMarshal.Read<GroupRecord>(value.Span)
        : default;

    internal void WriteGroup(long group, in GroupRecord record) =>
        _groups.Put(group, MemoryMarshal.AsBytes(new ReadOnlySpan<GroupRecord>(in record)));

    /// <summary>Two hashes of the key of a group: they identify its output documents, whatever its number is.</summary>
    internal (ulong First, ulong Second) NameOf(long group)
    {
        ReadOnlySpan<byte> key = TryGetNode(group, KeyLevel, 0, out NativeSlice stored) ? stored.Span : default;
        return (XxHash3.HashToUInt64(key), XxHash3.HashToUInt64(key, GroupKey.OtherSeed));
    }

    /// <summary>Removes a group with all of its nodes.</summary>
    internal void DeleteGroup(long group)
    {
        Span<byte> from = stackalloc byte[NodeKeySize];
        WriteNodeKey(from, group, KeyLevel, 0);
        if (_nodes.TryGet(from, out NativeSlice key))
        {
            _keys.Delete(key.Span.ToArray());
        }

        WriteNodeKey(from, group, 0, 0);
        Span<byte> to = stackalloc byte[NodeKeySize];
        WriteNodeKey(to, group + 1, 0, 0);
        _nodes.DeleteRange(from, to);
        _groups.Delete(group);
    }

    internal bool TryGetNode(long group, int level, long index, out NativeSlice value)
    {
        Span<byte> key = stackalloc byte[NodeKeySize];
        WriteNodeKey(key, group, level, index);
        return _nodes.TryGet(key, out value);
    }

    internal void PutNode(long group, int level, long index, ReadOnlySpan<byte> value)
    {
        Span<byte> key = stackalloc byte[NodeKeySize];
        WriteNodeKey(key, group, level, index);
        _nodes.Put(key, value);
    }

    internal bool DeleteNode(long group, int level, long index)
    {
        Span<byte> key = stackalloc byte[NodeKeySize];
        WriteNodeKey(key, group, level, index);
        return _nodes.Delete(key);
    }
}
