using System.Numerics;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Raven.Search.Vectors;

/// <summary>Sums of products, by whole registers if the processor has them; both sides have the same length.</summary>
internal static class DotProduct
{
    /// <summary>Of floating point numbers. Four sums at once, as a single one would wait for its own result.</summary>
    internal static float Of(ReadOnlySpan<float> left, ReadOnlySpan<float> right)
    {
        int i = 0;
        float sum = 0;
        right = right[..left.Length];
        if (Vector256.IsHardwareAccelerated && left.Length >= 8)
        {
            ref float x = ref MemoryMarshal.GetReference(left);
            ref float y = ref MemoryMarshal.GetReference(right);
            Vector256<float> first = default;
            Vector256<float> second = default;
            Vector256<float> third = default;
            Vector256<float> fourth = default;
            for (; i <= left.Length - 32; i += 32)
            {
                first = Vector256.MultiplyAddEstimate(At(ref x, i), At(ref y, i), first);
                second = Vector256.MultiplyAddEstimate(At(ref x, i + 8), At(ref y, i + 8), second);
                third = Vector256.MultiplyAddEstimate(At(ref x, i + 16), At(ref y, i + 16), third);
                fourth = Vector256.MultiplyAddEstimate(At(ref x, i + 24), At(ref y, i + 24), fourth);
            }

            for (; i <= left.Length - 8; i += 8)
            {
                first = Vector256.MultiplyAddEstimate(At(ref x, i), At(ref y, i), first);
            }

            sum = Vector256.Sum(first + second + (third + fourth));
        }

        for (; i < left.Length; i++)
        {
            sum += left[i] * right[i];
        }

        return sum;
    }

    /// <summary>Of bytes with a sign, none of which is -128. No sum leaves 32 bits: there are at most
    /// <see cref="SearchIndex.VectorDimensionsMax"/> of them.</summary>
    internal static int Of(ReadOnlySpan<sbyte> left, ReadOnlySpan<sbyte> right)
    {
        int i = 0;
        int sum = 0;
        right = right[..left.Length];
        if (Avx2.IsSupported && left.Length >= 32)
        {
            sum = OfPairs(left, right, out i);
        }
        else if (Vector256.IsHardwareAccelerated && left.Length >= 16)
        {
            ref sbyte x = ref MemoryMarshal.GetReference(left);
            ref sbyte y = ref MemoryMarshal.GetReference(right);
            Vector256<int> sums = default;
            for (; i <= left.Length - 16; i += 16)
            {
                // A product of two bytes fits into 16 bits; two of them need not.
                Vector256<short> products = Widen(ref x, i) * Widen(ref y, i);
                (Vector256<int> lower, Vector256<int> upper) = Vector256.Widen(products);
                sums += lower + upper;
            }

            sum = Vector256.Sum(sums);
        }

        for (; i < left.Length; i++)
        {
            sum += left[i] * right[i];
        }

        return sum;
    }

    /// <summary>
    /// The same, 32 at a time, if one instruction multiplies unsigned by signed bytes and adds neighbours: the sign of
    /// the left is moved to the right. As no byte is -128, no sum of two exceeds 16 bits.
    /// </summary>
    private static int OfPairs(ReadOnlySpan<sbyte> left, ReadOnlySpan<sbyte> right, out int count)
    {
        ref sbyte x = ref MemoryMarshal.GetReference(left);
        ref sbyte y = ref MemoryMarshal.GetReference(right);
        Vector256<int> sums = default;
        int i = 0;
        for (; i <= left.Length - 32; i += 32)
        {
            Vector256<sbyte> one = Vector256.LoadUnsafe(ref x, (nuint)i);
            Vector256<short> pairs = Avx2.MultiplyAddAdjacent(
                Avx2.Abs(one), Avx2.Sign(Vector256.LoadUnsafe(ref y, (nuint)i), one));
            sums += Avx2.MultiplyAddAdjacent(pairs, Vector256<short>.One);
        }

        count = i;
        return Vector256.Sum(sums);
    }

    /// <summary>How many bits differ.</summary>
    internal static int Differences(ReadOnlySpan<ulong> left, ReadOnlySpan<ulong> right)
    {
        int count = 0;
        right = right[..left.Length];
        for (int i = 0; i < left.Length; i++)
        {
            count += BitOperations.PopCount(left[i] ^ right[i]);
        }

        return count;
    }

    private static Vector256<float> At(ref float start, int index) =>
        Vector256.LoadUnsafe(ref start, (nuint)index);

    private static Vector256<short> Widen(ref sbyte start, int index)
    {
        (Vector128<short> lower, Vector128<short> upper) = Vector128.Widen(
            Vector128.LoadUnsafe(ref start, (nuint)index));
        return Vector256.Create(lower, upper);
    }
}
