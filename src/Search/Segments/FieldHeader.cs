using System.Runtime.InteropServices;
using Raven.Search.Fields;

namespace Raven.Search.Segments;

// The format is in docs/formats/index.md. Offsets are from the start of the blob; 0 if there is no such part.

/// <summary>The start of a field's blob in a segment.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 8, Size = SizeInBytes)]
internal struct FieldHeader
{
    internal const int SizeInBytes = 72;

    internal int TermCount;
    internal FieldParts Parts;
    internal int PrefixLength;
    internal int BlockHeads;
    internal int BlockOffsets;
    internal int TermBytes;
    internal int TermRecords;
    internal int Postings;
    internal int Positions;
    internal int Column;
    internal int Norms;
    internal int Numbers;
    internal int FirstNumber;
    internal int NumberCount;
    internal int EntriesWithField;
    internal int Reserved;
    internal long WordCount;
}
