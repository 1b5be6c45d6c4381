using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.Arm;
using System.Runtime.Intrinsics.X86;

namespace Raven.Storage.Checksums;

/// <summary>
/// XXH3 for inputs over 240 bytes: eight 64-bit accumulators take in stripes of 64 bytes, sixteen stripes a block,
/// and are scrambled between blocks. One kernel for each width of vector; all give the same hash.
/// </summary>
internal static class XxHash3Stripes
{
    private const int StripeLength = 64;
    private const int BlockLength = 1024;
    private const int SecretLength = 192;
    private const int ScrambleAt = SecretLength - StripeLength;
    private const int LastStripeSecretAt = SecretLength - StripeLength - 7;
    private const int MergeSecretAt = 11;

    /// <summary>The kernels, narrow to wide.</summary>
    internal enum Kernel
    {
        Scalar,
        Bits128,
        Bits256,
    }

    /// <summary>The widest kernel that this machine runs well; the JIT makes a constant of it.</summary>
    internal static Kernel WidestKernel
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Avx2.IsSupported ? Kernel.Bits256
            : Sse2.IsSupported || AdvSimd.IsSupported ? Kernel.Bits128
            : Kernel.Scalar;
    }

    /// <summary>The room for a secret.</summary>
    internal const int SecretSizeBytes = SecretLength;

    /// <summary>The number of accumulators.</summary>
    internal const int SumCount = 8;

    /// <summary>What is taken in before the end is of whole blocks.</summary>
    internal const int BlockSizeBytes = BlockLength;

    [SkipLocalsInit]
    internal static ulong Hash(ref byte input, nuint length, ulong seed, Kernel kernel)
    {
        Debug.Assert(length > XxHash3.ShortLengthMax);
        Span<byte> derived = stackalloc byte[SecretLength];
        scoped ref byte secret = ref MemoryMarshal.GetReference(XxHash3.Secret);
        if (seed != 0)
        {
            DeriveSecret(derived, seed);
            secret = ref MemoryMarshal.GetReference(derived);
        }

        Span<ulong> sums = stackalloc ulong[SumCount];
        Begin(sums);
        Accumulate(ref input, length, ref secret, ref MemoryMarshal.GetReference(sums), kernel, isLast: true);
        return Merge(sums, length, ref secret);
    }

    /// <summary>The accumulators as they are before the first byte.</summary>
    internal static void Begin(Span<ulong> sums)
    {
        ReadOnlySpan<ulong> first =
        [
            XxHash3.Prime32Third, XxHash3.Prime64First, XxHash3.Prime64Second, XxHash3.Prime64Third,
            XxHash3.Prime64Fourth, XxHash3.Prime32Second, XxHash3.Prime64Fifth, XxHash3.Prime32First,
        ];
        first.CopyTo(sums);
    }

    /// <summary>Takes bytes in.</summary>
    /// <param name="input">The first of them.</param>
    /// <param name="length">How many: whole blocks, or at the end 64 and more.</param>
    /// <param name="secret">The secret of the seed.</param>
    /// <param name="sum">The accumulators.</param>
    /// <param name="kernel">How.</param>
    /// <param name="isLast">Whether these are the last ones.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Accumulate(
        ref byte input, nuint length, ref byte secret, ref ulong sum, Kernel kernel, bool isLast)
    {
        switch (kernel)
        {
            case Kernel.Bits256:
                Accumulate256(ref input, length, ref secret, ref sum, isLast);
                break;
            case Kernel.Bits128:
                Accumulate128(ref input, length, ref secret, ref sum, isLast);
                break;
            default:
                AccumulateScalar(ref input, length, ref secret, ref sum, isLast);
                break;
        }
    }

    /// <summary>The hash of all that was taken in.</summary>
    internal static ulong Merge(ReadOnlySpan<ulong> sums, nuint length, ref byte secret)
    {
        ulong hash = length * XxHash3.Prime64First;
        for (int i = 0; i < 4; i++)
        {
            nuint at = (nuint)(MergeSecretAt + (i * 16));
            hash += XxHash3.MultiplyFold(
                sums[2 * i] ^ XxHash3.Word(ref secret, at),
                sums[(2 * i) + 1] ^ XxHash3.Word(ref secret, at + 8));
        }

        return XxHash3.Avalanche(hash);
    }

    internal static void DeriveSecret(Span<byte> derived, ulong seed)
    {
        Span<ulong> words = MemoryMarshal.Cast<byte, ulong>(derived);
        ReadOnlySpan<ulong> defaults = MemoryMarshal.Cast<byte, ulong>(XxHash3.Secret);
        for (int i = 0; i < defaults.Length; i += 2)
        {
            words[i] = defaults[i] + seed;
            words[i + 1] = defaults[i + 1] - seed;
        }
    }

    private static void Accumulate256(
        ref byte input, nuint length, ref byte secret, ref ulong sums, bool isLast)
    {
        Vector256<ulong> low = Vector256.LoadUnsafe(ref sums);
        Vector256<ulong> high = Vector256.LoadUnsafe(ref sums, 4);
        Vector256<ulong> scrambleLow = Vector256.LoadUnsafe(ref secret, ScrambleAt).AsUInt64();
        Vector256<ulong> scrambleHigh = Vector256.LoadUnsafe(ref secret, ScrambleAt + 32).AsUInt64();
        nuint stripes = (length - (isLast ? 1u : 0u)) / StripeLength;
        nuint secretAt = 0;
        for (nuint stripe = 0; stripe < stripes; stripe++)
        {
            low = Add256(low, ref input, ref secret, secretAt);
            high = Add256(high, ref Unsafe.Add(ref input, 32), ref secret, secretAt + 32);
            input = ref Unsafe.Add(ref input, StripeLength);
            secretAt += 8;
            if (secretAt == ScrambleAt)
            {
                low = Scramble256(low, scrambleLow);
                high = Scramble256(high, scrambleHigh);
                secretAt = 0;
            }
        }

        if (!isLast)
        {
            low.StoreUnsafe(ref sums);
            high.StoreUnsafe(ref sums, 4);
            return;
        }

        // The last 64 bytes, which overlap the stripe before them if the length is no multiple of 64.
        input = ref Unsafe.Subtract(ref Unsafe.Add(ref input, length - (stripes * StripeLength)), StripeLength);
        low = Add256(low, ref input, ref secret, LastStripeSecretAt);
        high = Add256(high, ref Unsafe.Add(ref input, 32), ref secret, LastStripeSecretAt + 32);
        low.StoreUnsafe(ref sums);
        high.StoreUnsafe(ref sums, 4);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ulong> Add256(Vector256<ulong> sum, ref byte input, ref byte secret, nuint secretAt)
    {
        Vector256<ulong> value = Vector256.LoadUnsafe(ref input).AsUInt64();
        Vector256<ulong> keyed = value ^ Vector256.LoadUnsafe(ref secret, secretAt).AsUInt64();
        Vector256<uint> swapped = Vector256.Shuffle(value.AsUInt32(), Vector256.Create(2u, 3, 0, 1, 6, 7, 4, 5));
        return sum + swapped.AsUInt64() + Avx2.Multiply(keyed.AsUInt32(), (keyed >>> 32).AsUInt32());
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ulong> Scramble256(Vector256<ulong> sum, Vector256<ulong> secret)
    {
        Vector256<ulong> keyed = sum ^ (sum >>> 47) ^ secret;
        Vector256<uint> prime = Vector256.Create((uint)XxHash3.Prime32First);
        Vector256<ulong> lowProduct = Avx2.Multiply(keyed.AsUInt32(), prime);
        Vector256<ulong> highProduct = Avx2.Multiply((keyed >>> 32).AsUInt32(), prime);
        return lowProduct + (highProduct << 32);
    }

    private static void Accumulate128(
        ref byte input, nuint length, ref byte secret, ref ulong sums, bool isLast)
    {
        Vector128<ulong> first = Vector128.LoadUnsafe(ref sums);
        Vector128<ulong> second = Vector128.LoadUnsafe(ref sums, 2);
        Vector128<ulong> third = Vector128.LoadUnsafe(ref sums, 4);
        Vector128<ulong> fourth = Vector128.LoadUnsafe(ref sums, 6);
        nuint stripes = (length - (isLast ? 1u : 0u)) / StripeLength;
        nuint secretAt = 0;
        for (nuint stripe = 0; stripe < stripes; stripe++)
        {
            first = Add128(first, ref input, ref secret, secretAt);
            second = Add128(second, ref Unsafe.Add(ref input, 16), ref secret, secretAt + 16);
            third = Add128(third, ref Unsafe.Add(ref input, 32), ref secret, secretAt + 32);
            fourth = Add128(fourth, ref Unsafe.Add(ref input, 48), ref secret, secretAt + 48);
            input = ref Unsafe.Add(ref input, StripeLength);
            secretAt += 8;
            if (secretAt == ScrambleAt)
            {
                first = Scramble128(first, ref secret, ScrambleAt);
                second = Scramble128(second, ref secret, ScrambleAt + 16);
                third = Scramble128(third, ref secret, ScrambleAt + 32);
                fourth = Scramble128(fourth, ref secret, ScrambleAt + 48);
                secretAt = 0;
            }
        }

        if (!isLast)
        {
            first.StoreUnsafe(ref sums);
            second.StoreUnsafe(ref sums, 2);
            third.StoreUnsafe(ref sums, 4);
            fourth.StoreUnsafe(ref sums, 6);
            return;
        }

        input = ref Unsafe.Subtract(ref Unsafe.Add(ref input, length - (stripes * StripeLength)), StripeLength);
        Add128(first, ref input, ref secret, LastStripeSecretAt).StoreUnsafe(ref sums);
        Add128(second, ref Unsafe.Add(ref input, 16), ref secret, LastStripeSecretAt + 16).StoreUnsafe(ref sums, 2);
        Add128(third, ref Unsafe.Add(ref input, 32), ref secret, LastStripeSecretAt + 32).StoreUnsafe(ref sums, 4);
        Add128(fourth, ref Unsafe.Add(ref input, 48), ref secret, LastStripeSecretAt + 48).StoreUnsafe(ref sums, 6);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ulong> Add128(Vector128<ulong> sum, ref byte input, ref byte secret, nuint secretAt)
    {
        Vector128<ulong> value = Vector128.LoadUnsafe(ref input).AsUInt64();
        Vector128<ulong> keyed = value ^ Vector128.LoadUnsafe(ref secret, secretAt).AsUInt64();
        Vector128<ulong> swapped = Vector128.Shuffle(value, Vector128.Create(1UL, 0));
        return sum + swapped + MultiplyLow128(keyed, keyed >>> 32);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ulong> Scramble128(Vector128<ulong> sum, ref byte secret, nuint secretAt)
    {
        Vector128<ulong> keyed = sum ^ (sum >>> 47) ^ Vector128.LoadUnsafe(ref secret, secretAt).AsUInt64();
        Vector128<ulong> prime = Vector128.Create(XxHash3.Prime32First);
        return MultiplyLow128(keyed, prime) + (MultiplyLow128(keyed >>> 32, prime) << 32);
    }

    /// <summary>In each 64-bit lane the product of the lower 32 bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ulong> MultiplyLow128(Vector128<ulong> left, Vector128<ulong> right)
    {
        if (Sse2.IsSupported)
        {
            return Sse2.Multiply(left.AsUInt32(), right.AsUInt32());
        }

        return AdvSimd.MultiplyWideningLower(
            AdvSimd.ExtractNarrowingLower(left), AdvSimd.ExtractNarrowingLower(right));
    }

    private static void AccumulateScalar(
        ref byte input, nuint length, ref byte secret, ref ulong sums, bool isLast)
    {
        nuint stripes = (length - (isLast ? 1u : 0u)) / StripeLength;
        for (nuint stripe = 0; stripe < stripes; stripe++)
        {
            nuint stripeInBlock = stripe % (BlockLength / StripeLength);
            AddScalar(ref sums, ref Unsafe.Add(ref input, stripe * StripeLength), ref secret, stripeInBlock * 8);
            if (stripeInBlock == (BlockLength / StripeLength) - 1)
            {
                for (int i = 0; i < 8; i++)
                {
                    ref ulong sum = ref Unsafe.Add(ref sums, i);
                    sum ^= sum >> 47;
                    sum ^= XxHash3.Word(ref secret, (nuint)(ScrambleAt + (i * 8)));
                    sum *= XxHash3.Prime32First;
                }
            }
        }

        if (isLast)
        {
            AddScalar(ref sums, ref Unsafe.Add(ref input, length - StripeLength), ref secret, LastStripeSecretAt);
        }
    }

    private static void AddScalar(ref ulong sums, ref byte stripe, ref byte secret, nuint secretAt)
    {
        for (int i = 0; i < 8; i++)
        {
            nuint at = (nuint)(i * 8);
            ulong value = XxHash3.Word(ref stripe, at);
            ulong keyed = value ^ XxHash3.Word(ref secret, secretAt + at);
            Unsafe.Add(ref sums, i ^ 1) += value;
            Unsafe.Add(ref sums, i) += (uint)keyed * (keyed >> 32);
        }
    }
}
