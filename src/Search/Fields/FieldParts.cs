namespace Raven.Search.Fields;

/// <summary>What a field's blob has besides terms and the entries that hold them. Written to disk.</summary>
[Flags]
internal enum FieldParts
{
    None = 0,

    /// <summary>Frequencies, positions and lengths, for scoring and phrases.</summary>
    Words = 1,

    /// <summary>The ordinals of each entry's terms.</summary>
    Column = 2,

    /// <summary>Some entry has more than one term in the column.</summary>
    ManyValues = 4,

    /// <summary>Vectors, and nothing else.</summary>
    Vectors = 8,

    /// <summary>Some numbers are the ticks of lengths of time.</summary>
    Durations = 16,
}
