namespace Raven.Search.Automata;

/// <summary>
/// A regular expression as a graph of at most so many nodes (Thompson, Regular expression search algorithm,
/// Communications of the ACM 11, 1968). Cleared, it keeps its memory.
/// </summary>
internal sealed class RegexGraph
{
    /// <summary>The most nodes, repetitions with a count written out.</summary>
    internal const int NodesMax = 2048;

    private Node[] _nodes = new Node[64];
    private int[] _stack = new int[64];
    private int[] _seen = new int[64];
    private int _stamp;

    internal enum Kind : byte
    {
        /// <summary>Goes on to one or two nodes without reading.</summary>
        Split,

        /// <summary>Reads a unit of a set.</summary>
        Read,

        /// <summary>Goes on at the beginning of the text alone.</summary>
        AtStart,

        /// <summary>Goes on at the end of the text alone.</summary>
        AtEnd,

        /// <summary>The expression is matched.</summary>
        Match,
    }

    /// <summary>How many nodes there are.</summary>
    internal int Count { get; private set; }

    /// <summary>Whether there was no room for a node.</summary>
    internal bool IsFull { get; private set; }

    internal void Clear()
    {
        Count = 0;
        IsFull = false;
    }

    /// <summary>Adds a node; if there is no room, the graph is full and means nothing.</summary>
    internal int Add(Kind kind, int set = 0, int first = -1, int second = -1)
    {
        if (Count == NodesMax)
        {
            IsFull = true;
            return 0;
        }

        if (Count == _nodes.Length)
        {
            Array.Resize(ref _nodes, Count * 2);
            Array.Resize(ref _seen, Count * 2);
            _stack = new int[Count * 2];
        }

        _nodes[Count] = new Node { Kind = kind, Set = set, First = first, Second = second };
        _seen[Count] = 0;
        return Count++;
    }

    /// <summary>Sets where a node goes on.</summary>
    internal void Link(int from, int to) => _nodes[from].First = to;

    internal bool Reads(int node) => _nodes[node].Kind == Kind.Read;

    internal bool IsAtEnd(int node) => _nodes[node].Kind == Kind.AtEnd;

    /// <summary>The set of a node that reads.</summary>
    internal int SetOf(int node) => _nodes[node].Set;

    /// <summary>Where a node that reads goes on.</summary>
    internal int BehindOf(int node) => _nodes[node].First;

    /// <summary>
    /// The nodes that read or match and are reached from a node without reading; valid until the next call.
    /// </summary>
    /// <param name="from">The node.</param>
    /// <param name="isAtStart">Whether nodes go on that do so at the beginning of the text.</param>
    /// <param name="isAtEnd">Whether nodes go on that do so at its end.</param>
    /// <returns>How many: the first ones of <see cref="Reached"/>.</returns>
    internal int Reach(int from, bool isAtStart, bool isAtEnd)
    {
        _stamp++;
        int found = 0;
        int top = _stack.Length;
        Push(ref top, from);
        while (top < _stack.Length)
        {
            int number = _stack[top++];
            ref readonly Node node = ref _nodes[number];
            switch (node.Kind)
            {
                case Kind.Read or Kind.Match:
                    // What was taken off the stack has left room at its other end.
                    _stack[found++] = number;
                    continue;
                case Kind.AtStart when !isAtStart:
                case Kind.AtEnd when !isAtEnd:
                    continue;
            }

            Push(ref top, node.First);
            Push(ref top, node.Second);
        }

        return found;
    }

    /// <summary>
    /// Whether there is more behind a node than the match itself: something to read, or another place to be at.
    /// </summary>
    internal bool HasMoreBehind(int node)
    {
        Reach(_nodes[node].First, isAtStart: true, isAtEnd: true);
        for (int i = 0; i < Count; i++)
        {
            if (_seen[i] == _stamp && _nodes[i].Kind is not (Kind.Split or Kind.Match))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>A node that the last call of <see cref="Reach"/> found.</summary>
    internal int Reached(int i) => _stack[i];

    private void Push(ref int top, int node)
    {
        if (node >= 0 && _seen[node] != _stamp)
        {
            _seen[node] = _stamp;
            _stack[--top] = node;
        }
    }

    private struct Node
    {
        internal Kind Kind;
        internal int Set;
        internal int First;
        internal int Second;
    }
}
