using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace Raven.Blittable.Memory;

/// <summary>
/// A run of native memory: an arena's block, a mapped page, a document. It is a plain value, so that it may be kept in
/// a field and cross an await, and it owns nothing: its source (an <c>Arena</c>, a storage transaction) defines how
/// long it is valid. The pointer is private to this folder; other code gets a span.
/// </summary>
public readonly unsafe struct NativeSlice : IEquatable<NativeSlice>
{
    private readonly byte* _start;
    private readonly int _length;
#if DEBUG
    private readonly Arena? _owner;
    private readonly int _generation;
#endif

    /// <summary>Wraps native memory that the caller keeps alive for as long as the slice is used.</summary>
    /// <param name="start">The first byte.</param>
    /// <param name="length">The number of bytes, not negative.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public NativeSlice(byte* start, int length)
    {
        _start = start;
        _length = length;
    }

    /// <summary>A block of an arena: a debug build refuses to read it after the arena's next reset.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal NativeSlice(byte* start, int length, Arena owner)
    {
        _start = start;
        _length = length;
#if DEBUG
        _owner = owner;
        _generation = owner.Generation;
#endif
    }

#if DEBUG
    private NativeSlice(byte* start, int length, Arena? owner, int generation)
    {
        _start = start;
        _length = length;
        _owner = owner;
        _generation = generation;
    }

    private byte* Start
    {
        get
        {
            if (_owner is not null && _owner.Generation != _generation)
            {
                ThrowAfterReset();
            }

            return _start;
        }
    }
#else
    private byte* Start
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _start;
    }
#endif

    /// <summary>The number of bytes.</summary>
    public int Length
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _length;
    }

    /// <summary>True if there is no byte to read.</summary>
    public bool IsEmpty => _length == 0;

    /// <summary>The bytes, to read.</summary>
    public ReadOnlySpan<byte> Span
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => new(Start, _length);
    }

    /// <summary>
    /// The bytes, to write. Only the owner of the memory may: a mapped page is read-only and writing ends the process.
    /// </summary>
    public Span<byte> WritableSpan
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => new(Start, _length);
    }

    /// <summary>The address of the first byte, for the two folders in which pointers live.</summary>
    public byte* Pointer
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Start;
    }

    /// <summary>
    /// The first byte, by reference and without bounds: for readers and writers of documents, which have checked
    /// their bounds.
    /// </summary>
    internal ref byte Reference
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref *Start;
    }

    /// <summary>A part of this slice.</summary>
    /// <param name="start">Offset of the first byte, 0 to <see cref="Length"/>.</param>
    /// <param name="length">The number of bytes.</param>
    /// <exception cref="ArgumentOutOfRangeException">The part does not lie inside.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public NativeSlice Slice(int start, int length)
    {
        if ((ulong)(uint)start + (uint)length > (uint)_length)
        {
            ThrowOutside();
        }

#if DEBUG
        return new NativeSlice(_start + start, length, _owner, _generation);
#else
        return new NativeSlice(_start + start, length);
#endif
    }

    /// <summary>The bytes from <paramref name="start"/> to the end.</summary>
    public NativeSlice Slice(int start) => Slice(start, _length - start);

    /// <summary>
    /// Asks the processor for the bytes ahead of their use, the last first, since a document is opened from its end:
    /// for a loop that knows which documents it reads next. The cache misses of one document follow each other;
    /// requested early, those of several overlap. Reads nothing and never fails.
    /// </summary>
    /// <param name="bytesMax">The most bytes to load, counted from the end.</param>
    public void Prefetch(int bytesMax = 2048)
    {
        const int lineBytes = 64;
        if (Sse.IsSupported && _length > 0)
        {
            byte* first = Start + Math.Max(0, _length - bytesMax);
            for (byte* line = Start + _length - 1; line >= first; line -= lineBytes)
            {
                Sse.Prefetch0(line);
            }
        }
    }

    /// <inheritdoc/>
    public bool Equals(NativeSlice other) => _start == other._start && _length == other._length;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is NativeSlice other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine((nint)_start, _length);

    /// <summary>The same memory and the same length.</summary>
    public static bool operator ==(NativeSlice left, NativeSlice right) => left.Equals(right);

    /// <summary>Other memory or another length.</summary>
    public static bool operator !=(NativeSlice left, NativeSlice right) => !left.Equals(right);

#if DEBUG
    private static void ThrowAfterReset() =>
        throw new InvalidOperationException("The memory was given back: its arena was reset or disposed since.");
#endif

    private static void ThrowOutside() =>
        throw new ArgumentOutOfRangeException(null, "The part lies outside of the slice.");
}
