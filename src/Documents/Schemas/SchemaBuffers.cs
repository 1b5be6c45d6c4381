using System.Text;
using System.Text.RegularExpressions;
using Raven.Blittable.Reading;
using Raven.Documents.Values;
using Raven.Scripting;

namespace Raven.Documents.Schemas;

/// <summary>Texts and values of a check as bytes and characters, in memory that is used again.</summary>
internal sealed class SchemaBuffers
{
    private readonly ValueBytes _bytes = new();
    private byte[] _name = [];
    private int _nameLength;
    private byte[] _utf8 = new byte[256];
    private char[] _chars = new char[256];

    /// <summary>Sets the name that is checked.</summary>
    internal void SetName(ReadOnlySpan<byte> name)
    {
        if (name.Length > _name.Length)
        {
            _name = new byte[name.Length];
        }

        name.CopyTo(_name);
        _nameLength = name.Length;
    }

    /// <summary>The text of a name, or of a value that is one; valid until the next call.</summary>
    internal ReadOnlySpan<byte> TextOf(in SchemaInstance value)
    {
        if (value.IsName)
        {
            return _name.AsSpan(0, _nameLength);
        }

        if (value.Value.TryGetUtf8(out ReadOnlySpan<byte> plain))
        {
            return plain;
        }

        int room = value.Value.Utf8LengthMax;
        if (room > _utf8.Length)
        {
            _utf8 = new byte[room];
        }

        return _utf8.AsSpan(0, value.Value.CopyUtf8To(_utf8));
    }

    /// <summary>Whether a value is one of some.</summary>
    /// <param name="values">The values, as bytes.</param>
    /// <param name="value">The value.</param>
    /// <param name="length">How many bytes were compared.</param>
    internal bool IsOneOf(byte[][] values, in SchemaInstance value, out int length)
    {
        _bytes.TruncateTo(0);
        if (value.IsName)
        {
            _bytes.AddText(_name.AsSpan(0, _nameLength));
        }
        else if (value.Hidden >= 0)
        {
            _bytes.Add(value.Value.AsObject(), value.Hidden);
        }
        else
        {
            _bytes.Add(value.Value, ignoresCase: false);
        }

        length = _bytes.Length + values.Length;
        ReadOnlySpan<byte> bytes = _bytes.Of(0, _bytes.Length);
        foreach (byte[] one in values)
        {
            if (bytes.SequenceEqual(one))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether no two items are equal.</summary>
    internal bool AreUnique(BlittableArray items)
    {
        _bytes.TruncateTo(0);
        var places = new (int Start, int Length)[items.Count];
        for (int i = 0; i < places.Length; i++)
        {
            int start = _bytes.Length;
            _bytes.Add(items[i], ignoresCase: false);
            places[i] = (start, _bytes.Length - start);
        }

        Array.Sort(places, (one, other) =>
            _bytes.Of(one.Start, one.Length).SequenceCompareTo(_bytes.Of(other.Start, other.Length)));
        for (int i = 1; i < places.Length; i++)
        {
            if (_bytes.Of(places[i].Start, places[i].Length).SequenceEqual(
                _bytes.Of(places[i - 1].Start, places[i - 1].Length)))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Whether a pattern matches a text; null if it took too long to find out.</summary>
    internal bool? Matches(TextPattern pattern, ReadOnlySpan<byte> utf8)
    {
        if (utf8.Length > _chars.Length)
        {
            _chars = new char[utf8.Length];
        }

        try
        {
            return pattern.Matches(_chars.AsSpan(0, Encoding.UTF8.GetChars(utf8, _chars)));
        }
        catch (RegexMatchTimeoutException)
        {
            return null;
        }
    }
}
