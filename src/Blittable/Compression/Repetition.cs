using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Raven.Blittable.Compression;

/// <summary>
/// Estimates before LZ4 is tried whether a text repeats enough of itself: samples of its first half are searched in all
/// of it. A sample is found again about as often as LZ4 finds a match, which in prose is seldom.
/// </summary>
internal static class Repetition
{
    /// <summary>The shortest text that is sampled.</summary>
    internal const int LengthMin = 64;

    private const int LengthLookedAtMax = 4096;
    private const int Samples = 4;
    private const int FoundMin = 3;
    private const int Second = 2;
    private const int Third = 5;
    private const int Last = 7;

    /// <summary>Whether most of the samples occur in the text twice.</summary>
    /// <param name="text">
    /// At least <see cref="LengthMin"/> bytes; of a long one only the first 4 KB are searched.
    /// </param>
    internal static bool IsLikely(ReadOnlySpan<byte> text)
    {
        int length = Math.Min(text.Length, LengthLookedAtMax);
        if (length < LengthMin)
        {
            return false;
        }

        ref byte start = ref MemoryMarshal.GetReference(text);
        int found = 0;
        for (int sample = 1; sample <= Samples && found + Samples - sample + 1 >= FoundMin; sample++)
        {
            found += OccursTwice(ref start, length, sample * length / (2 * Samples) - Last) ? 1 : 0;
        }

        return found >= FoundMin;
    }

    // Four of eight bytes are compared: the words of a language share four in a row far too often.
    private static bool OccursTwice(ref byte start, int length, int sample)
    {
        sample = Math.Max(0, sample);
        Vector256<byte> first = Vector256.Create(Unsafe.Add(ref start, sample));
        Vector256<byte> second = Vector256.Create(Unsafe.Add(ref start, sample + Second));
        Vector256<byte> third = Vector256.Create(Unsafe.Add(ref start, sample + Third));
        Vector256<byte> last = Vector256.Create(Unsafe.Add(ref start, sample + Last));
        Vector256<byte> count = Vector256<byte>.Zero;
        int end = length - Vector256<byte>.Count - Last;
        for (int at = 0; at <= end; at += Vector256<byte>.Count)
        {
            count -= Vector256.Equals(Vector256.LoadUnsafe(ref start, (nuint)at), first)
                & Vector256.Equals(Vector256.LoadUnsafe(ref start, (nuint)(at + Second)), second)
                & Vector256.Equals(Vector256.LoadUnsafe(ref start, (nuint)(at + Third)), third)
                & Vector256.Equals(Vector256.LoadUnsafe(ref start, (nuint)(at + Last)), last);
        }

        // One match is the sample itself.
        uint lanes = ~Vector256.Equals(count, Vector256<byte>.Zero).ExtractMostSignificantBits();
        return BitOperations.PopCount(lanes) > 1 || Vector256.GreaterThanAny(count, Vector256<byte>.One);
    }
}
