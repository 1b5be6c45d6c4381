using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Raven.Blittable.Memory;
using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

/// <summary>
/// The leaves that the last searches of one tree ended in, with the range of keys each is known to hold: a key inside
/// is searched there without a descent from the root. An entry stays valid while leaves are neither split nor merged;
/// the tree forgets all of them when that happens.
/// </summary>
internal struct RecentLeaves
{
    private const int Places = 4;

    private Entries _entries;
    private Seen _seen;
    private int _next;
    private int _nextSeen;

    /// <summary>
    /// The index of the leaf that has <paramref name="key"/> if the tree has it; -1 if no such leaf is known.
    /// </summary>
    internal readonly int Find(ReadOnlySpan<byte> key)
    {
        ulong head = KeyOrder.LongHead(key);
        for (int i = 0; i < Places; i++)
        {
            ref readonly RecentLeaf leaf = ref _entries[i];
            if (leaf.PageNumber != 0
                && (head >= leaf.First || leaf.IsLeftmost)
                && (head <= leaf.Last || leaf.IsRightmost)
                && IsInside(leaf, key, head))
            {
                return i;
            }
        }

        return -1;
    }

    [UnscopedRef]
    internal ref RecentLeaf this[int place] => ref _entries[place];

    /// <summary>
    /// Whether a leaf is worth remembering: a recent descent ended in it. So random searches, which would pay for
    /// comparing with leaves they never see again, remember none.
    /// </summary>
    internal bool ComesBack(long pageNumber)
    {
        for (int i = 0; i < Places; i++)
        {
            if (_seen[i] == pageNumber)
            {
                return true;
            }
        }

        _seen[_nextSeen] = pageNumber;
        _nextSeen = (_nextSeen + 1) % Places;
        return false;
    }

    internal void Remember(in RecentLeaf leaf)
    {
        for (int i = 0; i < Places; i++)
        {
            if (_entries[i].PageNumber == leaf.PageNumber)
            {
                _entries[i] = leaf;
                return;
            }
        }

        _entries[_next] = leaf;
        _next = (_next + 1) % Places;
    }

    /// <summary>Replaces the memory of a leaf that was copied for this transaction to change.</summary>
    internal void Replace(long pageNumber, NativeSlice memory, int handle)
    {
        for (int i = 0; i < Places; i++)
        {
            if (_entries[i].PageNumber == pageNumber)
            {
                _entries[i].Memory = memory;
                _entries[i].IsWritable = true;
                _entries[i].Handle = handle;
            }
        }
    }

    internal void Forget()
    {
        for (int i = 0; i < Places; i++)
        {
            _entries[i].PageNumber = 0;
        }
    }

    /// <summary>
    /// Whether a key is between the first and the last of a leaf: these are compared only if equal heads leave it open.
    /// </summary>
    private static bool IsInside(in RecentLeaf leaf, ReadOnlySpan<byte> key, ulong head)
    {
        bool isBehindFirst = head > leaf.First || leaf.IsLeftmost;
        bool isBeforeLast = head < leaf.Last || leaf.IsRightmost;
        if (isBehindFirst && isBeforeLast)
        {
            return true;
        }

        TreePage page = TreePage.Open(leaf.Memory, leaf.PageNumber, PageKind.TreeLeaf);
        return page.Count != 0
            && (isBehindFirst || KeyOrder.Compare(key, page.Key(0)) >= 0)
            && (isBeforeLast || KeyOrder.Compare(key, page.Key(page.Count - 1)) <= 0);
    }

    [InlineArray(Places)]
    private struct Seen
    {
        private long _first;
    }

    [InlineArray(Places)]
    private struct Entries
    {
        private RecentLeaf _first;
    }
}
