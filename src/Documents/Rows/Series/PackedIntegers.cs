using System.Buffers.Binary;
using System.Numerics;

namespace Raven.Documents.Rows.Series;

//   OFFSET  SIZE  FIELD
//        0     1  Mode     0: the numbers; 1: the first number, and the differences of the others to the one before
//        1     .  First    signed varint, only in mode 1
//   then, for each 128 numbers (the last block may have fewer):
//        0     .  Least    signed varint
//        .     1  Width    bits of each number, 0 to 56, or 64
//        .     .  what each number is above Least, Width bits each, the lowest first, to the next whole byte
//
//   PACK-1  Differences wrap around at 64 bits, so that any numbers can be packed.
//   PACK-2  Eight bytes can be read at each byte of a block: the segment ends with seven bytes of zero.

/// <summary>Integers packed in blocks, each with as many bits as its largest needs. Allocates nothing.</summary>
internal static class PackedIntegers
{
    private const int BlockSize = 128;
    private const int WidthMax = 56;
    private const byte Plain = 0;
    private const byte Differences = 1;

    /// <summary>Writes numbers in the mode that takes fewer bytes.</summary>
    internal static void Write(ref ByteWriter writer, scoped ReadOnlySpan<long> numbers)
    {
        if (numbers.IsEmpty)
        {
            return;
        }

        bool isPlain = SizeBits(numbers, previous: 0, isDifferences: false)
            <= SizeBits(numbers[1..], numbers[0], isDifferences: true);
        writer.Byte(isPlain ? Plain : Differences);
        long previous = 0;
        if (!isPlain)
        {
            previous = numbers[0];
            writer.Signed(previous);
            numbers = numbers[1..];
        }

        Span<long> block = stackalloc long[BlockSize];
        for (int start = 0; start < numbers.Length; start += BlockSize)
        {
            ReadOnlySpan<long> source = numbers.Slice(start, Math.Min(BlockSize, numbers.Length - start));
            if (isPlain)
            {
                WriteBlock(ref writer, source);
                continue;
            }

            for (int i = 0; i < source.Length; i++)
            {
                block[i] = unchecked(source[i] - previous);
                previous = source[i];
            }

            WriteBlock(ref writer, block[..source.Length]);
        }
    }

    /// <summary>Reads as many numbers as there is room for, which are as many as were written.</summary>
    internal static void Read(ref ByteReader reader, scoped Span<long> numbers)
    {
        if (numbers.IsEmpty)
        {
            return;
        }

        bool isPlain = reader.Byte() == Plain;
        long previous = 0;
        if (!isPlain)
        {
            previous = reader.Signed();
            numbers[0] = previous;
            numbers = numbers[1..];
        }

        for (int start = 0; start < numbers.Length; start += BlockSize)
        {
            Span<long> block = numbers.Slice(start, Math.Min(BlockSize, numbers.Length - start));
            ReadBlock(ref reader, block);
            for (int i = 0; i < block.Length && !isPlain; i++)
            {
                previous = unchecked(previous + block[i]);
                block[i] = previous;
            }
        }
    }

    private static long SizeBits(ReadOnlySpan<long> numbers, long previous, bool isDifferences)
    {
        long bits = 0;
        for (int start = 0; start < numbers.Length; start += BlockSize)
        {
            ReadOnlySpan<long> block = numbers.Slice(start, Math.Min(BlockSize, numbers.Length - start));
            long least = long.MaxValue;
            long most = long.MinValue;
            foreach (long number in block)
            {
                long each = isDifferences ? unchecked(number - previous) : number;
                previous = number;
                least = Math.Min(least, each);
                most = Math.Max(most, each);
            }

            bits += ((long)WidthOf(least, most) * block.Length) + (64 - BitOperations.LeadingZeroCount((ulong)least));
        }

        return bits;
    }

    private static int WidthOf(long least, long most)
    {
        int width = 64 - BitOperations.LeadingZeroCount(unchecked((ulong)(most - least)));
        return width > WidthMax ? 64 : width;
    }

    private static void WriteBlock(ref ByteWriter writer, scoped ReadOnlySpan<long> block)
    {
        long least = long.MaxValue;
        long most = long.MinValue;
        foreach (long number in block)
        {
            least = Math.Min(least, number);
            most = Math.Max(most, number);
        }

        int width = WidthOf(least, most);
        writer.Signed(least);
        writer.Byte(width);
        Span<byte> packed = stackalloc byte[(BlockSize * sizeof(long)) + sizeof(long)];
        int size = Pack(packed, block, least, width);
        writer.Bytes(packed[..size]);
    }

    private static int Pack(Span<byte> packed, ReadOnlySpan<long> block, long least, int width)
    {
        if (width == 64)
        {
            for (int i = 0; i < block.Length; i++)
            {
                BinaryPrimitives.WriteInt64LittleEndian(packed[(i * sizeof(long))..], unchecked(block[i] - least));
            }

            return block.Length * sizeof(long);
        }

        ulong pending = 0;
        int bits = 0;
        int size = 0;
        foreach (long number in block)
        {
            pending |= unchecked((ulong)(number - least)) << bits;
            bits += width;
            BinaryPrimitives.WriteUInt64LittleEndian(packed[size..], pending);
            int whole = bits >> 3;
            size += whole;
            pending = whole == 8 ? 0 : pending >> (whole * 8);
            bits &= 7;
        }

        return bits == 0 ? size : size + 1;
    }

    private static void ReadBlock(ref ByteReader reader, scoped Span<long> block)
    {
        long least = reader.Signed();
        int width = reader.Byte();
        if (width == 0)
        {
            block.Fill(least);
            return;
        }

        int size = ((width * block.Length) + 7) >> 3;
        ReadOnlySpan<byte> packed = reader.Rest;
        if (width == 64)
        {
            for (int i = 0; i < block.Length; i++)
            {
                block[i] = unchecked(least + BinaryPrimitives.ReadInt64LittleEndian(packed[(i * sizeof(long))..]));
            }
        }
        else
        {
            ulong mask = (1UL << width) - 1;
            int bit = 0;
            for (int i = 0; i < block.Length; i++)
            {
                ulong bits = BinaryPrimitives.ReadUInt64LittleEndian(packed[(bit >> 3)..]) >> (bit & 7);
                block[i] = unchecked(least + (long)(bits & mask));
                bit += width;
            }
        }

        reader.Skip(size);
    }
}
