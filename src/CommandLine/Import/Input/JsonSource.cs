using System.Text.Json;

namespace Raven.CommandLine.Import.Input;

/// <summary>
/// The documents of a JSON text: one array of objects, or objects behind each other with any white space between them
/// (JSON lines among it). The first byte decides which of the two it is.
/// </summary>
internal sealed class JsonSource : IDocumentSource, IDisposable
{
    private readonly InputBuffer _buffer;
    private readonly ValueScanner _scanner = new();
    private readonly bool _isDump;
    private State _state;
    private int _lastLength;

    /// <summary>
    /// Reads from the buffer; with <paramref name="isDump"/> the documents are the array <c>Docs</c> of an object.
    /// </summary>
    internal JsonSource(InputBuffer buffer, bool isDump)
    {
        _buffer = buffer;
        _isDump = isDump;
    }

    private enum State
    {
        Start,
        FirstOfArray,
        InArray,
        Concatenated,
        End,
    }

    public long Line { get; private set; }

    public void Dispose() => _scanner.Dispose();

    public bool TryRead(out ReadOnlyMemory<byte> document)
    {
        _buffer.Advance(_lastLength);
        _lastLength = 0;
        document = default;
        if (_state == State.Start)
        {
            Begin();
        }

        if (!MoveToDocument())
        {
            return false;
        }

        if (_buffer.Span[0] != (byte)'{')
        {
            throw _buffer.Error(0, "a document must be an object and begin with '{'");
        }

        Line = _buffer.Line;
        _lastLength = FindEnd();
        document = _buffer.Memory[.._lastLength];
        return true;
    }

    private void Begin()
    {
        _buffer.Fill();
        if (_buffer.Span.StartsWith("\uFEFF"u8))
        {
            _buffer.Advance(3);
        }

        _state = State.Concatenated;
        if (_buffer.SkipWhiteSpace())
        {
            if (_isDump)
            {
                MoveToDocs();
            }
            else if (_buffer.Span[0] == (byte)'[')
            {
                _buffer.Advance(1);
                _state = State.FirstOfArray;
            }
        }
    }

    /// <summary>Stops at the first byte of the next document; false at the end, which must be a clean one.</summary>
    private bool MoveToDocument()
    {
        if (_state == State.End)
        {
            return false;
        }

        bool hasByte = _buffer.SkipWhiteSpace();
        if (_state == State.Concatenated)
        {
            return hasByte;
        }

        if (!hasByte)
        {
            throw _buffer.Error(0, "the file ends within its array");
        }

        byte next = _buffer.Span[0];
        if (next == (byte)']')
        {
            _buffer.Advance(1);
            _state = State.End;
            ExpectNothing();
            return false;
        }

        if (_state == State.InArray)
        {
            ExpectAndSkip((byte)',', "between two documents of an array");
        }

        _state = State.InArray;
        return true;
    }

    /// <summary>What follows the array: nothing, or the other parts of a dump, which are not read.</summary>
    private void ExpectNothing()
    {
        if (!_isDump && _buffer.SkipWhiteSpace())
        {
            throw _buffer.Error(0, "nothing may follow the array");
        }
    }

    /// <summary>Goes through the properties of the dump up to the array of its documents.</summary>
    private void MoveToDocs()
    {
        ExpectAndSkip((byte)'{', "at the start of a dump");
        while (_buffer.SkipWhiteSpace() && _buffer.Span[0] != (byte)'}')
        {
            int nameLength = FindEnd();
            if (_buffer.Span[0] != (byte)'"')
            {
                throw _buffer.Error(0, "a property name was expected");
            }

            bool isDocs = _buffer.Span[..nameLength].SequenceEqual("\"Docs\""u8);
            _buffer.Advance(nameLength);
            ExpectAndSkip((byte)':', "behind a property name");
            if (isDocs)
            {
                ExpectAndSkip((byte)'[', "at the start of Docs");
                _state = State.FirstOfArray;
                return;
            }

            _buffer.SkipWhiteSpace();
            _buffer.Advance(FindEnd());
            if (_buffer.SkipWhiteSpace() && _buffer.Span[0] == (byte)',')
            {
                _buffer.Advance(1);
            }
        }

        throw _buffer.Error(0, "this dump has no array Docs");
    }

    private void ExpectAndSkip(byte wanted, string where)
    {
        if (!_buffer.SkipWhiteSpace() || _buffer.Span[0] != wanted)
        {
            throw _buffer.Error(0, $"'{(char)wanted}' was expected {where}");
        }

        _buffer.Advance(1);
        if (!_buffer.SkipWhiteSpace())
        {
            throw _buffer.Error(0, $"the file ends {where}");
        }
    }

    /// <summary>The length of the value that the window starts with, reading on until it is whole.</summary>
    private int FindEnd()
    {
        while (true)
        {
            switch (_scanner.FindEnd(_buffer.Span, _buffer.IsFinal, out int length, out string reason))
            {
                case ValueScanner.Outcome.Complete:
                    return length;
                case ValueScanner.Outcome.Invalid:
                    throw _buffer.Error(length, reason);
                default:
                    if (!_buffer.Fill() && !_buffer.IsFinal)
                    {
                        throw new JsonException("the reader wants more than there is");
                    }

                    break;
            }
        }
    }
}
