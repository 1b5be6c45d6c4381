using System.IO.Hashing;
using System.Runtime.InteropServices;
using System.Text.Json;
using K4os.Compression.LZ4;
using Raven.Blittable.Compression;

namespace Raven.Tools.Bench.Suites.Blittable;

/// <summary>
/// LZ4 beside the package that packs the journal, XXH3 beside libxxhash, and the dictionary of texts.
/// </summary>
internal sealed class CodecSuite : IBenchSuite
{
    private const string RowNames = "LZ4 encode, LZ4 decode, LZ4 ratio, short strings by pairs, prose by pairs";
    private const string PackageName = "K4os.Compression.LZ4";
    private const int TateCount = 20_000;
    private const int ShortLengthMax = 128;
    private const int ProseLengthMax = 1024;
    private const int MoviesCount = 6000;

    private delegate bool Decoder(ReadOnlySpan<byte> encoded, Span<byte> target);

    public string Name => "blittable";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        foreach (BenchRow row in HashRows())
        {
            yield return row;
        }

        DocumentSet? set = DocumentSets.AreWanted(context, RowNames, DocumentSets.TateArtworks)
            ? DocumentSets.TryLoad(context, DocumentSets.TateArtworks, TateCount)
                ?? DocumentSets.TryLoadSample(DocumentSets.TateArtworks)
            : null;
        if (set is null)
        {
            yield break;
        }

        byte[] text = set.AsOne()[0].ToArray();
        ReadOnlyMemory<byte>[] documents = [.. Enumerable.Range(0, set.Count).Select(i => set[i])];
        foreach (BenchRow row in BlockRows($"{set.Name}, single documents", documents))
        {
            yield return row;
        }

        foreach (int kilobytes in (int[])[16, 64])
        {
            int size = kilobytes * 1024;
            ReadOnlyMemory<byte>[] blocks =
                [.. Enumerable.Range(0, text.Length / size).Select(i => text.AsMemory(i * size, size))];
            foreach (BenchRow row in BlockRows($"{set.Name}, blocks of {kilobytes} KB", blocks))
            {
                yield return row;
            }
        }

        foreach (BenchRow row in TextRows("short strings", set, 3, ShortLengthMax))
        {
            yield return row;
        }

        if (DocumentSets.AreWanted(context, RowNames, DocumentSets.Movies)
            && DocumentSets.TryLoad(context, DocumentSets.Movies, MoviesCount) is { } movies)
        {
            foreach (BenchRow row in TextRows("prose", movies, ShortLengthMax + 1, ProseLengthMax))
            {
                yield return row;
            }
        }
    }

    private static IEnumerable<BenchRow> BlockRows(string name, ReadOnlyMemory<byte>[] blocks)
    {
        if (blocks.Length == 0)
        {
            yield break;
        }

        long bytes = blocks.Sum(block => (long)block.Length);
        Blocks ours = new(blocks);
        WarmUp.Run(ours.Encode);
        WarmUp.Run(ours.Decode);
        yield return new BenchRow
        {
            Name = $"LZ4 encode, {name}",
            Unit = "MB/s",
            PeerName = PackageName,
            Target = BenchTarget.RatioAtLeast(0.9),
            Ours = () => Measure.MegabytesPerCpuSecond(bytes, ours.Encode),
            Peer = () => Measure.MegabytesPerCpuSecond(bytes, ours.EncodeByPackage),
        };
        yield return new BenchRow
        {
            Name = $"LZ4 decode, {name}",
            Unit = "MB/s",
            PeerName = PackageName,
            Target = BenchTarget.RatioAtLeast(0.9),
            Ours = () => Measure.MegabytesPerCpuSecond(bytes, ours.Decode),
            Peer = () => Measure.MegabytesPerCpuSecond(bytes, ours.DecodeByPackage),
        };
        yield return new BenchRow
        {
            Name = $"LZ4 ratio, {name}",
            Unit = "times smaller",
            PeerName = PackageName,
            WarmUpRuns = 0,
            Ours = () => ours.Ratio(ours.Encode),
            Peer = () => ours.Ratio(ours.EncodeByPackage),
        };
    }

    /// <summary>The dictionary of pairs beside the one of pieces before it, and of long texts beside LZ4.</summary>
    private static IEnumerable<BenchRow> TextRows(string kind, DocumentSet set, int lengthMin, int lengthMax)
    {
        List<byte[]> texts = StringsOf(set, lengthMin, lengthMax);
        byte[] target = new byte[(3 * lengthMax) + PairCodec.Slack];
        byte[] back = new byte[lengthMax];
        long bytes = texts.Sum(text => (long)text.Length);
        byte[][] byPairs = [.. texts.Select(text => target[..PairCodec.Encode(text, target, 3 * text.Length)])];
        byte[][] byPieces = [.. texts.Select(text => target[..ShortStringCodec.Encode(text, target)])];
        void pairs() => texts.ForEach(text => PairCodec.Encode(text, target, text.Length));
        void pieces() => texts.ForEach(text => ShortStringCodec.Encode(text, target));
        void lz4() => texts.ForEach(text => Lz4.Encode(text, target));
        void decodePairs() => Decode(texts, byPairs, (text, room) => PairCodec.TryDecode(text, room, out _), back);
        void decodePieces() =>
            Decode(texts, byPieces, (text, room) => ShortStringCodec.TryDecode(text, room, out _), back);
        Array.ForEach<Action>([pairs, pieces, lz4, decodePairs, decodePieces], WarmUp.Run);
        double rate(Action work) => Measure.MegabytesPerCpuSecond(bytes, work);
        double left(IEnumerable<byte[]> encoded) =>
            (double)encoded.Zip(texts, (code, text) => Math.Min(code.Length, text.Length)).Sum() / bytes;
        string name = $"{kind} by pairs";
        yield return Row(
            $"{name}, encode, {set.Name}", "MB/s", "by pieces", () => rate(pairs), () => rate(pieces));
        if (lengthMin > ShortLengthMax)
        {
            yield return Row($"{name}, encode, {set.Name}", "MB/s", "LZ4", () => rate(pairs), () => rate(lz4));
        }

        yield return Row(
            $"{name}, decode, {set.Name}", "MB/s", "by pieces", () => rate(decodePairs), () => rate(decodePieces));
        yield return Row(
            $"{name}, what is left, {set.Name}",
            "of the length",
            "by pieces",
            () => left(byPairs),
            () => left(byPieces));
    }

    private static BenchRow Row(string name, string unit, string peer, Func<double> ours, Func<double> theirs) => new()
    {
        Name = name,
        Unit = unit,
        PeerName = peer,
        Ours = ours,
        Peer = theirs,
    };

    private static List<byte[]> StringsOf(DocumentSet set, int lengthMin, int lengthMax)
    {
        List<byte[]> strings = [];
        for (int i = 0; i < Math.Min(set.Count, 3000); i++)
        {
            Utf8JsonReader reader = new(set[i].Span);
            while (reader.Read())
            {
                if (reader.TokenType == JsonTokenType.String
                    && reader.ValueSpan.Length >= lengthMin && reader.ValueSpan.Length <= lengthMax)
                {
                    strings.Add(reader.ValueSpan.ToArray());
                }
            }
        }

        return strings;
    }

    private static void Decode(List<byte[]> texts, byte[][] encoded, Decoder decode, byte[] back)
    {
        for (int i = 0; i < encoded.Length; i++)
        {
            if (!decode(encoded[i], back.AsSpan(0, texts[i].Length)))
            {
                throw new InvalidDataException("A text does not come back.");
            }
        }
    }

    private static IEnumerable<BenchRow> HashRows()
    {
        const int bytesARun = 200_000_000;
        bool hasPeer = NativeLibrary.TryLoad("libxxhash.so.0", out _);
        foreach (int length in (int[])[16, 64, 240, 1024, 8192])
        {
            byte[] data = new byte[length];
            new Random(length).NextBytes(data);
            int count = bytesARun / (length + 100);
            ulong seed = 0;
            void ours() => Repeat(count, () => seed += XxHash3.HashToUInt64(data, (long)seed));
            void theirs() => Repeat(
                count, () => seed += NativeMethods.XXH3_64bits_withSeed(in data[0], (nuint)data.Length, seed));
            WarmUp.Run(ours);
            yield return new BenchRow
            {
                Name = $"XXH3, {length:N0} bytes",
                Unit = "ns",
                PeerName = hasPeer ? "libxxhash" : "",
                Ours = () => Measure.NanosecondsPerOperation(count, ours),
                Peer = hasPeer ? () => Measure.NanosecondsPerOperation(count, theirs) : null,
            };
        }
    }

    private static void Repeat(int count, Action work)
    {
        for (int i = 0; i < count; i++)
        {
            work();
        }
    }

    /// <summary>Blocks, and room for them encoded and decoded.</summary>
    private sealed class Blocks
    {
        private readonly ReadOnlyMemory<byte>[] _sources;
        private readonly byte[] _encoded;
        private readonly byte[] _decoded;
        private readonly (int Start, int Length)[] _places;

        internal Blocks(ReadOnlyMemory<byte>[] sources)
        {
            _sources = sources;
            _encoded = new byte[sources.Sum(source => Lz4.MaxEncodedLength(source.Length))];
            _decoded = new byte[sources.Max(source => source.Length)];
            _places = new (int, int)[sources.Length];
            Encode();
        }

        internal double Ratio(Action encode)
        {
            encode();
            return (double)_sources.Sum(source => (long)source.Length) / _places.Sum(place => (long)place.Length);
        }

        internal void Encode()
        {
            int at = 0;
            for (int i = 0; i < _sources.Length; i++)
            {
                int length = Lz4.Encode(_sources[i].Span, _encoded.AsSpan(at));
                _places[i] = (at, length);
                at += length;
            }
        }

        internal void EncodeByPackage()
        {
            int at = 0;
            for (int i = 0; i < _sources.Length; i++)
            {
                int length = LZ4Codec.Encode(_sources[i].Span, _encoded.AsSpan(at));
                _places[i] = (at, length);
                at += length;
            }
        }

        internal void Decode()
        {
            for (int i = 0; i < _sources.Length; i++)
            {
                (int start, int length) = _places[i];
                Span<byte> target = _decoded.AsSpan(0, _sources[i].Length);
                if (!Lz4.TryDecode(_encoded.AsSpan(start, length), target, out int written) || written != target.Length)
                {
                    throw new InvalidDataException("A block does not come back.");
                }
            }
        }

        internal void DecodeByPackage()
        {
            for (int i = 0; i < _sources.Length; i++)
            {
                (int start, int length) = _places[i];
                int written = LZ4Codec.Decode(
                    _encoded.AsSpan(start, length), _decoded.AsSpan(0, _sources[i].Length));
                if (written != _sources[i].Length)
                {
                    throw new InvalidDataException("A block does not come back.");
                }
            }
        }
    }
}
