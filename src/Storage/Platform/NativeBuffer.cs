using System.Runtime.InteropServices;
using Raven.Blittable.Memory;

namespace Raven.Storage.Platform;

/// <summary>
/// Native memory that grows and is used again, aligned for direct I/O. One owner at a time; freed by Dispose.
/// </summary>
internal sealed unsafe class NativeBuffer : IDisposable
{
    /// <summary>The most bytes that a buffer may have: the largest int in whole units of the alignment.</summary>
    internal const int CapacityMax = int.MaxValue - Alignment + 1;

    private const int Alignment = 4096;

    private byte* _start;
    private int _capacity;

    internal NativeBuffer(int capacity) => Grow(capacity, 0);

    internal int Capacity => _capacity;

    internal Span<byte> Span => new(_start, _capacity);

    internal NativeSlice Slice(int length) =>
        length <= _capacity ? new NativeSlice(_start, length) : throw new ArgumentOutOfRangeException(nameof(length));

    /// <summary>Makes room for so many bytes, keeping the first <paramref name="used"/>.</summary>
    internal void EnsureCapacity(int capacity, int used)
    {
        if (capacity > _capacity)
        {
            Grow((int)Math.Min(CapacityMax, Math.Max(capacity, 2L * _capacity)), used);
        }
    }

    /// <summary>Frees memory if it is far more than is needed now.</summary>
    internal void Trim(int capacityMax)
    {
        if (_capacity > capacityMax)
        {
            Free();
            Grow(capacityMax, 0);
        }
    }

    public void Dispose() => Free();

    private void Grow(int capacity, int used)
    {
        capacity = (int)(((long)capacity + Alignment - 1) / Alignment * Alignment);
        byte* start = (byte*)NativeMemory.AlignedAlloc((nuint)capacity, Alignment);
        if (used > 0)
        {
            new ReadOnlySpan<byte>(_start, used).CopyTo(new Span<byte>(start, capacity));
        }

        Free();
        _start = start;
        _capacity = capacity;
    }

    private void Free()
    {
        NativeMemory.AlignedFree(_start);
        _start = null;
        _capacity = 0;
    }
}
