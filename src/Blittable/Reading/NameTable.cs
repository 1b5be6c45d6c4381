using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Format;

namespace Raven.Blittable.Reading;

/// <summary>
/// Reads the names of a document: an id is a place in the table, which holds the distance back to the name.
/// </summary>
internal static class NameTable
{
    /// <summary>The place of the stored name of an id.</summary>
    /// <param name="document">The first byte of the document.</param>
    /// <param name="offsets">The place of the table's offsets.</param>
    /// <param name="table">The place of the table: distances count from here.</param>
    /// <param name="sizeCode">Size code of the offsets.</param>
    /// <param name="id">The property id.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int PositionOf(ref byte document, int offsets, int table, int sizeCode, int id) =>
        table - BlittableFormat.ReadSized(ref Unsafe.Add(ref document, offsets + (id << sizeCode)), sizeCode);

    /// <summary>The text of the name that is stored at a position.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ReadOnlySpan<byte> TextAt(ref byte document, int position)
    {
        position += VariableLengthInteger.ReadInt32(ref Unsafe.Add(ref document, position), out int header);
        return MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref document, position), header >> 1);
    }
}
