namespace Raven.Server.Http.Cluster;

/// <summary>A node in the group of a database. Immutable.</summary>
/// <param name="Node">The node.</param>
/// <param name="Role">What it is in the group.</param>
public sealed record GroupNode(NodeView Node, GroupRole Role);
