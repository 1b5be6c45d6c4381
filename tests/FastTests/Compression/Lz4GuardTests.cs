using Raven.Blittable.Compression;

namespace FastTests.Compression;

/// <summary>Between guard pages: a byte read or written outside ends the test run.</summary>
public sealed class Lz4GuardTests
{
    private const int Seed = 20260802;

    [Fact]
    public void Sound_and_damaged_blocks_are_decoded_within_their_bounds()
    {
        if (!GuardedBuffer.IsSupported)
        {
            return;
        }

        using GuardedBuffer input = new(16384);
        using GuardedBuffer output = new(16384);
        Random random = new(Seed);
        byte[] block = new byte[Lz4.MaxEncodedLength(8192)];
        int sound = 0;
        for (int i = 0; i < 40_000; i++)
        {
            byte[] source = SampleTexts.Any(random, random.Next(1 << random.Next(1, 12)));
            int length = Lz4.Encode(source, block);
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
            bool decoded = Lz4.TryDecode(from, to, out int written);
            Assert.InRange(written, 0, capacity);
            if (!damaged)
            {
                sound++;
                Assert.True(decoded && to.SequenceEqual(source), $"input {i} of seed {Seed}");
            }
        }

        Assert.True(sound > 1000);
    }

    [Fact]
    public void Sources_are_encoded_within_their_bounds()
    {
        if (!GuardedBuffer.IsSupported)
        {
            return;
        }

        using GuardedBuffer input = new(16384);
        using GuardedBuffer output = new(16384);
        Random random = new(Seed + 1);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] source = SampleTexts.Any(random, random.Next(1 << random.Next(1, 13)));
            Span<byte> from = random.Next(4) != 0 ? input.AtEnd(source.Length) : input.AtStart(source.Length);
            source.CopyTo(from);
            int capacity = random.Next(Lz4.MaxEncodedLength(source.Length) + 1);
            Span<byte> to = random.Next(4) != 0 ? output.AtEnd(capacity) : output.AtStart(capacity);
            int length = Lz4.Encode(from, to);
            Assert.InRange(length, 0, capacity);
            if (length > 0)
            {
                byte[] back = new byte[source.Length];
                Assert.True(Lz4.TryDecode(to[..length], back, out _) && source.AsSpan().SequenceEqual(back));
            }
        }
    }
}
