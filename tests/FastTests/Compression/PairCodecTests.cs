using System.Security.Cryptography;
using Raven.Blittable.Compression;

namespace FastTests.Compression;

/// <summary>The codec of pairs of bytes.</summary>
public sealed class PairCodecTests() : TextCodecTests(Seed)
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
    [Trait("Invariant", "PAIR-3")]
    [MemberData(nameof(FrozenTexts))]
    public void Version_2_writes_and_reads_these_bytes_for_ever(string text, string hex) => RequireFrozen(text, hex);

    [Fact]
    [Trait("Invariant", "PAIR-1")]
    [Trait("Invariant", "PAIR-2")]
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

    [Theory]
    [InlineData("The Snowdrop Falls: a portrait of the artist", 0.6)]
    [InlineData("description", 0.6)]
    [InlineData("Sheffield Wednesday", 0.7)]
    [InlineData("2014-05-01T12:00:00.0000000Z", 0.75)]
    public void Ordinary_text_gets_shorter(string text, double ratio) => RequireShorter(text, ratio);

    // Cut off within a code or within the bits behind an escape, a byte of ones that fills nothing, and an escaped "a".
    [Theory]
    [Trait("Invariant", "PAIR-2")]
    [Trait("Invariant", "PAIR-3")]
    [InlineData("00")]
    [InlineData("3F20")]
    [InlineData("D7")]
    [InlineData("FF")]
    [InlineData("FEFF")]
    [InlineData("D7B0")]
    public void Malformed_bytes_are_refused(string hex) => RequireRefused(hex);

    [Fact]
    public void Bytes_that_decode_to_a_text_are_its_only_encoding()
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

    protected override int Slack => PairCodec.Slack;

    protected override int Encode(ReadOnlySpan<byte> source, Span<byte> target, int lengthMax) =>
        PairCodec.Encode(source, target, lengthMax);

    protected override bool TryDecode(ReadOnlySpan<byte> encoded, Span<byte> target, out int written) =>
        PairCodec.TryDecode(encoded, target, out written);
}
