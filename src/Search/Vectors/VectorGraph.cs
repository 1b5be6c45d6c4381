using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Storage.Errors;

namespace Raven.Search.Vectors;

//   HNSW-1  A graph names vectors by their numbers in the segment; on the levels above the lowest it names nodes, which
//           are the vectors that reach above the lowest level, by their place among them. Every number that is read
//           is compared with these counts before it is used: a damaged graph is reported, not followed.
//   HNSW-2  A row of neighbours has a fixed size: neighbours come first, -1 ends them. On the lowest level it has twice
//           as many places as above.

/// <summary>
/// A hierarchical graph of near vectors (Y. Malkov, D. Yashunin: "Efficient and robust approximate nearest neighbor
/// search using hierarchical navigable small world graphs", 2016), as it is on disk and while it is built.
/// </summary>
internal readonly ref struct VectorGraph
{
    internal const int None = -1;

    private readonly ReadOnlySpan<int> _rows;
    private readonly ReadOnlySpan<int> _starts;
    private readonly ReadOnlySpan<int> _upperRows;

    /// <summary>Looks at a graph whose header was checked (<see cref="Check"/>).</summary>
    internal VectorGraph(ReadOnlySpan<int> numbers)
    {
        Header = MemoryMarshal.Read<GraphHeader>(MemoryMarshal.AsBytes(numbers));
        _rows = numbers.Slice(Header.Rows, Header.VectorCount * RowSize);
        Nodes = numbers.Slice(Header.Nodes, Header.NodeCount);
        _starts = numbers.Slice(Header.Starts, Header.NodeCount + 1);
        _upperRows = numbers.Slice(Header.UpperRows, Header.UpperRowCount * Header.Edges);
    }

    internal GraphHeader Header { get; }

    /// <summary>The vector of each node.</summary>
    internal ReadOnlySpan<int> Nodes { get; }

    /// <summary>Places of a row on the lowest level.</summary>
    internal int RowSize => Header.Edges * 2;

    /// <summary>How many numbers a graph has.</summary>
    internal static long SizeOf(int vectorCount, int edges, int nodeCount, int upperRowCount) =>
        GraphHeader.SizeInInts + ((long)vectorCount * edges * 2) + nodeCount + nodeCount + 1
        + ((long)upperRowCount * edges);

    /// <summary>About how many bytes the graph over so many vectors has.</summary>
    internal static long SizeInBytesOf(int vectorCount, int edges) =>
        vectorCount * (sizeof(int) * ((edges * 2L) + 2 + 2));

    /// <summary>Throws if a graph is not one over so many vectors, or its parts do not lie in it (HNSW-1).</summary>
    internal static void Check(ReadOnlySpan<byte> blob, int vectorCount)
    {
        if (blob.Length < GraphHeader.SizeInBytes)
        {
            throw Damaged("it is too short");
        }

        GraphHeader header = MemoryMarshal.Read<GraphHeader>(blob);
        if (header.Version != GraphHeader.CurrentVersion)
        {
            throw Damaged($"its version is {header.Version}");
        }

        long ints = blob.Length / sizeof(int);
        bool isInside = header.VectorCount == vectorCount
            && header.Edges is > 0 and <= 1024
            && header.NodeCount >= 0 && header.NodeCount <= vectorCount
            && header.UpperRowCount >= header.NodeCount
            && IsInside(header.Rows, header.VectorCount * (header.Edges * 2L), ints)
            && IsInside(header.Nodes, header.NodeCount, ints)
            && IsInside(header.Starts, header.NodeCount + 1L, ints)
            && IsInside(header.UpperRows, header.UpperRowCount * (long)header.Edges, ints)
            && header.TopLevel >= 0 && header.TopLevel <= header.UpperRowCount;
        int entries = header.TopLevel > 0 ? header.NodeCount : vectorCount;
        if (!isInside || header.Entry < None || header.Entry >= entries)
        {
            throw Damaged("its parts are not inside it");
        }
    }

    /// <summary>The neighbours of a vector on the lowest level.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ReadOnlySpan<int> Row(int vector) => _rows.Slice(vector * RowSize, RowSize);

    /// <summary>The neighbours of a node on a level above the lowest.</summary>
    internal ReadOnlySpan<int> UpperRow(int node, int level)
    {
        int row = _starts[node] + level - 1;
        if (row < 0 || row >= _starts[node + 1] || row >= Header.UpperRowCount)
        {
            throw Damaged($"node {node} is not on level {level}");
        }

        return _upperRows.Slice(row * Header.Edges, Header.Edges);
    }

    /// <summary>The vector of a node.</summary>
    internal int VectorOf(int node)
    {
        int vector = Nodes[node];
        return (uint)vector < (uint)Header.VectorCount ? vector : throw Damaged($"node {node} is vector {vector}");
    }

    internal static StorageCorruptedException Damaged(string what) => new("index", 0, $"a graph of vectors: {what}");

    private static bool IsInside(int offset, long count, long ints) =>
        offset >= GraphHeader.SizeInInts && count >= 0 && offset + count <= ints;
}
