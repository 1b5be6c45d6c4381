using System.Buffers.Binary;

namespace Raven.Storage.Trees;

//   OFFSET  SIZE  FIELD
//        0     1  Form            0: the values follow, in order; 1: the root record (64) of a tree whose keys they are
//        1     2  length of the first value
//        3     n  its bytes; then the next length, to the end

/// <summary>The set of values that an entry of a <see cref="MultiTree"/> holds.</summary>
internal static class ValueSet
{
    internal const byte InlineForm = 0;
    internal const byte NestedForm = 1;
    internal const int NestedSize = 1 + StructureRoot.SizeInBytes;

    internal static bool IsNested(ReadOnlySpan<byte> set) => set.Length == NestedSize && set[0] == NestedForm;

    internal static StructureRoot Root(ReadOnlySpan<byte> set) => StructureRoot.Read(set[1..], StructureKind.Tree);

    /// <summary>The offset of the first value of an inline set.</summary>
    internal static int First(ReadOnlySpan<byte> set)
    {
        if (set.IsEmpty)
        {
            return 0;
        }

        if (set[0] != InlineForm)
        {
            ThrowDamaged();
        }

        return 1;
    }

    /// <summary>The value that starts at a position, which then is that of the next one.</summary>
    internal static ReadOnlySpan<byte> Value(ReadOnlySpan<byte> set, ref int at)
    {
        int start = at + sizeof(ushort);
        int length = start <= set.Length ? BinaryPrimitives.ReadUInt16LittleEndian(set[at..]) : int.MaxValue - start;
        if (start + length > set.Length)
        {
            ThrowDamaged();
        }

        at = start + length;
        return set.Slice(start, length);
    }

    /// <summary>The position of a value, or of the first one behind it.</summary>
    internal static bool Find(ReadOnlySpan<byte> set, ReadOnlySpan<byte> value, out int at)
    {
        at = First(set);
        while (at < set.Length)
        {
            int next = at;
            int order = KeyOrder.Compare(Value(set, ref next), value);
            if (order >= 0)
            {
                return order == 0;
            }

            at = next;
        }

        return false;
    }

    internal static long Count(ReadOnlySpan<byte> set)
    {
        if (IsNested(set))
        {
            return Root(set).Count;
        }

        long count = 0;
        for (int at = First(set); at < set.Length; count++)
        {
            Value(set, ref at);
        }

        return count;
    }

    /// <summary>Writes the set with one value more.</summary>
    /// <returns>Its size; if that is more than the buffer, nothing was written.</returns>
    internal static int Add(ReadOnlySpan<byte> set, ReadOnlySpan<byte> value, Span<byte> buffer, out bool isNew)
    {
        isNew = !Find(set, value, out int at);
        if (!isNew)
        {
            return 0;
        }

        at = Math.Max(at, 1);
        int added = sizeof(ushort) + value.Length;
        int size = Math.Max(set.Length, 1) + added;
        if (size <= buffer.Length)
        {
            buffer[0] = InlineForm;
            if (!set.IsEmpty)
            {
                set[..at].CopyTo(buffer);
                set[at..].CopyTo(buffer[(at + added)..]);
            }

            BinaryPrimitives.WriteUInt16LittleEndian(buffer[at..], (ushort)value.Length);
            value.CopyTo(buffer[(at + sizeof(ushort))..]);
        }

        return size;
    }

    /// <summary>Writes the set with one value less.</summary>
    /// <returns>Its size: 1 for an empty one.</returns>
    internal static int Remove(ReadOnlySpan<byte> set, ReadOnlySpan<byte> value, Span<byte> buffer, out bool removed)
    {
        removed = Find(set, value, out int at);
        if (!removed || set.Length > buffer.Length)
        {
            return removed ? ThrowDamaged() : 0;
        }

        int next = at;
        Value(set, ref next);
        set[..at].CopyTo(buffer);
        set[next..].CopyTo(buffer[at..]);
        return set.Length - (next - at);
    }

    /// <summary>Writes the keys of a tree as an inline set.</summary>
    /// <returns>Its size, or a number above that of the buffer.</returns>
    internal static int Collect(Tree tree, Span<byte> buffer)
    {
        buffer[0] = InlineForm;
        int size = 1;
        TreeCursor cursor = tree.GetCursor();
        for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
        {
            ReadOnlySpan<byte> value = cursor.Key;
            int next = size + sizeof(ushort) + value.Length;
            if (next > buffer.Length)
            {
                return int.MaxValue;
            }

            BinaryPrimitives.WriteUInt16LittleEndian(buffer[size..], (ushort)value.Length);
            value.CopyTo(buffer[(size + sizeof(ushort))..]);
            size = next;
        }

        return size;
    }

    private static int ThrowDamaged() => throw Damage.Of("a set of values is damaged");
}
