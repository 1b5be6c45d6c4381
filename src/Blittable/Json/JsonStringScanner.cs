using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Text;
using System.Text.Unicode;
using Raven.Blittable.Format;
using Raven.Blittable.Text;
using Raven.Blittable.Writing;

namespace Raven.Blittable.Json;

//   STR-1  A result that is not negative is the place of the closing quote; the whole text is then checked.
//   STR-2  If two things are wrong with a string the first is reported, so that the result does not depend on how the
//          input was cut: before any other error is reported, the bytes in front of it are checked to be UTF-8.
//   STR-3  Bytes at or behind `end` decide nothing: if one is needed, the scan waits for it.

/// <summary>
/// Finds the end of a string and its text: 32 bytes a step if nothing is escaped; otherwise one pass resolves the
/// escapes and notes the places at which the text must be escaped again.
/// </summary>
internal sealed class JsonStringScanner
{
    internal const int Suspended = -1;
    internal const int Failed = -2;

    private const string BadEscape = "This is not an escape that JSON knows.";
    private const string BadHexDigit = "\\u needs four hexadecimal digits.";
    private const string LoneSurrogate = "A \\u escape is half of a surrogate pair without its other half.";
    private const string BadUtf8 = "The bytes are not valid UTF-8.";
    private const string RawControl = "A control character in a string must be escaped.";
    private const byte NotPlain = 0xFF;

    /// <summary>Shifted by up to 12 bits it is still greater than any four digits.</summary>
    private const uint NoHexDigit = 0xFFFF_0000;

    private static readonly uint[] _hexValues = MakeHexValues();
    private static readonly byte[] _plainEscapes = MakePlainEscapes();

    private byte[] _text = new byte[1024];
    private int _length;
    private int[] _runs = new int[64];
    private int _runCount;
    private int _runStart;

    /// <summary>The text of the last string that <see cref="Decode"/> took; valid until its next call.</summary>
    internal ReadOnlySpan<byte> Text => _text.AsSpan(0, _length);

    /// <summary>Before each character of the text that JSON escapes, the bytes since the one before.</summary>
    internal ReadOnlySpan<int> Runs => _runs.AsSpan(0, _runCount);

    /// <summary>The error, after <see cref="Failed"/>.</summary>
    internal string Reason { get; private set; } = string.Empty;

    /// <summary>The byte of the input that is wrong.</summary>
    internal int ErrorAt { get; private set; }

    /// <summary>One bit for each quote, backslash and control character.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static uint FindSpecial(Vector256<byte> bytes)
    {
        Vector256<byte> special = Vector256.Equals(bytes, Vector256.Create((byte)'"'))
            | Vector256.Equals(bytes, Vector256.Create((byte)'\\'))
            | Vector256.Equals(Vector256.Min(bytes, Vector256.Create((byte)0x1F)), bytes);
        return special.ExtractMostSignificantBits();
    }

    /// <summary>
    /// Takes and appends a string of at most 31 bytes without escapes; returns the place behind its quote, or a
    /// negative number if it is another. Its length causes no branch.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int TakeShort(DocumentBuilder builder, ref byte input, int start, int end)
    {
        Vector256<byte> bytes = Vector256.LoadUnsafe(ref input, (nuint)start);
        uint special = FindSpecial(bytes);
        int length = BitOperations.TrailingZeroCount(special);
        uint inside = special ^ (special - 1);
        if ((uint)(length - 1) < 31 && start + length < end && Unsafe.Add(ref input, start + length) == '"'
            && ((bytes.ExtractMostSignificantBits() & inside) == 0 || IsShortUtf8(ref input, start, inside)))
        {
            if (builder.Mode != BlittableMode.ToMemory && length >= StringStore.CompressedLengthMin)
            {
                builder.Strings.AddPlain(ref Unsafe.Add(ref input, start), length);
                return start + length + 1;
            }

            ref byte target = ref builder.Reserve(64);
            target = (byte)length;
            bytes.StoreUnsafe(ref target, 1);
            int at = builder.Position;
            builder.Position = at + length + 1;
            builder.Push(BlittableToken.String, at);
            return start + length + 1;
        }

        return Failed;
    }

    /// <summary>
    /// Finds the closing quote of a string; <paramref name="escaped"/> if a backslash comes first; then
    /// <see cref="Decode"/> must be called.
    /// </summary>
    /// <param name="input">The first byte of the buffer.</param>
    /// <param name="start">The first byte of the string, behind the quote.</param>
    /// <param name="end">The end of the input.</param>
    /// <param name="escaped">True if the string differs from its text.</param>
    internal int FindEnd(ref byte input, int start, int end, out bool escaped)
    {
        uint high = 0;
        int position = start;
        escaped = false;
        while (position < end)
        {
            Vector256<byte> left = Vector256.LoadUnsafe(ref input, (nuint)position);
            Vector256<byte> right = Vector256.LoadUnsafe(ref input, (nuint)position + 32);
            if ((FindSpecial(left) | FindSpecial(right)) != 0)
            {
                break;
            }

            high |= (left | right).ExtractMostSignificantBits();
            position += 2 * Vector256<byte>.Count;
        }

        while (position < end)
        {
            Vector256<byte> bytes = Vector256.LoadUnsafe(ref input, (nuint)position);
            uint special = FindSpecial(bytes);
            if (special == 0)
            {
                high |= bytes.ExtractMostSignificantBits();
                position += Vector256<byte>.Count;
                continue;
            }

            high |= bytes.ExtractMostSignificantBits() & (special ^ (special - 1));
            position += BitOperations.TrailingZeroCount(special);
            break;
        }

        if (position >= end)
        {
            return Suspended;
        }

        byte found = Unsafe.Add(ref input, position);
        if (found == '"')
        {
            return high == 0 || IsUtf8BeforeQuote(ref input, start, position) ? position : Failed;
        }

        escaped = found == '\\';
        return escaped ? position : Fail(ref input, start, RawControl, position);
    }

    /// <summary>Finds the closing quote of a string and its text, which is then <see cref="Text"/>.</summary>
    internal int Decode(ref byte input, int start, int end)
    {
        _runCount = 0;
        _runStart = 0;
        int position = start;
        int written = 0;
        Vector256<byte> seen = Vector256<byte>.Zero;
        while (true)
        {
            EnsureText(written);
            Vector256<byte> bytes = Vector256.LoadUnsafe(ref input, (nuint)position);
            seen |= bytes;
            bytes.StoreUnsafe(ref MemoryMarshal.GetArrayDataReference(_text), (nuint)written);
            uint special = FindSpecial(bytes);

            // A predictable branch, so that the next vector is loaded before this one is searched.
            if (special == 0 && position + Vector256<byte>.Count < end)
            {
                position += Vector256<byte>.Count;
                written += Vector256<byte>.Count;
                continue;
            }

            int plain = BitOperations.TrailingZeroCount(special);
            position += plain;
            written += plain;
            if (position >= end)
            {
                return Suspended;
            }

            byte found = Unsafe.Add(ref input, position);
            if (found == '"')
            {
                // The bytes that were read extend a little beyond the quote, which costs only a check.
                _length = written;
                return seen.ExtractMostSignificantBits() == 0 || IsUtf8BeforeQuote(ref input, start, position)
                    ? position
                    : Failed;
            }

            if (found != '\\')
            {
                return Fail(ref input, start, RawControl, position);
            }

            position = DecodeEscapes(ref input, start, position, end, ref written);
            if (position < 0)
            {
                return position;
            }
        }
    }

    /// <summary>Resolves escapes as long as they follow each other; returns the place behind them.</summary>
    private int DecodeEscapes(ref byte input, int start, int position, int end, ref int written)
    {
        do
        {
            if (position + 1 >= end)
            {
                return Suspended;
            }

            byte kind = Unsafe.Add(ref input, position + 1);
            byte plain = _plainEscapes[kind];
            EnsureText(written);
            if (plain != NotPlain)
            {
                Append(plain, ref written);
                position += 2;
            }
            else if (kind == 'u')
            {
                if (JsonEscapeRuns.IsSupported && position + JsonEscapeRuns.SourceBytes <= end
                    && JsonEscapeRuns.TryDecode(ref Unsafe.Add(ref input, position), ref _text[written]))
                {
                    position += JsonEscapeRuns.SourceBytes;
                    written += JsonEscapeRuns.TextBytes;
                    continue;
                }

                position = DecodeUnicode(ref input, start, position, end, ref written);
                if (position < 0)
                {
                    return position;
                }
            }
            else
            {
                return Fail(ref input, start, kind < ' ' ? RawControl : BadEscape, position + 1);
            }
        }
        while (position < end && Unsafe.Add(ref input, position) == '\\');
        return position;
    }

    private int DecodeUnicode(ref byte input, int start, int position, int end, ref int written)
    {
        int value = ReadHex(ref input, start, position + 2, end);
        if (value < 0)
        {
            return value;
        }

        if ((value & 0xF800) != 0xD800)
        {
            if (value < 0x80)
            {
                Append((byte)value, ref written);
            }
            else if (value < 0x800)
            {
                written += Encode((uint)value, ref _text[written]);
            }
            else
            {
                uint code = (uint)value;
                uint three = 0x8080E0u | (code >> 12) | ((code & 0xFC0) << 2) | ((code & 0x3F) << 16);
                Unsafe.WriteUnaligned(ref _text[written], three);
                written += 3;
            }

            return position + 6;
        }

        int second = position + 6;
        if (value >= 0xDC00 || (second < end && Unsafe.Add(ref input, second) != '\\')
            || (second + 1 < end && Unsafe.Add(ref input, second + 1) != 'u'))
        {
            return Fail(ref input, start, LoneSurrogate, position);
        }

        int low = second + 1 < end ? ReadHex(ref input, start, second + 2, end) : Suspended;
        if (low < 0)
        {
            return low;
        }

        if ((low & 0xFC00) != 0xDC00)
        {
            return Fail(ref input, start, LoneSurrogate, position);
        }

        written += Encode((uint)(0x10000 + ((value & 0x3FF) << 10) + (low & 0x3FF)), ref _text[written]);
        return second + 6;
    }

    private int ReadHex(ref byte input, int start, int position, int end)
    {
        uint value = (HexValue(ref input, position) << 12)
            | (HexValue(ref input, position + 1) << 8)
            | (HexValue(ref input, position + 2) << 4)
            | HexValue(ref input, position + 3);
        if (value <= ushort.MaxValue && position + 4 <= end)
        {
            return (int)value;
        }

        for (int i = position; i < Math.Min(position + 4, end); i++)
        {
            if (HexValue(ref input, i) == NoHexDigit)
            {
                return Fail(ref input, start, BadHexDigit, i);
            }
        }

        return Suspended;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint HexValue(ref byte input, int position) =>
        Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_hexValues), (int)Unsafe.Add(ref input, position));

    /// <summary>Appends an ASCII character that was an escape in the source.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Append(byte value, ref int written)
    {
        _text[written] = value;
        if (value is < 0x20 or (byte)'"' or (byte)'\\')
        {
            if (_runCount == _runs.Length)
            {
                Array.Resize(ref _runs, _runCount * 2);
            }

            _runs[_runCount++] = written - _runStart;
            _runStart = written + 1;
        }

        written++;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void EnsureText(int written)
    {
        if (written > _text.Length - (2 * Vector256<byte>.Count))
        {
            Array.Resize(ref _text, (int)Math.Min(_text.Length * 2L, Array.MaxLength));
        }
    }

    /// <summary>Writes a character of more than 7 bits; there are 4 bytes of room.</summary>
    private static int Encode(uint value, ref byte target)
    {
        if (value < 0x800)
        {
            target = (byte)(0xC0 | (value >> 6));
            Unsafe.Add(ref target, 1) = (byte)(0x80 | (value & 0x3F));
            return 2;
        }

        if (value < 0x10000)
        {
            target = (byte)(0xE0 | (value >> 12));
            Unsafe.Add(ref target, 1) = (byte)(0x80 | ((value >> 6) & 0x3F));
            Unsafe.Add(ref target, 2) = (byte)(0x80 | (value & 0x3F));
            return 3;
        }

        target = (byte)(0xF0 | (value >> 18));
        Unsafe.Add(ref target, 1) = (byte)(0x80 | ((value >> 12) & 0x3F));
        Unsafe.Add(ref target, 2) = (byte)(0x80 | ((value >> 6) & 0x3F));
        Unsafe.Add(ref target, 3) = (byte)(0x80 | (value & 0x3F));
        return 4;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsShortUtf8(ref byte input, int start, uint inside) =>
        Utf8Check.IsSupported && Utf8Check.IsValidShort(ref Unsafe.Add(ref input, start), inside);

    private bool IsUtf8BeforeQuote(ref byte input, int start, int quote) =>
        (Utf8Check.IsSupported && Utf8Check.IsValid(ref Unsafe.Add(ref input, start), quote - start))
        || IsUtf8(ref input, start, quote);

    private bool IsUtf8(ref byte input, int start, int end)
    {
        ReadOnlySpan<byte> text = MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref input, start), end - start);
        if (Utf8.IsValid(text))
        {
            return true;
        }

        int position = 0;
        while (Rune.DecodeFromUtf8(text[position..], out _, out int length) == System.Buffers.OperationStatus.Done)
        {
            position += length;
        }

        Reason = BadUtf8;
        ErrorAt = start + position;
        return false;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int Fail(ref byte input, int start, string reason, int position)
    {
        if (IsUtf8(ref input, start, position))
        {
            Reason = reason;
            ErrorAt = position;
        }

        return Failed;
    }

    /// <summary>Bytes that it keeps between two strings.</summary>
    internal int KeptBytes => _text.Length + (sizeof(int) * _runs.Length);

    /// <summary>Frees memory that only a very long string needs.</summary>
    internal void Trim()
    {
        const int keptMax = 1 << 20;
        if (_text.Length > keptMax || _runs.Length > keptMax)
        {
            _text = new byte[1024];
            _runs = new int[64];
            _length = 0;
            _runCount = 0;
        }
    }

    private static uint[] MakeHexValues()
    {
        uint[] values = new uint[256];
        Array.Fill(values, NoHexDigit);
        for (uint i = 0; i < 16; i++)
        {
            values["0123456789abcdef"[(int)i]] = i;
            values["0123456789ABCDEF"[(int)i]] = i;
        }

        return values;
    }

    private static byte[] MakePlainEscapes()
    {
        byte[] plain = new byte[256];
        Array.Fill(plain, NotPlain);
        plain['"'] = (byte)'"';
        plain['\\'] = (byte)'\\';
        plain['/'] = (byte)'/';
        plain['b'] = 8;
        plain['f'] = 12;
        plain['n'] = 10;
        plain['r'] = 13;
        plain['t'] = 9;
        return plain;
    }
}
