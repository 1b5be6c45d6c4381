using Raven.Blittable.Compression;

namespace FastTests.Compression;

/// <summary>Beside liblz4: each decodes what the other encoded, and both judge damaged blocks alike.</summary>
public sealed class Lz4OracleTests
{
    private const int Seed = 20260801;

    [Fact]
    public void This_codec_and_liblz4_decode_the_blocks_of_each_other()
    {
        if (!NativeMethods.HasLz4)
        {
            return; // Lz4GoldenTests stand without the library.
        }

        Random random = new(Seed);
        for (int i = 0; i < 600; i++)
        {
            byte[] source = SampleTexts.Any(random, random.Next(1 << random.Next(1, 19)));
            byte[] block = new byte[Lz4.MaxEncodedLength(source.Length)];
            byte[] back = new byte[source.Length];
            int ours = Lz4.Encode(source, block);
            Assert.Equal(source.Length, NativeMethods.Lz4Decompress(block.AsSpan(0, ours), back));
            Assert.Equal(source, back);

            int theirs = NativeMethods.Lz4Compress(source, block);
            back.AsSpan().Clear();
            Assert.True(Lz4.TryDecode(block.AsSpan(0, theirs), back, out int written));
            Assert.Equal(source.Length, written);
            Assert.Equal(source, back);
        }
    }

    [Fact]
    public void A_damaged_block_is_judged_as_liblz4_judges_it()
    {
        if (!NativeMethods.HasLz4)
        {
            return;
        }

        Random random = new(Seed);
        int accepted = 0;
        int refused = 0;
        for (int i = 0; i < 60_000; i++)
        {
            byte[] source = SampleTexts.Any(random, random.Next(1 << random.Next(1, 10)));
            byte[] block = new byte[Lz4.MaxEncodedLength(source.Length)];
            int length = DamagedBlocks.Damage(random, block, Lz4.Encode(source, block));
            int exact = Math.Max(1, source.Length); // For a target of no bytes liblz4 has a rule of its own.
            int capacity = random.Next(3) == 0 ? random.Next(1, source.Length + 20) : exact;
            byte[] ours = new byte[capacity];
            byte[] theirs = new byte[capacity];
            bool sound = Lz4.TryDecode(block.AsSpan(0, length), ours, out int written);
            int reference = NativeMethods.Lz4Decompress(block.AsSpan(0, length), theirs);
            string what = $"input {i} of seed {Seed}: ours {sound} {written}, liblz4 {reference}";
            if (sound)
            {
                accepted++;
                Assert.True(reference == written, what);
                Assert.True(ours.AsSpan(0, written).SequenceEqual(theirs.AsSpan(0, written)), what);
            }
            else
            {
                refused++;
                Assert.True(reference < 0 || DamagedBlocks.IsBeyondTheRules(block.AsSpan(0, length)), what);
            }
        }

        Assert.True(accepted > 1000 && refused > 1000, $"{accepted} accepted, {refused} refused");
    }
}
