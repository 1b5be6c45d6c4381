using System.Runtime.InteropServices;
using Raven.Search.Fields;
using Raven.Search.Segments;

namespace Raven.Search.Vectors;

// docs/formats/index.md draws it. Offsets are from the start of the blob.

/// <summary>The start of the blob of a field of vectors. The parts stand where those of other fields do, which tells
/// them apart.</summary>
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
}
