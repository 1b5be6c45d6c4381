using System.Numerics;

namespace Raven.Search.Segments;

/// <summary>
/// The length of a text in words, in one byte: exact up to 40, above with an error of at most one eighth. 0 means
/// no text.
/// </summary>
internal static class NormCode
{
    private const int ExactMax = 40;
    private const int MantissaBits = 3;

    /// <summary>The least length of each code.</summary>
    internal static readonly int[] Lengths = MakeLengths();

    internal static byte Encode(int length)
    {
        if (length <= ExactMax)
        {
            return (byte)length;
        }

        uint above = (uint)(length - ExactMax + (1 << MantissaBits) - 1);
        int exponent = BitOperations.Log2(above) - MantissaBits;
        int code = ExactMax + (exponent << MantissaBits) + (int)(above >> exponent) - (1 << MantissaBits);
        return (byte)Math.Min(code, 255);
    }

    private static int[] MakeLengths()
    {
        var lengths = new int[256];
        for (int code = 0; code < lengths.Length; code++)
        {
            int above = code - ExactMax;
            int exponent = above >> MantissaBits;
            long mantissa = (above & ((1 << MantissaBits) - 1)) + (1 << MantissaBits);
            lengths[code] = code <= ExactMax
                ? code
                : (int)Math.Min(int.MaxValue, (mantissa << exponent) - (1 << MantissaBits) + 1 + ExactMax);
        }

        return lengths;
    }
}
