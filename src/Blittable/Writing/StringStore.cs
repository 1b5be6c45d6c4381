using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using Raven.Blittable.Compression;
using Raven.Blittable.Format;

namespace Raven.Blittable.Writing;

/// <summary>Writes string values: unchanged, or compressed if the mode asks for it and it is worth it.</summary>
internal sealed class StringStore
{
    /// <summary>Shorter strings are not compressed.</summary>
    internal const int CompressedLengthMin = 4;

    private readonly DocumentBuilder _builder;
    private int[] _runs = new int[16];
    private byte[] _buffer = new byte[512];

    internal StringStore(DocumentBuilder builder) => _builder = builder;

    /// <summary>Appends a string value.</summary>
    /// <param name="text">Valid UTF-8, unescaped, not inside the block that is being written.</param>
    internal void Add(ReadOnlySpan<byte> text)
    {
        int count = EscapePositions.Find(text, ref _runs);
        Add(text, _runs.AsSpan(0, count));
    }

    /// <summary>Appends a string value whose escape positions are known.</summary>
    /// <param name="text">Valid UTF-8, unescaped, not inside the block that is being written.</param>
    /// <param name="runs">Before each character that JSON escapes, the bytes since the one before.</param>
    internal void Add(ReadOnlySpan<byte> text, ReadOnlySpan<int> runs)
    {
        if (text.IsEmpty)
        {
            _builder.PushWithoutBytes(BlittableToken.EmptyString);
            return;
        }

        long room = text.Length + 32L + EscapePositions.LengthMax(runs.Length);
        ref byte target = ref _builder.Reserve((int)Math.Min(room, int.MaxValue));
        int start = _builder.Position;
        int token = BlittableToken.String;
        int length = 0;
        if (_builder.Mode == BlittableMode.ToDisk && text.Length >= CompressedLengthMin)
        {
            length = text.Length > BlittableFormat.ShortStringLengthMax
                ? AddLong(ref target, text, ref token)
                : AddShort(ref target, text, ref token);
        }

        if (length == 0)
        {
            token = BlittableToken.String;
            length = VariableLengthInteger.Write(ref target, (ulong)(uint)text.Length);
            text.CopyTo(MemoryMarshal.CreateSpan(ref Unsafe.Add(ref target, length), text.Length));
            length += text.Length;
        }

        if (!runs.IsEmpty)
        {
            token |= BlittableToken.HasEscapes;
            length += EscapePositions.Write(ref Unsafe.Add(ref target, length), runs);
        }

        _builder.Position = start + length;
        _builder.Push(token, start);
    }

    /// <summary>Appends a string of 4 to 31 bytes of ASCII without escapes, to disk.</summary>
    /// <param name="text">Its first byte; 32 are readable.</param>
    /// <param name="length">Its length.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void AddPlain(ref byte text, int length)
    {
        ref byte target = ref _builder.Reserve(64);
        int start = _builder.Position;
        int token = BlittableToken.String;
        int taken = AddShort(ref target, MemoryMarshal.CreateReadOnlySpan(ref text, length), ref token);
        if (taken == 0)
        {
            target = (byte)length;
            Vector256.LoadUnsafe(ref text).StoreUnsafe(ref target, 1);
            taken = length + 1;
        }

        _builder.Position = start + taken;
        _builder.Push(token, start);
    }

    // Kept if it takes less. The encoded length is below 128 and takes one byte, as the plain length would.
    private static int AddShort(ref byte target, ReadOnlySpan<byte> text, ref int token)
    {
        int most = text.Length - 1;
        Span<byte> room = MemoryMarshal.CreateSpan(ref Unsafe.Add(ref target, 1), most + PairCodec.Slack);
        int encoded = PairCodec.Encode(text, room, most);
        if (encoded == 0)
        {
            return 0;
        }

        target = (byte)encoded;
        token = BlittableToken.ShortString | BlittableToken.ByPairs;
        return encoded + 1;
    }

    // Kept if it takes at most nine tenths. LZ4 is tried if the text seems to repeat itself, and if nothing else helps;
    // prose, which seldom repeats, it would leave longer than pairs do, which take half its time. The header in front
    // is written after the data that it counts.
    private int AddLong(ref byte target, ReadOnlySpan<byte> text, ref int token)
    {
        int most = text.Length - ((text.Length + 9) / 10);
        int length = VariableLengthInteger.Write(ref target, (ulong)(uint)text.Length);
        int gap = length + VariableLengthInteger.LengthOf((ulong)text.Length * 11 / 20); // the usual length of prose
        Span<byte> room = MemoryMarshal.CreateSpan(ref Unsafe.Add(ref target, gap), most + PairCodec.Slack);
        bool repeats = Repetition.IsLikely(text);
        int encoded = repeats ? Lz4.Encode(text, room[..most]) : 0;
        token = BlittableToken.Lz4String;
        if (encoded == 0 || encoded > text.Length / 10 * 6)
        {
            int pairsMax = encoded == 0 ? most : encoded - 1;
            Span<byte> other = encoded == 0 ? room : Room(pairsMax + PairCodec.Slack);
            int pairs = PairCodec.Encode(text, other, pairsMax);
            if (pairs != 0)
            {
                if (encoded != 0)
                {
                    other[..pairs].CopyTo(room);
                }

                encoded = pairs;
                token = BlittableToken.LongDictionaryString | BlittableToken.ByPairs;
            }
            else if (!repeats)
            {
                encoded = Lz4.Encode(text, room[..most]);
            }
        }

        if (encoded == 0)
        {
            return 0;
        }

        // Not written in place: a length is stored as a whole word, which would run into the block behind it. The block
        // is moved first, since the header may be longer than the gap for it.
        Span<byte> header = stackalloc byte[16];
        int headerLength = VariableLengthInteger.Write(ref header[0], (ulong)(uint)encoded);
        int block = length + headerLength;
        if (block != gap)
        {
            room[..encoded].CopyTo(MemoryMarshal.CreateSpan(ref Unsafe.Add(ref target, block), encoded));
        }

        header[..headerLength].CopyTo(MemoryMarshal.CreateSpan(ref Unsafe.Add(ref target, length), headerLength));
        return block + encoded;
    }

    private Span<byte> Room(int length)
    {
        if (_buffer.Length < length)
        {
            _buffer = new byte[Math.Max(length, 2 * _buffer.Length)];
        }

        return _buffer.AsSpan(0, length);
    }
}
