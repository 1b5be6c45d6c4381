using System.Buffers.Binary;

namespace Raven.Client.Documents.Queries.Vector;

/// <summary>Converts vectors of numbers to bytes or bits, for documents that store these.</summary>
public static class VectorQuantizer
{
    /// <summary>
    /// Converts to bytes with a sign, scaled so that the greatest is 127 or -127. After them, in four bytes, comes the
    /// greatest absolute value of the numbers (little-endian): with it the numbers can be computed again.
    /// </summary>
    /// <exception cref="ArgumentException">A number is infinite or not a number.</exception>
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

        // Computed as a double: 127 divided by the smallest numbers is too large for a float.
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

    /// <summary>
    /// Converts to bits, one for each number: set if the number is not negative. The first number is the highest bit of
    /// the first byte.
    /// </summary>
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
