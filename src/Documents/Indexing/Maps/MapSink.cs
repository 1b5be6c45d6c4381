using System.Globalization;
using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Definitions;

namespace Raven.Documents.Indexing.Maps;

/// <summary>
/// Takes the entries of maps: named values. Adding to a field several times gives it several values; a value that is an
/// array adds all of its items. One thread at a time; values are copied before a call returns.
/// </summary>
internal abstract class MapSink
{
    /// <summary>Memory of the current document: freed when its map returns.</summary>
    internal abstract OperationContext Context { get; }

    /// <summary>Whether a missing value counts as null.</summary>
    internal virtual bool MissingAreNull => false;

    /// <summary>
    /// The field with a name, with the options of the definition. To be called once for each name: keep the field.
    /// </summary>
    internal abstract MapField Field(string name);

    /// <summary>
    /// The field with a name whose options the map itself gives (CreateField). If the field exists already,
    /// its options stay.
    /// </summary>
    internal abstract MapField Field(string name, IndexFieldOptions options);

    /// <summary>Begins an entry of the document.</summary>
    internal abstract void BeginEntry();

    /// <summary>Adds a stored value: text, number, true, false, null; the items of an array; an object as
    /// its JSON.</summary>
    internal abstract void Add(MapField field, BlittableValue value);

    /// <summary>Adds a text, UTF-8.</summary>
    internal abstract void Add(MapField field, ReadOnlySpan<byte> text);

    internal abstract void Add(MapField field, string text);

    /// <summary>Adds an integer.</summary>
    internal abstract void Add(MapField field, long value);

    /// <summary>Adds a number.</summary>
    internal abstract void Add(MapField field, double value);

    /// <summary>Adds a decimal: stored with all of its digits, and searched as a double, or as a
    /// whole number.</summary>
    internal virtual void Add(MapField field, decimal value)
    {
        if (decimal.IsInteger(value) && value is >= long.MinValue and <= long.MaxValue
            && decimal.Abs(value) >= 1L << 53)
        {
            Add(field, (long)value);
        }
        else
        {
            Add(field, (double)value);
        }
    }

    /// <summary>Adds a boolean.</summary>
    internal abstract void Add(MapField field, bool value);

    /// <summary>Adds a duration: its text, and for searches also its ticks, by which it is ordered
    /// and compared.</summary>
    internal virtual void AddDuration(MapField field, TimeSpan value) =>
        Add(field, value.ToString("c", CultureInfo.InvariantCulture));

    internal abstract void AddNull(MapField field);

    /// <summary>Adds a point, in degrees.</summary>
    /// <exception cref="FormatException">It is no point on earth.</exception>
    internal virtual void AddPoint(MapField field, double latitude, double longitude) =>
        throw new NotSupportedException("Spatial fields cannot be made here.");

    /// <summary>Adds a shape in well-known text.</summary>
    /// <exception cref="FormatException">The text is no shape.</exception>
    internal virtual void AddShape(MapField field, string wellKnownText) =>
        throw new NotSupportedException("Spatial fields cannot be made here.");

    /// <summary>
    /// Adds a vector, or several. A value that is no vector, or has other dimensions than the field, goes
    /// to <see cref="RefuseVector"/>.
    /// </summary>
    internal virtual void AddVector(MapField field, MapVector vector) =>
        throw new NotSupportedException("Fields of vectors cannot be made here.");

    /// <summary>
    /// Adds an error to the index: a value of the current document is no vector. At most one for each document, which
    /// stays in the index with its other values.
    /// </summary>
    internal virtual void RefuseVector(MapField field, string problem) =>
        throw new NotSupportedException("Fields of vectors cannot be made here.");

    /// <summary>Begins a list: values that are added to the field until its end are its items, which are searched as if
    /// they were added one by one, and stored as a list.</summary>
    internal virtual void BeginList(MapField field)
    {
    }

    internal virtual void EndList(MapField field)
    {
    }

    internal abstract void EndEntry();

    /// <summary>Notes that the map has read another document: when that changes, this one is mapped again.</summary>
    /// <param name="id">The id of the other document in any case, UTF-8; the document may be missing.</param>
    /// <param name="collection">The collection that the map names for it.</param>
    internal abstract void AddReference(ReadOnlySpan<byte> id, string collection);

    /// <summary>Notes that the map has read a compare-exchange value: when that changes, its document is
    /// mapped again.</summary>
    /// <param name="key">The key in any case, UTF-8; the value may be missing.</param>
    internal abstract void AddValueReference(ReadOnlySpan<byte> key);
}
