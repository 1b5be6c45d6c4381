namespace Raven.CommandLine.Import.Input;

/// <summary>
/// A window over a stream that keeps its place in the file. It grows only when one value is larger than it, so a file
/// of any length is read in the memory of its largest document.
/// </summary>
internal sealed class InputBuffer
{
    private readonly string _file;
    private readonly Stream _stream;
    private byte[] _bytes;
    private int _start;
    private int _end;
    private long _line = 1;
    private long _bytesBeforeInLine;

    internal InputBuffer(string file, Stream stream, int initialSizeBytes)
    {
        _file = file;
        _stream = stream;
        _bytes = new byte[initialSizeBytes];
    }

    /// <summary>The bytes read and not yet consumed.</summary>
    internal ReadOnlySpan<byte> Span => _bytes.AsSpan(_start, _end - _start);

    /// <summary>The same bytes, in a form that outlives the call; valid until the next <see cref="Fill"/>.</summary>
    internal ReadOnlyMemory<byte> Memory => _bytes.AsMemory(_start, _end - _start);

    /// <summary>Whether the stream has no more bytes than those in the window.</summary>
    internal bool IsFinal { get; private set; }

    /// <summary>The line of the next byte, from 1.</summary>
    internal long Line => _line;

    /// <summary>Reads as many bytes as fit, in a larger window if it is full; false at the end of the stream.</summary>
    internal bool Fill()
    {
        if (IsFinal)
        {
            return false;
        }

        if (_start > 0)
        {
            Span.CopyTo(_bytes);
            _end -= _start;
            _start = 0;
        }
        else if (_end == _bytes.Length)
        {
            Array.Resize(ref _bytes, checked(_bytes.Length * 2));
        }

        int before = _end;
        while (_end < _bytes.Length && !IsFinal)
        {
            int read = _stream.Read(_bytes, _end, _bytes.Length - _end);
            _end += read;
            IsFinal = read == 0;
        }

        return _end > before;
    }

    /// <summary>Goes past bytes of the window, counting lines.</summary>
    internal void Advance(int count)
    {
        ReadOnlySpan<byte> passed = Span[..count];
        int lines = passed.Count((byte)'\n');
        _line += lines;
        _bytesBeforeInLine = lines == 0
            ? _bytesBeforeInLine + count
            : count - passed.LastIndexOf((byte)'\n') - 1;
        _start += count;
    }

    /// <summary>Goes past white space, over as many windows as it takes; false at the end of the stream.</summary>
    internal bool SkipWhiteSpace()
    {
        while (true)
        {
            int first = Span.IndexOfAnyExcept(" \t\r\n"u8);
            if (first >= 0)
            {
                Advance(first);
                return true;
            }

            Advance(Span.Length);
            if (!Fill())
            {
                return false;
            }
        }
    }

    /// <summary>An error at a byte of the window.</summary>
    internal ImportFormatException Error(int offset, string reason)
    {
        ReadOnlySpan<byte> before = Span[..Math.Min(offset, Span.Length)];
        int lines = before.Count((byte)'\n');
        long column = lines == 0 ? _bytesBeforeInLine + offset : offset - before.LastIndexOf((byte)'\n') - 1;
        return new ImportFormatException(_file, _line + lines, column + 1, reason);
    }
}
