using System.Buffers;
using Raven.Blittable.Json;

namespace Raven.Documents.Smuggler;

/// <summary>
/// Finds where a value of a dump ends, in pieces that may be cut anywhere, and feeds its bytes to a parser. On the way
/// it mends what RavenDB writes though it is no JSON: a comma before a closing bracket is dropped, a control character
/// in a text is escaped. What JSON is besides is decided by the parser.
/// </summary>
internal sealed class DumpValueScanner
{
    private static readonly SearchValues<byte> InString =
        SearchValues.Create([(byte)'"', (byte)'\\', .. Enumerable.Range(0, 0x20).Select(each => (byte)each)]);

    private static readonly SearchValues<byte> OutsideStrings = SearchValues.Create("\",{}[]"u8);

    private static readonly SearchValues<byte> OfLiterals = SearchValues.Create(
        "0123456789+-.eEaflnrstu"u8);

    private JsonToBlittable? _parser;
    private long _depth;
    private bool _isBegun;
    private bool _isLiteral;
    private bool _isInString;
    private bool _isEscaped;
    private bool _hasComma;

    /// <summary>True if the parser has refused the value.</summary>
    internal bool HasFailed { get; private set; }

    /// <summary>Begins a value; the next byte is its first.</summary>
    /// <param name="parser">Takes it, and was begun; null to skip it.</param>
    internal void Begin(JsonToBlittable? parser)
    {
        _parser = parser;
        _depth = 0;
        _isBegun = false;
        _isLiteral = false;
        _isInString = false;
        _isEscaped = false;
        _hasComma = false;
        HasFailed = false;
    }

    /// <summary>Takes the next bytes.</summary>
    /// <param name="chunk">Any number of bytes.</param>
    /// <param name="consumed">How many belong to the value.</param>
    /// <returns>True if the value ends there; false if more bytes are needed.</returns>
    internal bool Scan(ReadOnlySpan<byte> chunk, out int consumed)
    {
        consumed = 0;
        if (chunk.IsEmpty)
        {
            return false;
        }

        if (!_isBegun)
        {
            _isBegun = true;
            _isLiteral = chunk[0] is not ((byte)'{' or (byte)'[' or (byte)'"');
        }

        return _isLiteral ? ScanLiteral(chunk, out consumed) : ScanParts(chunk, out consumed);
    }

    private bool ScanLiteral(ReadOnlySpan<byte> chunk, out int consumed)
    {
        int end = chunk.IndexOfAnyExcept(OfLiterals);
        consumed = end < 0 ? chunk.Length : end;
        Feed(chunk[..consumed]);
        return end >= 0;
    }

    private bool ScanParts(ReadOnlySpan<byte> chunk, out int consumed)
    {
        int run = 0;
        int at = 0;
        if (_hasComma)
        {
            at = EndComma(chunk);
            run = at;
        }

        while (at < chunk.Length && !HasFailed)
        {
            bool isEnd = _isInString ? StepInString(chunk, ref at, ref run) : StepOutside(chunk, ref at, ref run);
            if (isEnd)
            {
                Feed(chunk[run..at]);
                consumed = at;
                return true;
            }
        }

        if (run < at)
        {
            Feed(chunk[run..at]);
        }

        consumed = at;
        return false;
    }

    private bool StepInString(ReadOnlySpan<byte> chunk, ref int at, ref int run)
    {
        if (_isEscaped)
        {
            _isEscaped = false;
            at++;
            return false;
        }

        int next = chunk[at..].IndexOfAny(InString);
        if (next < 0)
        {
            at = chunk.Length;
            return false;
        }

        at += next;
        switch (chunk[at])
        {
            case (byte)'\\':
                _isEscaped = true;
                at++;
                return false;
            case (byte)'"':
                _isInString = false;
                at++;
                return _depth == 0;
            default:
                Feed(chunk[run..at]);
                FeedEscaped(chunk[at]);
                at++;
                run = at;
                return false;
        }
    }

    private bool StepOutside(ReadOnlySpan<byte> chunk, ref int at, ref int run)
    {
        int next = chunk[at..].IndexOfAny(OutsideStrings);
        if (next < 0)
        {
            at = chunk.Length;
            return false;
        }

        at += next;
        switch (chunk[at])
        {
            case (byte)'"':
                _isInString = true;
                at++;
                return false;
            case (byte)'{' or (byte)'[':
                _depth++;
                at++;
                return false;
            case (byte)',':
                // Whether it stays is decided by what follows, which may be in the next chunk.
                Feed(chunk[run..at]);
                _hasComma = true;
                at++;
                at += EndComma(chunk[at..]);
                run = at;
                return false;
            default:
                _depth--;
                at++;
                return _depth == 0;
        }
    }

    /// <summary>Looks at what follows a comma, and feeds the comma unless a bracket is closed.</summary>
    /// <returns>How many bytes of white space were passed.</returns>
    private int EndComma(ReadOnlySpan<byte> chunk)
    {
        int next = chunk.IndexOfAnyExcept(" \t\r\n"u8);
        if (next < 0)
        {
            return chunk.Length;
        }

        _hasComma = false;
        if (chunk[next] is not ((byte)'}' or (byte)']'))
        {
            Feed(","u8);
        }

        return next;
    }

    private void FeedEscaped(byte control)
    {
        const string digits = "0123456789abcdef";
        Feed([(byte)'\\', (byte)'u', (byte)'0', (byte)'0', (byte)digits[control >> 4], (byte)digits[control & 0xF]]);
    }

    private void Feed(ReadOnlySpan<byte> bytes)
    {
        while (_parser is not null && !bytes.IsEmpty && !HasFailed)
        {
            JsonParseStatus status = _parser.Feed(bytes, out int taken);
            HasFailed = status == JsonParseStatus.Invalid || (taken == 0 && status == JsonParseStatus.Complete);
            bytes = bytes[Math.Min(taken, bytes.Length)..];
        }
    }
}
