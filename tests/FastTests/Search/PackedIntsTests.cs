using Raven.Search.Buffers;
using Raven.Search.Segments;

namespace FastTests.Search;

/// <summary>Blocks of small numbers come back as they were packed, of however many bits they are.</summary>
public sealed class PackedIntsTests
{
    [Fact]
    public void Numbers_of_each_width_come_back_also_at_the_end_of_a_blob()
    {
        Random random = new(3);
        int[] values = new int[PackedInts.BlockSize];
        int[] unpacked = new int[PackedInts.BlockSize];
        for (int bits = 0; bits <= 31; bits++)
        {
            for (int behind = PackedInts.Padding; behind < 64; behind += 11)
            {
                foreach (ref int value in values.AsSpan())
                {
                    value = bits == 0 ? 0 : (int)(random.NextInt64() & ((1L << bits) - 1));
                }

                values[random.Next(values.Length)] = (int)((1L << bits) - 1);
                ByteBuffer buffer = new();
                PackedInts.Pack(values, bits, buffer);
                Assert.Equal(PackedInts.SizeOf(bits), buffer.Length);
                random.NextBytes(buffer.Extend(behind));
                PackedInts.Unpack(buffer.Span, bits, unpacked);
                Assert.Equal(values, unpacked);
            }
        }
    }
}
