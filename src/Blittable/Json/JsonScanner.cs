using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;

namespace Raven.Blittable.Json;

//   SCAN-1  Every byte below `end` is input; ReadAhead bytes from `end` on may be read and mean nothing.
//   SCAN-2  A token that touches `end` before it is known to be whole is left: the scan stops at its first byte.
//   SCAN-3  Between tokens the whole state is _state and the builder's frames, so that a scan can go on anywhere.

/// <summary>
/// Finds the tokens of JSON and hands them to a <see cref="DocumentBuilder"/>: one pass, 32 bytes at a time.
/// </summary>
internal sealed class JsonScanner
{
    /// <summary>Readable bytes that must follow the end of what is scanned.</summary>
    internal const int ReadAhead = 64;

    private const int Suspended = -1;
    private const int Failed = -2;

    private readonly DocumentBuilder _builder;
    private JsonLimits _limits = JsonLimits.Default;
    private State _state;
    private long _inputBase;
    private byte[] _scratch = [];

    internal JsonScanner(Arena arena) => _builder = new DocumentBuilder(arena);

    private enum State : byte
    {
        Value,
        FirstElement,
        FirstName,
        Name,
        Colon,
        AfterValue,
        Done,
    }

    internal JsonParseStatus Status { get; private set; }

    /// <summary>Why the text was refused.</summary>
    internal string Reason { get; private set; } = string.Empty;

    /// <summary>The byte that made it wrong, from the start of the input.</summary>
    internal long ErrorAt { get; private set; }

    /// <summary>Where the root value starts, from the start of the input.</summary>
    internal long RootAt { get; private set; }

    /// <summary>True before the first byte of a value.</summary>
    internal bool IsEmpty => RootAt < 0;

    internal void Begin(BlittableMode mode, int sizeBytesHint, JsonLimits limits, long inputStart)
    {
        _limits = limits;
        _state = State.Value;
        _inputBase = inputStart;
        RootAt = -1;
        Status = JsonParseStatus.NeedMore;
        _builder.Begin(mode, sizeBytesHint);
    }

    internal void Abandon() => _builder.Abandon();

    internal BlittableValue Finish() => BlittableValue.OpenRoot(_builder.Finish());

    /// <summary>Scans [start, end) and gives where it stopped: the end, a token that is cut off, or an error.</summary>
    /// <param name="input">The first byte of a buffer, whose bytes up to ReadAhead behind the end are readable.</param>
    /// <param name="start">Where to go on.</param>
    /// <param name="end">Where the input ends in the buffer.</param>
    /// <param name="inputBase">Where the first byte of the buffer is in the whole input.</param>
    internal int Scan(ref byte input, int start, int end, long inputBase)
    {
        _inputBase = inputBase;
        int position = start;
        while (position < end)
        {
            byte next = Unsafe.Add(ref input, position);
            if (next <= ' ')
            {
                position = SkipWhiteSpace(ref input, position, end);
                if (position >= end)
                {
                    break;
                }

                next = Unsafe.Add(ref input, position);
            }

            int after = _state switch
            {
                State.Value => ScanValue(ref input, position, end, next),
                State.AfterValue => ScanAfterValue(position, next),
                State.Name => ScanName(ref input, position, end, next),
                State.FirstName => next == '}' ? CloseObject(position) : ScanName(ref input, position, end, next),
                State.FirstElement => next == ']' ? CloseArray(position) : ScanValue(ref input, position, end, next),
                _ => next == ':' ? Expect(State.Value, position) : Fail("A colon is missing.", position),
            };
            if (after < 0)
            {
                return position;
            }

            position = after;
            if (_state == State.Done)
            {
                Status = JsonParseStatus.Complete;
                return position;
            }
        }

        return position;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Expect(State state, int position)
    {
        _state = state;
        return position + 1;
    }

    private static int SkipWhiteSpace(ref byte input, int position, int end)
    {
        while (position < end)
        {
            Vector256<byte> bytes = Vector256.LoadUnsafe(ref input, (nuint)position);
            Vector256<byte> white = Vector256.Equals(bytes, Vector256.Create((byte)' '))
                | Vector256.Equals(bytes, Vector256.Create((byte)'\n'))
                | Vector256.Equals(bytes, Vector256.Create((byte)'\r'))
                | Vector256.Equals(bytes, Vector256.Create((byte)'\t'));
            uint other = ~white.ExtractMostSignificantBits();
            if (other != 0)
            {
                return Math.Min(position + BitOperations.TrailingZeroCount(other), end);
            }

            position += Vector256<byte>.Count;
        }

        return end;
    }

    private int ScanValue(ref byte input, int position, int end, byte next)
    {
        if (_builder.Depth == 0)
        {
            RootAt = _inputBase + position;
        }

        int after;
        switch (next)
        {
            case (byte)'"':
                after = ScanString(ref input, position, end);
                break;
            case (byte)'{' or (byte)'[':
                return Open(position, next);
            case (byte)'-' or (>= (byte)'0' and <= (byte)'9'):
                after = ScanNumber(ref input, position, end);
                break;
            case (byte)'t':
                after = ScanLiteral(ref input, position, end, "true"u8, BlittableToken.True);
                break;
            case (byte)'f':
                after = ScanLiteral(ref input, position, end, "false"u8, BlittableToken.False);
                break;
            case (byte)'n':
                after = ScanLiteral(ref input, position, end, "null"u8, BlittableToken.Null);
                break;
            default:
                return Fail("This byte cannot start a value.", position);
        }

        if (after < 0)
        {
            return after;
        }

        // Compact JSON has its comma right here: take it along.
        bool inObject = _builder.InObject;
        if (after < end && Unsafe.Add(ref input, after) == ',' && _builder.Depth > 0)
        {
            _state = inObject ? State.Name : State.Value;
            return after + 1;
        }

        _state = _builder.Depth == 0 ? State.Done : State.AfterValue;
        return after;
    }

    private int ScanAfterValue(int position, byte next)
    {
        switch (next)
        {
            case (byte)',':
                return Expect(_builder.InObject ? State.Name : State.Value, position);
            case (byte)'}' when _builder.InObject:
                return CloseObject(position);
            case (byte)']' when !_builder.InObject:
                return CloseArray(position);
            default:
                return Fail(
                    _builder.InObject ? "A comma or } is missing." : "A comma or ] is missing.", position);
        }
    }

    private int Open(int position, byte next)
    {
        if (_builder.Depth >= _limits.DepthMax)
        {
            return Fail($"Objects and arrays nest deeper than {_limits.DepthMax}.", position);
        }

        if (next == '{')
        {
            _builder.StartObject();
            return Expect(State.FirstName, position);
        }

        _builder.StartArray();
        return Expect(State.FirstElement, position);
    }

    private int CloseObject(int position)
    {
        int duplicate = _builder.EndObject();
        if (duplicate != DocumentBuilder.NoDuplicate)
        {
            return Fail("The object has a property of this name already.", (long)(uint)duplicate);
        }

        return Expect(_builder.Depth == 0 ? State.Done : State.AfterValue, position);
    }

    private int CloseArray(int position)
    {
        _builder.EndArray();
        return Expect(_builder.Depth == 0 ? State.Done : State.AfterValue, position);
    }

    private int ScanName(ref byte input, int position, int end, byte next)
    {
        if (next != '"')
        {
            return Fail("A property name in double quotes is missing.", position);
        }

        if (_builder.ChildCount >= _limits.PropertyCountMax)
        {
            return Fail($"The object has more than {_limits.PropertyCountMax} properties.", position);
        }

        int shape = _builder.Shape;
        if (shape >= 0)
        {
            int predicted = _builder.Shapes.Predict(shape, out int name);
            if (predicted != 0)
            {
                ref byte pattern = ref _builder.Names.PatternOf(name, out int length);
                uint different = ~Vector256.Equals(
                    Vector256.LoadUnsafe(ref input, (nuint)position + 1),
                    Vector256.LoadUnsafe(ref pattern)).ExtractMostSignificantBits();
                uint mask = (uint)((1UL << length) - 1);
                if ((different & mask) == 0 && length != 0 && position + length < end)
                {
                    _builder.NamePredicted(predicted, name);
                    return Expect(State.Value, position + length);
                }
            }
        }

        return ScanOtherName(ref input, position, end);
    }

    private int ScanOtherName(ref byte input, int position, int end)
    {
        int quote = FindQuote(ref input, position + 1, end, out bool escaped, out bool ascii);
        if (quote < 0)
        {
            return quote;
        }

        ReadOnlySpan<byte> name = SpanOf(ref input, position + 1, quote);
        if (!TryDecode(ref name, position + 1, escaped, ascii))
        {
            return Failed;
        }

        if (!_builder.Name(_builder.Names.Intern(name), (int)(uint)(_inputBase + position)))
        {
            return Fail("The object has a property of this name already.", position);
        }

        if (quote + 1 < end && Unsafe.Add(ref input, quote + 1) == ':')
        {
            return Expect(State.Value, quote + 1);
        }

        _state = State.Colon;
        return quote + 1;
    }

    private int ScanString(ref byte input, int position, int end)
    {
        int start = position + 1;
        Vector256<byte> bytes = Vector256.LoadUnsafe(ref input, (nuint)start);
        uint special = FindSpecial(bytes);
        int length = BitOperations.TrailingZeroCount(special);
        uint inside = special ^ (special - 1);
        if (special != 0 && start + length < end && Unsafe.Add(ref input, start + length) == '"' && length != 0 &&
            (_builder.Mode == BlittableMode.ToMemory || length < StringStore.CompressedLengthMin) &&
            (bytes.ExtractMostSignificantBits() & inside) == 0)
        {
            ref byte target = ref _builder.Reserve(64);
            target = (byte)length;
            bytes.StoreUnsafe(ref target, 1);
            int at = _builder.Position;
            _builder.Position = at + length + 1;
            _builder.Push(BlittableToken.String, at);
            return start + length + 1;
        }

        return ScanOtherString(ref input, position, end);
    }

    private int ScanOtherString(ref byte input, int position, int end)
    {
        int quote = FindQuote(ref input, position + 1, end, out bool escaped, out bool ascii);
        if (quote < 0)
        {
            return quote;
        }

        ReadOnlySpan<byte> text = SpanOf(ref input, position + 1, quote);
        if (!TryDecode(ref text, position + 1, escaped, ascii))
        {
            return Failed;
        }

        _builder.Strings.Add(text, mayHaveEscapes: escaped);
        return quote + 1;
    }

    /// <summary>
    /// Resolves escapes into the scratch buffer and checks the encoding; on failure the error is noted.
    /// </summary>
    private bool TryDecode(ref ReadOnlySpan<byte> text, int position, bool escaped, bool ascii)
    {
        if (!ascii)
        {
            int invalid = JsonStringDecoder.FindInvalidUtf8(text);
            if (invalid >= 0)
            {
                Fail(JsonStringDecoder.BadUtf8, position + invalid);
                return false;
            }
        }

        if (!escaped)
        {
            return true;
        }

        if (_scratch.Length < text.Length)
        {
            _scratch = new byte[Math.Max(text.Length, 1024)];
        }

        JsonStringDecoder.Decode(text, _scratch, out int written, out int errorAt, out string? reason);
        if (reason is not null)
        {
            Fail(reason, position + errorAt);
            return false;
        }

        text = _scratch.AsSpan(0, written);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ReadOnlySpan<byte> SpanOf(ref byte input, int start, int end) =>
        MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref input, start), end - start);

    /// <summary>One bit for each quote, backslash and control character.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint FindSpecial(Vector256<byte> bytes)
    {
        Vector256<byte> special = Vector256.Equals(bytes, Vector256.Create((byte)'"'))
            | Vector256.Equals(bytes, Vector256.Create((byte)'\\'))
            | Vector256.Equals(Vector256.Min(bytes, Vector256.Create((byte)0x1F)), bytes);
        return special.ExtractMostSignificantBits();
    }

    /// <summary>The closing quote of a string whose first byte is at <paramref name="start"/>.</summary>
    private int FindQuote(ref byte input, int start, int end, out bool escaped, out bool ascii)
    {
        uint high = 0;
        escaped = false;
        int position = start;
        while (true)
        {
            Vector256<byte> bytes = Vector256.LoadUnsafe(ref input, (nuint)position);
            uint special = FindSpecial(bytes);
            if (special == 0)
            {
                high |= bytes.ExtractMostSignificantBits();
                position += Vector256<byte>.Count;
                if (position < end)
                {
                    continue;
                }

                ascii = high == 0;
                return Suspended;
            }

            high |= bytes.ExtractMostSignificantBits() & (special ^ (special - 1));
            ascii = high == 0;
            position += BitOperations.TrailingZeroCount(special);
            if (position >= end)
            {
                return Suspended;
            }

            byte found = Unsafe.Add(ref input, position);
            if (found == '"')
            {
                return position;
            }

            if (found != '\\')
            {
                return Fail("A control character in a string must be escaped.", position);
            }

            escaped = true;
            position++;
            byte kind = Unsafe.Add(ref input, position);
            position += kind is (byte)'"' or (byte)'\\' ? 1 : 0;
            if (position >= end)
            {
                return Suspended;
            }
        }
    }

    private int ScanNumber(ref byte input, int position, int end)
    {
        int after = JsonNumber.Scan(ref input, position, end, out JsonNumber number);
        if (after < 0)
        {
            return number.Reason is null ? Suspended : Fail(number.Reason, number.ErrorAt);
        }

        if (JsonNumber.IsNumberByte(Unsafe.Add(ref input, after)))
        {
            return Fail("The number goes on where it should end.", after);
        }

        JsonNumber.Store(_builder, number, SpanOf(ref input, position, after));
        return after;
    }

    private int ScanLiteral(ref byte input, int position, int end, ReadOnlySpan<byte> literal, byte token)
    {
        for (int i = 1; i < literal.Length; i++)
        {
            if (position + i >= end)
            {
                return Suspended;
            }

            if (Unsafe.Add(ref input, position + i) != literal[i])
            {
                return Fail("Only true, false and null are words of JSON.", position + i);
            }
        }

        _builder.PushWithoutBytes(token);
        return position + literal.Length;
    }

    private int Fail(string reason, int position) => Fail(reason, _inputBase + position);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int Fail(string reason, long at)
    {
        Status = JsonParseStatus.Invalid;
        Reason = reason;
        ErrorAt = at;
        return Failed;
    }
}
