using System.Text;
using FastTests.Support;

namespace FastTests.Compression;

/// <summary>What holds for every codec of texts: all comes back, within its bounds, and nothing is allocated.</summary>
public abstract class TextCodecTests
{
    private readonly int _seed;

    private protected TextCodecTests(int seed) => _seed = seed;

    /// <summary>Bytes behind the longest code that are wanted as room.</summary>
    protected abstract int Slack { get; }

    [Fact]
    public void Any_bytes_are_decoded_as_they_were_encoded()
    {
        Random random = new(_seed);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] source = SampleTexts.Any(random, random.Next(1, 1 << random.Next(1, 11)));
            byte[] encoded = Encode(source);
            Assert.True(Decode(encoded, source.Length).AsSpan().SequenceEqual(source), $"input {i} of seed {_seed}");
            Assert.True(Decode(encoded, source.Length + 100).AsSpan().SequenceEqual(source), $"input {i}, with room");
        }
    }

    [Fact]
    public void Every_pair_of_bytes_between_others_is_decoded_as_it_was_encoded()
    {
        for (int pair = 0; pair < 65536; pair++)
        {
            byte[] source =
                [(byte)'e', (byte)pair, (byte)(pair >> 8), 0, (byte)pair, (byte)' ', 0xC3, 0xB6, (byte)pair];
            Assert.True(Decode(Encode(source), source.Length).AsSpan().SequenceEqual(source), $"pair {pair:x4}");
        }
    }

    [Fact]
    public void A_text_that_takes_more_than_the_limit_gives_zero_and_stays_within_its_room()
    {
        Random random = new(_seed + 1);
        for (int i = 0; i < 2000; i++)
        {
            byte[] source = SampleTexts.Any(random, random.Next(1, 400));
            byte[] whole = Encode(source);
            for (int most = Math.Max(0, whole.Length - 20); most <= whole.Length; most++)
            {
                byte[] target = new byte[most + Slack + 16];
                target.AsSpan().Fill(0xEE);
                int length = Encode(source, target.AsSpan(0, most + Slack), most);
                Assert.Equal(most == whole.Length ? most : 0, length);
                Assert.Equal(-1, target.AsSpan(most + Slack).IndexOfAnyExcept((byte)0xEE));
                Assert.True(length == 0 || target.AsSpan(0, length).SequenceEqual(whole));
            }
        }
    }

    [Fact]
    public void Any_bytes_are_decoded_within_their_bounds()
    {
        if (!GuardedBuffer.IsSupported)
        {
            return;
        }

        using GuardedBuffer input = new(4096);
        using GuardedBuffer output = new(4096);
        Random random = new(_seed + 2);
        int sound = 0;
        for (int i = 0; i < 100_000; i++)
        {
            byte[] bytes = random.Next(2) == 0
                ? Encode(SampleTexts.Any(random, random.Next(1, 100)))
                : SampleTexts.Noise(random, random.Next(40));
            Span<byte> from = input.AtEnd(bytes.Length);
            bytes.CopyTo(from);
            if (random.Next(4) != 0 && !from.IsEmpty)
            {
                from[random.Next(from.Length)] ^= (byte)(1 << random.Next(8));
            }

            Span<byte> to = output.AtEnd(random.Next(160));
            sound += TryDecode(from, to, out int written) ? 1 : 0;
            Assert.InRange(written, 0, to.Length);
        }

        Assert.InRange(sound, 5_000, 99_000);
    }

    [Fact]
    public void Sources_are_encoded_within_their_bounds()
    {
        if (!GuardedBuffer.IsSupported)
        {
            return;
        }

        using GuardedBuffer input = new(4096);
        using GuardedBuffer output = new(8192);
        Random random = new(_seed + 3);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] source = SampleTexts.Any(random, random.Next(600));
            Span<byte> from = random.Next(2) == 0 ? input.AtEnd(source.Length) : input.AtStart(source.Length);
            source.CopyTo(from);
            int most = random.Next(1 + (source.Length * 2));
            Assert.InRange(Encode(from, output.AtEnd(most + Slack), most), 0, most);
        }
    }

    [Fact]
    public void Encoding_and_decoding_allocate_nothing()
    {
        byte[] source = SampleTexts.Words(new Random(_seed), 1000);
        byte[] target = new byte[1500 + Slack];
        byte[] back = new byte[1000];
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 100; i++)
            {
                int length = Encode(source.AsSpan(i), target, 1500);
                Assert.True(TryDecode(target.AsSpan(0, length), back, out _));
            }
        }));
    }

    /// <summary>Encodes into a target of so many bytes at most, and the slack.</summary>
    /// <returns>How many; 0 if they would be more.</returns>
    protected abstract int Encode(ReadOnlySpan<byte> source, Span<byte> target, int lengthMax);

    protected abstract bool TryDecode(ReadOnlySpan<byte> encoded, Span<byte> target, out int written);

    protected byte[] Encode(byte[] source)
    {
        int most = (3 * source.Length) + 1;
        byte[] target = new byte[most + Slack];
        int length = Encode(source, target, most);
        Assert.InRange(length, 1, most);
        return target[..length];
    }

    protected byte[] Decode(ReadOnlySpan<byte> encoded, int lengthMax)
    {
        byte[] target = new byte[lengthMax];
        Assert.True(TryDecode(encoded, target, out int written));
        return target[..written];
    }

    protected void RequireFrozen(string text, string hex)
    {
        byte[] source = Encoding.UTF8.GetBytes(text);
        Assert.Equal(hex, Convert.ToHexString(Encode(source)));
        Assert.Equal(text, Encoding.UTF8.GetString(Decode(Convert.FromHexString(hex), source.Length)));
    }

    protected void RequireShorter(string text, double ratio) =>
        Assert.InRange(Encode(Encoding.UTF8.GetBytes(text)).Length, 1, (int)(text.Length * ratio));

    protected void RequireRefused(string hex) =>
        Assert.False(TryDecode(Convert.FromHexString(hex), new byte[300], out _));
}
