using System.Buffers.Binary;

namespace Raven.Documents.Rows.Series;

/// <summary>Reads what <see cref="ByteWriter"/> wrote. Bytes that are missing are an exception of the span.</summary>
internal ref struct ByteReader
{
    private readonly ReadOnlySpan<byte> _source;

    internal ByteReader(ReadOnlySpan<byte> source) => _source = source;

    /// <summary>The bytes that were read.</summary>
    internal int Position { get; private set; }

    internal byte Byte() => _source[Position++];

    internal long Int64()
    {
        long value = BinaryPrimitives.ReadInt64LittleEndian(_source[Position..]);
        Position += sizeof(long);
        return value;
    }

    internal ReadOnlySpan<byte> Bytes(int count)
    {
        ReadOnlySpan<byte> bytes = _source.Slice(Position, count);
        Position += count;
        return bytes;
    }

    /// <summary>What follows, without reading it.</summary>
    internal readonly ReadOnlySpan<byte> Rest => _source[Position..];

    internal void Skip(int count) => Position += count;

    internal ulong Varint()
    {
        ulong value = 0;
        for (int shift = 0; ; shift += 7)
        {
            byte next = Byte();
            value |= (ulong)(next & 0x7F) << shift;
            if (next < 0x80)
            {
                return value;
            }
        }
    }

    internal long Signed()
    {
        ulong value = Varint();
        return (long)(value >> 1) ^ -(long)(value & 1);
    }
}
