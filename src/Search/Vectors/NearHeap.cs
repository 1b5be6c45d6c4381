namespace Raven.Search.Vectors;

/// <summary>Keys of which the least is at the root. Keeps its memory for the next use.</summary>
internal sealed class NearHeap
{
    private ulong[] _keys = new ulong[64];

    internal int Count { get; private set; }

    internal ulong Least => _keys[0];

    internal Span<ulong> Keys => _keys.AsSpan(0, Count);

    internal void Clear() => Count = 0;

    internal void Add(ulong key)
    {
        if (Count == _keys.Length)
        {
            Array.Resize(ref _keys, Count * 2);
        }

        int at = Count++;
        while (at > 0 && _keys[(at - 1) / 2] > key)
        {
            _keys[at] = _keys[(at - 1) / 2];
            at = (at - 1) / 2;
        }

        _keys[at] = key;
    }

    internal ulong TakeLeast()
    {
        ulong least = _keys[0];
        Count--;
        if (Count > 0)
        {
            SiftDown(_keys[Count]);
        }

        return least;
    }

    /// <summary>Puts a key in the place of the least.</summary>
    internal void ReplaceLeast(ulong key) => SiftDown(key);

    private void SiftDown(ulong key)
    {
        Span<ulong> keys = Keys;
        int at = 0;
        for (int child = 1; child < keys.Length; child = (at * 2) + 1)
        {
            if (child + 1 < keys.Length && keys[child + 1] < keys[child])
            {
                child++;
            }

            if (keys[child] >= key)
            {
                break;
            }

            keys[at] = keys[child];
            at = child;
        }

        keys[at] = key;
    }
}
