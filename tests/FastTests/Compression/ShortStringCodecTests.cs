using System.Security.Cryptography;
using Raven.Blittable.Compression;

namespace FastTests.Compression;

/// <summary>The codec of frequent pieces.</summary>
public sealed class ShortStringCodecTests() : TextCodecTests(seed: 20260803)
{
    public static TheoryData<string, string> FrozenTexts => new()
    {
        { "name", "B3" },
        { "@metadata", "33ADE3766356" },
        { "Presented by Mrs John Richmond 1922", "47CF85820065FC43CBD640BC91B248966CAFB400272828" },
        { "1762–1787", "252D28FE03E28093252F2E" },
        { "https://developer.mozilla.org/docs/Web/API/", "95D5311A7CC615AFFD98A418197E69D75180651934473E19" },
        { "2014-05-01T12:00:00.0000000Z", "2922131B2C131B1E4C20311B1B311B1B151C1C1B54" },
        { "users/1-A", "F186D71E14" },
        { "Привет", "FE0CD09FD180D0B8D0B2D0B5D182" },
        { "AGAWAM", "343C34513443" },
        { "the quick brown fox jumps over the lazy dog", "E7CA966E0065D1F6B28BBCFAFF6AECB0D6BCF40F00A4FDFC7E8E" },
    };

    /// <summary>What is on disk was written with these codes: this test may never be changed, only be joined by one
    /// for the next version.</summary>
    [Theory]
    [MemberData(nameof(FrozenTexts))]
    public void Version_1_writes_and_reads_these_bytes_for_ever(string text, string hex)
    {
        RequireFrozen(text, hex);
        Assert.Equal(1, ShortStringCodec.DictionaryVersion);
    }

    [Fact]
    [Trait("Invariant", "SSD-1")]
    public void The_pieces_of_version_1_are_frozen()
    {
        List<byte> all = [];
        for (int code = 0; code < 254; code++)
        {
            byte[] piece = Decode([(byte)code], 6);
            Assert.InRange(piece.Length, 1, 6);
            all.AddRange(piece);
            all.Add(0);
        }

        Assert.Equal(
            "6F25B037B12C4390D6E3A7F496711113E1B69880EAF7C56CDC47A8C57F8E1815",
            Convert.ToHexString(SHA256.HashData(all.ToArray())));
    }

    [Fact]
    [Trait("Invariant", "SSD-2")]
    [Trait("Invariant", "SSD-3")]
    public void Every_piece_is_written_as_its_own_code()
    {
        byte[] target = new byte[12];
        for (int code = 0; code < 254; code++)
        {
            byte[] piece = Decode([(byte)code], 6);
            Assert.Equal(1, ShortStringCodec.Encode(piece, target));
            Assert.Equal(code, target[0]);
        }
    }

    [Theory]
    [InlineData("The Snowdrop Falls: a portrait of the artist", 0.65)]
    [InlineData("description", 0.5)]
    [InlineData("http://www.example.org/images/", 0.75)]
    public void Ordinary_text_gets_shorter(string text, double ratio) => RequireShorter(text, ratio);

    [Theory]
    [InlineData("FE")]
    [InlineData("FE00")]
    [InlineData("FE0341")]
    [InlineData("FF")]
    [InlineData("41FF")]
    public void Malformed_bytes_are_refused(string hex) => RequireRefused(hex);

    [Fact]
    public void An_empty_text_is_encoded_as_no_bytes()
    {
        Assert.Equal(0, ShortStringCodec.Encode([], new byte[4]));
        Assert.Empty(Decode([], 4));
    }

    [Fact]
    public void No_text_is_encoded_as_more_than_the_promised_bound()
    {
        Random random = new(1);
        for (int i = 0; i < 2_000; i++)
        {
            byte[] source = SampleTexts.Any(random, random.Next(1, 600));
            Assert.InRange(Encode(source).Length, 1, ShortStringCodec.MaxEncodedLength(source.Length));
        }
    }

    protected override int Slack => 0;

    protected override int Encode(ReadOnlySpan<byte> source, Span<byte> target, int lengthMax) =>
        ShortStringCodec.Encode(source, target[..lengthMax]);

    protected override bool TryDecode(ReadOnlySpan<byte> encoded, Span<byte> target, out int written) =>
        ShortStringCodec.TryDecode(encoded, target, out written);
}
