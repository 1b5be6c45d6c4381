using System.Diagnostics;
using System.Runtime.CompilerServices;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;

namespace Raven.Blittable.Reading;

/// <summary>
/// The memory of a document and the place of its names, which every handle into it has. Reads are not checked
/// against the length: bytes from outside are checked once by <see cref="BlittableValidator"/>, before the first
/// handle is made.
/// </summary>
internal readonly struct BlittableDocument
{
    internal readonly NativeSlice Memory;
    internal readonly int NameTable;
    internal readonly int NameOffsets;

    private BlittableDocument(NativeSlice memory, int nameTable, int nameOffsets)
    {
        Memory = memory;
        NameTable = nameTable;
        NameOffsets = nameOffsets;
    }

    internal ref byte First
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref Memory.Reference;
    }

    /// <summary>Size code of the offsets in the name table, from the last byte of the document.</summary>
    internal int NameSizeCode
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (Unsafe.Add(ref Memory.Reference, Memory.Length - 1) >> 2) & 3;
    }

    /// <summary>Reads the trailer.</summary>
    internal static BlittableDocument Open(NativeSlice memory, out int rootPosition, out byte rootToken)
    {
        Debug.Assert(memory.Length >= BlittableFormat.DocumentSizeBytesMin, "This is no document.");
        ref byte first = ref memory.Reference;
        int flags = Unsafe.Add(ref first, memory.Length - 1);
        Debug.Assert(flags >> 4 == BlittableFormat.Version, "This is no document of this version.");
        rootToken = Unsafe.Add(ref first, memory.Length - 2);
        int sizeCode = flags & 3;
        int trailer = memory.Length - 2 - (2 << sizeCode);
        rootPosition = trailer - BlittableFormat.ReadSized(ref Unsafe.Add(ref first, trailer), sizeCode);
        int nameTable = trailer
            - BlittableFormat.ReadSized(ref Unsafe.Add(ref first, trailer + (1 << sizeCode)), sizeCode);
        int nameOffsets = nameTable + VariableLengthInteger.Read(ref Unsafe.Add(ref first, nameTable), out _);
        return new BlittableDocument(memory, nameTable, nameOffsets);
    }

    /// <summary>A document whose names the writer knows, so that the trailer need not be read.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static BlittableDocument Written(NativeSlice memory, int nameTable, int nameOffsets) =>
        new(memory, nameTable, nameOffsets);

    /// <summary>The place of the stored name of a property id.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int NamePosition(int id) =>
        Reading.NameTable.PositionOf(ref First, NameOffsets, NameTable, NameSizeCode, id);
}
