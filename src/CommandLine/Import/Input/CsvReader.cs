using System.Numerics;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Raven.CommandLine.Import.Input;

/// <summary>
/// Reads CSV (RFC 4180) as slices of its own buffer: no string and no array for a field or a row. 64 bytes at a time
/// are compared with the three bytes that mean something (separator, quote, line feed); between them nothing is
/// looked at.
/// </summary>
/// <remarks>
/// A row that is longer than the buffer makes it grow, up to a bound: a quote that is never closed would else take the
/// rest of the file. Otherwise the memory does not depend on the file.
/// </remarks>
public sealed class CsvReader
{
    /// <summary>The longest row: no document of a server is longer by default.</summary>
    public const int RowSizeBytesMaxDefault = 128 * 1024 * 1024;

    private const int BlockBytes = 64;
    private const int QuotedFlag = 1;
    private const int EscapedFlag = 2;

    private readonly string _file;
    private readonly Stream _stream;
    private readonly byte _separator;
    private readonly int _rowSizeBytesMax;
    private byte[] _buffer;
    private Field[] _fields = new Field[16];
    private int _rowStart;
    private int _nextRowStart;
    private int _scan;
    private int _end;
    private int _maskBase;
    private ulong _mask;
    private bool _isFinal;
    private long _nextLine = 1;

    /// <summary>Reads a stream.</summary>
    /// <param name="file">What errors call it.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="separator">Stands between two fields.</param>
    /// <param name="bufferSizeBytes">What is read at once.</param>
    /// <param name="rowSizeBytesMax">The longest row; the buffer at least.</param>
    public CsvReader(
        string file, Stream stream, byte separator = (byte)',', int bufferSizeBytes = 256 * 1024,
        int rowSizeBytesMax = RowSizeBytesMaxDefault)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentOutOfRangeException.ThrowIfLessThan(bufferSizeBytes, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(rowSizeBytesMax, Array.MaxLength - BlockBytes);
        _rowSizeBytesMax = rowSizeBytesMax;
        _file = file;
        _stream = stream;
        _separator = separator;
        _buffer = new byte[bufferSizeBytes + BlockBytes];
    }

    /// <summary>Fields of the row read last.</summary>
    public int FieldCount { get; private set; }

    /// <summary>The first line of the row read last, from 1.</summary>
    public long Line { get; private set; }

    /// <summary>
    /// The bytes of a field, without its quotes; doubled quotes within are still doubled. Valid until the next row.
    /// </summary>
    public ReadOnlySpan<byte> GetField(int index)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)FieldCount, nameof(index));
        ref Field field = ref _fields[index];
        return _buffer.AsSpan(_rowStart + field.Start, field.Length);
    }

    /// <summary>Whether the field stood in quotes.</summary>
    public bool IsQuoted(int index) => (_fields[index].Flags & QuotedFlag) != 0;

    /// <summary>Whether doubled quotes of the field must be halved.</summary>
    public bool IsEscaped(int index) => (_fields[index].Flags & EscapedFlag) != 0;

    /// <summary>The place of a byte of the row read last.</summary>
    /// <param name="index">The field.</param>
    /// <param name="offset">From the first byte of <see cref="GetField"/>.</param>
    /// <returns>The line, and which byte of it, both from 1.</returns>
    public (long Line, long Column) PositionOf(int index, int offset) =>
        PositionOf(_rowStart + _fields[index].Start + offset);

    /// <summary>Reads the next row; false at the end of the file. Empty lines are passed over.</summary>
    /// <exception cref="ImportFormatException">
    /// A quote is in a wrong place, or is never closed; the row is too long.
    /// </exception>
    public bool TryReadRow()
    {
        while (TryReadLine())
        {
            if (FieldCount != 1 || _fields[0] is not { Length: 0, Flags: 0 })
            {
                return true;
            }
        }

        return false;
    }

    private bool TryReadLine()
    {
        _rowStart = _nextRowStart;
        Line = _nextLine;
        FieldCount = 0;
        int fieldStart = _rowStart;
        while (true)
        {
            while (_mask != 0)
            {
                int at = _maskBase + BitOperations.TrailingZeroCount(_mask);
                _mask &= _mask - 1;
                byte found = _buffer[at];
                if (found == _separator)
                {
                    AddField(fieldStart, at, 0);
                    fieldStart = at + 1;
                }
                else if (found == (byte)'\n')
                {
                    AddField(fieldStart, at > fieldStart && _buffer[at - 1] == (byte)'\r' ? at - 1 : at, 0);
                    EndRow(at + 1);
                    return true;
                }
                else if (ReadQuotedField(fieldStart, at, out fieldStart))
                {
                    return true;
                }
            }

            if (_scan < _end)
            {
                LoadMask();
            }
            else if (!Refill(ref fieldStart, isInQuotes: false))
            {
                return ReadLastLine(fieldStart);
            }
        }
    }

    private bool ReadLastLine(int fieldStart)
    {
        if (fieldStart == _end && FieldCount == 0)
        {
            return false;
        }

        AddField(fieldStart, _end > fieldStart && _buffer[_end - 1] == (byte)'\r' ? _end - 1 : _end, 0);
        EndRow(_end);
        return true;
    }

    private void EndRow(int next)
    {
        _nextRowStart = next;
        _nextLine++;
    }

    private void LoadMask()
    {
        ref byte start = ref MemoryMarshal.GetArrayDataReference(_buffer);
        Vector256<byte> separator = Vector256.Create(_separator);
        Vector256<byte> quote = Vector256.Create((byte)'"');
        Vector256<byte> lineFeed = Vector256.Create((byte)'\n');
        Vector256<byte> low = Vector256.LoadUnsafe(ref start, (nuint)_scan);
        Vector256<byte> high = Vector256.LoadUnsafe(ref start, (nuint)_scan + 32);
        Vector256<byte> lowHit = Vector256.Equals(low, separator) | Vector256.Equals(low, quote)
            | Vector256.Equals(low, lineFeed);
        Vector256<byte> highHit = Vector256.Equals(high, separator) | Vector256.Equals(high, quote)
            | Vector256.Equals(high, lineFeed);
        _mask = lowHit.ExtractMostSignificantBits() | ((ulong)highHit.ExtractMostSignificantBits() << 32);
        _maskBase = _scan;
        int valid = _end - _scan;
        if (valid < BlockBytes)
        {
            _mask &= (1UL << valid) - 1; // what stands behind the end is left over from before
        }

        _scan = Math.Min(_scan + BlockBytes, _end);
    }

    /// <summary>
    /// Moves the row that is being read to the front and reads on behind it; false at the end of the file.
    /// </summary>
    private bool Refill(ref int fieldStart, bool isInQuotes)
    {
        if (_isFinal)
        {
            return false;
        }

        int moved = _rowStart;
        int capacity = _buffer.Length - BlockBytes;
        if (moved == 0 && _end == capacity)
        {
            if (capacity >= _rowSizeBytesMax)
            {
                throw isInQuotes
                    ? Error(fieldStart, $"the quote is not closed within a row of {_rowSizeBytesMax} bytes")
                    : Error(_rowStart, $"the row has more than {_rowSizeBytesMax} bytes");
            }

            capacity = (int)Math.Min(capacity * 2L, _rowSizeBytesMax);
            Array.Resize(ref _buffer, capacity + BlockBytes);
        }

        _buffer.AsSpan(moved, _end - moved).CopyTo(_buffer);
        _end -= moved;
        _scan -= moved;
        _rowStart = 0;
        fieldStart -= moved;
        int read = _stream.Read(_buffer, _end, capacity - _end);
        _end += read;
        _isFinal = read == 0;
        return !_isFinal;
    }

    private void AddField(int start, int end, int flags)
    {
        if (FieldCount == _fields.Length)
        {
            Array.Resize(ref _fields, _fields.Length * 2);
        }

        _fields[FieldCount++] = new Field { Start = start - _rowStart, Length = end - start, Flags = flags };
    }

    /// <summary>
    /// Reads on from an opening quote, byte by byte from quote to quote. True if the row ended with the field.
    /// </summary>
    private bool ReadQuotedField(int fieldStart, int quoteAt, out int nextField)
    {
        if (quoteAt != fieldStart)
        {
            throw Error(quoteAt, "a quote within a field that does not begin with one");
        }

        int at = quoteAt + 1;
        int flags = QuotedFlag;
        while (true)
        {
            int found = _buffer.AsSpan(at, _end - at).IndexOf((byte)'"');
            at = found < 0 ? _end : at + found;
            if (found >= 0 && at + 1 < _end && _buffer[at + 1] == (byte)'"')
            {
                flags |= EscapedFlag;
                at += 2;
            }
            else if (found >= 0 && (at + 1 < _end || _isFinal))
            {
                break;
            }
            else
            {
                // The closing quote, or what follows it, is not in the buffer yet.
                int relative = at - fieldStart;
                _scan = _end;
                if (!Refill(ref fieldStart, isInQuotes: true) && found < 0)
                {
                    throw Error(fieldStart, "the quote is never closed");
                }

                at = fieldStart + relative;
            }
        }

        _nextLine += _buffer.AsSpan(fieldStart, at - fieldStart).Count((byte)'\n');
        AddField(fieldStart + 1, at, flags);
        return EndQuotedField(at + 1, out nextField);
    }

    /// <summary>What may follow a closing quote: a separator, a line end, the end of the file.</summary>
    private bool EndQuotedField(int at, out int nextField)
    {
        if (at < _end && _buffer[at] == (byte)'\r')
        {
            at++;
            if (at == _end)
            {
                int start = at;
                _scan = _end;
                Refill(ref start, isInQuotes: false);
                at = start;
            }
        }

        bool isEnd = at >= _end || _buffer[at] == (byte)'\n';
        if (!isEnd && _buffer[at] != _separator)
        {
            throw Error(at, "only a separator or the end of the line may follow a closing quote");
        }

        nextField = at + 1;
        _scan = Math.Min(nextField, _end);
        _mask = 0;
        if (isEnd)
        {
            EndRow(Math.Min(nextField, _end));
        }

        return isEnd;
    }

    private ImportFormatException Error(int at, string reason)
    {
        (long line, long column) = PositionOf(at);
        return new ImportFormatException(_file, line, column, reason);
    }

    private (long Line, long Column) PositionOf(int at)
    {
        ReadOnlySpan<byte> before = _buffer.AsSpan(_rowStart, at - _rowStart);
        return (Line + before.Count((byte)'\n'), at - _rowStart - before.LastIndexOf((byte)'\n'));
    }

    /// <summary>The place of a field, counted from the start of its row; the flags define how to read it.</summary>
    private struct Field
    {
        public int Start;
        public int Length;
        public int Flags;
    }
}
