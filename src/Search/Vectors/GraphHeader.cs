using System.Runtime.InteropServices;

namespace Raven.Search.Vectors;

// The format is in docs/formats/index.md. All of a graph is numbers of 4 bytes; offsets count these from its start.

/// <summary>The start of the graph over the vectors of a field of a segment.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4, Size = SizeInBytes)]
internal struct GraphHeader
{
    internal const int SizeInBytes = 64;
    internal const int SizeInInts = SizeInBytes / sizeof(int);
    internal const int CurrentVersion = 1;

    internal int Version;
    internal int VectorCount;
    internal int Edges;
    internal int Candidates;
    internal int Entry;
    internal int TopLevel;
    internal int Rows;
    internal int Nodes;
    internal int NodeCount;
    internal int Starts;
    internal int UpperRows;
    internal int UpperRowCount;
    internal int InGraph;
}
