using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Raven.Blittable.Text;

/// <summary>
/// Compares and copies short runs of bytes: keys, names, values. The limits of "short" are measured (the table is in
/// <c>docs/performance/blittable.md</c>): above them the framework is faster and is called.
/// </summary>
public static class ByteOrder
{
    /// <summary>Longer runs are compared by the framework.</summary>
    public const int ShortCompareLengthMax = 16;

    /// <summary>Longer runs are copied by the framework.</summary>
    public const int ShortCopyLengthMax = 32;

    /// <summary>Orders two runs by their bytes, unsigned, a shorter one before a longer one that starts with
    /// it.</summary>
    /// <returns>Negative, zero or positive.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Compare(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        int length = Math.Min(left.Length, right.Length);
        if (length is < sizeof(ulong) or > ShortCompareLengthMax)
        {
            return length < sizeof(ulong) ? CompareFew(left, right, length) : left.SequenceCompareTo(right);
        }

        ref byte leftStart = ref MemoryMarshal.GetReference(left);
        ref byte rightStart = ref MemoryMarshal.GetReference(right);
        ulong leftWord = Unsafe.ReadUnaligned<ulong>(ref leftStart);
        ulong rightWord = Unsafe.ReadUnaligned<ulong>(ref rightStart);
        if (leftWord == rightWord)
        {
            // The last eight bytes overlap the first: bytes that were equal stay equal.
            leftWord = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref leftStart, length - sizeof(ulong)));
            rightWord = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref rightStart, length - sizeof(ulong)));
            if (leftWord == rightWord)
            {
                return left.Length - right.Length;
            }
        }

        return BinaryPrimitives.ReverseEndianness(leftWord) < BinaryPrimitives.ReverseEndianness(rightWord) ? -1 : 1;
    }

    /// <summary>Copies bytes to memory that does not overlap them.</summary>
    /// <param name="source">The bytes.</param>
    /// <param name="target">At least as long as the source.</param>
    /// <exception cref="ArgumentException">The target is too short.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Copy(ReadOnlySpan<byte> source, Span<byte> target)
    {
        int length = source.Length;
        if (length > ShortCopyLengthMax || length < sizeof(ulong) || length > target.Length)
        {
            source.CopyTo(target);
            return;
        }

        // The first and the last bytes, which overlap: no loop, and one branch for all lengths.
        ref byte from = ref MemoryMarshal.GetReference(source);
        ref byte to = ref MemoryMarshal.GetReference(target);
        if (length < Vector128<byte>.Count)
        {
            ulong lastWord = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref from, length - sizeof(ulong)));
            Unsafe.WriteUnaligned(ref to, Unsafe.ReadUnaligned<ulong>(ref from));
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, length - sizeof(ulong)), lastWord);
            return;
        }

        nuint lastAt = (nuint)(length - Vector128<byte>.Count);
        Vector128<byte> last = Vector128.LoadUnsafe(ref from, lastAt);
        Vector128.LoadUnsafe(ref from).StoreUnsafe(ref to);
        last.StoreUnsafe(ref to, lastAt);
    }

    private static int CompareFew(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, int length)
    {
        ref byte leftStart = ref MemoryMarshal.GetReference(left);
        ref byte rightStart = ref MemoryMarshal.GetReference(right);
        if (length >= sizeof(uint))
        {
            ulong leftWord = TwoHalves(ref leftStart, length);
            ulong rightWord = TwoHalves(ref rightStart, length);
            return leftWord != rightWord ? (leftWord < rightWord ? -1 : 1) : left.Length - right.Length;
        }

        for (int i = 0; i < length; i++)
        {
            int order = Unsafe.Add(ref leftStart, i) - Unsafe.Add(ref rightStart, i);
            if (order != 0)
            {
                return order;
            }
        }

        return left.Length - right.Length;
    }

    /// <summary>4 to 7 bytes as a number: the first four, then the last four, which overlap them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong TwoHalves(ref byte start, int length)
    {
        ulong first = BinaryPrimitives.ReverseEndianness(Unsafe.ReadUnaligned<uint>(ref start));
        uint last = Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, length - sizeof(uint)));
        return (first << 32) | BinaryPrimitives.ReverseEndianness(last);
    }
}
