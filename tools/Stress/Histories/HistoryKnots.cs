namespace Raven.Tools.Stress.Histories;

/// <summary>The strongly connected parts of a graph that have more than one node, by Tarjan's algorithm without
/// recursion.</summary>
/// <param name="edges">The edges of each node.</param>
internal sealed class HistoryKnots(IReadOnlyList<(int To, HistoryEdge Why)>[] edges)
{
    private readonly int[] _index = new int[edges.Length];
    private readonly int[] _low = new int[edges.Length];
    private readonly int[] _next = new int[edges.Length];
    private readonly bool[] _isOnStack = new bool[edges.Length];
    private readonly Stack<int> _stack = new();
    private int _count;

    /// <summary>Finds them.</summary>
    internal IEnumerable<IReadOnlyList<int>> Find()
    {
        for (int root = 0; root < edges.Length; root++)
        {
            if (_index[root] != 0)
            {
                continue;
            }

            var path = new Stack<int>();
            Enter(root, path);
            while (path.TryPeek(out int node))
            {
                if (_next[node] < edges[node].Count)
                {
                    int to = edges[node][_next[node]++].To;
                    if (_index[to] == 0)
                    {
                        Enter(to, path);
                    }
                    else if (_isOnStack[to])
                    {
                        _low[node] = Math.Min(_low[node], _index[to]);
                    }

                    continue;
                }

                path.Pop();
                if (path.TryPeek(out int before))
                {
                    _low[before] = Math.Min(_low[before], _low[node]);
                }

                if (_low[node] == _index[node] && Take(node) is { Count: > 1 } knot)
                {
                    yield return knot;
                }
            }
        }
    }

    private void Enter(int node, Stack<int> path)
    {
        _index[node] = _low[node] = ++_count;
        _isOnStack[node] = true;
        _stack.Push(node);
        path.Push(node);
    }

    private List<int> Take(int root)
    {
        List<int> knot = [];
        int node;
        do
        {
            node = _stack.Pop();
            _isOnStack[node] = false;
            knot.Add(node);
        }
        while (node != root);

        return knot;
    }
}
