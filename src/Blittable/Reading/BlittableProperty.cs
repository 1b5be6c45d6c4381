using System.Text;

namespace Raven.Blittable.Reading;

/// <summary>A property of an object: its name and its value. Valid as long as the document's memory.</summary>
public readonly struct BlittableProperty
{
    private readonly BlittableDocument _document;

    internal BlittableProperty(BlittableDocument document, int namePosition, BlittableValue value)
    {
        _document = document;
        NamePosition = namePosition;
        Value = value;
    }

    /// <summary>The name, UTF-8, unescaped.</summary>
    public ReadOnlySpan<byte> Name => NameTable.TextAt(ref _document.First, NamePosition);

    /// <summary>The value.</summary>
    public BlittableValue Value { get; }

    /// <summary>The place of the stored name in the document.</summary>
    internal int NamePosition { get; }

    internal BlittableDocument Document => _document;

    /// <summary>The name as a string; allocates.</summary>
    public string GetName() => Encoding.UTF8.GetString(Name);
}
