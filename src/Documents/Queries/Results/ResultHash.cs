using System.Buffers;
using System.Buffers.Binary;
using Raven.Documents.Indexing.Maps;
using System.IO.Hashing;

namespace Raven.Documents.Queries.Results;

//   Of up to PieceSizeBytes the hash is that of the bytes; of more, that of the hashes of the pieces. Numbers are
//   written in one way first, and count so.

/// <summary>
/// Hashes that are equal for equal results, and by chance for no others: <c>0</c>, <c>0.0</c> and <c>-0</c> are one
/// number. A result may come in pieces, of which no more than one is in memory. One thread at a time.
/// </summary>
internal sealed class ResultHash
{
    /// <summary>How many bytes are hashed at a time.</summary>
    internal const int PieceSizeBytes = 64 * 1024;

    private const int HashSizeBytes = 16;

    private readonly ArrayBufferWriter<byte> _number = new(64);
    private readonly ArrayBufferWriter<byte> _plain = new(64);
    private readonly ArrayBufferWriter<byte> _hashes = new(256);
    private byte[] _piece = [];
    private int _count;
    private bool _isInText;
    private bool _isEscaped;

    /// <summary>The hash of bytes as they are.</summary>
    internal static UInt128 Of(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length <= PieceSizeBytes)
        {
            return OfPiece(bytes);
        }

        byte[] hashes = new byte[(bytes.Length + PieceSizeBytes - 1) / PieceSizeBytes * HashSizeBytes];
        for (int i = 0; i * PieceSizeBytes < bytes.Length; i++)
        {
            ReadOnlySpan<byte> rest = bytes[(i * PieceSizeBytes)..];
            BinaryPrimitives.WriteUInt128LittleEndian(
                hashes.AsSpan(i * HashSizeBytes), OfPiece(rest[..Math.Min(rest.Length, PieceSizeBytes)]));
        }

        return OfPiece(hashes);
    }

    /// <summary>The hash of JSON, whose numbers count by their value.</summary>
    internal static UInt128 OfJson(ReadOnlySpan<byte> json)
    {
        if (!CanonicalNumbers.MayBeIn(json))
        {
            return Of(json);
        }

        var plain = new ArrayBufferWriter<byte>(json.Length);
        CanonicalNumbers.Write(json, plain);
        return Of(plain.WrittenSpan);
    }

    /// <summary>Begins JSON that comes in pieces.</summary>
    internal void Begin()
    {
        _piece = _piece.Length == 0 ? new byte[PieceSizeBytes] : _piece;
        _count = 0;
        _isInText = false;
        _isEscaped = false;
        _number.ResetWrittenCount();
        _hashes.ResetWrittenCount();
    }

    /// <summary>Takes the next piece of JSON.</summary>
    internal void Add(ReadOnlySpan<byte> json)
    {
        while (!json.IsEmpty)
        {
            int taken = _isInText ? AddText(json) : AddOther(json);
            json = json[taken..];
        }
    }

    /// <summary>The hash of all pieces: the one of <see cref="OfJson"/>.</summary>
    internal UInt128 Finish()
    {
        EndNumber();
        if (_hashes.WrittenCount == 0)
        {
            return OfPiece(_piece.AsSpan(0, _count));
        }

        EndPiece();
        return OfPiece(_hashes.WrittenSpan);
    }

    /// <summary>Takes bytes of a text, to its closing quote at most.</summary>
    private int AddText(ReadOnlySpan<byte> json)
    {
        if (_isEscaped)
        {
            _isEscaped = false;
            AddPlain(json[..1]);
            return 1;
        }

        int mark = json.IndexOfAny((byte)'"', (byte)'\\');
        int taken = mark < 0 ? json.Length : mark + 1;
        AddPlain(json[..taken]);
        _isInText = mark < 0 || json[mark] != (byte)'"';
        _isEscaped = mark >= 0 && _isInText;
        return taken;
    }

    /// <summary>Takes bytes between texts, to the next quote or the end of a number at most.</summary>
    private int AddOther(ReadOnlySpan<byte> json)
    {
        int length = 0;
        if (_number.WrittenCount > 0 || IsStart(json[0]))
        {
            while (length < json.Length && IsInNumber(json[length]))
            {
                length++;
            }

            _number.Write(json[..length]);
            if (length < json.Length)
            {
                EndNumber();
            }

            return length;
        }

        while (length < json.Length && !_isInText && !IsStart(json[length]))
        {
            _isInText = json[length++] == (byte)'"';
        }

        AddPlain(json[..length]);
        return length;
    }

    private static bool IsStart(byte one) => one is >= (byte)'0' and <= (byte)'9' or (byte)'-';

    private static bool IsInNumber(byte one) =>
        IsStart(one) || one is (byte)'.' or (byte)'e' or (byte)'E' or (byte)'+';

    private void EndNumber()
    {
        if (_number.WrittenCount > 0)
        {
            _plain.ResetWrittenCount();
            CanonicalNumbers.WriteNumber(_plain, _number.WrittenSpan);
            _number.ResetWrittenCount();
            AddPlain(_plain.WrittenSpan);
        }
    }

    private void AddPlain(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            if (_count == PieceSizeBytes)
            {
                EndPiece();
            }

            int length = Math.Min(bytes.Length, PieceSizeBytes - _count);
            bytes[..length].CopyTo(_piece.AsSpan(_count));
            _count += length;
            bytes = bytes[length..];
        }
    }

    private void EndPiece()
    {
        BinaryPrimitives.WriteUInt128LittleEndian(
            _hashes.GetSpan(HashSizeBytes), OfPiece(_piece.AsSpan(0, _count)));
        _hashes.Advance(HashSizeBytes);
        _count = 0;
    }

    private static UInt128 OfPiece(ReadOnlySpan<byte> bytes) =>
        new(XxHash3.HashToUInt64(bytes, 0x51), XxHash3.HashToUInt64(bytes, 0xA7));
}
