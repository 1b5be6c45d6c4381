using System.Runtime.InteropServices;
using Raven.Storage.Errors;

namespace Raven.Storage.Trees;

//   OFFSET  SIZE  FIELD
//        0     1  Kind            StructureKind
//        1     1  Version         1
//        2     1  Depth           levels of a tree; 1 if its root is a leaf
//        3     1  (zero)
//        4     4  ValueSize       FixedTree: bytes of a value; Table: indexes
//        8     8  RootPage        0 if the structure is empty
//       16     8  Count           entries, rows
//       24     8  LeafPages       RowHeap: section pages
//       32     8  BranchPages
//       40     8  OverflowPages   pages of all overflow runs
//       48     8  ActivePage      RowHeap: the section that takes the next row; Streams: the last stream's number
//       56     8  PayloadBytes    RowHeap: bytes of all rows; Streams: bytes of all streams

/// <summary>The 64 bytes from which a structure is found again, and its statistics. Little-endian.</summary>
[StructLayout(LayoutKind.Explicit, Size = SizeInBytes)]
internal struct StructureRoot
{
    internal const int SizeInBytes = 64;
    internal const byte CurrentVersion = 1;

    [FieldOffset(0)] internal StructureKind Kind;
    [FieldOffset(1)] internal byte Version;
    [FieldOffset(2)] internal byte Depth;
    [FieldOffset(4)] internal int ValueSize;
    [FieldOffset(8)] internal long RootPage;
    [FieldOffset(16)] internal long Count;
    [FieldOffset(24)] internal long LeafPages;
    [FieldOffset(32)] internal long BranchPages;
    [FieldOffset(40)] internal long OverflowPages;
    [FieldOffset(48)] internal long ActivePage;
    [FieldOffset(56)] internal long PayloadBytes;

    internal static StructureRoot Empty(StructureKind kind, int valueSize = 0) =>
        new() { Kind = kind, Version = CurrentVersion, ValueSize = valueSize };

    /// <summary>Reads a record and checks that it can be one of this kind.</summary>
    /// <exception cref="StorageCorruptedException">It cannot.</exception>
    internal static StructureRoot Read(ReadOnlySpan<byte> bytes, StructureKind kind)
    {
        StructureRoot record = default;
        if (bytes.Length == SizeInBytes)
        {
            record = MemoryMarshal.Read<StructureRoot>(bytes);
        }

        if (record.Kind != kind || record.Version != CurrentVersion || record.Depth > TreeLimits.DepthMax
            || record.ValueSize is < 0 or > FixedTree.ValueSizeBytesMax
            || record.RootPage < 0 || record.Count < 0 || record.RootPage == 0 != (record.Depth == 0))
        {
            throw Damage.Of($"the root record of a {kind} is damaged");
        }

        return record;
    }

    internal readonly void Write(Span<byte> bytes) => MemoryMarshal.Write(bytes, in this);
}
