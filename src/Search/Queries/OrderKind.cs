namespace Raven.Search.Queries;

/// <summary>What results are ordered by.</summary>
public enum OrderKind
{
    /// <summary>The values of a field: null, false, true, numbers by size, texts by their bytes.</summary>
    Value,

    /// <summary>The numbers of a field; other values count as missing.</summary>
    Number,

    /// <summary>The texts of a field, with runs of digits compared as numbers.</summary>
    AlphaNumeric,

    /// <summary>How well an entry matches the query.</summary>
    Score,

    /// <summary>Random, the same for the same seed.</summary>
    Random,

    /// <summary>The values of a field, as <see cref="OrderKey.Comparator"/> orders them.</summary>
    Custom,

    /// <summary>The distance of the nearest point of a field from a point.</summary>
    Distance,

    /// <summary>The values of a field as texts, also numbers: 10 before 9.</summary>
    Text,
}
