using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;

namespace Raven.Blittable.Json;

/// <summary>
/// Writes JSON piece by piece: what a handler answers with, and documents as they are. It puts commas, colons and
/// indentation; the caller is trusted to name every value of an object and to end what it starts. Call
/// <see cref="Flush"/> at the end, and before the target is used otherwise.
/// </summary>
public ref struct JsonOutput
{
    private const int BufferSizeBytesMin = 512;

    private readonly IBufferWriter<byte> _target;
    private readonly JsonOutputOptions _options;
    private readonly int _indentation;
    private Span<byte> _buffer;
    private int _position;
    private int _depth;
    private bool _needsComma;
    private bool _afterName;

    /// <summary>Writes compact JSON into <paramref name="target"/>.</summary>
    public JsonOutput(IBufferWriter<byte> target)
        : this(target, JsonOutputOptions.Default)
    {
    }

    /// <summary>Writes into <paramref name="target"/>.</summary>
    public JsonOutput(IBufferWriter<byte> target, JsonOutputOptions options)
    {
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(options);
        _target = target;
        _options = options;
        _indentation = options.Indentation;
    }

    /// <summary>Hands what was written to the target. Writing may go on afterwards.</summary>
    public void Flush()
    {
        if (_position > 0)
        {
            _target.Advance(_position);
        }

        _position = 0;
        _buffer = default;
    }

    /// <summary>
    /// Starts an object; its properties follow by <see cref="Name(ReadOnlySpan{byte})"/> and a value each.
    /// </summary>
    public void StartObject() => Start((byte)'{');

    /// <summary>Ends the object.</summary>
    public void EndObject() => End((byte)'}');

    /// <summary>Starts an array; its elements follow.</summary>
    public void StartArray() => Start((byte)'[');

    /// <summary>Ends the array.</summary>
    public void EndArray() => End((byte)']');

    /// <summary>Names the next value.</summary>
    /// <param name="utf8">The name, valid UTF-8, unescaped.</param>
    public void Name(scoped ReadOnlySpan<byte> utf8)
    {
        Separate();
        Quoted(utf8);
        EndName();
    }

    /// <summary>Names the next value.</summary>
    public void Name(scoped ReadOnlySpan<char> name)
    {
        Separate();
        Quoted(name);
        EndName();
    }

    /// <summary>Writes a string.</summary>
    /// <param name="utf8">The text, valid UTF-8, unescaped.</param>
    public void String(scoped ReadOnlySpan<byte> utf8)
    {
        Separate();
        Quoted(utf8);
        _needsComma = true;
    }

    /// <summary>Writes a string.</summary>
    public void String(scoped ReadOnlySpan<char> text)
    {
        Separate();
        Quoted(text);
        _needsComma = true;
    }

    /// <summary>Writes a whole number.</summary>
    public void Number(long value)
    {
        Separate();
        Utf8Formatter.TryFormat(value, Room(24), out int written);
        _position += written;
        _needsComma = true;
    }

    /// <summary>Writes a number in the shortest form that reads back the same.</summary>
    /// <exception cref="ArgumentException">JSON has no NaN and no infinity.</exception>
    public void Number(double value)
    {
        if (!double.IsFinite(value))
        {
            throw new ArgumentException("JSON has no NaN and no infinity.", nameof(value));
        }

        Separate();
        value.TryFormat(Room(40), out int written, "R", CultureInfo.InvariantCulture);
        _position += written;
        _needsComma = true;
    }

    /// <summary>Writes true or false.</summary>
    public void Boolean(bool value) => Raw(value ? "true"u8 : "false"u8);

    /// <summary>Writes null.</summary>
    public void Null() => Raw("null"u8);

    /// <summary>Writes a value that is JSON already.</summary>
    /// <param name="json">One value, valid, without white space around it.</param>
    public void Raw(scoped ReadOnlySpan<byte> json)
    {
        Separate();
        Copy(json);
        _needsComma = true;
    }

    /// <summary>Writes a property of a document: its name and its value.</summary>
    public void Property(BlittableProperty property)
    {
        Separate();
        StoredName(property.Document, property.NamePosition);
        Value(property.Value);
    }

    /// <summary>Writes a value of a document, with all that is in it.</summary>
    public void Value(BlittableValue value)
    {
        if ((value.Token & BlittableToken.KindMask) < BlittableToken.Object)
        {
            Separate();
        }

        ref byte start = ref Unsafe.Add(ref value.Document.First, value.Position);
        switch (value.Token & BlittableToken.KindMask)
        {
            case BlittableToken.Object:
                Members(value.AsObject());
                break;
            case BlittableToken.Array:
                Elements(value.AsArray());
                break;
            case BlittableToken.String:
                int text = VariableLengthInteger.ReadInt32(ref start, out int length);
                Stored(ref Unsafe.Add(ref start, text), length, (value.Token & BlittableToken.HasEscapes) != 0);
                break;
            case BlittableToken.EmptyString:
                Copy("\"\""u8);
                break;
            case BlittableToken.Integer or BlittableToken.Decimal:
                value.TryFormatNumber(Room(32), out int written);
                _position += written;
                break;
            case BlittableToken.NumberText:
                Copy(BlittableNumber.TextOf(ref start));
                break;
            case BlittableToken.True:
                Copy("true"u8);
                break;
            case BlittableToken.False:
                Copy("false"u8);
                break;
            case BlittableToken.Null:
                Copy("null"u8);
                break;
            default:
                Compressed(value);
                break;
        }

        _needsComma = true;
    }

    private void Members(BlittableObject members)
    {
        Start((byte)'{');
        if (_options.OriginalOrder)
        {
            OriginalMembers(members);
        }
        else
        {
            for (int i = 0; i < members.Count; i++)
            {
                Property(members.GetProperty(i));
            }
        }

        End((byte)'}');
    }

    private void OriginalMembers(BlittableObject members)
    {
        const int onStack = 32;
        int[]? rented = members.Count <= onStack ? null : ArrayPool<int>.Shared.Rent(members.Count);
        ulong[]? rentedKeys = rented is null ? null : ArrayPool<ulong>.Shared.Rent(members.Count);
        Span<int> order = rented is null ? stackalloc int[onStack] : rented;
        Span<ulong> keys = rentedKeys is null ? stackalloc ulong[onStack] : rentedKeys;
        order = order[..members.Count];
        keys = keys[..members.Count];
        members.FillOriginalOrderKeys(keys, order);
        keys.Sort(order);
        foreach (int index in order)
        {
            Property(members.GetProperty(index));
        }

        if (rented is not null && rentedKeys is not null)
        {
            ArrayPool<int>.Shared.Return(rented);
            ArrayPool<ulong>.Shared.Return(rentedKeys);
        }
    }

    private void Elements(BlittableArray elements)
    {
        Start((byte)'[');
        for (int i = 0; i < elements.Count; i++)
        {
            Value(elements.ElementAt(i));
        }

        End((byte)']');
    }

    private void StoredName(BlittableDocument document, int position)
    {
        ref byte start = ref Unsafe.Add(ref document.First, position);
        int text = VariableLengthInteger.ReadInt32(ref start, out int header);
        Stored(ref Unsafe.Add(ref start, text), header >> 1, (header & 1) != 0);
        EndName();
    }

    /// <summary>Writes a stored text with its quotes: runs of bytes, and an escape between them.</summary>
    private void Stored(ref byte text, int length, bool hasEscapes)
    {
        Byte((byte)'"');
        ReadOnlySpan<byte> rest = MemoryMarshal.CreateReadOnlySpan(ref text, length);
        if (hasEscapes)
        {
            ref byte escapes = ref Unsafe.Add(ref text, length);
            int position = VariableLengthInteger.ReadInt32(ref escapes, out int count);
            for (int i = 0; i < count; i++)
            {
                position += VariableLengthInteger.ReadInt32(ref Unsafe.Add(ref escapes, position), out int run);
                Copy(rest[..run]);
                Escape(rest[run]);
                rest = rest[(run + 1)..];
            }
        }

        Copy(rest);
        Byte((byte)'"');
    }

    /// <summary>Decompresses straight into the target's buffer where nothing needs an escape.</summary>
    private void Compressed(BlittableValue value)
    {
        const int inPlaceMax = 64 * 1024;
        int most = value.Utf8LengthMax;
        if ((value.Token & BlittableToken.HasEscapes) == 0 && most <= inPlaceMax)
        {
            Span<byte> target = Room(most + 2);
            target[0] = (byte)'"';
            int length = value.CopyUtf8To(target.Slice(1, most));
            target[length + 1] = (byte)'"';
            _position += length + 2;
            return;
        }

        byte[] text = ArrayPool<byte>.Shared.Rent(most);
        Quoted(text.AsSpan(0, value.CopyUtf8To(text)));
        ArrayPool<byte>.Shared.Return(text);
    }

    private void Quoted(scoped ReadOnlySpan<byte> utf8)
    {
        Byte((byte)'"');
        int run;
        while ((run = EscapePositions.IndexOf(utf8)) >= 0)
        {
            Copy(utf8[..run]);
            Escape(utf8[run]);
            utf8 = utf8[(run + 1)..];
        }

        Copy(utf8);
        Byte((byte)'"');
    }

    private void Quoted(scoped ReadOnlySpan<char> text)
    {
        const int onStack = 512;
        int most = Encoding.UTF8.GetMaxByteCount(text.Length);
        byte[]? rented = most <= onStack ? null : ArrayPool<byte>.Shared.Rent(most);
        Span<byte> utf8 = rented is null ? stackalloc byte[onStack] : rented;
        Quoted(utf8[..Encoding.UTF8.GetBytes(text, utf8)]);
        if (rented is not null)
        {
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    private void Escape(byte c)
    {
        Span<byte> target = Room(6);
        target[0] = (byte)'\\';
        byte letter = c switch
        {
            (byte)'"' => (byte)'"',
            (byte)'\\' => (byte)'\\',
            8 => (byte)'b',
            9 => (byte)'t',
            10 => (byte)'n',
            12 => (byte)'f',
            13 => (byte)'r',
            _ => 0,
        };
        if (letter != 0)
        {
            target[1] = letter;
            _position += 2;
            return;
        }

        "u00"u8.CopyTo(target[1..]);
        target[4] = (byte)('0' + (c >> 4));
        target[5] = "0123456789abcdef"u8[c & 15];
        _position += 6;
    }

    private void Start(byte bracket)
    {
        Separate();
        Byte(bracket);
        _depth++;
        _needsComma = false;
    }

    private void End(byte bracket)
    {
        _depth--;
        if (_needsComma && _indentation > 0)
        {
            NewLine();
        }

        Byte(bracket);
        _needsComma = true;
    }

    private void EndName()
    {
        Byte((byte)':');
        if (_indentation > 0)
        {
            Byte((byte)' ');
        }

        _needsComma = false;
        _afterName = true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Separate()
    {
        if (_needsComma)
        {
            Byte((byte)',');
            _needsComma = false;
        }

        if (_indentation > 0)
        {
            SeparateLines();
        }
    }

    private void SeparateLines()
    {
        if (!_afterName && _depth > 0)
        {
            NewLine();
        }

        _afterName = false;
    }

    private void NewLine()
    {
        int spaces = _indentation * _depth;
        Span<byte> target = Room(spaces + 1);
        target[0] = (byte)'\n';
        target.Slice(1, spaces).Fill((byte)' ');
        _position += spaces + 1;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Byte(byte value)
    {
        if (_position == _buffer.Length)
        {
            Refill(1);
        }

        _buffer[_position++] = value;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Span<byte> Room(int bytes)
    {
        if (_buffer.Length - _position < bytes)
        {
            Refill(bytes);
        }

        return _buffer[_position..];
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Copy(scoped ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length <= _buffer.Length - _position)
        {
            bytes.CopyTo(_buffer[_position..]);
            _position += bytes.Length;
            return;
        }

        CopyInPieces(bytes);
    }

    private void CopyInPieces(scoped ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            Span<byte> room = Room(1);
            int length = Math.Min(room.Length, bytes.Length);
            bytes[..length].CopyTo(room);
            _position += length;
            bytes = bytes[length..];
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Refill(int bytes)
    {
        Flush();
        _buffer = _target.GetSpan(Math.Max(bytes, BufferSizeBytesMin));
    }
}
