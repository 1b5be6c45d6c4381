using System.Runtime.InteropServices;

namespace Raven.Search.Segments;

/// <summary>What the catalog knows of a segment. Written to disk; docs/formats/index.md.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4, Size = SizeInBytes)]
internal struct SegmentHeader
{
    internal const int SizeInBytes = 16;

    internal int EntryCount;
    internal int DeletedCount;
    internal long LargestFieldBytes;
}
