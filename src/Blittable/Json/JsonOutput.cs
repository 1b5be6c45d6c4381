using System.Buffers;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Blittable.Text;

namespace Raven.Blittable.Json;

/// <summary>
/// Writes JSON piece by piece: answers of handlers, and documents. It adds commas, colons and indentation; the caller
/// has to name every value of an object and to end what it starts. Call <see cref="Flush"/> at the end, and before any
/// other use of the target.
/// </summary>
public ref struct JsonOutput
{
    private const int BufferSizeBytesMin = 1024;

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

    /// <summary>Advances the target by what was written. More may be written after it.</summary>
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

    /// <summary>Names the next value by a name that is JSON already.</summary>
    /// <param name="json">The name in quotes, and the colon.</param>
    public void RawName(scoped ReadOnlySpan<byte> json)
    {
        Separate();
        Copy(json);
        if (_indentation > 0)
        {
            Byte((byte)' ');
        }

        _needsComma = false;
        _afterName = true;
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
        // In one statement the position would be read before Room is called, which may begin a new buffer.
        ref byte target = ref MemoryMarshal.GetReference(Room(NumberText.RoomBytes));
        _position += NumberText.Write(ref target, value);
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
        DocumentOutput output = new(_target, _buffer, property.Document, _options.OriginalOrder);
        _position = output.Name(_position, property.NamePosition);
        _buffer = output.Buffer;
        if (_indentation > 0)
        {
            Byte((byte)' ');
            _afterName = true;
        }

        Value(property.Value);
    }

    /// <summary>Writes properties of an object of a document, in the order of their names.</summary>
    /// <param name="members">The object.</param>
    /// <param name="except">
    /// The place of the one to leave out, as <see cref="BlittableObject.IndexOf"/> returns it; -1 for none.
    /// </param>
    public void Properties(BlittableObject members, int except)
    {
        if (_indentation > 0)
        {
            for (int i = 0; i < members.Count; i++)
            {
                if (i != except)
                {
                    Property(members.GetProperty(i));
                }
            }

            return;
        }

        if (members.Count > (except >= 0 ? 1 : 0))
        {
            Separate();
            DocumentOutput output = new(_target, _buffer, members.Document, _options.OriginalOrder);

            // The comma behind the last one is taken back: it is in this buffer (JSON-3).
            _position = output.Members(_position, members, except) - 1;
            _buffer = output.Buffer;
            _needsComma = true;
        }
    }

    /// <summary>Writes a value of a document, with all that is in it.</summary>
    public void Value(BlittableValue value)
    {
        if (_indentation > 0 && value.TryGetObject(out BlittableObject members) && members.Count > 0)
        {
            Members(members);
            return;
        }

        if (_indentation > 0 && value.TryGetArray(out BlittableArray elements) && elements.Count > 0)
        {
            Elements(elements);
            return;
        }

        Separate();
        DocumentOutput output = new(_target, _buffer, value.Document, _options.OriginalOrder);
        _position = output.Root(_position, value.Position, value.Token);
        _buffer = output.Buffer;
        _needsComma = true;
    }

    private void Members(BlittableObject members)
    {
        StartObject();
        OriginalOrder order = _options.OriginalOrder
            ? new OriginalOrder(members, stackalloc ulong[OriginalOrder.OnStack])
            : default;
        for (int i = 0; i < members.Count; i++)
        {
            Property(members.GetProperty(_options.OriginalOrder ? order[i] : i));
        }

        order.Release();
        EndObject();
    }

    private void Elements(BlittableArray elements)
    {
        StartArray();
        for (int i = 0; i < elements.Count; i++)
        {
            Value(elements.ElementAt(i));
        }

        EndArray();
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
        byte[]? rented = most <= onStack ? null : ScratchArrays.Rent(most);
        Span<byte> utf8 = rented is null ? stackalloc byte[onStack] : rented;
        Quoted(utf8[..Encoding.UTF8.GetBytes(text, utf8)]);
        if (rented is not null)
        {
            ScratchArrays.Return(rented);
        }
    }

    private void Escape(byte character)
    {
        ref byte target = ref MemoryMarshal.GetReference(Room(8));
        _position += EscapeText.Write(ref target, character);
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
