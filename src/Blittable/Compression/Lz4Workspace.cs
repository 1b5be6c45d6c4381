using System.Runtime.InteropServices;

namespace Raven.Blittable.Compression;

/// <summary>
/// One thread's hash table for <see cref="Lz4Encoder"/>. It is never cleared between blocks: every block writes
/// positions that start more than a match offset above those of the block before, so that an old entry is too far
/// away to be a match. This saves clearing 32 KB for each block, which for a document of 2 KB would cost more than
/// encoding it.
/// </summary>
internal sealed class Lz4Workspace
{
    /// <summary>Entries in the table, as a power of two.</summary>
    internal const int TableBits = 13;

    [ThreadStatic]
    private static Lz4Workspace? _ofThisThread;

    private readonly uint[] _table = GC.AllocateUninitializedArray<uint>(1 << TableBits, pinned: false);
    private ulong _nextOrigin = ulong.MaxValue;

    internal static Lz4Workspace OfThisThread => _ofThisThread ??= new Lz4Workspace();

    internal ref uint Table => ref MemoryMarshal.GetArrayDataReference(_table);

    /// <summary>The position of the first byte of the next block; all positions of the block are under 2^31.</summary>
    internal uint TakeOrigin(int sourceLength)
    {
        ulong origin = _nextOrigin;
        if (origin + (ulong)sourceLength > int.MaxValue || origin == ulong.MaxValue)
        {
            Array.Clear(_table);
            origin = Lz4Format.OffsetMax + 1;
        }

        _nextOrigin = origin + (ulong)sourceLength + Lz4Format.OffsetMax + 1;
        return (uint)origin;
    }
}
