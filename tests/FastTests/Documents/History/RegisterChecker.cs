using System.Collections;

namespace FastTests.Documents.History;

/// <summary>
/// Is there an order of the events of one document in which each result is the observed one, and none precedes one that
/// had ended when it began? The search of Wing and Gong, with the memory that Lowe added: a set of events that are
/// ordered already, with the resulting number, is tried once. An event without an answer may have happened or not.
/// </summary>
internal static class RegisterChecker
{
    /// <summary>Whether there is such an order.</summary>
    internal static bool IsLinearizable(IReadOnlyList<RegisterEvent> history)
    {
        RegisterEvent[] events = [.. history.OrderBy(one => one.Began)];
        int required = events.Count(one => !one.IsPending);
        var done = new BitArray(events.Length);
        var seen = new HashSet<(string, long)>();
        var path = new Stack<(int Event, long Before, int Next)>();
        long state = 0;
        int from = 0;
        while (required > 0)
        {
            int next = FindNext(events, done, state, from);
            if (next >= 0)
            {
                _ = events[next].TryApply(state, out long after);
                done[next] = true;
                if (seen.Add((KeyOf(done), after)))
                {
                    path.Push((next, state, next + 1));
                    required -= events[next].IsPending ? 0 : 1;
                    state = after;
                    from = 0;
                    continue;
                }

                done[next] = false;
                from = next + 1;
                continue;
            }

            if (!path.TryPop(out (int Event, long Before, int Next) last))
            {
                return false;
            }

            done[last.Event] = false;
            required += events[last.Event].IsPending ? 0 : 1;
            state = last.Before;
            from = last.Next;
        }

        return true;
    }

    /// <summary>The next event that may come now: none of those that are left had ended before it began.</summary>
    private static int FindNext(RegisterEvent[] events, BitArray done, long state, int from)
    {
        long firstEnd = long.MaxValue;
        for (int i = 0; i < events.Length && events[i].Began <= firstEnd; i++)
        {
            if (done[i])
            {
                continue;
            }

            if (i >= from && events[i].TryApply(state, out _))
            {
                return i;
            }

            firstEnd = Math.Min(firstEnd, events[i].Ended);
        }

        return -1;
    }

    private static string KeyOf(BitArray done)
    {
        byte[] bytes = new byte[(done.Length + 7) / 8];
        done.CopyTo(bytes, 0);
        return Convert.ToHexString(bytes);
    }
}
