using System.Buffers.Binary;

namespace Raven.Client.Documents.Queries.Vector;

/// <summary>Makes bytes or bits of vectors of numbers, for documents that are to hold no more.</summary>
public static class VectorQuantizer
{
    /// <summary>
    /// Bytes with a sign, of which the greatest is 127 or -127; behind them, in four bytes, the greatest of the numbers
    /// without their signs, little-endian, so that these can be computed again.
    /// </summary>
    /// <exception cref="ArgumentException">A number is infinite, or none.</exception>
    public static sbyte[] ToInt8(ReadOnlySpan<float> embedding)
    {
        float greatest = 0;
        foreach (float one in embedding)
        {
            greatest = Math.Max(greatest, Math.Abs(one));
        }

        if (!float.IsFinite(greatest))
        {
            throw new ArgumentException("A vector has finite numbers.", nameof(embedding));
        }

        // A double: 127 divided by the smallest numbers is no float.
        double scale = greatest == 0 ? 1 : 127 / (double)greatest;
        sbyte[] bytes = new sbyte[embedding.Length + sizeof(float)];
        for (int i = 0; i < embedding.Length; i++)
        {
            bytes[i] = (sbyte)Math.Round(embedding[i] * scale, MidpointRounding.AwayFromZero);
        }

        Span<byte> number = stackalloc byte[sizeof(float)];
        BinaryPrimitives.WriteSingleLittleEndian(number, greatest);
        for (int i = 0; i < sizeof(float); i++)
        {
            bytes[embedding.Length + i] = unchecked((sbyte)number[i]);
        }

        return bytes;
    }

    /// <summary>A bit a number, set if it is not negative, the first the highest of the first byte.</summary>
    public static byte[] ToInt1(ReadOnlySpan<float> embedding)
    {
        byte[] bits = new byte[(embedding.Length + 7) / 8];
        for (int i = 0; i < embedding.Length; i++)
        {
            bits[i >> 3] |= (byte)(embedding[i] >= 0 ? 0x80 >> (i & 7) : 0);
        }

        return bits;
    }
}
