using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;

namespace Raven.Blittable.Json;

//   SCAN-1  Every byte below `end` is input; ReadAhead bytes from `end` on may be read and have no meaning.
//   SCAN-2  A token that touches `end` before it is known to be whole is left: the scan stops at its first byte.
//   SCAN-3  Between tokens the whole state is _state and the builder's frames, so that a scan can continue anywhere.

/// <summary>
/// Finds the tokens of JSON and hands them to a <see cref="DocumentBuilder"/>: one pass, 32 bytes at a time.
/// </summary>
internal sealed class JsonScanner
{
    /// <summary>Readable bytes that must follow the end of the scanned text.</summary>
    internal const int ReadAhead = 64;

    private const int Suspended = JsonStringScanner.Suspended;
    private const int Failed = JsonStringScanner.Failed;

    private readonly DocumentBuilder _builder;
    private readonly JsonStringScanner _strings = new();
    private JsonLimits _limits = JsonLimits.Default;
    private State _state;
    private long _inputBase;
    private int _propertyCountMax;

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

    /// <summary>The wrong byte, from the start of the input.</summary>
    internal long ErrorAt { get; private set; }

    /// <summary>The first byte of the root value, from the start of the input.</summary>
    internal long RootAt { get; private set; }

    internal DocumentBuilder Builder => _builder;

    /// <summary>True before the first byte of a value.</summary>
    internal bool IsEmpty => RootAt < 0;

    internal void Begin(BlittableMode mode, int sizeBytesHint, JsonLimits limits, long inputStart)
    {
        _limits = limits;
        _propertyCountMax = limits.PropertyCountMax;
        _state = State.Value;
        _inputBase = inputStart;
        RootAt = -1;
        Status = JsonParseStatus.NeedMore;
        _strings.Trim();
        _builder.Begin(mode, sizeBytesHint);
    }

    /// <summary>Bytes that it keeps between two values.</summary>
    internal int KeptBytes => _strings.KeptBytes;

    internal void Abandon() => _builder.Abandon();

    internal BlittableValue Finish() => _builder.Finish();

    /// <summary>Scans [start, end) up to its end, a token that is cut off, or an error; returns the position.</summary>
    /// <param name="input">The first byte of a buffer, whose bytes up to ReadAhead behind the end are readable.</param>
    /// <param name="start">The place to continue at.</param>
    /// <param name="end">The end of the input in the buffer.</param>
    /// <param name="inputBase">The place of the buffer's first byte in the whole input.</param>
    internal int Scan(ref byte input, int start, int end, long inputBase)
    {
        _inputBase = inputBase;
        int position = start;
        while (position < end)
        {
            byte next = Unsafe.Add(ref input, position);
            if (next <= ' ')
            {
                position = JsonWhiteSpace.Skip(ref input, position, end);
                if (position >= end)
                {
                    break;
                }

                next = Unsafe.Add(ref input, position);
            }

            if (RootAt < 0)
            {
                RootAt = _inputBase + position;
            }

            if (IsValueOrName(next))
            {
                position = ScanMany(ref input, position, end, out bool stopped);
                if (stopped)
                {
                    return position;
                }
            }
            else
            {
                int after = ScanPunctuation(position, next);
                if (after < 0)
                {
                    return position;
                }

                position = after;
            }

            if (_state == State.Done)
            {
                Status = JsonParseStatus.Complete;
                return position;
            }
        }

        return position;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool IsValueOrName(byte next) => _state switch
    {
        State.Value => true,
        State.FirstElement => next != ']',
        State.FirstName or State.Name => next == '"',
        _ => false,
    };

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int ScanPunctuation(int position, byte next)
    {
        switch (_state)
        {
            case State.FirstElement:
                return CloseArray(position);
            case State.FirstName when next == '}':
                return CloseObject(position);
            case State.FirstName or State.Name:
                return Fail("A property name in double quotes is missing.", position);
            case State.Colon:
                return next == ':' ? Expect(State.Value, position) : Fail("A colon is missing.", position);
            default:
                break;
        }

        if (next == ',')
        {
            return Expect(_builder.InObject ? State.Name : State.Value, position);
        }

        if (_builder.InObject)
        {
            return next == '}' ? CloseObject(position) : Fail("A comma or } is missing.", position);
        }

        return next == ']' ? CloseArray(position) : Fail("A comma or ] is missing.", position);
    }

    /// <summary>
    /// Values, and in objects their names, as long as they follow each other: the path of all well-formed input, which
    /// does not read the state between tokens. Stops at a token's first byte, with the state set.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int ScanMany(ref byte input, int position, int end, out bool stopped)
    {
        DocumentBuilder builder = _builder;
        bool named = _state is State.Name or State.FirstName;
        while (true)
        {
            if (named)
            {
                position = ScanName(builder, ref input, position, end, out stopped);
                if (position < 0)
                {
                    return ~position;
                }
            }

            int after;
            byte next = Unsafe.Add(ref input, position);
            if (next == '"')
            {
                after = ScanString(builder, ref input, position, end);
            }
            else if (next <= '9')
            {
                after = ScanNumber(builder, ref input, position, end);
            }
            else if (next is (byte)'{' or (byte)'[')
            {
                after = Open(builder, ref input, position, end, next);
                if (after >= 0)
                {
                    position = after;
                    named = next == '{';
                    next = Unsafe.Add(ref input, position);
                    if (position < end && (named ? next == '"' : next != ']'))
                    {
                        continue;
                    }

                    stopped = false;
                    return position;
                }
            }
            else
            {
                after = ScanLiteral(builder, ref input, position, end, next);
            }

            if (after < 0)
            {
                _state = State.Value;
                stopped = true;
                return position;
            }

            position = EndValue(builder, ref input, after, end, out stopped);
            if (position < 0)
            {
                return ~position;
            }

            named = builder.InObject;
        }
    }

    /// <summary>
    /// A name and its colon. Returns the place of the value, or the complement of the place at which it stopped, with
    /// the state set.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int ScanName(DocumentBuilder builder, ref byte input, int position, int end, out bool stopped)
    {
        int after = JsonNames.TakeKnown(builder, ref input, position, end, _propertyCountMax);
        if (after < 0)
        {
            after = ScanOtherName(ref input, position, end);
            if (after < 0)
            {
                _state = State.Name;
                stopped = true;
                return ~position;
            }
        }

        stopped = false;
        after = JsonWhiteSpace.SkipOne(ref input, after, end);
        if (after >= end || Unsafe.Add(ref input, after) != ':')
        {
            _state = State.Colon;
            return ~after;
        }

        after = JsonWhiteSpace.SkipOne(ref input, after + 1, end);
        if (after >= end)
        {
            _state = State.Value;
            return ~after;
        }

        return after;
    }

    /// <summary>
    /// Behind a value: the comma, and the ends of containers. Returns the place of the next value or name, or the
    /// complement of the place at which it stopped, with the state set.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int EndValue(DocumentBuilder builder, ref byte input, int position, int end, out bool stopped)
    {
        stopped = false;
        while (builder.Depth > 0)
        {
            position = JsonWhiteSpace.Skip(ref input, position, end);
            byte next = Unsafe.Add(ref input, position);
            bool inObject = builder.InObject;
            if (position >= end)
            {
                _state = State.AfterValue;
                return ~position;
            }

            if (next == ',')
            {
                position = JsonWhiteSpace.Skip(ref input, position + 1, end);
                if (position < end && (!inObject || Unsafe.Add(ref input, position) == '"'))
                {
                    return position;
                }

                _state = inObject ? State.Name : State.Value;
                return ~position;
            }

            if (next != (inObject ? '}' : ']'))
            {
                _state = State.AfterValue;
                return ~position;
            }

            if ((inObject ? CloseObject(position) : CloseArray(position)) < 0)
            {
                stopped = true;
                return ~position;
            }

            position++;
        }

        _state = State.Done;
        return ~position;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Expect(State state, int position)
    {
        _state = state;
        return position + 1;
    }

    /// <summary>Opens a container; returns the place of its first member or end, with the state set.</summary>
    private int Open(DocumentBuilder builder, ref byte input, int position, int end, byte next)
    {
        if (builder.Depth >= _limits.DepthMax)
        {
            return Fail(JsonMessages.TooDeep(_limits.DepthMax), position);
        }

        if (next == '{')
        {
            builder.StartObject();
            _state = State.FirstName;
        }
        else
        {
            builder.StartArray();
            _state = State.FirstElement;
        }

        return JsonWhiteSpace.Skip(ref input, position + 1, end);
    }

    private int CloseObject(int position)
    {
        int duplicate = _builder.EndObject();
        if (duplicate != DocumentBuilder.NoDuplicate)
        {
            return Fail(JsonMessages.Repeated(_builder.DuplicateName), (long)(uint)duplicate);
        }

        return Expect(_builder.Depth == 0 ? State.Done : State.AfterValue, position);
    }

    private int CloseArray(int position)
    {
        _builder.EndArray();
        return Expect(_builder.Depth == 0 ? State.Done : State.AfterValue, position);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int ScanOtherName(ref byte input, int position, int end)
    {
        if (_builder.ChildCount >= _propertyCountMax)
        {
            return Fail(JsonMessages.TooManyProperties(_propertyCountMax), position);
        }

        int quote = _strings.FindEnd(ref input, position + 1, end, out bool escaped);
        if (escaped)
        {
            quote = _strings.Decode(ref input, position + 1, end);
        }

        if (quote < 0)
        {
            return quote == Failed ? FailString() : quote;
        }

        ReadOnlySpan<byte> name = escaped ? _strings.Text : SpanOf(ref input, position + 1, quote);
        if (!_builder.Name(_builder.Names.Intern(name), (int)(uint)(_inputBase + position)))
        {
            return Fail(JsonMessages.Repeated(_builder.DuplicateName), _inputBase + position);
        }

        return quote + 1;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int ScanString(DocumentBuilder builder, ref byte input, int position, int end)
    {
        int after = JsonStringScanner.TakeShort(builder, ref input, position + 1, end);
        return after < 0 ? ScanOtherString(builder, ref input, position + 1, end) : after;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int ScanOtherString(DocumentBuilder builder, ref byte input, int start, int end)
    {
        int quote = _strings.FindEnd(ref input, start, end, out bool escaped);
        if (escaped)
        {
            quote = _strings.Decode(ref input, start, end);
        }

        if (quote < 0)
        {
            return quote == Failed ? FailString() : quote;
        }

        if (escaped)
        {
            builder.Strings.Add(_strings.Text, _strings.Runs);
        }
        else
        {
            builder.Strings.Add(SpanOf(ref input, start, quote), []);
        }

        return quote + 1;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ReadOnlySpan<byte> SpanOf(ref byte input, int start, int end) =>
        MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref input, start), end - start);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int ScanNumber(DocumentBuilder builder, ref byte input, int position, int end)
    {
        int after = JsonNumber.Take(builder, ref input, position, end);
        return after < 0 ? ScanOtherNumber(builder, ref input, position, end) : after;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int ScanOtherNumber(DocumentBuilder builder, ref byte input, int position, int end)
    {
        byte first = Unsafe.Add(ref input, position);
        if (first is not ((>= (byte)'0' and <= (byte)'9') or (byte)'-'))
        {
            return Fail("This byte cannot start a value.", position);
        }

        int after = JsonNumber.Scan(ref input, position, end, out JsonNumber number);
        if (after < 0)
        {
            return number.Reason is null ? Suspended : Fail(number.Reason, number.ErrorAt);
        }

        if (JsonNumber.IsNumberByte(Unsafe.Add(ref input, after)))
        {
            return Fail("The number goes on where it should end.", after);
        }

        JsonNumber.Store(builder, number, SpanOf(ref input, position, after));
        return after;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int ScanLiteral(DocumentBuilder builder, ref byte input, int position, int end, byte next)
    {
        int after = JsonWords.Take(builder, ref input, position, end, next, out int wrongAt);
        return after != Failed
            ? after
            : Fail(
                wrongAt == position
                    ? "This byte cannot start a value."
                    : "Only true, false and null are words of JSON.",
                wrongAt);
    }

    private int FailString() => Fail(_strings.Reason, _strings.ErrorAt);

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
