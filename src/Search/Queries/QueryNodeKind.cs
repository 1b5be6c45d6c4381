namespace Raven.Search.Queries;

/// <summary>What a node of a query does.</summary>
internal enum QueryNodeKind : byte
{
    All,
    None,
    Equal,
    In,
    Range,
    Prefix,
    Suffix,
    Wildcard,
    Regex,
    Exists,
    Search,
    Phrase,
    Fuzzy,
    Spatial,
    Vector,
    Fuse,
    And,
    Or,
    Intersect,
    Not,
    Boost,
}
