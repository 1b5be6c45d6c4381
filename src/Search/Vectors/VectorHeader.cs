using System.Runtime.InteropServices;
using Raven.Search.Fields;
using Raven.Search.Segments;

namespace Raven.Search.Vectors;

// The format is in docs/formats/index.md. Offsets are from the start of the blob.

/// <summary>
/// The start of the blob of a field of vectors. The parts are at the same offset as those of other fields, by which the
/// two are distinguished.
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 8, Size = SizeInBytes)]
internal struct VectorHeader
{
    internal const int SizeInBytes = FieldHeader.SizeInBytes;

    internal int TermCount;
    internal FieldParts Parts;
    internal int Format;
    internal int Dimensions;
    internal int VectorCount;
    internal int Entries;
    internal int Records;
    internal int EntriesWithField;

    /// <summary>0 if the records are in this blob; otherwise each part has two to the power of this.</summary>
    internal int PartShift;
}
