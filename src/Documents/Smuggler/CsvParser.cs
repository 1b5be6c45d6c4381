namespace Raven.Documents.Smuggler;

/// <summary>
/// Cuts CSV (RFC 4180) into rows, in pieces that may be cut anywhere. Lines end with CRLF, LF or CR. The cells of one
/// row are in memory.
/// </summary>
/// <param name="options">How the file is written.</param>
/// <param name="rowSizeBytesMax">The longest row.</param>
/// <param name="cellsMax">The most cells of a row.</param>
internal sealed class CsvParser(CsvOptions options, int rowSizeBytesMax, int cellsMax)
{
    private enum Place
    {
        CellStart, Plain, Quoted, QuoteInQuoted, LineEnd,
    }

    private readonly byte _delimiter = (byte)options.Delimiter;
    private readonly byte _quote = (byte)options.Quote;
    private readonly List<byte> _text = [];
    private readonly List<(int Start, int Length, bool IsQuoted)> _cells = [];
    private Place _place = Place.CellStart;
    private int _start;
    private bool _isQuoted;
    private bool _isAfterCarriageReturn;
    private bool _isDone;

    /// <summary>The line that the row begins in, from 1.</summary>
    internal long Line { get; private set; } = 1;

    /// <summary>The line that is read.</summary>
    private long _line = 1;

    /// <summary>The column that is read, in bytes, from 1.</summary>
    private long _column = 1;

    /// <summary>How many cells the row has.</summary>
    internal int CellCount => _cells.Count;

    /// <summary>Whether a cell stood in quotes: then it is a text.</summary>
    internal bool IsQuoted(int cell) => _cells[cell].IsQuoted;

    /// <summary>The text of a cell, UTF-8.</summary>
    internal ReadOnlySpan<byte> Cell(int cell)
    {
        (int start, int length, bool isQuoted) = _cells[cell];
        ReadOnlySpan<byte> text = System.Runtime.InteropServices.CollectionsMarshal.AsSpan(_text).Slice(start, length);
        return options.IsTrimmed && !isQuoted ? text.Trim(" \t"u8) : text;
    }

    /// <summary>Takes bytes up to the end of a row.</summary>
    /// <param name="bytes">The next bytes.</param>
    /// <param name="consumed">How many were taken.</param>
    /// <returns>True if the row is whole; it is there until the next call.</returns>
    /// <exception cref="RefusedException">The file is not valid; the message says where.</exception>
    internal bool TryRead(ReadOnlySpan<byte> bytes, out int consumed)
    {
        BeginRow();
        for (consumed = 0; consumed < bytes.Length;)
        {
            byte next = bytes[consumed++];
            if (_isAfterCarriageReturn)
            {
                _isAfterCarriageReturn = false;
                if (next == '\n')
                {
                    continue;
                }
            }

            Count(next);
            Step(next);
            if (_place == Place.LineEnd)
            {
                _place = Place.CellStart;
                if (IsEmptyLine)
                {
                    _isDone = true;
                    BeginRow();
                    continue;
                }

                _isDone = true;
                return true;
            }
        }

        return false;
    }

    /// <summary>Ends the file.</summary>
    /// <returns>True if there is a last row without a line end.</returns>
    internal bool TryEnd()
    {
        BeginRow();
        if (_place == Place.Quoted)
        {
            throw Refuse("the file ends within a cell in quotes");
        }

        if (_place == Place.CellStart && _cells.Count == 0)
        {
            return false;
        }

        EndCell();
        _place = Place.CellStart;
        return true;
    }

    /// <summary>The refusal of the file at the place that is read.</summary>
    internal RefusedException Refuse(string problem) =>
        new(
            RefusalReason.Argument,
            $"The CSV is broken at line {_line}, column {_column}, in the row of line {Line}: {problem}.");

    private bool IsEmptyLine => _cells.Count == 1 && _cells[0].Length == 0 && !_cells[0].IsQuoted;

    private void BeginRow()
    {
        if (_isDone)
        {
            _isDone = false;
            _cells.Clear();
            _text.Clear();
            _start = 0;
            Line = _line;
        }
    }

    private void Count(byte next)
    {
        // The lead and single bytes are counted, so that the column is that of an editor for all but rare characters.
        _column += (next & 0xC0) == 0x80 ? 0 : 1;
        if (next is (byte)'\n' or (byte)'\r')
        {
            _line++;
            _column = 1;
        }
    }

    private void Step(byte next)
    {
        switch (_place)
        {
            case Place.Quoted when next == _quote:
                _place = Place.QuoteInQuoted;
                break;
            case Place.Quoted:
                Add(next);
                break;
            case Place.QuoteInQuoted when next == _quote:
                Add(next);
                _place = Place.Quoted;
                break;
            case Place.CellStart when next == _quote:
                _isQuoted = true;
                _place = Place.Quoted;
                break;
            default:
                StepPlain(next);
                break;
        }
    }

    private void StepPlain(byte next)
    {
        if (next == _delimiter)
        {
            EndCell();
            _place = Place.CellStart;
        }
        else if (next is (byte)'\n' or (byte)'\r')
        {
            _isAfterCarriageReturn = next == '\r';
            EndCell();
            _place = Place.LineEnd;
        }
        else if (_place == Place.QuoteInQuoted)
        {
            throw Refuse("something follows the quote at the end of a cell");
        }
        else if (next == _quote)
        {
            throw Refuse("a quote is within a cell that does not begin with one");
        }
        else
        {
            Add(next);
            _place = Place.Plain;
        }
    }

    private void Add(byte next)
    {
        if (_text.Count >= rowSizeBytesMax)
        {
            throw Refuse($"the row has more than {rowSizeBytesMax} bytes");
        }

        _text.Add(next);
    }

    private void EndCell()
    {
        if (_cells.Count == cellsMax)
        {
            throw Refuse($"the row has more than {cellsMax} cells");
        }

        _cells.Add((_start, _text.Count - _start, _isQuoted));
        _start = _text.Count;
        _isQuoted = false;
    }
}
