namespace Raven.Server.Indexing.Definitions;

/// <summary>What a field of an index is that groups. Written to disk by name.</summary>
internal enum AggregateKind
{
    /// <summary>The index does not group.</summary>
    None,

    /// <summary>A value that it groups by.</summary>
    Key,

    /// <summary>How many documents a group has.</summary>
    Count,

    /// <summary>The sum of a group's values.</summary>
    Sum,
}
