using System.IO.Hashing;
using System.Numerics;

namespace Raven.Documents.Rows.Series;

/// <summary>The different tags of points, each with a number from 1 on; 0 is that of no tag.</summary>
internal sealed class TagList
{
    private const int SlotsMin = 16;

    // Differs from process to process, so that no client can choose tags whose hashes collide.
    private static readonly long Seed = ((long)HashCode.Combine(1) << 32) ^ HashCode.Combine(2);

    private byte[] _bytes = new byte[64];
    private int[] _ends = new int[8];
    private int[] _slots = new int[SlotsMin];

    /// <summary>How many there are.</summary>
    internal int Count { get; private set; }

    /// <summary>The bytes of all.</summary>
    internal int SizeBytes => Count == 0 ? 0 : _ends[Count - 1];

    /// <summary>A tag by its number, UTF-8.</summary>
    internal ReadOnlySpan<byte> this[int number]
    {
        get
        {
            if (number == 0)
            {
                return default;
            }

            int start = number == 1 ? 0 : _ends[number - 2];
            return _bytes.AsSpan(start, _ends[number - 1] - start);
        }
    }

    /// <summary>Removes all.</summary>
    internal void Clear()
    {
        if (Count != 0)
        {
            Array.Clear(_slots);
            Count = 0;
        }
    }

    /// <summary>The number of a tag, which is added if it is new.</summary>
    internal int Add(ReadOnlySpan<byte> tag)
    {
        if (tag.IsEmpty)
        {
            return 0;
        }

        int slot = SlotOf(tag);
        if (_slots[slot] != 0)
        {
            return _slots[slot];
        }

        int start = SizeBytes;
        if (_bytes.Length < start + tag.Length)
        {
            Array.Resize(ref _bytes, (int)BitOperations.RoundUpToPowerOf2((uint)(start + tag.Length)));
        }

        if (_ends.Length == Count)
        {
            Array.Resize(ref _ends, Count * 2);
        }

        tag.CopyTo(_bytes.AsSpan(start));
        _ends[Count] = start + tag.Length;
        Count++;
        _slots[slot] = Count;
        if (Count * 2 > _slots.Length)
        {
            Grow();
        }

        return Count;
    }

    private void Grow()
    {
        _slots = new int[_slots.Length * 2];
        for (int number = 1; number <= Count; number++)
        {
            _slots[SlotOf(this[number])] = number;
        }
    }

    /// <summary>The slot of a tag, or the free one that it would have.</summary>
    private int SlotOf(ReadOnlySpan<byte> tag)
    {
        int mask = _slots.Length - 1;
        int slot = (int)XxHash3.HashToUInt64(tag, Seed) & mask;
        while (_slots[slot] != 0 && !this[_slots[slot]].SequenceEqual(tag))
        {
            slot = (slot + 1) & mask;
        }

        return slot;
    }
}
