using System.Buffers;
using System.Globalization;
using System.Text;
using Raven.Blittable.Compression;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace FastTests.Compression;

/// <summary>Long texts are decompressed a piece at a time, and are what they are as a whole.</summary>
public sealed class TextPiecesTests
{
    private const int Seed = 20261126;

    [Theory]
    [InlineData("records")]
    [InlineData("words")]
    [InlineData("patterns")]
    [InlineData("run")]
    [InlineData("noise")]
    [InlineData("empty")]
    [Trait("Fault", "C1")]
    public void A_block_of_LZ4_in_pieces_is_the_block_as_a_whole(string kind)
    {
        var random = new Random(Seed);
        byte[] text = TextOf(kind, random);
        byte[] block = new byte[Lz4.MaxEncodedLength(text.Length)];
        block = block[..Lz4.Encode(text, block)];
        foreach (int room in (int[])[Lz4Format.OffsetMax + 1, Lz4Format.OffsetMax + 77, TextPieces.RoomBytes])
        {
            Assert.True(TryInPieces(block, room, text.Length, out byte[] found));
            Assert.Equal(text, found);
        }
    }

    [Fact]
    [Trait("Fault", "C1")]
    public void A_damaged_block_in_pieces_is_refused_or_is_what_it_is_as_a_whole()
    {
        var random = new Random(Seed);
        byte[] target = new byte[200_000];
        for (int round = 0; round < 300; round++)
        {
            byte[] text = SampleTexts.Patterns(random, random.Next(60, 4000));
            byte[] block = new byte[Lz4.MaxEncodedLength(text.Length) + 8];
            int length = DamagedBlocks.Damage(random, block, Lz4.Encode(text, block.AsSpan(0, block.Length - 8)));
            bool isWhole = Lz4.TryDecode(block.AsSpan(0, length), target, out int written);
            bool isInPieces = TryInPieces(
                block.AsSpan(0, length), Lz4Format.OffsetMax + 100, target.Length, out byte[] found);
            Assert.True(!isWhole || isInPieces, $"round {round} of seed {Seed}");
            Assert.True(!isWhole || target.AsSpan(0, written).SequenceEqual(found), $"round {round} of seed {Seed}");
        }
    }

    [Fact]
    [Trait("Fault", "C1")]
    public void Pairs_and_pieces_of_the_dictionary_in_pieces_are_the_text_as_a_whole()
    {
        var random = new Random(Seed);
        byte[] text =
            [.. SampleTexts.Words(random, 5000), .. "äöü 🙂 \u0001\t"u8, .. SampleTexts.Patterns(random, 900)];
        byte[] pairs = new byte[2 * text.Length];
        pairs = pairs[..PairCodec.Encode(text, pairs, pairs.Length - PairCodec.Slack)];
        byte[] pieces = new byte[2 * text.Length];
        pieces = pieces[..ShortStringCodec.Encode(text, pieces)];
        for (int size = 2; size < 900; size += 13)
        {
            byte[] room = new byte[size];
            PairCodec.Reader reader = PairCodec.Begin();
            List<byte> found = [];
            while (PairCodec.TryDecodePiece(pairs, room, ref reader, out int written) && written > 0)
            {
                found.AddRange(room[..written]);
            }

            Assert.Equal(text, found);
            room = new byte[256 + size];
            found.Clear();
            nint at = 0;
            while (ShortStringCodec.TryDecodePiece(pieces, room, ref at, out int written) && written > 0)
            {
                found.AddRange(room[..written]);
            }

            Assert.Equal(text, found);
        }

        PairCodec.Reader broken = PairCodec.Begin();
        Assert.False(PairCodec.TryDecodePiece([0xD7], new byte[100], ref broken, out _));
    }

    [Theory]
    [InlineData("records")]
    [InlineData("hex")]
    [InlineData("prose")]
    [Trait("Fault", "C1")]
    public void A_long_text_is_written_without_being_in_memory_as_a_whole(string kind)
    {
        byte[] utf8 = TextOf(kind, new Random(Seed));
        string text = Encoding.UTF8.GetString(utf8);
        using var context = new OperationContext();
        context.Writer.Begin(BlittableMode.ToDisk);
        context.Writer.StartObject();
        context.Writer.Name("T"u8);
        context.Writer.String(utf8);
        context.Writer.EndObject();
        BlittableObject document = context.Writer.Finish().AsObject();
        document.TryGet("T"u8, out BlittableValue stored);
        Assert.False(stored.TryGetUtf8(out _));
        Assert.Equal(text, stored.GetString());

        var json = new ArrayBufferWriter<byte>(4 * utf8.Length);
        BlittableToJson.Write(document, json);
        using (var read = System.Text.Json.JsonDocument.Parse(json.WrittenMemory))
        {
            Assert.Equal(text, read.RootElement.GetProperty("T").GetString());
        }

        json.ResetWrittenCount();
        long before = GC.GetAllocatedBytesForCurrentThread();
        BlittableToJson.Write(document, json);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 2 * TextPieces.RoomBytes);
        before = GC.GetAllocatedBytesForCurrentThread();
        stored.GetString();
        Assert.InRange(
            GC.GetAllocatedBytesForCurrentThread() - before, 0, (2 * text.Length) + (2 * TextPieces.RoomBytes));
    }

    [Theory]
    [InlineData("records", int.MaxValue)]
    [InlineData("prose", int.MaxValue)]
    [InlineData("hex", int.MaxValue)]
    [InlineData("words", 3_000)]
    [InlineData("words", 900)]
    [InlineData("prose", 100)]
    [InlineData("words", 100)]
    [InlineData("words", 1)]
    [InlineData("empty", 0)]
    public void The_beginning_of_a_text_is_read_without_the_rest(string kind, int length)
    {
        byte[] text = TextOf(kind, new Random(Seed));
        text = text[..Math.Min(length, text.Length)];
        using var context = new OperationContext();
        foreach (BlittableMode mode in (BlittableMode[])[BlittableMode.ToDisk, BlittableMode.ToMemory])
        {
            context.Reset();
            context.Writer.Begin(mode);
            context.Writer.StartObject();
            context.Writer.Name("T"u8);
            context.Writer.String(text);
            context.Writer.EndObject();
            context.Writer.Finish().AsObject().TryGet("T"u8, out BlittableValue stored);
            byte[] target = new byte[2_000];
            for (int size = 0; size <= target.Length; size = (2 * size) + 1)
            {
                int written = stored.CopyUtf8StartTo(target.AsSpan(0, size));
                Assert.Equal(text[..Math.Min(size, text.Length)], target[..written]);
            }

            long before = GC.GetAllocatedBytesForCurrentThread();
            stored.CopyUtf8StartTo(target);
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 4 * target.Length);
        }
    }

    private static bool TryInPieces(ReadOnlySpan<byte> block, int room, int most, out byte[] found)
    {
        var pieces = new Lz4Pieces(block, new byte[room]);
        List<byte> all = [];
        found = [];
        while (pieces.TryNext(out ReadOnlySpan<byte> piece))
        {
            if (piece.IsEmpty || all.Count > most)
            {
                found = [.. all];
                return all.Count <= most;
            }

            all.AddRange(piece);
        }

        return false;
    }

    private static byte[] TextOf(string kind, Random random)
    {
        switch (kind)
        {
            case "records":
                return SampleTexts.Records(20_000);
            case "words":
                return SampleTexts.Words(random, 400_000);
            case "patterns":
                return SampleTexts.Patterns(random, 400_000);
            case "run":
                return [.. "ab"u8, .. Enumerable.Repeat((byte)'c', 400_000), .. "the end"u8];
            case "hex":
                byte[] half = new byte[400_000];
                random.NextBytes(half);
                return Encoding.ASCII.GetBytes(Convert.ToHexString(half));
            case "prose":
                var prose = new StringBuilder();
                for (int i = 0; prose.Length < 700_000; i++)
                {
                    prose.Append((char)('a' + random.Next(26)));
                    prose.Append(CultureInfo.InvariantCulture, $"e tha{random.Next(9)} ");
                    prose.Append(i % 50 == 0 ? "\"größe\"\n 🙂 " : "");
                }

                return Encoding.UTF8.GetBytes(prose.ToString());
            case "noise":
                byte[] noise = new byte[300_000];
                random.NextBytes(noise);
                return noise;
            default:
                return [];
        }
    }
}
