using System.Buffers.Binary;

namespace Raven.Blittable.Compression;

/// <summary>
/// Decodes a block a piece at a time: of the decoded bytes only as many are kept as a match may reach back. Slower than
/// <see cref="Lz4.TryDecode"/>; for texts that are too long for one block of memory. Rules and layout:
/// <see cref="Lz4Format"/>.
/// </summary>
internal ref struct Lz4Pieces
{
    private readonly ReadOnlySpan<byte> _source;
    private readonly Span<byte> _buffer;
    private int _read;
    private int _end;
    private int _token;
    private int _offset;
    private long _literals;
    private long _match;
    private bool _isBehindLiterals;

    /// <summary>Begins a block.</summary>
    /// <param name="source">The whole block and nothing behind it.</param>
    /// <param name="room">
    /// Receives the kept bytes, and each piece behind them. More than <see cref="Lz4Format.OffsetMax"/> bytes.
    /// </param>
    internal Lz4Pieces(ReadOnlySpan<byte> source, Span<byte> room)
    {
        _source = source;
        _buffer = room;
    }

    /// <summary>Decodes the next piece, which is overwritten by the one behind it.</summary>
    /// <param name="piece">Some bytes; none at the end.</param>
    /// <returns>False if the block is malformed.</returns>
    internal bool TryNext(out ReadOnlySpan<byte> piece)
    {
        int kept = Math.Min(_end, Lz4Format.OffsetMax);
        _buffer[(_end - kept).._end].CopyTo(_buffer);
        _end = kept;
        bool isValid = TryFill();
        piece = isValid ? _buffer[kept.._end] : default;
        return isValid;
    }

    private bool TryFill()
    {
        while (_end < _buffer.Length)
        {
            int room = _buffer.Length - _end;
            if (_literals > 0)
            {
                int count = (int)Math.Min(_literals, room);
                _source.Slice(_read, count).CopyTo(_buffer[_end..]);
                _read += count;
                _end += count;
                _literals -= count;
            }
            else if (_match > 0)
            {
                int count = (int)Math.Min(_match, room);
                CopyMatch(count);
                _match -= count;
            }
            else if (_isBehindLiterals && _read == _source.Length)
            {
                return true; // LZ4-1
            }
            else if (!(_isBehindLiterals ? TryReadMatch() : TryReadLiterals()))
            {
                return false;
            }
        }

        return true;
    }

    private bool TryReadLiterals()
    {
        if (_read == _source.Length)
        {
            return false; // A block ends with literals, even if there are none of them.
        }

        _token = _source[_read++];
        _isBehindLiterals = true;
        return TryReadLength(_token >> 4, out _literals) && _literals <= _source.Length - _read;
    }

    private bool TryReadMatch()
    {
        if (_source.Length - _read < sizeof(ushort))
        {
            return false;
        }

        _offset = BinaryPrimitives.ReadUInt16LittleEndian(_source[_read..]);
        _read += sizeof(ushort);
        _isBehindLiterals = false;
        bool isRead = TryReadLength(_token & Lz4Format.NibbleMax, out _match);
        _match += Lz4Format.MatchLengthMin;

        // All bytes that a match may reach are in the room: this detects a missing offset, and one before the
        // first byte.
        return isRead && (uint)(_offset - 1) < (uint)_end;
    }

    private bool TryReadLength(int nibble, out long length)
    {
        length = nibble;
        if (nibble < Lz4Format.NibbleMax)
        {
            return true;
        }

        while (_read < _source.Length)
        {
            byte part = _source[_read++];
            length += part;
            if (part < byte.MaxValue)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Copies bytes from <see cref="_offset"/> back; a repeated pattern grows with each step.</summary>
    private void CopyMatch(int count)
    {
        int from = _end - _offset;
        while (count > 0)
        {
            int step = Math.Min(count, _end - from);
            _buffer.Slice(from, step).CopyTo(_buffer[_end..]);
            _end += step;
            count -= step;
        }
    }
}
