namespace Raven.Documents.Indexing.Definitions;

/// <summary>The role of a field in an index that groups. Written to disk by name.</summary>
internal enum AggregateKind
{
    /// <summary>The index does not group.</summary>
    None,

    /// <summary>A value of the group's key.</summary>
    Key,

    /// <summary>How many documents a group has.</summary>
    Count,

    /// <summary>The sum of a group's values.</summary>
    Sum,
}
