using FastTests.Support;
using K4os.Compression.LZ4;
using Raven.Blittable.Compression;

namespace FastTests.Compression;

/// <summary>
/// The package that packs records of the journal: it reads what was written before it, and stays within its bounds,
/// whatever the bytes are.
/// </summary>
public sealed class RecordCodecTests
{
    private const int Seed = 20260803;

    [Fact]
    public void Blocks_of_the_encoder_before_it_are_unpacked()
    {
        Random random = new(Seed);
        for (int i = 0; i < 300; i++)
        {
            byte[] source = SampleTexts.Any(random, random.Next(1, 1 << random.Next(1, 19)));
            byte[] block = new byte[Lz4.MaxEncodedLength(source.Length)];
            int length = Lz4.Encode(source, block);
            byte[] back = new byte[source.Length];
            Assert.Equal(source.Length, LZ4Codec.Decode(block.AsSpan(0, length), back));
            Assert.Equal(source, back);
        }
    }

    [Fact]
    public void Sound_and_damaged_blocks_are_unpacked_within_their_bounds()
    {
        if (!GuardedBuffer.IsSupported)
        {
            return;
        }

        using GuardedBuffer input = new(16384);
        using GuardedBuffer output = new(16384);
        Random random = new(Seed + 1);
        byte[] block = new byte[LZ4Codec.MaximumOutputSize(8192)];
        int sound = 0;
        for (int i = 0; i < 40_000; i++)
        {
            byte[] source = SampleTexts.Any(random, random.Next(1, 1 << random.Next(1, 12)));
            int length = LZ4Codec.Encode(source, block);
            bool damaged = random.Next(8) != 0;
            if (damaged)
            {
                length = DamagedBlocks.Damage(random, block.AsSpan(0, 8192), length);
            }

            int capacity = damaged ? random.Next(source.Length * 2) + 1 : source.Length;
            bool atEnd = random.Next(4) != 0;
            Span<byte> from = atEnd ? input.AtEnd(length) : input.AtStart(length);
            Span<byte> to = atEnd ? output.AtEnd(capacity) : output.AtStart(capacity);
            block.AsSpan(0, length).CopyTo(from);
            int written = LZ4Codec.Decode(from, to);
            Assert.InRange(written, -1, capacity);
            if (!damaged)
            {
                sound++;
                Assert.True(written == source.Length && to.SequenceEqual(source), $"input {i} of seed {Seed + 1}");
            }
        }

        Assert.True(sound > 1000);
    }

    [Fact]
    public void Payloads_are_packed_within_their_bounds()
    {
        if (!GuardedBuffer.IsSupported)
        {
            return;
        }

        using GuardedBuffer input = new(16384);
        using GuardedBuffer output = new(16384);
        Random random = new(Seed + 2);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] source = SampleTexts.Any(random, random.Next(1, 1 << random.Next(1, 13)));
            Span<byte> from = random.Next(4) != 0 ? input.AtEnd(source.Length) : input.AtStart(source.Length);
            source.CopyTo(from);
            int capacity = random.Next(LZ4Codec.MaximumOutputSize(source.Length) + 1);
            Span<byte> to = random.Next(4) != 0 ? output.AtEnd(capacity) : output.AtStart(capacity);
            int length = LZ4Codec.Encode(from, to);
            Assert.InRange(length, -1, capacity);
            if (length > 0)
            {
                byte[] back = new byte[source.Length];
                Assert.Equal(source.Length, LZ4Codec.Decode(to[..length], back));
                Assert.Equal(source, back);
            }
        }
    }

    [Fact]
    public void Packing_and_unpacking_allocate_nothing()
    {
        byte[] source = SampleTexts.Words(new Random(Seed), 200_000);
        byte[] block = new byte[LZ4Codec.MaximumOutputSize(source.Length)];
        byte[] back = new byte[source.Length];
        int length = 0;
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 20; i++)
            {
                length = LZ4Codec.Encode(source.AsSpan(i * 9_900), block);
                length = LZ4Codec.Decode(block.AsSpan(0, length), back.AsSpan(i * 9_900));
            }
        }));
        Assert.Equal(source.Length - 188_100, length);
    }
}
