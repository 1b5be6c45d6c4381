using System.Security.Cryptography;
using System.Text;
using Raven.Blittable.Compression;

namespace FastTests.Compression;

public sealed class ShortStringCodecTests
{
    private const int Seed = 20260803;

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
        byte[] source = Encoding.UTF8.GetBytes(text);
        byte[] target = new byte[ShortStringCodec.MaxEncodedLength(source.Length)];
        int length = ShortStringCodec.Encode(source, target);
        Assert.Equal(hex, Convert.ToHexString(target.AsSpan(0, length)));
        Assert.Equal(text, Encoding.UTF8.GetString(Decode(Convert.FromHexString(hex), source.Length)));
        Assert.Equal(1, ShortStringCodec.DictionaryVersion);
    }

    [Fact]
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

    [Fact]
    public void Any_bytes_come_back()
    {
        Random random = new(Seed);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] source = SampleTexts.Any(random, random.Next(1 << random.Next(1, 11)));
            byte[] target = new byte[ShortStringCodec.MaxEncodedLength(source.Length)];
            int length = ShortStringCodec.Encode(source, target);
            Assert.True(length > 0 || source.Length == 0, $"input {i} of seed {Seed}");
            Assert.True(Decode(target.AsSpan(0, length), source.Length).AsSpan().SequenceEqual(source), $"input {i}");
        }
    }

    [Fact]
    public void Zero_bytes_and_every_pair_of_bytes_come_back()
    {
        byte[] target = new byte[512];
        for (int pair = 0; pair < 65536; pair++)
        {
            byte[] source = [(byte)pair, (byte)(pair >> 8), 0, (byte)pair];
            int length = ShortStringCodec.Encode(source, target);
            Assert.True(Decode(target.AsSpan(0, length), 4).AsSpan().SequenceEqual(source), $"pair {pair:x4}");
        }
    }

    [Theory]
    [InlineData("The Snowdrop Falls: a portrait of the artist", 0.65)]
    [InlineData("description", 0.5)]
    [InlineData("http://www.example.org/images/", 0.75)]
    public void Ordinary_text_gets_shorter(string text, double ratio)
    {
        byte[] source = Encoding.UTF8.GetBytes(text);
        int length = ShortStringCodec.Encode(source, new byte[source.Length]);
        Assert.InRange(length, 1, (int)(source.Length * ratio));
    }

    [Fact]
    public void A_target_that_is_too_short_gives_zero_and_stays_within_it()
    {
        Random random = new(Seed + 1);
        for (int i = 0; i < 300; i++)
        {
            byte[] source = SampleTexts.Any(random, random.Next(1, 400));
            byte[] whole = new byte[ShortStringCodec.MaxEncodedLength(source.Length)];
            int needed = ShortStringCodec.Encode(source, whole);
            for (int capacity = Math.Max(0, needed - 20); capacity <= needed; capacity++)
            {
                byte[] target = new byte[needed + 16];
                target.AsSpan().Fill(0xEE);
                int length = ShortStringCodec.Encode(source, target.AsSpan(0, capacity));
                Assert.Equal(capacity == needed ? needed : 0, length);
                Assert.Equal(-1, target.AsSpan(capacity).IndexOfAnyExcept((byte)0xEE));
            }

            Assert.True(whole.AsSpan(0, needed).SequenceEqual(EncodeExactly(source, needed)));
        }
    }

    [Theory]
    [InlineData("FE")]
    [InlineData("FE00")]
    [InlineData("FE0341")]
    [InlineData("FF")]
    [InlineData("41FF")]
    public void Malformed_bytes_are_refused(string hex) =>
        Assert.False(ShortStringCodec.TryDecode(Convert.FromHexString(hex), new byte[300], out _));

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
            Span<byte> from = input.AtEnd(random.Next(40));
            random.NextBytes(from);
            if (random.Next(2) == 0)
            {
                from.Replace((byte)254, (byte)7);
                from.Replace((byte)255, (byte)9);
            }

            Span<byte> to = output.AtEnd(random.Next(120));
            sound += ShortStringCodec.TryDecode(from, to, out int written) ? 1 : 0;
            Assert.InRange(written, 0, to.Length);
        }

        Assert.InRange(sound, 10_000, 99_000);
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
            Span<byte> to = output.AtEnd(random.Next(source.Length * 2));
            Assert.InRange(ShortStringCodec.Encode(from, to), 0, to.Length);
        }
    }

    [Fact]
    public void Encoding_and_decoding_allocate_nothing()
    {
        byte[] source = SampleTexts.Words(new Random(Seed), 1000);
        byte[] target = new byte[2000];
        byte[] back = new byte[1000];
        int length = ShortStringCodec.Encode(source, target);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100; i++)
        {
            length = ShortStringCodec.Encode(source.AsSpan(i), target);
            Assert.True(ShortStringCodec.TryDecode(target.AsSpan(0, length), back, out _));
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    private static byte[] EncodeExactly(byte[] source, int length)
    {
        byte[] target = new byte[length];
        Assert.Equal(length, ShortStringCodec.Encode(source, target));
        return target;
    }

    private static byte[] Decode(ReadOnlySpan<byte> encoded, int lengthMax)
    {
        byte[] target = new byte[lengthMax];
        Assert.True(ShortStringCodec.TryDecode(encoded, target, out int written));
        return target[..written];
    }
}
