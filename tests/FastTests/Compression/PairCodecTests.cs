using System.Security.Cryptography;
using System.Text;
using Raven.Blittable.Compression;

namespace FastTests.Compression;

public sealed class PairCodecTests
{
    private const int Seed = 20261121;

    public static TheoryData<string, string> FrozenTexts => new()
    {
        { "name", "2777FE" },
        { "@metadata", "DF6E08540B" },
        { "Presented by Mrs John Richmond 1922", "6DA3C24553BD92B766A93BD756D4A67301926DF6" },
        { "1762–1787", "C8B0431CA0C9B2F2" },
        { "https://developer.mozilla.org/docs/Web/API/", "DC6B648A92955A833CD4BA4D355F8BE159257D64BA8C6D1AFF" },
        { "2014-05-01T12:00:00.0000000Z", "2BE864E12CF4CD576D15AB10000078FF" },
        { "users/1-A", "2F23D85E79FA" },
        { "Привет", "57689FA20182860B9A2C68B5A209FE" },
        { "AGAWAM", "74BBDFBF99FF" },
        { "the quick brown fox jumps over the lazy dog", "17813FBCB693D5531DDD74DDE569F1317167682CD0F976A5A9FE" },
        { "a\tb\r\nc", "FEFF84CDFF0D14B6" },
        { "x", "7FFE" },
    };

    /// <summary>What is on disk was written with these codes: this test may never be changed, only be joined by one
    /// for the next version.</summary>
    [Theory]
    [MemberData(nameof(FrozenTexts))]
    public void Version_2_writes_and_reads_these_bytes_for_ever(string text, string hex)
    {
        byte[] source = Encoding.UTF8.GetBytes(text);
        Assert.Equal(hex, Convert.ToHexString(Encode(source)));
        Assert.Equal(text, Encoding.UTF8.GetString(Decode(Convert.FromHexString(hex), source.Length)));
    }

    [Fact]
    public void The_codes_of_version_2_are_frozen()
    {
        using MemoryStream all = new();
        for (int pair = 0; pair < 65536; pair++)
        {
            all.Write(Encode([(byte)pair, (byte)(pair >> 8)]));
        }

        Assert.Equal(
            "C404BA82DEE4C2173852CD4C3BF7FAECB82229167EA9503B3AC057089C5A357F",
            Convert.ToHexString(SHA256.HashData(all.ToArray())));
    }

    [Fact]
    public void Any_bytes_come_back()
    {
        Random random = new(Seed);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] source = SampleTexts.Any(random, random.Next(1, 1 << random.Next(1, 11)));
            byte[] encoded = Encode(source);
            Assert.True(Decode(encoded, source.Length).AsSpan().SequenceEqual(source), $"input {i} of seed {Seed}");
            Assert.True(Decode(encoded, source.Length + 100).AsSpan().SequenceEqual(source), $"input {i}, with room");
        }
    }

    [Fact]
    public void Every_pair_of_bytes_comes_back_between_others()
    {
        for (int pair = 0; pair < 65536; pair++)
        {
            byte[] source = [(byte)'e', (byte)pair, (byte)(pair >> 8), (byte)' ', (byte)pair, 0xC3, 0xB6, (byte)pair];
            Assert.True(Decode(Encode(source), source.Length).AsSpan().SequenceEqual(source), $"pair {pair:x4}");
        }
    }

    [Theory]
    [InlineData("The Snowdrop Falls: a portrait of the artist", 0.6)]
    [InlineData("description", 0.6)]
    [InlineData("Sheffield Wednesday", 0.7)]
    [InlineData("2014-05-01T12:00:00.0000000Z", 0.75)]
    public void Ordinary_text_gets_shorter(string text, double ratio) =>
        Assert.InRange(Encode(Encoding.UTF8.GetBytes(text)).Length, 1, (int)(text.Length * ratio));

    [Fact]
    public void What_is_longer_than_wanted_gives_zero_and_stays_within_its_room()
    {
        Random random = new(Seed + 1);
        for (int i = 0; i < 2000; i++)
        {
            byte[] source = SampleTexts.Any(random, random.Next(1, 400));
            byte[] whole = Encode(source);
            for (int most = Math.Max(0, whole.Length - 20); most <= whole.Length; most++)
            {
                byte[] target = new byte[most + PairCodec.Slack + 16];
                target.AsSpan().Fill(0xEE);
                int length = PairCodec.Encode(source, target.AsSpan(0, most + PairCodec.Slack), most);
                Assert.Equal(most == whole.Length ? most : 0, length);
                Assert.Equal(-1, target.AsSpan(most + PairCodec.Slack).IndexOfAnyExcept((byte)0xEE));
                Assert.True(length == 0 || target.AsSpan(0, length).SequenceEqual(whole));
            }
        }
    }

    // Cut off within a code or within the bits behind an escape, a byte of ones that fills nothing, and an escaped "a".
    [Theory]
    [InlineData("00")]
    [InlineData("3F20")]
    [InlineData("D7")]
    [InlineData("FF")]
    [InlineData("FEFF")]
    [InlineData("D7B0")]
    public void Malformed_bytes_are_refused(string hex) =>
        Assert.False(PairCodec.TryDecode(Convert.FromHexString(hex), new byte[300], out _));

    [Fact]
    public void What_is_decoded_is_encoded_to_the_same_bytes()
    {
        Random random = new(Seed + 4);
        int sound = 0;
        for (int i = 0; i < 200_000; i++)
        {
            byte[] encoded = new byte[random.Next(1, 24)];
            random.NextBytes(encoded);
            byte[] text = new byte[300];
            if (PairCodec.TryDecode(encoded, text, out int written) && written > 0)
            {
                sound++;
                Assert.True(Encode(text[..written]).AsSpan().SequenceEqual(encoded), $"input {i} of seed {Seed + 4}");
            }
        }

        Assert.InRange(sound, 1_000, 199_000);
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
        Random random = new(Seed + 2);
        int sound = 0;
        for (int i = 0; i < 100_000; i++)
        {
            byte[] bytes = random.Next(2) == 0
                ? Encode(SampleTexts.Any(random, random.Next(1, 100)))
                : new byte[random.Next(40)];
            Span<byte> from = input.AtEnd(bytes.Length);
            bytes.CopyTo(from);
            if (random.Next(4) != 0 && !from.IsEmpty)
            {
                from[random.Next(from.Length)] ^= (byte)(1 << random.Next(8));
            }

            Span<byte> to = output.AtEnd(random.Next(160));
            sound += PairCodec.TryDecode(from, to, out int written) ? 1 : 0;
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
        Random random = new(Seed + 3);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] source = SampleTexts.Any(random, random.Next(600));
            Span<byte> from = random.Next(2) == 0 ? input.AtEnd(source.Length) : input.AtStart(source.Length);
            source.CopyTo(from);
            int most = random.Next(1 + (source.Length * 2));
            Assert.InRange(PairCodec.Encode(from, output.AtEnd(most + PairCodec.Slack), most), 0, most);
        }
    }

    [Fact]
    public void Encoding_and_decoding_allocate_nothing()
    {
        byte[] source = SampleTexts.Words(new Random(Seed), 1000);
        byte[] target = new byte[2000];
        byte[] back = new byte[1000];
        int length = PairCodec.Encode(source, target, 1500);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100; i++)
        {
            length = PairCodec.Encode(source.AsSpan(i), target, 1500);
            Assert.True(PairCodec.TryDecode(target.AsSpan(0, length), back, out _));
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    private static byte[] Encode(byte[] source)
    {
        int most = (3 * source.Length) + 1;
        byte[] target = new byte[most + PairCodec.Slack];
        int length = PairCodec.Encode(source, target, most);
        Assert.InRange(length, 1, most);
        return target[..length];
    }

    private static byte[] Decode(ReadOnlySpan<byte> encoded, int lengthMax)
    {
        byte[] target = new byte[lengthMax];
        Assert.True(PairCodec.TryDecode(encoded, target, out int written));
        return target[..written];
    }
}
