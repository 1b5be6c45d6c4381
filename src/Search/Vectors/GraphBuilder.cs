using System.Numerics;
using System.Runtime.InteropServices;
using Raven.Search.Fields;

namespace Raven.Search.Vectors;

//   HNSW-3  Vectors are inserted in the order of their numbers, the one with the greatest level first; the level of a
//           vector follows from its number. So a graph is the same each time that it is built of the same vectors, and
//           its size is known before the first one is inserted.
//   HNSW-4  It is built in steps: between two of them no snapshot is held. The vectors of a segment never change, so
//           each step may read them from another snapshot.

/// <summary>Builds the graph over the vectors of a field of a segment.</summary>
internal sealed class GraphBuilder
{
    private const int LevelMax = 12;

    /// <summary>Two vectors that are as similar are taken for equal.</summary>
    private const float Equal = 0.999999f;

    /// <summary>A row that has fewer is filled with the nearest, however near they are to each other.</summary>
    private const int FilledShare = 2;

    private readonly GraphWalk _walk = new();
    private int[] _numbers = [];
    private int[] _nodeOf = [];
    private ulong[] _near = [];
    private ulong[] _row = new ulong[256];
    private int[] _chosen = new int[256];
    private GraphHeader _header;
    private int _next;

    /// <summary>Whether all vectors are in the graph.</summary>
    internal bool IsComplete => _next >= _header.VectorCount;

    /// <summary>The graph in its disk format, when it is complete.</summary>
    internal ReadOnlySpan<byte> Blob => MemoryMarshal.AsBytes(_numbers.AsSpan());

    /// <summary>Begins a graph.</summary>
    /// <param name="vectors">The vectors.</param>
    /// <param name="options">How it is built.</param>
    /// <param name="isDeleted">Whether an entry is deleted: its vectors get no place in the graph.</param>
    internal void Begin(VectorReader vectors, VectorGraphOptions options, Func<int, bool> isDeleted)
    {
        int count = vectors.Count;
        int edges = options.EdgesInUse;
        ReadOnlySpan<int> entries = vectors.Entries;
        _nodeOf = new int[count];
        int first = VectorGraph.None;
        int top = 0;
        int nodes = 0;
        int rows = 0;
        int live = 0;
        for (int vector = 0; vector < count; vector++)
        {
            if (isDeleted(entries[vector]))
            {
                _nodeOf[vector] = int.MinValue;
                continue;
            }

            live++;
            int level = LevelOf(vector, edges);
            if (first < 0 || level > top)
            {
                (first, top) = (vector, level);
            }

            _nodeOf[vector] = level == 0 ? VectorGraph.None : nodes++;
            rows += level;
        }

        _header = new GraphHeader
        {
            Version = GraphHeader.CurrentVersion,
            VectorCount = count,
            Edges = edges,
            Candidates = options.CandidatesInUse,
            TopLevel = top,
            Rows = GraphHeader.SizeInInts,
            Nodes = GraphHeader.SizeInInts + (count * edges * 2),
            NodeCount = nodes,
            UpperRowCount = rows,
            InGraph = live,
        };
        _header.Starts = _header.Nodes + nodes;
        _header.UpperRows = _header.Starts + nodes + 1;
        _header.Entry = top > 0 ? _nodeOf[first] : first;
        _numbers = new int[VectorGraph.SizeOf(count, edges, nodes, rows)];
        _numbers.AsSpan(GraphHeader.SizeInInts).Fill(VectorGraph.None);
        MemoryMarshal.Write(MemoryMarshal.AsBytes(_numbers.AsSpan()), in _header);
        FillNodes();
        _near = new ulong[_header.Candidates];
        _next = live == 0 ? count : 0;
    }

    /// <summary>Inserts the next vectors (HNSW-4).</summary>
    internal void InsertNext(VectorReader vectors, int most)
    {
        int end = (int)Math.Min((long)_next + most, _header.VectorCount);
        int first = _header.TopLevel > 0 ? _numbers[_header.Nodes + _header.Entry] : _header.Entry;
        for (; _next < end; _next++)
        {
            if (_nodeOf[_next] != int.MinValue && _next != first)
            {
                Insert(vectors, _next);
            }
        }
    }

    /// <summary>Frees the memory of the last graph.</summary>
    internal void Trim()
    {
        _numbers = [];
        _nodeOf = [];
    }

    /// <summary>The level of a vector: each is reached by one in so many of those below.</summary>
    internal static int LevelOf(int vector, int edges)
    {
        // The finalizer of SplitMix64 (G. Steele, D. Lea, C. Flood: "Fast splittable pseudorandom number generators").
        ulong bits = ((ulong)vector + 1) * 0x9E3779B97F4A7C15;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
        bits ^= bits >> 31;
        double share = ((bits >> 11) + 1) / (double)(1UL << 53);
        return Math.Min(LevelMax, (int)(-Math.Log(share) / Math.Log(edges)));
    }

    private void FillNodes()
    {
        int row = 0;
        int node = 0;
        for (int vector = 0; vector < _header.VectorCount; vector++)
        {
            if (_nodeOf[vector] >= 0)
            {
                _numbers[_header.Nodes + node] = vector;
                _numbers[_header.Starts + node] = row;
                row += LevelOf(vector, _header.Edges);
                node++;
            }
        }

        _numbers[_header.Starts + node] = row;
    }

    private void Insert(VectorReader vectors, int vector)
    {
        VectorGraph graph = new(_numbers);
        ReadOnlySpan<byte> wanted = vectors.Record(vector);
        int node = _nodeOf[vector];
        int level = node < 0 ? 0 : LevelOf(vector, _header.Edges);
        int at = _walk.Descend(graph, vectors, wanted, level);
        for (int on = level; on > 0; on--)
        {
            _walk.WalkUpper(graph, vectors, wanted, on, at, _header.Candidates);
            int count = TakeFound();
            at = NearKey.Number(_near[0]);
            int chosen = Choose(vectors, _near.AsSpan(0, count), _header.Edges, isUpper: true);
            Connect(vectors, node, on, chosen);
        }

        _walk.Walk(
            graph, vectors, wanted, _header.TopLevel > 0 ? graph.VectorOf(at) : at, _header.Candidates);
        int found = TakeFound();
        Connect(
            vectors, vector, 0, Choose(vectors, _near.AsSpan(0, found), _header.Edges, isUpper: false));
    }

    /// <summary>Copies what a walk has found, the nearest first.</summary>
    private int TakeFound()
    {
        Span<ulong> keys = _walk.Found.Keys;
        keys.CopyTo(_near);
        Span<ulong> near = _near.AsSpan(0, keys.Length);
        near.Sort();
        near.Reverse();
        return near.Length;
    }

    /// <summary>
    /// Chooses neighbours into <see cref="_chosen"/> among some, the nearest first: one that is nearer to a chosen one
    /// is reached through that. Of equal vectors one is enough; what is as near to the owner as to its equal stays, or
    /// equal vectors would lose all links to others.
    /// </summary>
    private int Choose(VectorReader vectors, ReadOnlySpan<ulong> near, int most, bool isUpper)
    {
        int count = 0;
        ulong passed = 0;
        for (int i = 0; i < near.Length && count < most; i++)
        {
            int candidate = NearKey.Number(near[i]);
            float similarity = NearKey.Similarity(near[i]);
            ReadOnlySpan<byte> record = vectors.Record(VectorOf(candidate, isUpper));
            bool isApart = true;
            for (int j = 0; j < count && isApart; j++)
            {
                float between = vectors.Similarity(VectorOf(_chosen[j], isUpper), record);
                isApart = between <= similarity && between < Equal;
            }

            if (isApart)
            {
                _chosen[count++] = candidate;
            }
            else if (i < 64)
            {
                passed |= 1UL << i;
            }
        }

        for (; passed != 0 && count < most / FilledShare; passed &= passed - 1)
        {
            _chosen[count++] = NearKey.Number(near[BitOperations.TrailingZeroCount(passed)]);
        }

        return count;
    }

    /// <summary>Connects a vector, or a node, with those that were chosen, and these with it.</summary>
    private void Connect(VectorReader vectors, int number, int level, int count)
    {
        Span<int> own = RowOf(number, level);
        _chosen.AsSpan(0, count).CopyTo(own);
        bool isUpper = level > 0;
        ReadOnlySpan<byte> record = vectors.Record(VectorOf(number, isUpper));
        for (int i = 0; i < own.Length && own[i] != VectorGraph.None; i++)
        {
            Span<int> row = RowOf(own[i], level);
            int free = row.IndexOf(VectorGraph.None);
            if (free >= 0)
            {
                row[free] = number;
            }
            else
            {
                Replace(vectors, own[i], row, number, record, isUpper);
            }
        }
    }

    /// <summary>Chooses the neighbours of a full row anew, with one more among them.</summary>
    private void Replace(
        VectorReader vectors, int owner, Span<int> row, int number, ReadOnlySpan<byte> record, bool isUpper)
    {
        ReadOnlySpan<byte> ownerRecord = vectors.Record(VectorOf(owner, isUpper));
        for (int i = 0; i < row.Length; i++)
        {
            _row[i] = NearKey.Of(vectors.Similarity(VectorOf(row[i], isUpper), ownerRecord), row[i]);
        }

        _row[row.Length] = NearKey.Of(
            VectorCode.Similarity(vectors.Format, vectors.Dimensions, record, ownerRecord), number);
        Span<ulong> near = _row.AsSpan(0, row.Length + 1);
        near.Sort();
        near.Reverse();
        int count = Choose(vectors, near, row.Length, isUpper);
        row.Fill(VectorGraph.None);
        _chosen.AsSpan(0, count).CopyTo(row);
    }

    private int VectorOf(int number, bool isUpper) => isUpper ? _numbers[_header.Nodes + number] : number;

    private Span<int> RowOf(int number, int level) => level == 0
        ? _numbers.AsSpan(_header.Rows + (number * _header.Edges * 2), _header.Edges * 2)
        : _numbers.AsSpan(
            _header.UpperRows + ((_numbers[_header.Starts + number] + level - 1) * _header.Edges), _header.Edges);
}
