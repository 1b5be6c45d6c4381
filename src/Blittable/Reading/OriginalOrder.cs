using System.Buffers;

namespace Raven.Blittable.Reading;

/// <summary>
/// The order of an object's properties in the source, computed from the positions of their values. Up to
/// <see cref="OnStack"/> properties are sorted in the caller's room; more borrow arrays, which <see cref="Release"/>
/// gives back.
/// </summary>
internal readonly ref struct OriginalOrder
{
    internal const int OnStack = 64;

    private const int IdMax = 0xFFFFFF;

    private readonly Span<ulong> _keys;
    private readonly int[]? _rented;

    internal OriginalOrder(BlittableObject source, Span<ulong> room)
    {
        if (source.Count <= OnStack && TrySort(source, room))
        {
            _keys = room;
            return;
        }

        _rented = ArrayPool<int>.Shared.Rent(source.Count);
        ulong[] keys = ArrayPool<ulong>.Shared.Rent(source.Count);
        source.FillOriginalOrderKeys(keys.AsSpan(0, source.Count), _rented);
        keys.AsSpan(0, source.Count).Sort(_rented.AsSpan(0, source.Count));
        ArrayPool<ulong>.Shared.Return(keys);
    }

    /// <summary>The place, in the order of names, of the property at this place of the source.</summary>
    internal int this[int index] => _rented is null ? (int)(_keys[index] & 0xFF) : _rented[index];

    internal void Release()
    {
        if (_rented is not null)
        {
            ArrayPool<int>.Shared.Return(_rented);
        }
    }

    // Position, then values without bytes first, then id, and the place itself in the lowest byte.
    private static bool TrySort(BlittableObject source, Span<ulong> keys)
    {
        for (int i = 0; i < source.Count; i++)
        {
            source.ReadEntry(i, out int position, out int id, out byte token);
            if (id > IdMax)
            {
                return false;
            }

            ulong hasBytes = Format.BlittableToken.HasNoBytes(token) ? 0u : 1u;
            ulong key = ((ulong)(uint)position << 33) | (hasBytes << 32) | ((ulong)(uint)id << 8) | (uint)i;
            int place = i;
            while (place > 0 && keys[place - 1] > key)
            {
                keys[place] = keys[place - 1];
                place--;
            }

            keys[place] = key;
        }

        return true;
    }
}
