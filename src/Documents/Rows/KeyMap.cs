using System.Diagnostics;
using System.IO.Hashing;
using Raven.Blittable.Memory;

namespace Raven.Documents.Rows;

/// <summary>
/// A set of keys, in the order in which they were added. Reused from operation to operation, it allocates only if it
/// gets more keys than ever before. The keys' memory is the caller's and must outlive their use here.
/// </summary>
internal sealed class KeyMap
{
    private const int KeptCapacityMax = 4096;

    /// <summary>Makes the slots unpredictable: clients choose the keys, and could choose them all for
    /// one slot.</summary>
    private readonly ulong _seed;

    private NativeSlice[] _keys = new NativeSlice[16];
    private int[] _values = new int[16];
    private int[] _slots = new int[32];

    internal KeyMap(ulong seed) => _seed = seed;

    /// <summary>How many different keys there are.</summary>
    internal int Count { get; private set; }

    /// <summary>The key that was added as number <paramref name="index"/>.</summary>
    internal NativeSlice this[int index] => _keys[index];

    /// <summary>A number that the caller stores with the key; 0 if the key is new.</summary>
    internal ref int ValueOf(int index) => ref _values[index];

    /// <summary>Removes all keys, and frees the memory if it is large.</summary>
    internal void Clear()
    {
        if (_keys.Length > KeptCapacityMax)
        {
            _keys = new NativeSlice[16];
            _values = new int[16];
            _slots = new int[32];
        }
        else if (Count > 0)
        {
            Array.Clear(_slots);
            Array.Clear(_keys, 0, Count);
        }

        Count = 0;
    }

    /// <summary>The number of a key, or -1.</summary>
    internal int Find(ReadOnlySpan<byte> key)
    {
        int index = _slots[FindSlot(key)] - 1;
        Debug.Assert(index < Count);
        return index;
    }

    /// <summary>The number of a key, which is added if it is new.</summary>
    /// <param name="key">The key.</param>
    /// <param name="isNew">True if it was not in the set.</param>
    internal int FindOrAdd(NativeSlice key, out bool isNew)
    {
        int slot = FindSlot(key.Span);
        isNew = _slots[slot] == 0;
        if (!isNew)
        {
            return _slots[slot] - 1;
        }

        if (Count == _keys.Length)
        {
            Grow();
            slot = FindSlot(key.Span);
        }

        _keys[Count] = key;
        _values[Count] = 0;
        _slots[slot] = ++Count;
        return Count - 1;
    }

    private int FindSlot(ReadOnlySpan<byte> key)
    {
        int mask = _slots.Length - 1;
        int slot = (int)XxHash3.HashToUInt64(key, (long)_seed) & mask;
        while (_slots[slot] != 0 && !_keys[_slots[slot] - 1].Span.SequenceEqual(key))
        {
            slot = (slot + 1) & mask;
        }

        return slot;
    }

    private void Grow()
    {
        Array.Resize(ref _keys, _keys.Length * 2);
        Array.Resize(ref _values, _keys.Length);
        _slots = new int[_keys.Length * 2];
        for (int i = 0; i < Count; i++)
        {
            _slots[FindSlot(_keys[i].Span)] = i + 1;
        }
    }
}
