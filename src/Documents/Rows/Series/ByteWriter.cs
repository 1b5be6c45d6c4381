using System.Buffers.Binary;

namespace Raven.Documents.Rows.Series;

/// <summary>Writes bytes into a span; what does not fit is only counted.</summary>
internal ref struct ByteWriter
{
    private readonly Span<byte> _target;

    internal ByteWriter(Span<byte> target) => _target = target;

    /// <summary>The bytes that were written, or would have been.</summary>
    internal int Length { get; private set; }

    /// <summary>Whether all fitted.</summary>
    internal readonly bool Fits => Length <= _target.Length;

    internal void Byte(int value)
    {
        if (Length < _target.Length)
        {
            _target[Length] = (byte)value;
        }

        Length++;
    }

    internal void Int64(long value)
    {
        if (Length + sizeof(long) <= _target.Length)
        {
            BinaryPrimitives.WriteInt64LittleEndian(_target[Length..], value);
        }

        Length += sizeof(long);
    }

    internal void Bytes(scoped ReadOnlySpan<byte> bytes)
    {
        if (Length + bytes.Length <= _target.Length)
        {
            bytes.CopyTo(_target[Length..]);
        }

        Length += bytes.Length;
    }

    /// <summary>Seven bits a byte, the lowest first; the high bit says that more follow.</summary>
    internal void Varint(ulong value)
    {
        while (value >= 0x80)
        {
            Byte((int)(value & 0x7F) | 0x80);
            value >>= 7;
        }

        Byte((int)value);
    }

    /// <summary>A number whose sign is its lowest bit.</summary>
    internal void Signed(long value) => Varint((ulong)(value << 1) ^ (ulong)(value >> 63));
}
