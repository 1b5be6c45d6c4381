namespace Raven.Tools.Stress.Histories;

/// <summary>
/// Which transactions of a history must come before which. The moments at which transactions ended are nodes too, one
/// after the other, so that the order of time takes three edges a transaction and not one a pair.
/// </summary>
internal sealed class HistoryGraph
{
    private readonly List<(int To, HistoryEdge Why)>[] _edges;
    private readonly IReadOnlyList<HistoryTransaction> _history;

    private HistoryGraph(IReadOnlyList<HistoryTransaction> history, int moments)
    {
        _history = history;
        _edges = new List<(int, HistoryEdge)>[history.Count + moments];
        for (int i = 0; i < _edges.Length; i++)
        {
            _edges[i] = [];
        }
    }

    /// <summary>All edges.</summary>
    internal int Edges => _edges.Sum(each => each.Count);

    /// <summary>Makes the graph.</summary>
    /// <param name="history">The transactions that were done.</param>
    /// <param name="lists">The lists as they became.</param>
    internal static HistoryGraph Of(IReadOnlyList<HistoryTransaction> history, HistoryLists lists)
    {
        int[] ended = [.. Enumerable.Range(0, history.Count)
            .Where(i => history[i].Ended != long.MaxValue).OrderBy(i => history[i].Ended)];
        var graph = new HistoryGraph(history, ended.Length);
        graph.AddTime(ended);
        Dictionary<(string Key, int Value), int> writers = [];
        for (int i = 0; i < history.Count; i++)
        {
            foreach ((string key, int value) in history[i].Appends)
            {
                writers[(key, value)] = i;
            }
        }

        foreach ((string key, int[] list) in lists.All)
        {
            for (int i = 1; i < list.Length; i++)
            {
                graph.Add(At(key, list, i - 1), At(key, list, i), HistoryEdge.WriteWrite);
            }
        }

        for (int i = 0; i < history.Count; i++)
        {
            foreach ((string key, int[] read) in history[i].Reads)
            {
                int[] list = lists.All[key];
                graph.Add(At(key, list, read.Length - 1), i, HistoryEdge.WriteRead);
                graph.Add(i, At(key, list, read.Length), HistoryEdge.ReadWrite);
            }
        }

        return graph;

        int At(string key, int[] list, int index) =>
            index >= 0 && index < list.Length ? writers.GetValueOrDefault((key, list[index]), -1) : -1;
    }

    /// <summary>Cycles, the shortest that is found in each knot: what is in one has no order.</summary>
    /// <param name="max">So many at most.</param>
    internal IEnumerable<string> Cycles(int max) =>
        new HistoryKnots(_edges).Find().Take(max).Select(knot => Describe(ShortestIn(knot)));

    private void AddTime(int[] ended)
    {
        int first = _history.Count;
        for (int i = 0; i < ended.Length; i++)
        {
            Add(ended[i], first + i, HistoryEdge.Time);
            if (i > 0)
            {
                Add(first + i - 1, first + i, HistoryEdge.Time);
            }
        }

        int moment = 0;
        foreach (int i in Enumerable.Range(0, _history.Count).OrderBy(i => _history[i].Began))
        {
            while (moment < ended.Length && _history[ended[moment]].Ended < _history[i].Began)
            {
                moment++;
            }

            if (moment > 0)
            {
                Add(first + moment - 1, i, HistoryEdge.Time);
            }
        }
    }

    private void Add(int from, int to, HistoryEdge why)
    {
        if (from >= 0 && to >= 0 && from != to)
        {
            _edges[from].Add((to, why));
        }
    }

    /// <summary>The shortest way from a transaction of a knot back to it.</summary>
    private List<(int Node, HistoryEdge Why)> ShortestIn(IReadOnlyList<int> knot)
    {
        var inside = knot.ToHashSet();
        List<(int, HistoryEdge)>? best = null;
        foreach (int start in knot.Where(node => node < _history.Count).Take(50))
        {
            Dictionary<int, (int From, HistoryEdge Why)> came = [];
            var queue = new Queue<int>([start]);
            while (queue.TryDequeue(out int node) && !came.ContainsKey(start))
            {
                foreach ((int to, HistoryEdge why) in _edges[node])
                {
                    if (inside.Contains(to) && came.TryAdd(to, (node, why)))
                    {
                        queue.Enqueue(to);
                    }
                }
            }

            List<(int, HistoryEdge)> cycle = [];
            int at = start;
            do
            {
                cycle.Insert(0, (came[at].From, came[at].Why));
                at = came[at].From;
            }
            while (at != start);

            best = best is null || cycle.Count < best.Count ? cycle : best;
        }

        return best!;
    }

    private string Describe(List<(int Node, HistoryEdge Why)> cycle) =>
        "no order: " + string.Join(
            " then ", cycle.Where(step => step.Node < _history.Count)
                .Select(step => $"{_history[step.Node]} before, as {Reason(step.Why)},"));

    private static string Reason(HistoryEdge why) => why switch
    {
        HistoryEdge.WriteWrite => "the next one appended behind it",
        HistoryEdge.WriteRead => "the next one read what it appended",
        HistoryEdge.ReadWrite => "it did not read what the next one appended",
        _ => "it had ended when the next one began",
    };
}
