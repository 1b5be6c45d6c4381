namespace Raven.Server.Indexing.Definitions;

/// <summary>A field of an index that was made by a query.</summary>
/// <param name="Path">The path of the values in the documents, as queries write it; fields of an auto index are named
/// so. Empty for a count.</param>
/// <param name="HasExact">Whether the values are kept as they are, too.</param>
/// <param name="HasSearch">Whether their words are kept, too.</param>
internal sealed record AutoField(string Path, bool HasExact, bool HasSearch)
{
    /// <summary>What it is in an index that groups.</summary>
    internal AggregateKind Aggregate { get; init; }

    /// <summary>Whether a key that leads through an array is all of its values together: <c>array(Lines[].Product)</c>.
    /// Else each item is in a group of its own.</summary>
    internal bool IsWhole { get; init; }

    /// <summary>Where the places are that a spatial field holds, whose path is its name; null for others.</summary>
    internal AutoPlace? Place { get; init; }

    /// <summary>Where the vectors are that a field of vectors holds, whose path is its name; null for others.</summary>
    internal AutoVector? Vector { get; init; }

    /// <summary>Its name: of a count <c>Count</c>, else the path.</summary>
    internal string Name => Aggregate == AggregateKind.Count ? "Count" : Path;

    /// <summary>Whether this field answers all that the other one does.</summary>
    internal bool Covers(AutoField other) =>
        Path == other.Path && IsWhole == other.IsWhole && Aggregate == other.Aggregate && (HasExact || !other.HasExact)
        && (HasSearch || !other.HasSearch);
}
