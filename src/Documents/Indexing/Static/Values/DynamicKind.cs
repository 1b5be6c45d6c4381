namespace Raven.Documents.Indexing.Static.Values;

/// <summary>The kinds of a <see cref="DynamicValue"/>.</summary>
internal enum DynamicKind : byte
{
    /// <summary>There is no such value: its members are missing too, and it adds nothing to an index.</summary>
    Missing = 0,

    /// <summary>A null of the document or the map.</summary>
    Null,

    /// <summary>A boolean.</summary>
    Boolean,

    /// <summary>A 64-bit integer.</summary>
    Integer,

    /// <summary>A double.</summary>
    Real,

    /// <summary>A decimal.</summary>
    Decimal,

    /// <summary>A string that the map made.</summary>
    Text,

    /// <summary>A string of the document, in place.</summary>
    StoredText,

    /// <summary>A point in time without an offset.</summary>
    Date,

    /// <summary>A point in time with an offset.</summary>
    DateOffset,

    /// <summary>A duration.</summary>
    Duration,

    /// <summary>An object of the document, in place.</summary>
    StoredObject,

    /// <summary>An array of the document, in place.</summary>
    StoredArray,

    /// <summary>An object that the map made.</summary>
    Record,

    /// <summary>A sequence that the map made.</summary>
    Sequence,

    /// <summary>A field whose name the map gives: <c>CreateField</c>.</summary>
    Field,

    /// <summary>A place on earth: <c>CreateSpatialField</c>.</summary>
    Shape,

    /// <summary>Vectors of numbers: <c>CreateVector</c>.</summary>
    Vector,

    /// <summary>An object of a type that an additional source defines.</summary>
    Foreign,
}
