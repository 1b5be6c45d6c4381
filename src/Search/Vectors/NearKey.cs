using System.Runtime.CompilerServices;

namespace Raven.Search.Vectors;

/// <summary>
/// A similarity and a number in one word, ordered by the similarity; of two that are equally similar the lower number
/// is the greater.
/// </summary>
internal static class NearKey
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Of(float similarity, int number)
    {
        uint bits = BitConverter.SingleToUInt32Bits(similarity);
        bits ^= (uint)((int)bits >> 31) | 0x80000000;
        return ((ulong)bits << 32) | ~(uint)number;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Number(ulong key) => (int)~(uint)key;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static float Similarity(ulong key)
    {
        uint bits = (uint)(key >> 32);
        return BitConverter.UInt32BitsToSingle((bits & 0x80000000) != 0 ? bits ^ 0x80000000 : ~bits);
    }
}
