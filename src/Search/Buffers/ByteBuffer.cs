using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Raven.Search.Buffers;

/// <summary>Bytes that are appended to. Cleared, it keeps its memory for the next use.</summary>
internal sealed class ByteBuffer
{
    private byte[] _bytes = new byte[256];

    internal int Length { get; private set; }

    internal ReadOnlySpan<byte> Span => _bytes.AsSpan(0, Length);

    internal Span<byte> WritableSpan => _bytes.AsSpan(0, Length);

    internal void Clear() => Length = 0;

    /// <summary>Frees memory beyond a bound.</summary>
    internal void Trim(int keepBytes)
    {
        if (_bytes.Length > keepBytes)
        {
            _bytes = new byte[keepBytes];
            Length = 0;
        }
    }

    /// <summary>Room at the end, which then counts as written.</summary>
    internal Span<byte> Extend(int bytes)
    {
        int start = Length;
        if (_bytes.Length - start < bytes)
        {
            Array.Resize(ref _bytes, checked(Math.Max(_bytes.Length * 2, start + bytes)));
        }

        Length = start + bytes;
        return _bytes.AsSpan(start, bytes);
    }

    internal void Add(ReadOnlySpan<byte> bytes) => bytes.CopyTo(Extend(bytes.Length));

    internal void AddByte(byte value) => Extend(1)[0] = value;

    internal void AddUInt32(uint value) => BinaryPrimitives.WriteUInt32LittleEndian(Extend(4), value);

    internal void AddUInt64(ulong value) => BinaryPrimitives.WriteUInt64LittleEndian(Extend(8), value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void AddVariable(uint value)
    {
        if (value < 0x80 && Length < _bytes.Length)
        {
            _bytes[Length++] = (byte)value;
            return;
        }

        AddLong(value);
    }

    /// <summary>Pads with zeros to a multiple of 8, so that numbers behind are aligned.</summary>
    internal void Align() => Extend(-Length & 7).Clear();

    internal void AddInts(ReadOnlySpan<int> values) => Add(MemoryMarshal.AsBytes(values));

    /// <summary>Reads a number of <see cref="AddVariable"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static uint ReadVariable(ReadOnlySpan<byte> bytes, ref int at)
    {
        uint first = bytes[at++];
        return first < 0x80 ? first : ReadLong(bytes, ref at, first);
    }

    private static uint ReadLong(ReadOnlySpan<byte> bytes, ref int at, uint value)
    {
        value &= 0x7F;
        for (int shift = 7; ; shift += 7)
        {
            uint next = bytes[at++];
            value |= (next & 0x7F) << shift;
            if (next < 0x80)
            {
                return value;
            }
        }
    }

    private void AddLong(uint value)
    {
        while (value >= 0x80)
        {
            AddByte((byte)(value | 0x80));
            value >>= 7;
        }

        AddByte((byte)value);
    }
}
