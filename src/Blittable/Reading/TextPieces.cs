using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Raven.Blittable.Compression;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;

namespace Raven.Blittable.Reading;

/// <summary>
/// Decompresses a long string a piece at a time, so that never more than <see cref="RoomBytes"/> of it are in memory.
/// </summary>
internal ref struct TextPieces
{
    /// <summary>From this length on a text is read in pieces: arrays for shorter ones are kept for reuse.</summary>
    internal const int LengthMin = 256 * 1024;

    /// <summary>The reach of an LZ4 match, and as much again.</summary>
    internal const int RoomBytes = 128 * 1024;

    /// <summary>How much more a decoder may want than it writes: a run of the dictionary.</summary>
    private const int StartSlack = 512;

    private readonly ReadOnlySpan<byte> _source;
    private readonly Span<byte> _buffer;
    private readonly byte _token;
    private readonly int _length;
    private Lz4Pieces _lz4;
    private PairCodec.Reader _pairs;
    private nint _at;
    private long _done;

    /// <summary>Begins a long string that is stored compressed.</summary>
    /// <param name="value">The stored value.</param>
    /// <param name="token">Its token.</param>
    /// <param name="room"><see cref="RoomBytes"/>.</param>
    internal TextPieces(ref byte value, byte token, Span<byte> room)
    {
        int position = VariableLengthInteger.ReadInt32(ref value, out _length);
        position += VariableLengthInteger.ReadInt32(ref Unsafe.Add(ref value, position), out int encoded);
        _source = MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref value, position), encoded);
        _buffer = room;
        _token = token;
        _lz4 = new Lz4Pieces(_source, room);
        _pairs = PairCodec.Begin();
    }

    /// <summary>Whether a text should be read in pieces.</summary>
    internal static bool AreFor(ref byte value, byte token) =>
        (token & BlittableToken.KindMask) is BlittableToken.Lz4String or BlittableToken.LongDictionaryString
        && BlittableString.LengthMax(ref value, token) >= LengthMin;

    /// <summary>The text as a string, which is the only copy of it.</summary>
    internal static string ToText(BlittableValue stored)
    {
        byte[] room = ScratchArrays.Rent(RoomBytes);
        TextPieces pieces = new(ref stored.Start, stored.Token, room);
        long length = 0;
        while (pieces.TryNext(out ReadOnlySpan<byte> piece))
        {
            // A byte that begins a character; a character of four bytes counts twice.
            foreach (byte part in piece)
            {
                length += ((part & 0xC0) != 0x80 ? 1 : 0) + (part >= 0xF0 ? 1 : 0);
            }
        }

        string text = string.Create(checked((int)length), (stored, room), static (target, source) =>
        {
            Decoder decoder = Encoding.UTF8.GetDecoder();
            TextPieces pieces = new(ref source.stored.Start, source.stored.Token, source.room);
            while (pieces.TryNext(out ReadOnlySpan<byte> piece))
            {
                target = target[decoder.GetChars(piece, target, flush: false)..];
            }
        });
        ScratchArrays.Return(room);
        return text;
    }

    /// <summary>Copies the beginning of a text that is stored compressed. A first piece needs no more room than itself:
    /// there is nothing before it that a match may reach.</summary>
    /// <returns>Bytes written.</returns>
    internal static int CopyStart(BlittableValue stored, Span<byte> target)
    {
        bool isShort = (stored.Token & BlittableToken.KindMask) is not (
            BlittableToken.Lz4String or BlittableToken.LongDictionaryString);
        byte[] room = ScratchArrays.Rent(isShort ? BlittableFormat.ShortStringLengthMax : target.Length + StartSlack);
        int length;
        if (isShort)
        {
            length = Math.Min(target.Length, BlittableString.Decompress(ref stored.Start, stored.Token, room));
            room.AsSpan(0, length).CopyTo(target);
        }
        else
        {
            TextPieces pieces = new(ref stored.Start, stored.Token, room);
            pieces.TryNext(out ReadOnlySpan<byte> piece);
            length = Math.Min(target.Length, piece.Length);
            piece[..length].CopyTo(target);
        }

        ScratchArrays.Return(room);
        return length;
    }

    /// <summary>Decompresses the next piece, which is overwritten by the one behind it.</summary>
    /// <returns>False at the end.</returns>
    /// <exception cref="InvalidBlittableException">The bytes are damaged.</exception>
    internal bool TryNext(out ReadOnlySpan<byte> piece)
    {
        bool isValid;
        if ((_token & BlittableToken.KindMask) == BlittableToken.Lz4String)
        {
            isValid = _lz4.TryNext(out piece);
        }
        else
        {
            isValid = (_token & BlittableToken.ByPairs) != 0
                ? PairCodec.TryDecodePiece(_source, _buffer, ref _pairs, out int written)
                : ShortStringCodec.TryDecodePiece(_source, _buffer, ref _at, out written);
            piece = _buffer[..written];
        }

        _done += piece.Length;
        if (!isValid || _done > _length || (piece.IsEmpty && _done < _length))
        {
            throw new InvalidBlittableException(new(0, "A compressed string is damaged."));
        }

        return !piece.IsEmpty;
    }
}
