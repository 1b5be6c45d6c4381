namespace Raven.Server.Http.Cluster;

/// <summary>On which nodes a database is to be.</summary>
/// <param name="Factor">On how many, 1 at least.</param>
/// <param name="Tags">On which, the first primary first; empty: the cluster chooses.</param>
public sealed record DatabasePlacement(int Factor, IReadOnlyList<string> Tags)
{
    /// <summary>The node that is its first primary if the cluster chooses: the one that was asked; null for the one
    /// that does it.</summary>
    public string? First { get; init; }
}
