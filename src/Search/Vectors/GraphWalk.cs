using System.Runtime.CompilerServices;

namespace Raven.Search.Vectors;

/// <summary>
/// Walks a graph to the vectors nearest to one. Keeps its memory for the next walk. One thread at a time.
/// </summary>
internal sealed class GraphWalk
{
    private readonly NearHeap _frontier = new();
    private ulong[] _seen = [];
    private int _mostWords;

    /// <summary>The nearest that a walk has found; the least similar is the root.</summary>
    internal NearHeap Found { get; } = new();

    /// <summary>With how many vectors a walk has compared since this was set to 0.</summary>
    internal long Compared { get; set; }

    /// <summary>Goes down from the top of a graph to a level, always to the nearest neighbour.</summary>
    /// <param name="graph">The graph; it is not empty.</param>
    /// <param name="vectors">Its vectors.</param>
    /// <param name="wanted">What the nearest are searched to.</param>
    /// <param name="level">The level at which to stop: 0 for the lowest.</param>
    /// <returns>A node of the level above the last it went through, or a vector if the graph has no nodes.</returns>
    internal int Descend(scoped in VectorGraph graph, VectorReader vectors, ReadOnlySpan<byte> wanted, int level)
    {
        int at = graph.Header.Entry;
        if (graph.Header.TopLevel == 0)
        {
            return at;
        }

        float best = vectors.Similarity(graph.VectorOf(at), wanted);
        for (int on = graph.Header.TopLevel; on > level; on--)
        {
            bool isNearer = true;
            while (isNearer)
            {
                isNearer = false;
                foreach (int node in graph.UpperRow(at, on))
                {
                    if (node == VectorGraph.None)
                    {
                        break;
                    }

                    CheckNode(graph, node);
                    float similarity = vectors.Similarity(graph.VectorOf(node), wanted);
                    Compared++;
                    if (similarity > best)
                    {
                        (best, at, isNearer) = (similarity, node, true);
                    }
                }
            }
        }

        return at;
    }

    /// <summary>Finds the nearest nodes of a level above the lowest, from one of them on.</summary>
    internal void WalkUpper(
        scoped in VectorGraph graph, VectorReader vectors, ReadOnlySpan<byte> wanted, int level, int start, int most)
    {
        Begin(graph.Header.NodeCount);
        Add(Key(graph, vectors, wanted, start), most, allowed: default, entries: default);
        _ = IsNew(start);
        while (TryTakeNext(most, out int at))
        {
            foreach (int node in graph.UpperRow(at, level))
            {
                if (node == VectorGraph.None)
                {
                    break;
                }

                CheckNode(graph, node);
                if (IsNew(node))
                {
                    Add(Key(graph, vectors, wanted, node), most, allowed: default, entries: default);
                }
            }
        }
    }

    /// <summary>Finds the nearest vectors on the lowest level, from one of them on.</summary>
    internal void Walk(
        scoped in VectorGraph graph, VectorReader vectors, ReadOnlySpan<byte> wanted, int start, int most) =>
        TryWalk(graph, vectors, wanted, start, most, allowed: default, long.MaxValue);

    /// <summary>
    /// Finds the nearest vectors whose entries are allowed: others lead on but are not found themselves. All are
    /// allowed if there are no bits of entries.
    /// </summary>
    /// <returns>False if it gave up, as it had compared with more vectors than it may.</returns>
    internal bool TryWalk(
        scoped in VectorGraph graph, VectorReader vectors, ReadOnlySpan<byte> wanted, int start, int most,
        ReadOnlySpan<ulong> allowed, long comparedMax)
    {
        Begin(graph.Header.VectorCount);
        ReadOnlySpan<int> entries = allowed.IsEmpty ? default : vectors.Entries;
        long compared = 0;
        Add(NearKey.Of(vectors.Similarity(start, wanted), start), most, allowed, entries);
        _ = IsNew(start);
        while (compared <= comparedMax && TryTakeNext(most, out int at))
        {
            foreach (int vector in graph.Row(at))
            {
                if (vector == VectorGraph.None)
                {
                    break;
                }

                CheckVector(graph, vector);
                if (IsNew(vector))
                {
                    compared++;
                    Add(NearKey.Of(vectors.Similarity(vector, wanted), vector), most, allowed, entries);
                }
            }
        }

        Compared += compared;
        return compared <= comparedMax;
    }

    private static ulong Key(
        scoped in VectorGraph graph, VectorReader vectors, ReadOnlySpan<byte> wanted, int node) =>
        NearKey.Of(vectors.Similarity(graph.VectorOf(node), wanted), node);

    private static void CheckNode(scoped in VectorGraph graph, int node)
    {
        if ((uint)node >= (uint)graph.Header.NodeCount)
        {
            throw VectorGraph.Damaged($"it names node {node} of {graph.Header.NodeCount}");
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CheckVector(scoped in VectorGraph graph, int vector)
    {
        if ((uint)vector >= (uint)graph.Header.VectorCount)
        {
            ThrowDamaged(vector, graph.Header.VectorCount);
        }
    }

    private static void ThrowDamaged(int vector, int count) =>
        throw VectorGraph.Damaged($"it names vector {vector} of {count}");

    private void Begin(int count)
    {
        int words = (count + 63) >> 6;
        if (_seen.Length < words)
        {
            _seen = new ulong[words];
        }
        else
        {
            // Only what the walk before may have set, which may have been over more.
            _seen.AsSpan(0, Math.Max(words, _mostWords)).Clear();
        }

        _mostWords = words;
        _frontier.Clear();
        Found.Clear();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool IsNew(int number)
    {
        ref ulong word = ref _seen[number >> 6];
        ulong bit = 1UL << (number & 63);
        bool isNew = (word & bit) == 0;
        word |= bit;
        return isNew;
    }

    /// <summary>The most similar that was not followed yet; false if the found ones are all nearer than it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryTakeNext(int most, out int number)
    {
        number = 0;
        if (_frontier.Count == 0)
        {
            return false;
        }

        // The frontier's root is its most similar one: it has the keys turned over.
        ulong key = ~_frontier.TakeLeast();
        if (Found.Count >= most && key < Found.Least)
        {
            return false;
        }

        number = NearKey.Number(key);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Add(ulong key, int most, ReadOnlySpan<ulong> allowed, ReadOnlySpan<int> entries)
    {
        bool isFull = Found.Count >= most;
        if (isFull && key < Found.Least)
        {
            return;
        }

        _frontier.Add(~key);
        if (!allowed.IsEmpty)
        {
            int entry = entries[NearKey.Number(key)];
            if ((allowed[entry >> 6] & (1UL << (entry & 63))) == 0)
            {
                return;
            }
        }

        if (isFull)
        {
            Found.ReplaceLeast(key);
        }
        else
        {
            Found.Add(key);
        }
    }
}
