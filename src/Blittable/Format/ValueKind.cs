namespace Raven.Blittable.Format;

/// <summary>The kind of a value for readers. Its stored form is in the token, see docs/formats/blittable.md.</summary>
public enum ValueKind : byte
{
    /// <summary>No value: what <c>default(BlittableValue)</c> is.</summary>
    None,
    Null,
    False,
    True,

    /// <summary>A whole number within 64 bits, written without point and exponent.</summary>
    Integer,

    /// <summary>Any other number; its text is kept digit by digit.</summary>
    Number,
    String,
    Object,
    Array,
}
