using System.Diagnostics;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Maps;

namespace Raven.Documents.Indexing.Static.Values;

/// <summary>
/// A value in a map: one of the document, read in place, or one that the map made. A plain struct, so that reading
/// properties and scalars allocates nothing. A missing member is <see cref="DynamicKind.Missing"/>, and so are its
/// members. Valid as long as the document is.
/// </summary>
public readonly struct DynamicValue
{
    private readonly object? _object;
    private readonly long _bits;
    private readonly BlittableValue _stored;
    private readonly DynamicKind _kind;

    private DynamicValue(DynamicKind kind, long bits)
    {
        _kind = kind;
        _bits = bits;
    }

    private DynamicValue(DynamicKind kind, object value)
    {
        _kind = kind;
        _object = value;
    }

    private DynamicValue(DynamicKind kind, BlittableValue stored, object? document)
    {
        _kind = kind;
        _stored = stored;
        _object = document;
    }

    private DynamicValue(double nearest, BlittableValue stored)
        : this(DynamicKind.Real, BitConverter.DoubleToInt64Bits(nearest)) => _stored = stored;

    /// <summary>The kind of the value.</summary>
    internal DynamicKind Kind => _kind;

    /// <summary>A null, which is not missing.</summary>
    public static DynamicValue Null => new(DynamicKind.Null, 0L);

    /// <summary>A missing value.</summary>
    public static DynamicValue Missing => default;

    /// <summary>True if it is null or missing.</summary>
    public bool IsNull => _kind <= DynamicKind.Null;

    /// <summary>Whether the value counts as true in a condition: the boolean true, or the text of it.</summary>
    public bool IsTrue => _kind == DynamicKind.Boolean
        ? _bits != 0
        : IsText && bool.TryParse(ToText(), out bool isTrue) && isTrue;

    /// <summary>True for a whole number, a double and a decimal.</summary>
    public bool IsNumber => _kind is DynamicKind.Integer or DynamicKind.Real or DynamicKind.Decimal;

    /// <summary>True for strings.</summary>
    public bool IsText => _kind is DynamicKind.Text or DynamicKind.StoredText;

    /// <summary>True for an array or a sequence, whose items can be enumerated.</summary>
    public bool IsSequence => _kind is DynamicKind.StoredArray or DynamicKind.Sequence;

    /// <summary>The value in the document; empty for a scalar that was read, unless it is a number of more digits than
    /// a double has.</summary>
    public BlittableValue Stored => _stored;

    /// <summary>Whether it is a number of a document that may have more digits than a double.</summary>
    internal bool HasMoreDigits => _kind == DynamicKind.Real && _stored.Kind == ValueKind.Number;

    internal object? Object => _object;

    internal long Integer => _bits;

    internal double Real => BitConverter.Int64BitsToDouble(_bits);

    internal bool Boolean => _bits != 0;

    internal decimal Decimal => (decimal)_object!;

    internal DateTime Date => DateTime.FromBinary(_bits);

    internal DateTimeOffset DateOffset => (DateTimeOffset)_object!;

    internal TimeSpan Duration => new(_bits);

    /// <summary>The document that this is the root of; null for any other value.</summary>
    internal MappedDocument? Document => _object as MappedDocument;

    /// <summary>Makes a boolean.</summary>
    public static DynamicValue Of(bool value) => new(DynamicKind.Boolean, value ? 1 : 0);

    /// <summary>Makes an integer.</summary>
    public static DynamicValue Of(long value) => new(DynamicKind.Integer, value);

    /// <summary>Makes a double.</summary>
    public static DynamicValue Of(double value) => new(DynamicKind.Real, BitConverter.DoubleToInt64Bits(value));

    /// <summary>Makes a decimal.</summary>
    public static DynamicValue Of(decimal value) => new(DynamicKind.Decimal, (object)value);

    /// <summary>Makes a string; null gives <see cref="Null"/>.</summary>
    public static DynamicValue Of(string? value) => value is null ? Null : new(DynamicKind.Text, value);

    /// <summary>Makes a point in time.</summary>
    public static DynamicValue Of(DateTime value) => new(DynamicKind.Date, value.ToBinary());

    /// <summary>Makes a point in time with its offset.</summary>
    public static DynamicValue Of(DateTimeOffset value) => new(DynamicKind.DateOffset, (object)value);

    /// <summary>Makes a duration.</summary>
    public static DynamicValue Of(TimeSpan value) => new(DynamicKind.Duration, value.Ticks);

    /// <summary>Makes a sequence, which may be enumerated more than once.</summary>
    public static DynamicValue Of(IEnumerable<DynamicValue> values) => new(DynamicKind.Sequence, values);

    /// <summary>Makes an object of a map.</summary>
    public static DynamicValue Of(DynamicRecord record) => new(DynamicKind.Record, record);

    /// <summary>Makes a field whose name the map gives.</summary>
    internal static DynamicValue Of(DynamicField field) => new(DynamicKind.Field, field);

    /// <summary>Makes a point or shape on earth.</summary>
    internal static DynamicValue Of(DynamicShape shape) => new(DynamicKind.Shape, shape);

    /// <summary>Makes vectors of numbers.</summary>
    internal static DynamicValue Of(DynamicVector vector) => new(DynamicKind.Vector, vector);

    /// <summary>Makes an array of values.</summary>
    public static DynamicValue List(params DynamicValue[] values) => new(DynamicKind.Sequence, values);

    /// <summary>Makes a value of a document: scalars are read at once, texts, objects and arrays in place.</summary>
    public static DynamicValue Of(BlittableValue stored)
    {
        switch (stored.Kind)
        {
            case ValueKind.String:
                return new(DynamicKind.StoredText, stored, null);
            case ValueKind.Object:
                return new(DynamicKind.StoredObject, stored, null);
            case ValueKind.Integer when stored.TryGetInt64(out long integer):
                return Of(integer);
            case ValueKind.Integer or ValueKind.Number:
                return !stored.TryGetDouble(out double number) ? new(Beyond(stored), stored)
                    : stored.HasManyDigits ? new(number, stored)
                    : Of(number);
            case ValueKind.Array:
                return new(DynamicKind.StoredArray, stored, null);
            case ValueKind.True or ValueKind.False:
                return Of(stored.Kind == ValueKind.True);
            default:
                return stored.Kind == ValueKind.Null ? Null : default;
        }
    }

    /// <summary>
    /// The double of a number beyond the largest one, such as 1e400: infinity. The value itself is kept
    /// with its digits.
    /// </summary>
    private static double Beyond(BlittableValue stored) =>
        DoubleOverflow.IsNegative(stored) ? double.NegativeInfinity : double.PositiveInfinity;

    internal static DynamicValue Of(BlittableObject root, MappedDocument document) =>
        new(DynamicKind.StoredObject, root.AsValue(), document);

    internal static DynamicValue OfForeign(object value) => new(DynamicKind.Foreign, value);

    /// <summary>A member: a property of an object, or one that every value of its kind has (Length,
    /// Year, ...).</summary>
    public DynamicValue Get(DynamicMember member)
    {
        Debug.Assert(member is not null);
        if (_kind != DynamicKind.StoredObject)
        {
            return DynamicMembers.Get(this, member.Name);
        }

        return _stored.AsObject().TryGet(member.Hint, out BlittableValue value) ? Of(value)
            : member.IsOfObjects ? DynamicMembers.Get(this, member.Name)
            : default;
    }

    /// <summary>A property by its name, or an element by its index; missing if there is none.</summary>
    public DynamicValue At(DynamicValue index)
    {
        if (index.Kind == DynamicKind.Integer)
        {
            return DynamicMembers.ElementAt(this, index.Integer);
        }

        string name = index.ToText() ?? string.Empty;
        return _kind == DynamicKind.StoredObject && TryGetStored(name, out BlittableValue value)
            ? Of(value)
            : DynamicMembers.Get(this, name);
    }

    /// <summary>The text itself, or the text of any other scalar as it is written; null for null.</summary>
    public string? ToText() => _kind switch
    {
        DynamicKind.Text => (string)_object!,
        DynamicKind.StoredText => _stored.GetString(),
        _ => DynamicText.Format(this, null),
    };

    /// <inheritdoc/>
    public override string ToString() => ToText() ?? string.Empty;

    /// <summary>Converts to a text, for calls of additional sources.</summary>
    public static implicit operator string?(DynamicValue value) => value.ToText();

    /// <summary>Converts to a boolean, for calls of additional sources.</summary>
    public static implicit operator bool(DynamicValue value) => value.IsTrue;

    /// <summary>Converts to a 32-bit integer, for calls of additional sources.</summary>
    public static implicit operator int(DynamicValue value) => checked((int)DynamicNumbers.ToInteger(value));

    /// <summary>Converts to a 64-bit integer, for calls of additional sources.</summary>
    public static implicit operator long(DynamicValue value) => DynamicNumbers.ToInteger(value);

    /// <summary>Converts to a double, for calls of additional sources.</summary>
    public static implicit operator double(DynamicValue value) => DynamicNumbers.ToReal(value);

    /// <summary>Converts to a decimal, for calls of additional sources.</summary>
    public static implicit operator decimal(DynamicValue value) => DynamicNumbers.ToExact(value);

    /// <summary>Converts to a time, for calls of additional sources.</summary>
    public static implicit operator DateTime(DynamicValue value) =>
        DynamicDates.TryRead(value, out DateTimeOffset time) ? time.DateTime : default;

    internal bool TryGetStored(string name, out BlittableValue value)
    {
        Span<byte> utf8 = name.Length <= 128 ? stackalloc byte[384] : new byte[name.Length * 3];
        return _stored.AsObject().TryGet(utf8[..Encoding.UTF8.GetBytes(name, utf8)], out value);
    }
}
