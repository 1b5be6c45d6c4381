namespace Raven.Search.Queries;

/// <summary>One value of a node: a text as the user wrote it, or a term.</summary>
internal struct QueryValue
{
    internal int Start;
    internal int Length;
    internal ValueKind Kind;

    internal enum ValueKind : byte
    {
        /// <summary>No bound, of a range that is open on one side.</summary>
        Open,

        /// <summary>UTF-8, for the field's analyzer.</summary>
        Text,

        /// <summary>A term of a number, a boolean or null.</summary>
        Term,

        /// <summary>A vector of floating point numbers.</summary>
        Singles,

        /// <summary>A vector of bytes with a sign.</summary>
        SignedBytes,

        /// <summary>A vector of bits.</summary>
        Bits,
    }
}
