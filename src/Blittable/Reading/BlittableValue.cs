using System.Runtime.CompilerServices;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;

namespace Raven.Blittable.Reading;

/// <summary>
/// A value inside a document: a handle, no copy, valid as long as the memory of the document. If the value is of
/// another kind, <c>TryGet...</c> returns false and the others throw <see cref="InvalidOperationException"/>.
/// </summary>
public readonly struct BlittableValue
{
    private readonly BlittableDocument _document;
    private readonly int _position;
    private readonly byte _token;

    internal BlittableValue(BlittableDocument document, int position, byte token)
    {
        _document = document;
        _position = position;
        _token = token;
    }

    /// <summary>What the value is.</summary>
    public ValueKind Kind => BlittableToken.ToKind(_token);

    /// <summary>True for JSON's null, and for no value at all.</summary>
    public bool IsNull => Kind is ValueKind.Null or ValueKind.None;

    /// <summary>The memory of the whole document that this value is in.</summary>
    public NativeSlice Memory => _document.Memory;

    /// <summary>Whether both are the same value at the same place of the same document, not merely equal.</summary>
    public bool IsSamePlace(BlittableValue other) =>
        _position == other._position && _token == other._token && Memory == other.Memory;

    internal BlittableDocument Document => _document;

    internal byte Token => _token;

    internal int Position => _position;

    /// <summary>The root value of a document, whose bytes are trusted.</summary>
    public static BlittableValue OpenRoot(NativeSlice document)
    {
        BlittableDocument opened = BlittableDocument.Open(document, out int position, out byte token);
        return new BlittableValue(opened, position, token);
    }

    /// <summary>The value as an object.</summary>
    public BlittableObject AsObject()
    {
        Check(ValueKind.Object);
        return new BlittableObject(_document, _position, _token);
    }

    /// <summary>The value as an array.</summary>
    public BlittableArray AsArray()
    {
        Check(ValueKind.Array);
        return new BlittableArray(_document, _position, _token);
    }

    /// <summary>The value as an object, if it is one.</summary>
    public bool TryGetObject(out BlittableObject value)
    {
        bool found = Kind == ValueKind.Object;
        value = found ? AsObject() : default;
        return found;
    }

    /// <summary>The value as an array, if it is one.</summary>
    public bool TryGetArray(out BlittableArray value)
    {
        bool found = Kind == ValueKind.Array;
        value = found ? AsArray() : default;
        return found;
    }

    /// <summary>True or false, if the value is one of them.</summary>
    public bool TryGetBoolean(out bool value)
    {
        value = _token == BlittableToken.True;
        return value || _token == BlittableToken.False;
    }

    /// <summary>
    /// The value as a whole number, if it is one within 64 bits and written without point and exponent.
    /// </summary>
    public bool TryGetInt64(out long value)
    {
        if ((_token & BlittableToken.KindMask) != BlittableToken.Integer)
        {
            value = 0;
            return false;
        }

        VariableLengthInteger.Read(ref Start, out ulong folded);
        value = VariableLengthInteger.UnZigZag(folded);
        return true;
    }

    /// <summary>The nearest double of any number; false if there is none (1e400) or the value is no number.</summary>
    public bool TryGetDouble(out double value) => BlittableNumber.TryGetDouble(ref Start, _token, out value);

    /// <summary>
    /// Whether the value is a number of so many digits that a double may not hold it: a whole one from 2^53 on, or one
    /// of more than 15 digits. Costs next to nothing.
    /// </summary>
    public bool HasManyDigits => BlittableNumber.HasManyDigits(ref Start, _token);

    /// <summary>The number as System.Decimal, if it is one and fits.</summary>
    public bool TryGetDecimal(out decimal value) => BlittableNumber.TryGetDecimal(ref Start, _token, out value);

    /// <summary>Writes the text of a number exactly as in the source.</summary>
    /// <param name="target">Room for the text; 24 bytes hold any but the longest.</param>
    /// <param name="written">Bytes written.</param>
    /// <returns>False if the value is no number or the room is too small.</returns>
    public bool TryFormatNumber(Span<byte> target, out int written) =>
        BlittableNumber.TryFormat(ref Start, _token, target, out written);

    /// <summary>The text of a string that is stored uncompressed, in place.</summary>
    /// <returns>False if the value is no string, or is compressed: then call <see cref="GetUtf8(Arena)"/>.</returns>
    public bool TryGetUtf8(out ReadOnlySpan<byte> utf8) => BlittableString.TryGetPlain(ref Start, _token, out utf8);

    /// <summary>The text of a string: in place, or decompressed into an arena.</summary>
    /// <exception cref="InvalidOperationException">The value is no string.</exception>
    public NativeSlice GetUtf8(Arena arena)
    {
        ArgumentNullException.ThrowIfNull(arena);
        Check(ValueKind.String);
        if (BlittableString.TryGetPlainRange(ref Start, _token, out int start, out int length))
        {
            return length == 0 ? default : _document.Memory.Slice(_position + start, length);
        }

        NativeSlice text = arena.Allocate(BlittableString.LengthMax(ref Start, _token));
        length = BlittableString.Decompress(ref Start, _token, text.WritableSpan);
        arena.TryExtend(ref text, length);
        return text;
    }

    /// <summary>The most bytes that the text of the string has; exact unless it is compressed.</summary>
    public int Utf8LengthMax
    {
        get
        {
            Check(ValueKind.String);
            return BlittableString.LengthMax(ref Start, _token);
        }
    }

    /// <summary>Copies the text of a string, decompressed, UTF-8.</summary>
    /// <param name="target">At least <see cref="Utf8LengthMax"/> bytes.</param>
    /// <returns>Bytes written.</returns>
    public int CopyUtf8To(Span<byte> target)
    {
        Check(ValueKind.String);
        if (BlittableString.TryGetPlain(ref Start, _token, out ReadOnlySpan<byte> utf8))
        {
            utf8.CopyTo(target);
            return utf8.Length;
        }

        return BlittableString.Decompress(ref Start, _token, target);
    }

    /// <summary>Copies the beginning of the text of a string, UTF-8, and decompresses not much more of it.</summary>
    /// <param name="target">Room for it; the last character may be cut in two.</param>
    /// <returns>Bytes written: all of the target, if the text is not shorter.</returns>
    public int CopyUtf8StartTo(Span<byte> target)
    {
        Check(ValueKind.String);
        if (!BlittableString.TryGetPlain(ref Start, _token, out ReadOnlySpan<byte> utf8))
        {
            return TextPieces.CopyStart(this, target);
        }

        int length = Math.Min(utf8.Length, target.Length);
        utf8[..length].CopyTo(target);
        return length;
    }

    /// <summary>The text of a string; allocates.</summary>
    /// <exception cref="InvalidOperationException">The value is no string.</exception>
    public string GetString()
    {
        Check(ValueKind.String);
        if (BlittableString.TryGetPlain(ref Start, _token, out ReadOnlySpan<byte> utf8))
        {
            return Encoding.UTF8.GetString(utf8);
        }

        if (TextPieces.AreFor(ref Start, _token))
        {
            return TextPieces.ToText(this);
        }

        int room = BlittableString.LengthMax(ref Start, _token);
        Span<byte> text = room <= 512 ? stackalloc byte[512] : new byte[room];
        return Encoding.UTF8.GetString(text[..BlittableString.Decompress(ref Start, _token, text)]);
    }

    /// <summary>The text of a string, if the value is one; allocates.</summary>
    public bool TryGetString(out string value)
    {
        bool found = Kind == ValueKind.String;
        value = found ? GetString() : string.Empty;
        return found;
    }

    /// <summary>True if the value is a string of exactly this text.</summary>
    public bool StringEquals(ReadOnlySpan<byte> utf8)
    {
        if (Kind != ValueKind.String)
        {
            return false;
        }

        if (BlittableString.TryGetPlain(ref Start, _token, out ReadOnlySpan<byte> plain))
        {
            return plain.SequenceEqual(utf8);
        }

        int room = BlittableString.LengthMax(ref Start, _token);
        Span<byte> text = room <= 512 ? stackalloc byte[512] : new byte[room];
        return text[..BlittableString.Decompress(ref Start, _token, text)].SequenceEqual(utf8);
    }

    internal ref byte Start
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref Unsafe.Add(ref _document.First, _position);
    }

    private void Check(ValueKind kind)
    {
        if (Kind != kind)
        {
            ThrowOther(kind);
        }
    }

    private void ThrowOther(ValueKind kind) => throw new InvalidOperationException($"The value is {Kind}, not {kind}.");
}
