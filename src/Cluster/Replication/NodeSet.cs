using System.Numerics;

namespace Raven.Cluster.Replication;

/// <summary>A set of the nodes of a group. A node is a number below 64, which its shell has for its tag.</summary>
/// <param name="Bits">Bit n: node n is in it.</param>
public readonly record struct NodeSet(ulong Bits)
{
    /// <summary>Nodes that a group can have.</summary>
    public const int NodesMax = 64;

    /// <summary>How many nodes are in it.</summary>
    public int Count => BitOperations.PopCount(Bits);

    /// <summary>The lowest of them; 64 if there is none.</summary>
    public int First => BitOperations.TrailingZeroCount(Bits);

    /// <summary>A set of one node.</summary>
    public static NodeSet Of(int node) => new(1ul << node);

    /// <summary>True if a node is in it.</summary>
    public bool Contains(int node) => (Bits >> node & 1) != 0;

    /// <summary>The set with one node more.</summary>
    public NodeSet With(int node) => new(Bits | 1ul << node);

    /// <summary>The set with one node less.</summary>
    public NodeSet Without(int node) => new(Bits & ~(1ul << node));

    /// <summary>Those of either.</summary>
    public NodeSet Or(NodeSet other) => new(Bits | other.Bits);

    /// <summary>Those that are not in another one.</summary>
    public NodeSet Except(NodeSet other) => new(Bits & ~other.Bits);
}
