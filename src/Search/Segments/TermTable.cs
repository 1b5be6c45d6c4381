using System.IO.Hashing;
using System.Runtime.CompilerServices;
using Raven.Search.Buffers;

namespace Raven.Search.Segments;

/// <summary>The distinct terms of a field while a batch is collected: bytes to a number and back.</summary>
internal sealed class TermTable
{
    private readonly ByteBuffer _bytes = new();
    private int[] _slots = new int[64];
    private uint[] _hashes = new uint[32];
    private int[] _starts = new int[33];

    /// <summary>How many terms there are; numbered from 0 in the order of arrival.</summary>
    internal int Count { get; private set; }

    internal int SizeInBytes => _bytes.Length + (Count * 16);

    internal ReadOnlySpan<byte> this[int term] =>
        _bytes.Span[_starts[term].._starts[term + 1]];

    internal void Clear()
    {
        _bytes.Clear();
        _bytes.Trim(16 << 20);
        if (_slots.Length > 1 << 20)
        {
            _slots = new int[64];
        }

        Array.Clear(_slots);
        Count = 0;
    }

    /// <summary>The number of a term; a new one if it was not seen before.</summary>
    internal int GetOrAdd(ReadOnlySpan<byte> term)
    {
        uint hash = (uint)XxHash3.HashToUInt64(term);
        int mask = _slots.Length - 1;
        for (int slot = (int)hash & mask; ; slot = (slot + 1) & mask)
        {
            int found = _slots[slot] - 1;
            if (found < 0)
            {
                return Add(term, hash, slot);
            }

            if (_hashes[found] == hash && this[found].SequenceEqual(term))
            {
                return found;
            }
        }
    }

    /// <summary>The number of a term, or -1.</summary>
    internal int Find(ReadOnlySpan<byte> term)
    {
        uint hash = (uint)XxHash3.HashToUInt64(term);
        int mask = _slots.Length - 1;
        for (int slot = (int)hash & mask; ; slot = (slot + 1) & mask)
        {
            int found = _slots[slot] - 1;
            if (found < 0 || (_hashes[found] == hash && this[found].SequenceEqual(term)))
            {
                return found;
            }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int Add(ReadOnlySpan<byte> term, uint hash, int slot)
    {
        if (Count + 1 == _starts.Length)
        {
            Array.Resize(ref _starts, (Count * 2) + 1);
            Array.Resize(ref _hashes, Count * 2);
        }

        _hashes[Count] = hash;
        _starts[Count] = _bytes.Length;
        _bytes.Add(term);
        _starts[++Count] = _bytes.Length;
        _slots[slot] = Count;
        if (Count * 2 > _slots.Length)
        {
            Grow();
        }

        return Count - 1;
    }

    private void Grow()
    {
        _slots = new int[_slots.Length * 2];
        int mask = _slots.Length - 1;
        for (int term = 0; term < Count; term++)
        {
            int slot = (int)_hashes[term] & mask;
            while (_slots[slot] != 0)
            {
                slot = (slot + 1) & mask;
            }

            _slots[slot] = term + 1;
        }
    }
}
