namespace Raven.Search.Fields;

/// <summary>How the numbers of a field's vectors are kept. Written to disk.</summary>
public enum VectorFormat : byte
{
    /// <summary>The field has no vectors.</summary>
    None = 0,

    /// <summary>32-bit floating point numbers of a vector of length 1.</summary>
    Single = 1,

    /// <summary>A byte a number, of which the greatest is 127.</summary>
    Int8 = 2,

    /// <summary>A bit a number: whether it is not negative.</summary>
    Binary = 3,
}
