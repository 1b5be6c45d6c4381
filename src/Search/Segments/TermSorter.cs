using System.Buffers.Binary;

namespace Raven.Search.Segments;

/// <summary>Puts terms into byte order, eight bytes at a time: the sort compares numbers, not strings.</summary>
internal sealed class TermSorter
{
    private const int HeadSize = 8;

    private ulong[] _heads = [];
    private int[] _order = [];

    /// <summary>The numbers of the terms in byte order. Valid until the next call.</summary>
    internal ReadOnlySpan<int> Sort(TermTable terms)
    {
        if (_heads.Length < terms.Count)
        {
            _heads = new ulong[terms.Count];
            _order = new int[terms.Count];
        }

        for (int i = 0; i < terms.Count; i++)
        {
            _order[i] = i;
        }

        Sort(terms, 0, terms.Count, 0);
        return _order.AsSpan(0, terms.Count);
    }

    /// <summary>
    /// Sorts a run of terms that are the same up to <paramref name="depth"/>. A long common beginning is skipped in a
    /// loop, so that the depth of recursion does not grow with it.
    /// </summary>
    private void Sort(TermTable terms, int from, int to, int depth)
    {
        while (!SortHeads(terms, from, to, depth))
        {
            depth += HeadSize;
        }
    }

    /// <returns>False if all of them are the same for eight bytes more.</returns>
    private bool SortHeads(TermTable terms, int from, int to, int depth)
    {
        Span<int> order = _order.AsSpan(from, to - from);
        Span<ulong> heads = _heads.AsSpan(from, to - from);
        bool isEnd = true;
        for (int i = 0; i < order.Length; i++)
        {
            ReadOnlySpan<byte> term = terms[order[i]];
            heads[i] = HeadOf(term, depth);
            isEnd &= term.Length <= depth;
        }

        if (isEnd)
        {
            // They differ only in the zeros at their ends: the shorter comes first.
            order.Sort((left, right) => terms[left].Length.CompareTo(terms[right].Length));
            return true;
        }

        if (heads.Length > 1 && !heads[1..].ContainsAnyExcept(heads[0]))
        {
            return false;
        }

        heads.Sort(order);
        for (int start = 0; start < order.Length;)
        {
            int end = start + 1;
            while (end < order.Length && heads[end] == heads[start])
            {
                end++;
            }

            if (end - start > 1)
            {
                Sort(terms, from + start, from + end, depth + HeadSize);
            }

            start = end;
        }

        return true;
    }

    private static ulong HeadOf(ReadOnlySpan<byte> term, int depth)
    {
        if (term.Length >= depth + HeadSize)
        {
            return BinaryPrimitives.ReadUInt64BigEndian(term[depth..]);
        }

        ulong head = 0;
        for (int i = depth; i < depth + HeadSize; i++)
        {
            head = (head << 8) | (i < term.Length ? term[i] : 0u);
        }

        return head;
    }
}
