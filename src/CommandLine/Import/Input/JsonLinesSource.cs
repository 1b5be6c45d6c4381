namespace Raven.CommandLine.Import.Input;

/// <summary>
/// The documents of a file with one JSON object a line. Each line stands for itself, so that an error is reported for
/// its own line, not for the one at which a reader noticed it. Empty lines are skipped.
/// </summary>
internal sealed class JsonLinesSource : IDocumentSource, IDisposable
{
    private readonly InputBuffer _buffer;
    private readonly ValueScanner _scanner = new();
    private int _lastLength;
    private bool _isStarted;

    internal JsonLinesSource(InputBuffer buffer) => _buffer = buffer;

    public long Line { get; private set; }

    public void Dispose() => _scanner.Dispose();

    public bool TryRead(out ReadOnlyMemory<byte> document)
    {
        _buffer.Advance(_lastLength);
        _lastLength = 0;
        document = default;
        if (!_isStarted)
        {
            _isStarted = true;
            _buffer.Fill();
            _lastLength = 0;
            if (_buffer.Span.StartsWith("\uFEFF"u8))
            {
                _buffer.Advance(3);
            }
        }

        if (!_buffer.SkipWhiteSpace())
        {
            return false;
        }

        int lineLength = FindLineEnd();
        Line = _buffer.Line;
        ReadOnlySpan<byte> line = _buffer.Span[..lineLength];
        if (line[0] != (byte)'{')
        {
            throw _buffer.Error(0, "a document must be an object and begin with '{'");
        }

        if (_scanner.FindEnd(line, isFinal: true, out int length, out string reason) != ValueScanner.Outcome.Complete)
        {
            throw _buffer.Error(length, reason);
        }

        if (line[length..].IndexOfAnyExcept(" \t\r"u8) is >= 0 and var rest)
        {
            throw _buffer.Error(length + rest, "something follows the document in its line");
        }

        document = _buffer.Memory[..length];
        _lastLength = lineLength;
        return true;
    }

    private int FindLineEnd()
    {
        int searched = 0;
        while (true)
        {
            int end = _buffer.Span[searched..].IndexOf((byte)'\n');
            if (end >= 0)
            {
                return searched + end;
            }

            searched = _buffer.Span.Length;
            if (!_buffer.Fill())
            {
                return searched;
            }
        }
    }
}
