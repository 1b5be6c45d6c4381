using System.Buffers.Binary;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>Keys of one length, in order or shuffled by a seed.</summary>
internal sealed class KeySet
{
    private readonly byte[] _bytes;
    private readonly int _size;

    /// <summary>
    /// So many keys; the smallest is that of the number behind <paramref name="after"/>. Shuffled ones can be in order
    /// within each run of so many.
    /// </summary>
    internal KeySet(int count, int size, bool isRandom, long after = 0, int sortedBy = 0)
    {
        _size = size;
        _bytes = new byte[count * size];
        Count = count;
        int[] order = [.. Enumerable.Range(0, count)];
        if (isRandom)
        {
            new Random(42).Shuffle(order);
        }

        for (int first = 0; sortedBy > 0 && first < count; first += sortedBy)
        {
            order.AsSpan(first, Math.Min(sortedBy, count - first)).Sort();
        }

        for (int i = 0; i < count; i++)
        {
            BinaryPrimitives.WriteInt64BigEndian(_bytes.AsSpan(i * size + size - sizeof(long)), after + order[i] + 1);
        }
    }

    internal int Count { get; }

    internal ReadOnlySpan<byte> this[int index] => _bytes.AsSpan(index * _size, _size);
}
