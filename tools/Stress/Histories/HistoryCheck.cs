namespace Raven.Tools.Stress.Histories;

// There is one order of all transactions that were done in which each finds the lists as those before it left them, and
// in which none comes after one that began when it had ended: strict serializability. One that is perhaps done is in it
// if anybody has seen a part of it. What was acknowledged is in the lists in the end; what was surely not done is not;
// nothing is there twice.

/// <summary>
/// Checks a history of transactions over lists, in time that grows with their number: the lists themselves say who
/// came before whom (as Elle has it), so no order is searched for.
/// </summary>
public static class HistoryCheck
{
    private const int ProblemsMax = 20;
    private const int CyclesMax = 5;

    /// <summary>Checks a history, at whose end all lists are read.</summary>
    /// <returns>What is wrong; empty if nothing is.</returns>
    public static IReadOnlyList<string> Run(IReadOnlyList<HistoryTransaction> history)
    {
        ArgumentNullException.ThrowIfNull(history);
        List<string> problems = [];
        HistoryLists lists = HistoryLists.Of(history, problems);
        HistoryTransaction[] done = [.. history.Where(one => one.Outcome == HistoryOutcome.Done
            || (one.Outcome == HistoryOutcome.Perhaps && lists.HasAnyOf(one)))];
        problems.AddRange(HistoryGraph.Of(done, lists).Cycles(CyclesMax));
        return [.. problems.Take(ProblemsMax)];
    }
}
