namespace Raven.Documents.Indexing.Definitions;

/// <summary>A field of an automatic index.</summary>
/// <param name="Path">The path of the values in the documents, as queries write it; fields of an auto index are named
/// so. Empty for a count.</param>
/// <param name="HasExact">Whether the exact values are kept, too.</param>
/// <param name="HasSearch">Whether their words are kept, too.</param>
internal sealed record AutoField(string Path, bool HasExact, bool HasSearch)
{
    /// <summary>The role of the field in an index that groups.</summary>
    internal AggregateKind Aggregate { get; init; }

    /// <summary>Whether a key with an array in its path is all of its values together: <c>array(Lines[].Product)</c>.
    /// Otherwise each item is in a group of its own.</summary>
    internal bool IsWhole { get; init; }

    /// <summary>The paths of the points or shapes of a spatial field, whose path is its name; null
    /// for others.</summary>
    internal AutoSpatial? Spatial { get; init; }

    /// <summary>The path and format of a field of vectors, whose path is its name; null for others.</summary>
    internal AutoVector? Vector { get; init; }

    /// <summary>Its name: of a count <c>Count</c>, else the path.</summary>
    internal string Name => Aggregate == AggregateKind.Count ? "Count" : Path;

    /// <summary>Whether this field answers all that the other one does.</summary>
    internal bool Covers(AutoField other) =>
        Path == other.Path && IsWhole == other.IsWhole && Aggregate == other.Aggregate && (HasExact || !other.HasExact)
        && (HasSearch || !other.HasSearch);
}
