namespace Raven.Cluster.Records;

/// <summary>The rules for a node's tag.</summary>
public static class NodeTag
{
    /// <summary>The most letters.</summary>
    public const int LengthMax = 4;

    /// <summary>True if a node may have this tag: one to four of A to Z.</summary>
    /// <param name="tag">The tag.</param>
    public static bool IsValid(ReadOnlySpan<char> tag) =>
        tag.Length is > 0 and <= LengthMax && !tag.ContainsAnyExceptInRange('A', 'Z');
}
