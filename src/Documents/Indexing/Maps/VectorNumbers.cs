using System.Buffers.Text;
using System.Runtime.InteropServices;
using Raven.Search;
using Raven.Search.Fields;

namespace Raven.Documents.Indexing.Maps;

/// <summary>
/// One vector of a document or a query: numbers, or the base64 of their bytes (little-endian). Vectors of bytes have
/// the scale that they were made with, a 32-bit floating point number in their last four bytes, which does not matter
/// for a cosine. Used again for the next vector.
/// </summary>
internal sealed class VectorNumbers
{
    private const int ScaleBytes = 4;
    private const int BytesMax = (SearchIndex.VectorDimensionsMax * sizeof(float)) + ScaleBytes;

    private float[] _singles = new float[64];
    private byte[] _bytes = new byte[64];
    private int _count;

    internal VectorFormat Source { get; private set; }

    /// <summary>The numbers of a vector of numbers.</summary>
    internal ReadOnlySpan<float> Singles => _singles.AsSpan(0, _count);

    /// <summary>The numbers of a vector of bytes, without the scale.</summary>
    internal ReadOnlySpan<sbyte> SignedBytes => MemoryMarshal.Cast<byte, sbyte>(_bytes.AsSpan(0, _count - ScaleBytes));

    /// <summary>The bytes of a vector of bits.</summary>
    internal ReadOnlySpan<byte> Bits => _bytes.AsSpan(0, _count);

    internal int Dimensions => Source switch
    {
        VectorFormat.Int8 => _count - ScaleBytes,
        VectorFormat.Binary => _count * 8,
        _ => _count,
    };

    internal void Begin(VectorFormat source)
    {
        Source = source;
        _count = 0;
    }

    /// <summary>Adds a number.</summary>
    /// <exception cref="FormatException">Such a vector cannot have the number.</exception>
    internal void Add(double number)
    {
        if (_count >= BytesMax)
        {
            throw TooLong();
        }

        if (Source == VectorFormat.Single)
        {
            Grow(ref _singles);
            _singles[_count++] = float.IsFinite((float)number) ? (float)number : throw new FormatException(
                $"A number of a vector must fit into 32 bits of floating point; {number} does not.");
            return;
        }

        Grow(ref _bytes);
        _bytes[_count++] = number is >= sbyte.MinValue and <= byte.MaxValue && number == Math.Floor(number)
            ? (byte)(int)number
            : throw new FormatException($"A vector of {Source} has whole numbers from -128 to 255, not {number}.");
    }

    /// <summary>Takes the bytes of the vector as base64.</summary>
    /// <exception cref="FormatException">
    /// The text is no base64, or has too few or too many bytes for such a vector.
    /// </exception>
    internal void AddBase64(ReadOnlySpan<byte> utf8)
    {
        int most = Base64.GetMaxDecodedFromUtf8Length(utf8.Length);
        if (most > BytesMax + 2)
        {
            throw TooLong();
        }

        byte[] decoded = new byte[most];
        if (Base64.DecodeFromUtf8(utf8, decoded, out _, out int length) != System.Buffers.OperationStatus.Done)
        {
            throw new FormatException("A vector is a list of numbers, or the base64 of their bytes; this is neither.");
        }

        if (Source != VectorFormat.Single)
        {
            foreach (byte one in decoded.AsSpan(0, length))
            {
                Add(one);
            }

            return;
        }

        if (length % sizeof(float) != 0)
        {
            throw new FormatException(
                $"The base64 of a vector has {length} bytes, which are no whole number of 32-bit numbers.");
        }

        foreach (float one in MemoryMarshal.Cast<byte, float>(decoded.AsSpan(0, length)))
        {
            Add(one);
        }
    }

    /// <summary>Ends the vector.</summary>
    /// <exception cref="FormatException">It has too few or too many numbers.</exception>
    internal void End()
    {
        if (Dimensions > SearchIndex.VectorDimensionsMax)
        {
            throw TooLong();
        }

        if (Dimensions <= 0)
        {
            throw new FormatException(
                Source == VectorFormat.Int8
                    ? "A vector of Int8 has one number or more, and then the four bytes of its scale."
                    : "A vector has one number or more.");
        }
    }

    private static FormatException TooLong() =>
        new($"A vector has at most {SearchIndex.VectorDimensionsMax} dimensions.");

    private void Grow<T>(ref T[] numbers)
    {
        if (_count == numbers.Length)
        {
            Array.Resize(ref numbers, _count * 2);
        }
    }
}
