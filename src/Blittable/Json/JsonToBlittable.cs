using System.Buffers;
using System.Diagnostics;
using System.Runtime.InteropServices;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;

namespace Raven.Blittable.Json;

//   PARSE-1  The scanner gets only whole tokens, or the beginning of one that it then leaves: a token that the end of a
//            chunk cuts off is kept in the tail buffer and completed from the next chunk first.
//   PARSE-2  All input of the scanner has ReadAhead readable bytes behind its end, so that it may load whole vectors:
//            the last bytes of a chunk are scanned in a copy.
//   PARSE-3  The result, documents and errors alike, does not depend on the places at which the input was cut.

/// <summary>
/// Parses JSON, in one span or in pieces, into documents in an arena. One per context, for one operation at a time; its
/// caches of names and shapes make the second of many alike documents cheaper. Allocates no managed memory once warm.
/// <para>Rules: RFC 8259 without exceptions. UTF-8 must be valid, a byte order mark before the first value is skipped,
/// surrogate escapes must come in pairs, NaN and comments are refused, numbers are kept as written, and an object that
/// names a property twice is refused.</para>
/// </summary>
public sealed class JsonToBlittable
{
    private const int CopyWholeBelow = 512;
    private const byte ByteOrderMarkFirst = 0xEF;
    private const string NotAnObject = "A document is an object: it starts with {.";

    private static readonly SearchValues<byte> s_numberBytes = SearchValues.Create("0123456789+-.eE"u8);

    private readonly JsonScanner _scanner;
    private byte[] _tail = new byte[CopyWholeBelow + (4 * JsonScanner.ReadAhead)];
    private int _tailLength;
    private bool _tailEscaped;
    private long _consumed;
    private long _chunkStart;
    private long _valueStart;
    private int _byteOrderMark;
    private int _line;
    private long _lineStart;
    private JsonParseStatus _status;
    private bool _begun;
    private JsonLimits _limits = JsonLimits.Default;

    /// <summary>Makes a parser that writes into <paramref name="arena"/>.</summary>
    public JsonToBlittable(Arena arena)
    {
        ArgumentNullException.ThrowIfNull(arena);
        _scanner = new JsonScanner(arena);
    }

    /// <summary>The limits of the next documents.</summary>
    public JsonLimits Limits
    {
        get => _limits;
        set
        {
            ArgumentNullException.ThrowIfNull(value);
            _limits = value;
        }
    }

    /// <summary>Whether names and shapes are kept from one document to the next; off only in tests.</summary>
    internal bool KeepsStructure
    {
        get => _scanner.Builder.KeepsStructure;
        set => _scanner.Builder.KeepsStructure = value;
    }

    /// <summary>
    /// How many values were begun in a mode, for tests: a value that is only read must not be built for the disk.
    /// </summary>
    internal int BegunIn(BlittableMode mode) => _scanner.Builder.BegunIn(mode);

    /// <summary>Why and where the text was refused, if the status is <see cref="JsonParseStatus.Invalid"/>.</summary>
    public JsonError Error { get; private set; }

    /// <summary>Parses a text that holds one object and nothing else but white space.</summary>
    /// <param name="json">The text, complete.</param>
    /// <param name="mode">How the document will be used.</param>
    /// <param name="document">The document, in the arena.</param>
    /// <param name="error">Why the text was refused, and at which place.</param>
    public bool TryParse(ReadOnlySpan<byte> json, BlittableMode mode, out BlittableObject document, out JsonError error)
    {
        if (!TryParseValue(json, mode, out BlittableValue value, out error))
        {
            document = default;
            return false;
        }

        if (value.Kind != ValueKind.Object)
        {
            Fail(json, NotAnObject, _scanner.RootAt);
            error = Error;
            document = default;
            return false;
        }

        document = value.AsObject();
        return true;
    }

    /// <summary>Parses a text that holds one value of any kind and nothing else but white space.</summary>
    public bool TryParseValue(
        ReadOnlySpan<byte> json, BlittableMode mode, out BlittableValue value, out JsonError error)
    {
        Start(mode, json.Length);
        int position = FeedCore(json);
        if (_status == JsonParseStatus.Complete && position < json.Length)
        {
            SkipTrailing(json, position);
        }
        else
        {
            _consumed = json.Length;
        }

        bool done = EndOfInput(json, out value);
        error = done ? default : Error;
        return done;
    }

    /// <summary>Starts the first value of a new input.</summary>
    public void Begin(BlittableMode mode) => Start(mode, 0);

    /// <summary>Starts another value of the same input: positions in errors continue.</summary>
    public void BeginNext(BlittableMode mode)
    {
        Debug.Assert(_tailLength == 0, "The value before was finished.");
        _valueStart = _consumed;
        _byteOrderMark = -1;
        _status = JsonParseStatus.NeedMore;
        _begun = true;
        _scanner.Begin(mode, 0, _limits, _consumed);
    }

    /// <summary>
    /// Takes the next piece of the input. After <see cref="JsonParseStatus.Complete"/> the value can be taken by
    /// <c>TryFinish</c>; feeding more instead accepts only white space, for an input that holds one value.
    /// </summary>
    /// <param name="chunk">Any number of bytes; they may be reused when the call returns.</param>
    /// <param name="consumed">The bytes taken: all of them, or up to the end of the value.</param>
    public JsonParseStatus Feed(ReadOnlySpan<byte> chunk, out int consumed)
    {
        if (_status == JsonParseStatus.Invalid || !_begun)
        {
            consumed = 0;
            return _status;
        }

        long before = _consumed;
        _chunkStart = before;
        if (_status == JsonParseStatus.Complete)
        {
            SkipTrailing(chunk, 0);
        }
        else
        {
            _consumed += FeedCore(chunk);
        }

        consumed = _status == JsonParseStatus.Invalid ? chunk.Length : (int)(_consumed - before);
        CountLines(chunk[..consumed], before);
        return _status;
    }

    /// <summary>Ends the input and takes the value. False, with <see cref="Error"/>, if it is not complete.</summary>
    /// <param name="value">The value, in the arena.</param>
    public bool TryFinish(out BlittableValue value) => EndOfInput([], out value);

    /// <summary>Ends the input and takes its document. False, with the error, if it is not a complete object.</summary>
    public bool TryFinish(out BlittableObject document, out JsonError error)
    {
        bool done = TryFinish(out BlittableValue value);
        if (done && value.Kind != ValueKind.Object)
        {
            Fail([], NotAnObject, _scanner.RootAt);
            done = false;
        }

        document = done ? value.AsObject() : default;
        error = done ? default : Error;
        return done;
    }

    private void Start(BlittableMode mode, int sizeBytes)
    {
        _tailLength = 0;
        _tailEscaped = false;
        _consumed = 0;
        _chunkStart = 0;
        _valueStart = 0;
        _byteOrderMark = 0;
        _line = 1;
        _lineStart = 0;
        _status = JsonParseStatus.NeedMore;
        _begun = true;
        Error = default;
        _scanner.Begin(mode, sizeBytes, _limits, 0);
    }

    // Returns how many bytes of the chunk were taken; does not change _consumed, so that it is the chunk's position.
    private int FeedCore(ReadOnlySpan<byte> chunk)
    {
        int position = 0;
        if (_byteOrderMark == 0 && !chunk.IsEmpty && chunk[0] != ByteOrderMarkFirst)
        {
            _byteOrderMark = -1;
        }
        else if (_byteOrderMark >= 0)
        {
            position = SkipByteOrderMark(chunk);
        }

        if (_tailLength > 0)
        {
            position = CompleteToken(chunk, position);
        }

        if (_status == JsonParseStatus.NeedMore && position < chunk.Length)
        {
            position = ScanChunk(chunk, position);
        }

        CheckSize(chunk, position);
        return position;
    }

    private void CheckSize(ReadOnlySpan<byte> chunk, int taken)
    {
        if (_consumed + taken - _valueStart > _limits.DocumentSizeBytesMax && _status != JsonParseStatus.Invalid)
        {
            long most = _limits.DocumentSizeBytesMax;
            Fail(chunk, JsonMessages.TooLong(most), _valueStart + most);
            Error = Error with { IsTooLong = true };
        }
    }

    private int ScanChunk(ReadOnlySpan<byte> chunk, int position)
    {
        if (ReadAheadPage.TryScan(new InPlaceScan(_scanner), chunk, ref position, _consumed))
        {
            TakeStatus(chunk);
            if (_status != JsonParseStatus.NeedMore)
            {
                return position;
            }

            KeepTail(chunk[position..]);
            return chunk.Length;
        }

        if (chunk.Length - position > CopyWholeBelow)
        {
            int end = chunk.Length - JsonScanner.ReadAhead;
            position = Scan(ref MemoryMarshal.GetReference(chunk), position, end, _consumed, chunk);
            if (_status != JsonParseStatus.NeedMore)
            {
                return position;
            }
        }

        int rest = chunk.Length - position;
        EnsureTail(rest);
        chunk[position..].CopyTo(_tail);
        int taken = Scan(ref MemoryMarshal.GetArrayDataReference(_tail), 0, rest, _consumed + position, chunk);
        if (_status != JsonParseStatus.NeedMore)
        {
            return position + taken;
        }

        _tailLength = rest - taken;
        if (_tailLength > 0)
        {
            _tail.AsSpan(taken, _tailLength).CopyTo(_tail);
            _tailEscaped = EndsInEscape(_tail.AsSpan(0, _tailLength), false);
        }

        return chunk.Length;
    }

    private int Scan(ref byte input, int start, int end, long inputBase, ReadOnlySpan<byte> chunk)
    {
        int position = _scanner.Scan(ref input, start, end, inputBase);
        TakeStatus(chunk);
        return position;
    }

    private void TakeStatus(ReadOnlySpan<byte> chunk)
    {
        _status = _scanner.Status;
        if (_status == JsonParseStatus.Invalid)
        {
            Fail(chunk, _scanner.Reason, _scanner.ErrorAt);
        }
    }

    /// <summary>Keeps the token that the end of the chunk cuts off, if there is one.</summary>
    private void KeepTail(ReadOnlySpan<byte> token)
    {
        _tailLength = token.Length;
        if (_tailLength > 0)
        {
            EnsureTail(_tailLength);
            token.CopyTo(_tail);
            _tailEscaped = EndsInEscape(token, false);
        }
    }

    /// <summary>Adds the rest of the token in the tail from the chunk; scans it when it is whole.</summary>
    private int CompleteToken(ReadOnlySpan<byte> chunk, int position)
    {
        while (_tailLength > 0 && position < chunk.Length && _status == JsonParseStatus.NeedMore)
        {
            ReadOnlySpan<byte> rest = chunk[position..];
            int take = _tail[0] switch
            {
                (byte)'"' => TakeString(rest, out bool whole) * (whole ? 1 : -1),
                (byte)'-' or (>= (byte)'0' and <= (byte)'9') => TakeNumber(rest),
                _ => 1,
            };
            int taken = Math.Abs(take);
            long tailBase = _consumed + position - _tailLength;
            EnsureTail(_tailLength + taken);
            rest[..taken].CopyTo(_tail.AsSpan(_tailLength));
            _tailLength += taken;
            position += taken;
            if (take < 0)
            {
                break;
            }

            int scanned = Scan(ref MemoryMarshal.GetArrayDataReference(_tail), 0, _tailLength, tailBase, chunk);
            if (_status == JsonParseStatus.NeedMore && scanned < _tailLength)
            {
                Debug.Assert(scanned == 0, "Only a token that is still cut off is left.");
                continue;
            }

            position -= _status == JsonParseStatus.Complete ? _tailLength - scanned : 0;
            _tailLength = 0;
        }

        return position;
    }

    // Ends behind the closing quote, or behind a control character, which the scanner will refuse.
    private int TakeString(ReadOnlySpan<byte> rest, out bool whole)
    {
        int position = _tailEscaped && rest[0] is (byte)'"' or (byte)'\\' ? 1 : 0;
        _tailEscaped = false;
        whole = false;
        while (position < rest.Length)
        {
            int next = EscapePositions.IndexOf(rest[position..]);
            if (next < 0)
            {
                return rest.Length;
            }

            position += next + 1;
            if (rest[position - 1] != '\\')
            {
                whole = true;
                return position;
            }

            _tailEscaped = position == rest.Length;
            position += !_tailEscaped && rest[position] is (byte)'"' or (byte)'\\' ? 1 : 0;
        }

        return rest.Length;
    }

    // The byte behind the number is taken too: it shows that the number is whole.
    private static int TakeNumber(ReadOnlySpan<byte> rest)
    {
        int length = rest.IndexOfAnyExcept(s_numberBytes);
        return length < 0 ? -rest.Length : length + 1;
    }

    private static bool EndsInEscape(ReadOnlySpan<byte> token, bool before)
    {
        int plain = token.LastIndexOfAnyExcept((byte)'\\');
        int count = token.Length - 1 - plain;
        return ((count & 1) != 0) ^ (plain < 0 && before);
    }

    private bool EndOfInput(ReadOnlySpan<byte> whole, out BlittableValue value)
    {
        if (_status == JsonParseStatus.NeedMore && _begun)
        {
            EndTail(whole);
        }

        if (_status == JsonParseStatus.NeedMore)
        {
            Fail(whole, _scanner.IsEmpty ? "There is no value." : "The text ends before its value does.", _consumed);
        }

        bool done = _status == JsonParseStatus.Complete && _begun;
        _begun = false;
        _tailLength = 0;
        value = done ? _scanner.Finish() : default;
        return done;
    }

    private void EndTail(ReadOnlySpan<byte> whole)
    {
        if (_tailLength == 0)
        {
            return;
        }

        long tailBase = _consumed - _tailLength;
        EnsureTail(_tailLength + 1);
        if (_tail[0] is (byte)'-' or (>= (byte)'0' and <= (byte)'9'))
        {
            _tail[_tailLength++] = (byte)' ';
        }

        Scan(ref MemoryMarshal.GetArrayDataReference(_tail), 0, _tailLength, tailBase, whole);
    }

    private int SkipByteOrderMark(ReadOnlySpan<byte> chunk)
    {
        ReadOnlySpan<byte> mark = [ByteOrderMarkFirst, 0xBB, 0xBF];
        int position = 0;
        while (position < chunk.Length && _byteOrderMark < mark.Length && chunk[position] == mark[_byteOrderMark])
        {
            position++;
            _byteOrderMark++;
        }

        if (position == chunk.Length && _byteOrderMark < mark.Length)
        {
            return position;
        }

        if (_byteOrderMark is 1 or 2)
        {
            Fail(chunk, "This byte cannot start a value.", 0);
        }

        _byteOrderMark = -1;
        return position;
    }

    private void SkipTrailing(ReadOnlySpan<byte> chunk, int position)
    {
        int next = chunk[position..].IndexOfAnyExcept(" \t\r\n"u8);
        if (next >= 0)
        {
            Fail(chunk, "Only white space may follow the value.", _consumed + position + next);
            return;
        }

        CheckSize(chunk, chunk.Length);
        _consumed += chunk.Length;
    }

    /// <summary>Bytes that it keeps between two documents, beside the arena's.</summary>
    internal int KeptBytes => _tail.Length + _scanner.KeptBytes;

    private void EnsureTail(int length)
    {
        long needed = (long)length + JsonScanner.ReadAhead;
        if (needed > _tail.Length)
        {
            Array.Resize(ref _tail, (int)Math.Min(Math.Max(needed, _tail.Length * 2L), Array.MaxLength));
        }
    }

    // Lines before the chunk are counted already; the error is in the chunk, or in a token that began before it and has
    // no line feed before the error.
    private void Fail(ReadOnlySpan<byte> chunk, string reason, long at)
    {
        _status = JsonParseStatus.Invalid;
        int into = (int)Math.Clamp(at - _chunkStart, 0, chunk.Length);
        ReadOnlySpan<byte> before = chunk[..into];
        int last = before.LastIndexOf((byte)'\n');
        int line = _line + before.Count((byte)'\n');
        long lineStart = last >= 0 ? _chunkStart + last + 1 : _lineStart;
        Error = new JsonError(line, (int)Math.Min(at - lineStart + 1, int.MaxValue), at, reason);
        _scanner.Abandon();
    }

    private void CountLines(ReadOnlySpan<byte> taken, long start)
    {
        int last = taken.LastIndexOf((byte)'\n');
        if (last >= 0)
        {
            _line += taken.Count((byte)'\n');
            _lineStart = start + last + 1;
        }
    }
}
