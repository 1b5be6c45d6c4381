using FastTests.Compression;
using Raven.Blittable.Compression;

namespace SlowTests.Compression;

/// <summary>
/// What the fast tests do to the codecs, thirty times as often: between guard pages, and LZ4 beside liblz4 if the
/// machine has it. A failure names the input's number; with the seed it is the same input again.
/// </summary>
[Trait(Category.Shard, "blittable")]
public sealed class CodecFuzzTests
{
    private const int Seed = 20261121;
    private const int Inputs = 2_000_000;
    private const int LengthMax = 4096;

    [Fact]
    public void Two_million_damaged_blocks_are_judged_as_liblz4_judges_them_and_within_their_bounds()
    {
        if (!GuardedBuffer.IsSupported)
        {
            return;
        }

        using GuardedBuffer input = new(4 * LengthMax);
        using GuardedBuffer output = new(4 * LengthMax);
        Random random = new(Seed);
        byte[] block = new byte[Lz4.MaxEncodedLength(LengthMax)];
        byte[] theirs = new byte[2 * LengthMax];
        byte[] source = [];
        int accepted = 0;
        for (int i = 0; i < Inputs; i++)
        {
            source = i % 8 == 0 ? SampleTexts.Any(random, random.Next(1 << random.Next(1, 12))) : source;
            int length = DamagedBlocks.Damage(random, block, Lz4.Encode(source, block));
            int exact = Math.Max(1, source.Length); // For a target of no bytes liblz4 has a rule of its own.
            Span<byte> to = output.AtEnd(random.Next(4) == 0 ? random.Next(1, source.Length + 20) : exact);
            Span<byte> from = input.AtEnd(length);
            block.AsSpan(0, length).CopyTo(from);
            bool sound = Lz4.TryDecode(from, to, out int written);
            accepted += sound ? 1 : 0;
            if (NativeMethods.HasLz4)
            {
                int reference = NativeMethods.Lz4Decompress(from, theirs.AsSpan(0, to.Length));
                bool isAlike = sound
                    ? reference == written && to[..written].SequenceEqual(theirs.AsSpan(0, written))
                    : reference < 0 || DamagedBlocks.IsBeyondTheRules(from);
                Assert.True(isAlike, $"input {i} of seed {Seed}: ours {sound} {written}, liblz4 {reference}");
            }
        }

        Assert.InRange(accepted, Inputs / 100, Inputs - (Inputs / 100));
    }

    [Fact]
    public void Two_million_texts_come_back_from_both_codecs_within_their_bounds()
    {
        if (!GuardedBuffer.IsSupported)
        {
            return;
        }

        using GuardedBuffer input = new(2 * LengthMax);
        using GuardedBuffer encoded = new(4 * LengthMax);
        using GuardedBuffer output = new(2 * LengthMax);
        Random random = new(Seed + 1);
        byte[] text = [];
        for (int i = 0; i < Inputs; i++)
        {
            text = i % 16 == 0 ? SampleTexts.Any(random, LengthMax) : text;
            int start = random.Next(LengthMax);
            Span<byte> source = input.AtEnd(random.Next(Math.Min(LengthMax - start, 1 << random.Next(1, 12)) + 1));
            text.AsSpan(start, source.Length).CopyTo(source);
            Span<byte> back = output.AtEnd(source.Length);
            bool byBlock = i % 2 == 0;
            Span<byte> room = encoded.AtEnd(
                byBlock ? Lz4.MaxEncodedLength(source.Length) : ShortStringCodec.MaxEncodedLength(source.Length));
            int length = byBlock ? Lz4.Encode(source, room) : ShortStringCodec.Encode(source, room);
            bool isBack = byBlock
                ? Lz4.TryDecode(room[..length], back, out int written)
                : ShortStringCodec.TryDecode(room[..length], back, out written);
            bool isSame = isBack && written == source.Length && back.SequenceEqual(source);
            Assert.True(isSame, $"input {i} of seed {Seed + 1}");
        }
    }
}
