using System.Buffers.Binary;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;

namespace Raven.Documents.Values;

//   null    'z'
//   true    't'       false  'f'
//   number  'n', 0 or 1 for a negative one, int64 exponent, int32 length, digits (ExactNumber)
//   text    's', int32 length, UTF-8
//   array   'a', int32 count, its values
//   object  'o', int32 count; for each property, by name: int32 length, UTF-8, its value
//   Integers are big-endian.

/// <summary>
/// Values of documents as bytes that are the same if the values are equal: numbers by their exact value, objects in any
/// order of their properties. A buffer that is used again. Not thread-safe.
/// </summary>
internal sealed class ValueBytes
{
    private byte[] _bytes = new byte[1024];

    /// <summary>How many bytes there are.</summary>
    internal int Length { get; private set; }

    /// <summary>Some of the bytes, valid until the next call.</summary>
    internal ReadOnlySpan<byte> Of(int start, int length) => _bytes.AsSpan(start, length);

    /// <summary>Drops all bytes from a place on.</summary>
    internal void TruncateTo(int length) => Length = length;

    /// <summary>Adds bytes as they are.</summary>
    internal void Add(ReadOnlySpan<byte> bytes) => bytes.CopyTo(Grow(bytes.Length));

    /// <summary>Adds a value.</summary>
    /// <param name="value">The value.</param>
    /// <param name="ignoresCase">Whether texts are the same in upper and lower case; names never are.</param>
    internal void Add(BlittableValue value, bool ignoresCase)
    {
        switch (value.Kind)
        {
            case ValueKind.String:
                AddText(value, ignoresCase);
                break;
            case ValueKind.Integer or ValueKind.Number:
                AddNumber(value);
                break;
            case ValueKind.Array:
                BlittableArray array = value.AsArray();
                AddHead((byte)'a', array.Count);
                for (int i = 0; i < array.Count; i++)
                {
                    Add(array[i], ignoresCase);
                }

                break;
            case ValueKind.Object:
                AddObject(value.AsObject(), ignoresCase);
                break;
            default:
                Grow(1)[0] = !value.TryGetBoolean(out bool isTrue) ? (byte)'z' : isTrue ? (byte)'t' : (byte)'f';
                break;
        }
    }

    /// <summary>Adds an object without one of its properties.</summary>
    internal void Add(BlittableObject value, int without) => AddObject(value, ignoresCase: false, without);

    /// <summary>Adds a text.</summary>
    internal void AddText(ReadOnlySpan<byte> utf8)
    {
        AddHead((byte)'s', utf8.Length);
        Add(utf8);
    }

    private void AddObject(BlittableObject value, bool ignoresCase, int without = -1)
    {
        AddHead((byte)'o', value.Count - (without >= 0 ? 1 : 0));
        for (int i = 0; i < value.Count; i++)
        {
            if (i == without)
            {
                continue;
            }

            BlittableProperty property = value.GetProperty(i);
            BinaryPrimitives.WriteInt32BigEndian(Grow(sizeof(int)), property.Name.Length);
            property.Name.CopyTo(Grow(property.Name.Length));
            Add(property.Value, ignoresCase);
        }
    }

    private void AddText(BlittableValue value, bool ignoresCase)
    {
        const int headLength = 1 + sizeof(int);
        int start = Length;
        int roomLength = value.Utf8LengthMax;
        int length = value.CopyUtf8To(Grow(headLength + roomLength)[headLength..]);
        Length = start + headLength + length;
        if (ignoresCase)
        {
            length = Fold(start + headLength, length);
        }

        _bytes[start] = (byte)'s';
        BinaryPrimitives.WriteInt32BigEndian(_bytes.AsSpan(start + 1), length);
    }

    /// <summary>Folds the text at the end, whose length may change by that.</summary>
    private int Fold(int start, int length)
    {
        Span<byte> text = _bytes.AsSpan(start, length);
        if (Ascii.IsValid(text))
        {
            Ascii.ToUpperInPlace(text, out _);
            return length;
        }

        byte[] copy = text.ToArray();
        Length = start;
        for (int at = 0; at < copy.Length;)
        {
            Rune.DecodeFromUtf8(copy.AsSpan(at), out Rune rune, out int consumed);
            at += consumed;
            const int runeLengthMax = 4;
            int written = Rune.ToLowerInvariant(Rune.ToUpperInvariant(rune)).EncodeToUtf8(Grow(runeLengthMax));
            Length -= runeLengthMax - written;
        }

        // The letters of ASCII are upper case above.
        Span<byte> folded = _bytes.AsSpan(start, Length - start);
        foreach (ref byte one in folded)
        {
            one = one is >= (byte)'a' and <= (byte)'z' ? (byte)(one - 0x20) : one;
        }

        return folded.Length;
    }

    private void AddNumber(BlittableValue value)
    {
        const int headLength = 2 + sizeof(long) + sizeof(int);
        int start = Length;
        int room = 64;
        int written;

        // The text, and behind it room for its digits; both are replaced by what is kept.
        while (!value.TryFormatNumber(Grow(room), out written))
        {
            Length = start;
            room *= 4;
        }

        Length = start + written;
        Grow(written + headLength);
        ExactNumber number = ExactNumber.Read(_bytes.AsSpan(start, written), _bytes.AsSpan(start + written, written));
        bool isNegative = number.IsNegative;
        long exponent = number.Exponent;
        int length = number.Digits.Length;
        Length = start;
        Grow(headLength + length);
        _bytes.AsSpan(start + written, length).CopyTo(_bytes.AsSpan(start + headLength));
        Span<byte> head = _bytes.AsSpan(start, headLength);
        head[0] = (byte)'n';
        head[1] = isNegative ? (byte)1 : (byte)0;
        BinaryPrimitives.WriteInt64BigEndian(head[2..], exponent);
        BinaryPrimitives.WriteInt32BigEndian(head[(2 + sizeof(long))..], length);
        Length = start + headLength + length;
    }

    private void AddHead(byte tag, int count)
    {
        Span<byte> head = Grow(1 + sizeof(int));
        head[0] = tag;
        BinaryPrimitives.WriteInt32BigEndian(head[1..], count);
    }

    private Span<byte> Grow(int length)
    {
        int needed = checked(Length + length);
        if (needed > _bytes.Length)
        {
            Array.Resize(ref _bytes, Math.Max(needed, (int)Math.Min(Array.MaxLength, _bytes.Length * 2L)));
        }

        Span<byte> grown = _bytes.AsSpan(Length, length);
        Length = needed;
        return grown;
    }
}
