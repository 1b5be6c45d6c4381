using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Raven.Storage.Checksums;

/// <summary>
/// XXH3, 64 bits, with a seed: the checksum of every page and journal transaction. It finds damage, but is no
/// protection against forgery. The result is the one that <c>XXH3_64bits_withSeed</c> of xxHash 0.8 gives, on any
/// machine. Source: the XXH3 part of the xxHash specification by Yann Collet. Allocates nothing.
/// </summary>
/// <remarks>The lanes are read as they lie in memory, so the machine must be little-endian (all that .NET 10
/// targets in practice: x64, arm64).</remarks>
public static class XxHash3
{
    internal const ulong Prime32First = 0x9E3779B1;
    internal const ulong Prime32Second = 0x85EBCA77;
    internal const ulong Prime32Third = 0xC2B2AE3D;
    internal const ulong Prime64First = 0x9E3779B185EBCA87;
    internal const ulong Prime64Second = 0xC2B2AE3D27D4EB4F;
    internal const ulong Prime64Third = 0x165667B19E3779F9;
    internal const ulong Prime64Fourth = 0x85EBCA77C2B2AE63;
    internal const ulong Prime64Fifth = 0x27D4EB2F165667C5;
    private const ulong AvalancheMultiplier = 0x165667919E3779F9;
    private const ulong ShortMultiplier = 0x9FB21C651E98DF25;

    /// <summary>Inputs over this length go through eight accumulators, in stripes of 64 bytes.</summary>
    internal const int ShortLengthMax = 240;

    /// <summary>The specification's default secret: 192 bytes that the input is mixed with.</summary>
    internal static ReadOnlySpan<byte> Secret =>
    [
        0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
        0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
        0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
        0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
        0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
        0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
        0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
        0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
        0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
        0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
        0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
        0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
    ];

    /// <summary>The hash of <paramref name="data"/>.</summary>
    /// <param name="data">Any number of bytes, none included.</param>
    /// <param name="seed">Another seed gives an unrelated hash: pages are seeded with their store's id.</param>
    public static ulong Hash(ReadOnlySpan<byte> data, ulong seed)
    {
        ref byte input = ref MemoryMarshal.GetReference(data);
        nuint length = (nuint)data.Length;
        return length switch
        {
            > ShortLengthMax => XxHash3Stripes.Hash(ref input, length, seed, XxHash3Stripes.WidestKernel),
            > 128 => HashUpTo240(ref input, length, seed),
            > 16 => HashUpTo128(ref input, length, seed),
            > 8 => HashUpTo16(ref input, length, seed),
            > 3 => HashUpTo8(ref input, length, seed),
            > 0 => HashUpTo3(ref input, length, seed),
            _ => ShortAvalanche(seed ^ SecretWord(56) ^ SecretWord(64)),
        };
    }

    private static ulong HashUpTo3(ref byte input, nuint length, ulong seed)
    {
        uint first = input;
        uint middle = Unsafe.Add(ref input, length >> 1);
        uint last = Unsafe.Add(ref input, length - 1);
        uint combined = (first << 16) | (middle << 24) | last | ((uint)length << 8);
        ulong flip = ((uint)SecretWord(0) ^ (uint)SecretWord(4)) + seed;
        return ShortAvalanche(combined ^ flip);
    }

    private static ulong HashUpTo8(ref byte input, nuint length, ulong seed)
    {
        seed ^= (ulong)BinaryPrimitives.ReverseEndianness((uint)seed) << 32;
        ulong first = Unsafe.ReadUnaligned<uint>(ref input);
        ulong last = Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref input, length - 4));
        ulong flip = (SecretWord(8) ^ SecretWord(16)) - seed;
        ulong hash = (last + (first << 32)) ^ flip;
        hash ^= BitOperations.RotateLeft(hash, 49) ^ BitOperations.RotateLeft(hash, 24);
        hash *= ShortMultiplier;
        hash ^= (hash >> 35) + length;
        hash *= ShortMultiplier;
        return hash ^ (hash >> 28);
    }

    private static ulong HashUpTo16(ref byte input, nuint length, ulong seed)
    {
        ulong lowFlip = (SecretWord(24) ^ SecretWord(32)) + seed;
        ulong highFlip = (SecretWord(40) ^ SecretWord(48)) - seed;
        ulong low = Word(ref input, 0) ^ lowFlip;
        ulong high = Word(ref input, length - 8) ^ highFlip;
        return Avalanche(length + BinaryPrimitives.ReverseEndianness(low) + high + MultiplyFold(low, high));
    }

    private static ulong HashUpTo128(ref byte input, nuint length, ulong seed)
    {
        ulong sum = length * Prime64First;
        if (length > 32)
        {
            if (length > 64)
            {
                if (length > 96)
                {
                    sum += Mix16(ref input, 48, 96, seed) + Mix16(ref input, length - 64, 112, seed);
                }

                sum += Mix16(ref input, 32, 64, seed) + Mix16(ref input, length - 48, 80, seed);
            }

            sum += Mix16(ref input, 16, 32, seed) + Mix16(ref input, length - 32, 48, seed);
        }

        sum += Mix16(ref input, 0, 0, seed) + Mix16(ref input, length - 16, 16, seed);
        return Avalanche(sum);
    }

    private static ulong HashUpTo240(ref byte input, nuint length, ulong seed)
    {
        ulong sum = length * Prime64First;
        for (nuint at = 0; at < 128; at += 16)
        {
            sum += Mix16(ref input, at, (int)at, seed);
        }

        sum = Avalanche(sum);
        for (nuint at = 128; at + 16 <= length; at += 16)
        {
            sum += Mix16(ref input, at, (int)at - 128 + 3, seed);
        }

        sum += Mix16(ref input, length - 16, 136 - 17, seed);
        return Avalanche(sum);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Mix16(ref byte input, nuint at, int secretAt, ulong seed) => MultiplyFold(
        Word(ref input, at) ^ (SecretWord(secretAt) + seed),
        Word(ref input, at + 8) ^ (SecretWord(secretAt + 8) - seed));

    /// <summary>The 128-bit product, its halves xored.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong MultiplyFold(ulong left, ulong right)
    {
        ulong high = Math.BigMul(left, right, out ulong low);
        return high ^ low;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Avalanche(ulong hash)
    {
        hash ^= hash >> 37;
        hash *= AvalancheMultiplier;
        return hash ^ (hash >> 32);
    }

    private static ulong ShortAvalanche(ulong hash)
    {
        hash ^= hash >> 33;
        hash *= Prime64Second;
        hash ^= hash >> 29;
        hash *= Prime64Third;
        return hash ^ (hash >> 32);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Word(ref byte start, nuint at) => Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref start, at));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong SecretWord(int at) => Word(ref MemoryMarshal.GetReference(Secret), (nuint)at);
}
