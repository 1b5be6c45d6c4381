using Raven.Blittable.Compression;

namespace FastTests.Compression;

/// <summary>The rules of the format for the end of a block, by which decoders may copy more than they need.</summary>
public sealed class Lz4EndRulesTests
{
    private const int Seed = 20261127;

    [Fact]
    [Trait("Invariant", "LZ4-1")]
    [Trait("Invariant", "LZ4-2")]
    [Trait("Invariant", "LZ4-3")]
    [Trait("Invariant", "LZ4-4")]
    public void Encoded_blocks_end_with_literals_behind_a_last_match_that_is_early_enough()
    {
        Random random = new(Seed);
        int overlaps = 0;
        for (int i = 0; i < 2_000; i++)
        {
            byte[] source = i < 100 ? new byte[i] : SampleTexts.Any(random, random.Next(1 << random.Next(1, 12)));
            byte[] block = new byte[Lz4.MaxEncodedLength(source.Length)];
            int length = Lz4.Encode(source, block);
            overlaps += RequireRules(block.AsSpan(0, length), source.Length, $"input {i} of seed {Seed}");
        }

        Assert.True(overlaps > 50, $"{overlaps} matches overlap their own output");
    }

    /// <summary>Goes from sequence to sequence. A block that ends inside of one throws here.</summary>
    /// <returns>How many matches overlap their own output.</returns>
    private static int RequireRules(ReadOnlySpan<byte> block, int length, string what)
    {
        int at = 0;
        int position = 0;
        int lastMatch = -1;
        int overlaps = 0;
        while (true)
        {
            int token = block[at++];
            int literals = ReadLength(block, ref at, token >> 4);
            at += literals;
            position += literals;
            if (at == block.Length)
            {
                Assert.True(lastMatch < 0 || literals >= 5, $"{what}: {literals} literals at the end");
                Assert.True(
                    lastMatch < 0 || lastMatch <= length - 12, $"{what}: a match starts at {lastMatch} of {length}");
                Assert.Equal(length, position);
                return overlaps;
            }

            int offset = block[at] | (block[at + 1] << 8);
            Assert.True(offset > 0 && offset <= position, $"{what}: an offset of {offset} at {position}");
            at += 2;
            lastMatch = position;
            int match = 4 + ReadLength(block, ref at, token & 15);
            overlaps += offset < match ? 1 : 0;
            position += match;
        }
    }

    private static int ReadLength(ReadOnlySpan<byte> block, ref int at, int nibble)
    {
        int length = nibble;
        for (int part = nibble == 15 ? 255 : 0; part == 255;)
        {
            part = block[at++];
            length += part;
        }

        return length;
    }
}
