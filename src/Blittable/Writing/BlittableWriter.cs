using System.Globalization;
using System.Text;
using System.Text.Unicode;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;

namespace Raven.Blittable.Writing;

/// <summary>
/// Writes a document value by value, forward only, into an arena: <see cref="Begin"/>, then one value, then
/// <see cref="Finish"/>. In an object each value is named first. One per context; allocates no managed memory once
/// warm. Calls in an impossible order throw <see cref="InvalidOperationException"/>.
/// </summary>
public sealed class BlittableWriter
{
    private readonly DocumentBuilder _builder;
    private bool _named;
    private bool _begun;

    /// <summary>Makes a writer into <paramref name="arena"/>.</summary>
    public BlittableWriter(Arena arena)
    {
        ArgumentNullException.ThrowIfNull(arena);
        _builder = new DocumentBuilder(arena);
    }

    internal DocumentBuilder Builder => _builder;

    /// <summary>Starts a document; an unfinished one is dropped.</summary>
    public void Begin(BlittableMode mode)
    {
        _named = false;
        _begun = true;
        _builder.Begin(mode, 0);
    }

    /// <summary>Starts an object.</summary>
    public void StartObject()
    {
        StartValue();
        CheckDepth();
        _builder.StartObject();
    }

    /// <summary>Ends the innermost object.</summary>
    /// <exception cref="InvalidOperationException">It has two properties of one name.</exception>
    public void EndObject()
    {
        Check(_builder.Depth > 0 && _builder.InObject && !_named, "No object is open here.");
        if (_builder.EndObject() != DocumentBuilder.NoDuplicate)
        {
            ThrowDuplicate();
        }
    }

    /// <summary>Starts an array.</summary>
    public void StartArray()
    {
        StartValue();
        CheckDepth();
        _builder.StartArray();
    }

    /// <summary>Ends the innermost array.</summary>
    public void EndArray()
    {
        Check(_builder.Depth > 0 && !_builder.InObject, "No array is open here.");
        _builder.EndArray();
    }

    /// <summary>Names the next value of the open object.</summary>
    /// <param name="utf8">Valid UTF-8, unescaped.</param>
    public void Name(ReadOnlySpan<byte> utf8)
    {
        Check(_begun && _builder.Depth > 0 && _builder.InObject && !_named, "A name does not belong here.");
        Check(Utf8.IsValid(utf8), "The name is not valid UTF-8.");
        if (!_builder.Name(_builder.Names.Intern(utf8), _builder.ChildCount))
        {
            ThrowDuplicate();
        }

        _named = true;
    }

    /// <summary>Names the next value of the open object.</summary>
    public void Name(ReadOnlySpan<char> name)
    {
        const int onStack = 128;
        Span<byte> utf8 = name.Length <= onStack ? stackalloc byte[onStack * 3] : new byte[name.Length * 3];
        Name(utf8[..Encoding.UTF8.GetBytes(name, utf8)]);
    }

    /// <summary>Writes a string.</summary>
    /// <param name="utf8">Valid UTF-8, unescaped.</param>
    public void String(ReadOnlySpan<byte> utf8)
    {
        StartValue();
        Check(Utf8.IsValid(utf8), "The string is not valid UTF-8.");
        _builder.Strings.Add(utf8);
    }

    /// <summary>Writes a string; half a surrogate pair becomes the replacement character.</summary>
    public void String(ReadOnlySpan<char> text)
    {
        int most = Encoding.UTF8.GetMaxByteCount(text.Length);
        byte[]? rented = most <= 512 ? null : ScratchArrays.Rent(most);
        Span<byte> utf8 = rented is null ? stackalloc byte[512] : rented;
        String(utf8[..Encoding.UTF8.GetBytes(text, utf8)]);
        if (rented is not null)
        {
            ScratchArrays.Return(rented);
        }
    }

    /// <summary>Writes a whole number.</summary>
    public void Number(long value)
    {
        StartValue();
        JsonNumber number = new() { Negative = value < 0, Digits = value < 0 ? (ulong)-value : (ulong)value };
        JsonNumber.Store(_builder, number, default);
    }

    /// <summary>Writes a number by the shortest text that reads back the same.</summary>
    /// <exception cref="ArgumentException">JSON has no NaN and no infinity.</exception>
    public void Number(double value)
    {
        if (!double.IsFinite(value))
        {
            throw new ArgumentException("JSON has no NaN and no infinity.", nameof(value));
        }

        Span<byte> text = stackalloc byte[40];
        value.TryFormat(text, out int written, "R", CultureInfo.InvariantCulture);
        NumberText(text[..written]);
    }

    /// <summary>Writes a number exactly as its text, digit by digit.</summary>
    /// <exception cref="ArgumentException">The text is no JSON number.</exception>
    public void NumberText(ReadOnlySpan<byte> text)
    {
        StartValue();
        Span<byte> padded = text.Length < 64 ? stackalloc byte[128] : new byte[text.Length + 64];
        text.CopyTo(padded);
        padded[text.Length] = (byte)' ';
        if (text.IsEmpty || text[0] is not ((byte)'-' or (>= (byte)'0' and <= (byte)'9')) ||
            JsonNumber.Scan(ref padded[0], 0, text.Length + 1, out JsonNumber number) != text.Length)
        {
            throw new ArgumentException("JSON does not take this for a number.", nameof(text));
        }

        JsonNumber.Store(_builder, number, text);
    }

    /// <summary>Writes true or false.</summary>
    public void Boolean(bool value)
    {
        StartValue();
        _builder.PushWithoutBytes(value ? BlittableToken.True : BlittableToken.False);
    }

    /// <summary>Writes null.</summary>
    public void Null()
    {
        StartValue();
        _builder.PushWithoutBytes(BlittableToken.Null);
    }

    /// <summary>Writes a copy of a value of another document, properties in their original order.</summary>
    public void Value(BlittableValue value)
    {
        StartValue();
        ValueCopier.Copy(_builder, value);
    }

    /// <summary>Ends the document: an object, an array or a scalar.</summary>
    /// <returns>Its root value, in the arena.</returns>
    public BlittableValue Finish()
    {
        Check(_begun && _builder.IsWhole, "The document is not finished.");
        _begun = false;
        return _builder.Finish();
    }

    private void StartValue()
    {
        bool expected = _begun && (_builder.Depth == 0 ? _builder.ChildCount == 0 : !_builder.InObject || _named);
        Check(expected, "A value does not belong here; in an object it needs a name first.");
        _named = false;
    }

    private void CheckDepth() =>
        Check(_builder.Depth < BlittableFormat.DepthMax, "The document nests too deep.");

    private static void Check(bool condition, string message)
    {
        if (!condition)
        {
            Throw(message);
        }
    }

    private static void Throw(string message) => throw new InvalidOperationException(message);

    private static void ThrowDuplicate() => Throw("The object has a property of this name already.");
}
