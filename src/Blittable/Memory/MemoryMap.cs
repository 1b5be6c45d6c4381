using System.Runtime.CompilerServices;

namespace Raven.Blittable.Memory;

/// <summary>A file's bytes as memory, for reading only: a write through it ends the process.</summary>
public sealed unsafe class MemoryMap : IDisposable
{
    private readonly byte* _start;
    private Action? _release;

    /// <summary>Describes mapped memory.</summary>
    /// <param name="start">Its first byte.</param>
    /// <param name="length">The mapped bytes.</param>
    /// <param name="release">Called once, by <see cref="Dispose"/>: unmaps.</param>
    public MemoryMap(byte* start, long length, Action release)
    {
        _start = start;
        Length = length;
        _release = release;
    }

    /// <summary>Makes a map of other memory.</summary>
    /// <param name="memory">The bytes.</param>
    /// <param name="release">Called once, by <see cref="Dispose"/>.</param>
    public MemoryMap(NativeSlice memory, Action release)
        : this(memory.Pointer, memory.Length, release)
    {
    }

    /// <summary>The mapped bytes; may reach behind the end of the file.</summary>
    public long Length { get; }

    /// <summary>A part of the map. The caller knows that the file extends that far.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public NativeSlice Slice(long offset, int length)
    {
        if ((ulong)offset > (ulong)Length || length > Length - offset)
        {
            throw new ArgumentOutOfRangeException(nameof(offset), "Outside of the map.");
        }

        return new NativeSlice(_start + offset, length);
    }

    /// <summary>Unmaps; slices are invalid after this.</summary>
    public void Dispose() => Interlocked.Exchange(ref _release, null)?.Invoke();
}
