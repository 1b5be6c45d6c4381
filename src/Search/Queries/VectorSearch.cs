using System.Numerics;
using Raven.Search.Fields;
using Raven.Search.Segments;
using Raven.Search.Vectors;

namespace Raven.Search.Queries;

//   VEC-4  A graph is asked only if that is likely to compare with fewer vectors than a scan of those that are allowed,
//          and gives up when it has compared with as many: so the fewer entries a condition leaves, the sooner all of
//          them are looked at, and recall does not fall with them.
//   VEC-5  Entries that are deleted or excluded lead on in a graph, but are not among the candidates of a walk.

/// <summary>Finds the nearest vectors of a segment: by its graph, or by a scan.</summary>
internal sealed class VectorSearch
{
    /// <summary>The least number of candidates of a walk: fewer would miss some of the ten nearest. The more vectors
    /// there are, the more it takes, as the nearest are closer together.</summary>
    private const int CandidatesMin = 64;
    private const int CandidatesPerDoubling = 32;
    private const int FewVectorsLog2 = 14;

    /// <summary>About how many vectors a walk compares with for each of its candidates.</summary>
    private const int ComparedPerCandidate = 24;

    private readonly GraphWalk _walk = new();
    private ulong[] _allowed = [];
    private int[] _entries = [];

    /// <summary>How many vectors the query was compared with.</summary>
    internal long VectorsRead { get; set; }

    /// <summary>One bit an entry of a segment: room for its windows, whatever they held.</summary>
    internal Span<ulong> AllowedOf(SegmentReader segment)
    {
        int words = (segment.EntryCount + Window.Entries - 1) / Window.Entries * Window.Words;
        if (_allowed.Length < words)
        {
            _allowed = new ulong[words];
        }

        return _allowed.AsSpan(0, words);
    }

    /// <summary>Adds the nearest vectors of a segment to those that were found before.</summary>
    /// <param name="number">The number of the segment.</param>
    /// <param name="segment">The segment.</param>
    /// <param name="vectors">The vectors of the field.</param>
    /// <param name="field">The number of the field.</param>
    /// <param name="wanted">The records that are searched for.</param>
    /// <param name="isFiltered">Whether <see cref="AllowedOf"/> has what other conditions allow.</param>
    /// <param name="least">The similarity that an entry must have.</param>
    /// <param name="found">Takes what is found.</param>
    /// <param name="cancellation">Ends the search.</param>
    internal void Run(
        int number, SegmentReader segment, VectorReader vectors, int field, ReadOnlySpan<byte> wanted,
        bool isFiltered, float least, NearEntries found, CancellationToken cancellation)
    {
        if (found.Most < vectors.Count && segment.TryGetGraph(field) is { } graph
            && TryGraph(number, segment, vectors, graph, wanted, isFiltered, least, found, cancellation))
        {
            return;
        }

        Scan(number, segment, vectors, wanted, isFiltered, least, found, cancellation);
    }

    private bool TryGraph(
        int number, SegmentReader segment, VectorReader vectors, GraphReader reader, ReadOnlySpan<byte> wanted,
        bool isFiltered, float least, NearEntries found, CancellationToken cancellation)
    {
        bool isRestricted = isFiltered || segment.DeletedCount > 0;
        long allowed = isRestricted ? CountAllowed(segment, isFiltered) : segment.EntryCount;
        if (allowed == 0)
        {
            return true;
        }

        VectorGraph graph = reader.Graph;
        int vectorsPerEntry = Math.Max(1, vectors.Count / Math.Max(1, vectors.EntriesWithField));
        long exact = Math.Min(allowed * vectorsPerEntry, vectors.Count);
        long candidates = Math.Max((long)found.Most, CandidatesFor(vectors.Count));
        int most = (int)Math.Min(candidates * vectorsPerEntry, int.MaxValue);
        int size = vectors.RecordSize;
        while (true)
        {
            // One in so many vectors that a walk meets is allowed.
            double share = (double)exact / vectors.Count;
            if (most * (double)ComparedPerCandidate / share >= exact || graph.Header.Entry < 0)
            {
                return false;
            }

            int count = 0;
            bool isFull = false;
            for (int i = 0; i < wanted.Length; i += size)
            {
                cancellation.ThrowIfCancellationRequested();
                if (!TryWalk(graph, vectors, wanted.Slice(i, size), isRestricted, most, exact))
                {
                    return false;
                }

                isFull |= _walk.Found.Count >= most;
                count = Take(vectors, count);
            }

            int entries = Distinct(count);
            if (entries >= Math.Min(found.Most, allowed))
            {
                AddFound(number, vectors, wanted, entries, least, found);
                return true;
            }

            if (!isFull)
            {
                // The walk has met all that it can reach, and there may be more.
                return false;
            }

            // Too few entries have all of the vectors that were found.
            most = (int)Math.Min(most * 4L, int.MaxValue);
        }
    }

    private static int CandidatesFor(int vectors) => CandidatesMin
        + (CandidatesPerDoubling * Math.Max(0, BitOperations.Log2((uint)vectors) - FewVectorsLog2));

    private bool TryWalk(
        scoped in VectorGraph graph, VectorReader vectors, ReadOnlySpan<byte> wanted, bool isRestricted, int most,
        long comparedMax)
    {
        _walk.Compared = 0;
        int start = _walk.Descend(graph, vectors, wanted, 0);
        start = graph.Header.TopLevel > 0 ? graph.VectorOf(start) : start;
        bool isDone = true;
        if (isRestricted)
        {
            isDone = _walk.TryWalk(graph, vectors, wanted, start, most, _allowed, comparedMax);
        }
        else
        {
            _walk.Walk(graph, vectors, wanted, start, most);
        }

        VectorsRead += _walk.Compared;
        return isDone;
    }

    /// <summary>Counts what conditions and deletions leave, and puts it into the bits of the segment.</summary>
    private long CountAllowed(SegmentReader segment, bool isFiltered)
    {
        Span<ulong> allowed = AllowedOf(segment);
        if (!isFiltered)
        {
            for (int start = 0; start < segment.EntryCount; start += Window.Entries)
            {
                Window.SetAll(allowed.Slice(start >> 6, Window.Words), segment.EntryCount - start);
            }
        }

        segment.RemoveDeleted(0, allowed);
        long count = 0;
        foreach (ulong word in allowed)
        {
            count += BitOperations.PopCount(word);
        }

        return count;
    }

    /// <summary>Copies the entries of what a walk has found behind those of the walks before.</summary>
    private int Take(VectorReader vectors, int count)
    {
        ReadOnlySpan<ulong> keys = _walk.Found.Keys;
        if (_entries.Length < count + keys.Length)
        {
            Array.Resize(ref _entries, Math.Max(_entries.Length * 2, count + keys.Length));
        }

        ReadOnlySpan<int> entries = vectors.Entries;
        foreach (ulong key in keys)
        {
            _entries[count++] = entries[NearKey.Number(key)];
        }

        return count;
    }

    /// <summary>Sorts the entries that were taken, and leaves each once.</summary>
    private int Distinct(int count)
    {
        Span<int> entries = _entries.AsSpan(0, count);
        entries.Sort();
        int kept = 0;
        for (int i = 0; i < count; i++)
        {
            if (kept == 0 || entries[kept - 1] != entries[i])
            {
                entries[kept++] = entries[i];
            }
        }

        return kept;
    }

    private void AddFound(
        int number, VectorReader vectors, ReadOnlySpan<byte> wanted, int count, float least, NearEntries found)
    {
        ReadOnlySpan<int> entries = vectors.Entries;
        bool isEach = IsEach(vectors, entries);
        for (int i = 0; i < count; i++)
        {
            int at = isEach ? _entries[i] : vectors.FirstOf(_entries[i]);
            Add(number, vectors, entries, wanted, least, found, ref at);
        }
    }

    /// <summary>Compares with all vectors of the entry of a vector, and moves on to the next entry.</summary>
    private void Add(
        int number, VectorReader vectors, ReadOnlySpan<int> entries, ReadOnlySpan<byte> wanted, float least,
        NearEntries found, ref int at)
    {
        int entry = entries[at];
        int size = vectors.RecordSize;
        float best = float.NegativeInfinity;
        for (; at < entries.Length && entries[at] == entry; at++)
        {
            for (int i = 0; i < wanted.Length; i += size)
            {
                best = Math.Max(best, vectors.Similarity(at, wanted.Slice(i, size)));
            }

            VectorsRead++;
        }

        if (best >= least && best > found.Bar)
        {
            found.Add(number, entry, Math.Max(0, best));
        }
    }

    /// <summary>Whether each entry has one vector, whose number is its own.</summary>
    private static bool IsEach(VectorReader vectors, ReadOnlySpan<int> entries) =>
        vectors.Count == vectors.EntriesWithField && entries.Length > 0 && entries[^1] == entries.Length - 1;

    private static int NextAllowed(ReadOnlySpan<ulong> allowed, int entry, int end)
    {
        int word = entry >> 6;
        ulong left = word < allowed.Length ? allowed[word] & (ulong.MaxValue << (entry & 63)) : 0;
        while (left == 0)
        {
            if (++word >= allowed.Length)
            {
                return end;
            }

            left = allowed[word];
        }

        return Math.Min(end, (word << 6) + BitOperations.TrailingZeroCount(left));
    }

    private void Scan(
        int number, SegmentReader segment, VectorReader vectors, ReadOnlySpan<byte> wanted, bool isFiltered,
        float least, NearEntries found, CancellationToken cancellation)
    {
        VectorFormat format = vectors.Format;
        int dimensions = vectors.Dimensions;
        int size = vectors.RecordSize;
        ReadOnlySpan<int> entries = vectors.Entries;
        ReadOnlySpan<ulong> allowed = isFiltered ? _allowed : default;
        bool hasDeleted = segment.DeletedCount > 0;
        bool isEach = IsEach(vectors, entries);
        int look = 0;
        for (int at = 0; at < entries.Length;)
        {
            if (at >= look)
            {
                cancellation.ThrowIfCancellationRequested();
                look = at + Window.Entries;
            }

            int entry = entries[at];
            if (!allowed.IsEmpty && !Window.Has(allowed, entry))
            {
                at = isEach ? NextAllowed(allowed, at + 1, entries.Length) : at + 1;
                continue;
            }

            float best = float.NegativeInfinity;
            for (; at < entries.Length && entries[at] == entry; at++)
            {
                ReadOnlySpan<byte> record = vectors.Record(at);
                for (int i = 0; i < wanted.Length; i += size)
                {
                    best = Math.Max(best, VectorCode.Similarity(format, dimensions, wanted.Slice(i, size), record));
                }

                VectorsRead++;
            }

            if (best >= least && best > found.Bar && !(hasDeleted && segment.IsDeleted(entry)))
            {
                found.Add(number, entry, Math.Max(0, best));
            }
        }
    }
}
