using System.Runtime.CompilerServices;
using System.Text;

namespace Raven.Server.Http.Routing;

/// <summary>
/// Finds the endpoint of a path. Built once by <see cref="RouteTrieBuilder"/>, then immutable and safe for all
/// threads. A match costs one look into a table of 128 child numbers per branching character and one vectorized
/// comparison per fixed run, whatever the number of routes, and allocates nothing.
/// </summary>
/// <remarks>
/// Invariants: (1) every literal is lower-case ASCII; (2) a child table has both cases of a letter pointing to the same
/// child, and a character of 128 or more is never used as an index; (3) at one node a fixed character is tried before
/// <c>*</c>, and <c>*</c> before <c>$</c>, and what a failed try captured is dropped.
/// </remarks>
public sealed class RouteTrie
{
    /// <summary>The number of characters a child table covers: ASCII.</summary>
    internal const int TableSize = 128;

    private const int None = -1;

    private readonly Node[] _nodes;
    private readonly short[] _children;

    internal RouteTrie(Node[] nodes, short[] children)
    {
        _nodes = nodes;
        _children = children;
    }

    /// <summary>The number of nodes, for tests and diagnostics.</summary>
    internal int NodeCount => _nodes.Length;

    /// <summary>Matches a whole decoded path.</summary>
    /// <param name="path">The path, such as Kestrel's <c>Path</c>: percent-decoded except <c>%2F</c>,
    /// any characters.</param>
    /// <param name="captures">Receives the captures; emptied first.</param>
    /// <param name="endpoint">The number that was added with the path.</param>
    /// <returns>False if no route has this path.</returns>
    public bool TryMatch(ReadOnlySpan<char> path, ref RouteCaptures captures, out int endpoint)
    {
        captures.Count = 0;
        endpoint = Match(path, 0, 0, ref captures);
        return endpoint >= 0;
    }

    private int Match(ReadOnlySpan<char> path, int position, int nodeNumber, ref RouteCaptures captures)
    {
        while (true)
        {
            ref readonly Node node = ref _nodes[nodeNumber];
            string literal = node.Literal;
            if (path.Length - position < literal.Length || !StartsWith(path[position..], literal))
            {
                return None;
            }

            position += literal.Length;
            if (position == path.Length)
            {
                return node.Endpoint >= 0 ? node.Endpoint : TakeRest(node, path, position, ref captures);
            }

            int child = Child(node, path[position]);
            if (node.Star < 0 && node.Rest < 0)
            {
                if (child < 0)
                {
                    return None;
                }

                nodeNumber = child;
                continue;
            }

            return Choose(node, child, path, position, ref captures);
        }
    }

    /// <summary>Tries the ways from a node: fixed characters, then a segment, then the rest.</summary>
    private int Choose(in Node node, int child, ReadOnlySpan<char> path, int position, ref RouteCaptures captures)
    {
        int taken = captures.Count;
        if (child >= 0)
        {
            int found = Match(path, position, child, ref captures);
            if (found >= 0)
            {
                return found;
            }

            captures.Count = taken;
        }

        if (node.Star >= 0)
        {
            int length = path[position..].IndexOf('/');
            length = length < 0 ? path.Length - position : length;
            if (length > 0)
            {
                captures.Add(position, length);
                int found = Match(path, position + length, node.Star, ref captures);
                if (found >= 0)
                {
                    return found;
                }

                captures.Count = taken;
            }
        }

        return TakeRest(node, path, position, ref captures);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Child(in Node node, char next) =>
        node.Children >= 0 && next < TableSize ? _children[node.Children + next] : None;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool StartsWith(ReadOnlySpan<char> path, string literal) =>
        path[..literal.Length].SequenceEqual(literal)
        || Ascii.EqualsIgnoreCase(path[..literal.Length], literal);

    private static int TakeRest(in Node node, ReadOnlySpan<char> path, int position, ref RouteCaptures captures)
    {
        if (node.Rest >= 0)
        {
            captures.Add(position, path.Length - position);
        }

        return node.Rest;
    }

    /// <summary>A state of the trie: a run of fixed characters, and the next states after it.</summary>
    internal struct Node
    {
        /// <summary>Lower-case ASCII that the path must have here; empty at the root and after a <c>*</c>.</summary>
        internal string Literal;

        /// <summary>Index of the first entry of the child table, or -1 if there is no child.</summary>
        internal int Children;

        /// <summary>The node after a captured segment, or -1.</summary>
        internal int Star;

        /// <summary>The endpoint that takes the rest of the path, or -1.</summary>
        internal int Rest;

        /// <summary>The endpoint whose path ends here, or -1.</summary>
        internal int Endpoint;
    }
}
