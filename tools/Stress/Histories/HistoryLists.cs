namespace Raven.Tools.Stress.Histories;

/// <summary>The lists of a history as they became in the end, and who appended each number.</summary>
internal sealed class HistoryLists
{
    private readonly Dictionary<string, int[]> _lists = new(StringComparer.Ordinal);
    private readonly Dictionary<(string Key, int Value), int> _writers = [];
    private readonly IReadOnlyList<HistoryTransaction> _history;
    private readonly List<string> _problems;

    private HistoryLists(IReadOnlyList<HistoryTransaction> history, List<string> problems)
    {
        _history = history;
        _problems = problems;
    }

    /// <summary>The lists.</summary>
    internal IReadOnlyDictionary<string, int[]> All => _lists;

    /// <summary>Finds them: each read of a list must be the beginning of the longest one.</summary>
    /// <param name="history">The history, at whose end all lists are read.</param>
    /// <param name="problems">Takes what is wrong with single lists.</param>
    internal static HistoryLists Of(IReadOnlyList<HistoryTransaction> history, List<string> problems)
    {
        var lists = new HistoryLists(history, problems);
        lists.FindWriters();
        lists.FindLongest();
        lists.CheckReads();
        lists.CheckNumbers();
        lists.CheckAppends();
        return lists;
    }

    /// <summary>The transaction that appended a number; -1 if none did.</summary>
    internal int WriterOf(string key, int value) => _writers.GetValueOrDefault((key, value), -1);

    /// <summary>Whether something of a transaction is in the lists.</summary>
    internal bool HasAnyOf(HistoryTransaction one) =>
        one.Appends.Any(append => _lists.TryGetValue(append.Key, out int[]? list) && list.Contains(append.Value));

    private void FindWriters()
    {
        for (int i = 0; i < _history.Count; i++)
        {
            foreach ((string key, int value) in _history[i].Appends)
            {
                if (!_writers.TryAdd((key, value), i))
                {
                    throw new ArgumentException($"{value} is appended twice to {key}: {_history[i]}.");
                }
            }
        }
    }

    private void FindLongest()
    {
        foreach ((string key, int[] list) in _history.SelectMany(one => one.Reads))
        {
            if (!_lists.TryGetValue(key, out int[]? longest) || list.Length > longest.Length)
            {
                _lists[key] = list;
            }
        }
    }

    private void CheckReads()
    {
        foreach (HistoryTransaction one in _history)
        {
            foreach ((string key, int[] list) in one.Reads)
            {
                if (!_lists[key].AsSpan().StartsWith(list))
                {
                    _problems.Add($"no order of {key}: {one}, and [{string.Join(' ', _lists[key])}]");
                }
            }
        }
    }

    private void CheckNumbers()
    {
        foreach ((string key, int[] list) in _lists)
        {
            var seen = new HashSet<int>();
            foreach (int value in list)
            {
                if (!seen.Add(value))
                {
                    _problems.Add($"done twice: {value} is twice in {key}");
                }
                else if (WriterOf(key, value) is var writer && writer < 0)
                {
                    _problems.Add($"out of nowhere: nobody appended {value} to {key}");
                }
                else if (_history[writer].Outcome == HistoryOutcome.NotDone)
                {
                    _problems.Add($"done after all: {value} is in {key}, by {_history[writer]}");
                }
            }
        }
    }

    private void CheckAppends()
    {
        foreach (HistoryTransaction one in _history)
        {
            if (one.Outcome == HistoryOutcome.NotDone
                || (one.Outcome == HistoryOutcome.Perhaps && !HasAnyOf(one)))
            {
                continue;
            }

            foreach ((string key, int value) in one.Appends)
            {
                if (!_lists.TryGetValue(key, out int[]? list) || !list.Contains(value))
                {
                    _problems.Add(one.Outcome == HistoryOutcome.Done
                        ? $"lost: {value} is not in {key}, though acknowledged: {one}"
                        : $"half done: {value} is not in {key}, the rest of it is: {one}");
                }
            }
        }
    }
}
