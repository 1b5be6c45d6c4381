using Raven.Tools.Stress.Histories;

namespace FastTests.Cluster;

/// <summary>The checker of histories finds what it is there for, in histories made by hand, and nothing else.</summary>
public sealed class HistoryCheckTests
{
    private readonly List<HistoryTransaction> _history = [];

    [Fact]
    public void A_history_in_order_is_right()
    {
        Done(1, 2, appends: [("x", 1)]);
        Done(3, 6, appends: [("x", 2), ("y", 3)]);
        Done(4, 5, reads: [("x", [1]), ("y", [])]);
        Done(4, 5, reads: [("x", [1, 2]), ("y", [3])]);
        Done(7, 8, reads: [("x", [1, 2])], appends: [("x", 4)]);
        ReadAtEnd(("x", [1, 2, 4]), ("y", [3]));
        Assert.Empty(HistoryCheck.Run(_history));
    }

    [Fact]
    public void What_is_perhaps_done_is_done_late_or_never()
    {
        Perhaps(1, ("x", 1));
        Perhaps(1, ("x", 2));
        Done(3, 4, reads: [("x", [])]);
        Done(5, 6, appends: [("x", 3)]);
        ReadAtEnd(("x", [3, 1]));
        Assert.Empty(HistoryCheck.Run(_history));
    }

    [Fact]
    public void A_lost_write_is_found()
    {
        Done(1, 2, appends: [("x", 1)]);
        ReadAtEnd(("x", []));
        Finds("lost: 1 is not in x");
    }

    [Fact]
    public void A_write_that_a_later_one_replaced_is_found()
    {
        Done(1, 2, appends: [("x", 1)]);
        Done(3, 4, reads: [("x", [1])]);
        Done(5, 6, appends: [("x", 2)]);
        ReadAtEnd(("x", [2]));
        Finds("no order of x");
    }

    [Fact]
    public void A_write_that_was_refused_and_done_is_found()
    {
        _history.Add(Make(1, 2, HistoryOutcome.NotDone, [], [("x", 1)]));
        ReadAtEnd(("x", [1]));
        Finds("done after all: 1 is in x");
    }

    [Fact]
    public void A_write_that_was_done_twice_is_found()
    {
        Done(1, 2, appends: [("x", 1)]);
        ReadAtEnd(("x", [1, 1]));
        Finds("done twice: 1 is twice in x");
    }

    [Fact]
    public void A_number_from_nowhere_is_found()
    {
        ReadAtEnd(("x", [7]));
        Finds("out of nowhere: nobody appended 7 to x");
    }

    [Fact]
    public void Half_of_a_batch_is_found()
    {
        Perhaps(1, ("x", 1), ("y", 2));
        ReadAtEnd(("x", [1]), ("y", []));
        Finds("half done: 2 is not in y");
    }

    [Fact]
    public void A_stale_read_is_found()
    {
        Done(1, 2, appends: [("x", 1)]);
        Done(3, 4, reads: [("x", [])]);
        ReadAtEnd(("x", [1]));
        Finds("no order: ", "it had ended when the next one began", "it did not read what the next one appended");
    }

    [Fact]
    public void A_read_that_goes_back_is_found_though_the_write_has_no_answer()
    {
        Perhaps(1, ("x", 1));
        Done(3, 4, reads: [("x", [1])]);
        Done(5, 6, reads: [("x", [])]);
        ReadAtEnd(("x", [1]));
        Finds("no order: ");
    }

    [Fact]
    public void A_fractured_read_is_found()
    {
        Done(1, 9, appends: [("x", 1), ("y", 2)]);
        Done(2, 8, reads: [("x", [1]), ("y", [])]);
        ReadAtEnd(("x", [1]), ("y", [2]));
        Finds("no order: ", "the next one read what it appended");
    }

    [Fact]
    public void A_lost_update_is_found()
    {
        Done(1, 2, appends: [("x", 1)]);
        Done(3, 9, reads: [("x", [1])], appends: [("x", 2)]);
        Done(4, 8, reads: [("x", [1])], appends: [("x", 3)]);
        ReadAtEnd(("x", [1, 2, 3]));
        Finds("no order: ");
    }

    [Fact]
    public void Two_that_each_saw_the_state_before_the_other_are_found()
    {
        Done(1, 9, reads: [("x", [])], appends: [("y", 1)]);
        Done(2, 8, reads: [("y", [])], appends: [("x", 2)]);
        ReadAtEnd(("x", [2]), ("y", [1]));
        Finds("no order: ");
    }

    [Fact]
    public void Two_readers_that_saw_two_writes_in_different_orders_are_found()
    {
        Done(1, 20, appends: [("x", 1)]);
        Done(1, 20, appends: [("y", 2)]);
        Done(2, 9, reads: [("x", [1]), ("y", [])]);
        Done(2, 9, reads: [("x", []), ("y", [2])]);
        ReadAtEnd(("x", [1]), ("y", [2]));
        Finds("no order: ");
    }

    [Fact]
    public void Writes_in_another_order_than_their_time_are_found()
    {
        Done(1, 2, appends: [("x", 1)]);
        Done(3, 4, appends: [("x", 2)]);
        ReadAtEnd(("x", [2, 1]));
        Finds("no order: ", "the next one appended behind it");
    }

    [Fact]
    public void A_long_history_of_many_clients_is_right_and_one_stale_read_in_it_is_found()
    {
        var random = new Random(5);
        List<int> list = [];
        long now = 0;
        for (int i = 0; i < 20_000; i++)
        {
            now += random.Next(3);
            int[] read = [.. list];
            if (i % 40 == 0)
            {
                list.Add(i);
                Done(now - 2, now + 3, reads: [("x", read)], appends: [("x", i)]);
            }
            else
            {
                Done(now - 2, now + 3, reads: [("x", read)]);
            }
        }

        ReadAtEnd(("x", [.. list]));
        Assert.Empty(HistoryCheck.Run(_history));
        Done(now + 100, now + 101, reads: [("x", [.. list.Take(list.Count - 1)])]);
        Finds("no order: ");
    }

    private void Done(
        long began, long ended, (string Key, int[] List)[]? reads = null, (string Key, int Value)[]? appends = null) =>
        _history.Add(Make(began, ended, HistoryOutcome.Done, reads ?? [], appends ?? []));

    private void Perhaps(long began, params (string Key, int Value)[] appends) =>
        _history.Add(Make(began, long.MaxValue, HistoryOutcome.Perhaps, [], appends));

    private void ReadAtEnd(params (string Key, int[] List)[] reads) =>
        Done(1_000_000, 1_000_001, reads);

    private void Finds(params string[] parts)
    {
        IReadOnlyList<string> problems = HistoryCheck.Run(_history);
        Assert.Contains(problems, problem => parts.All(part => problem.Contains(part, StringComparison.Ordinal)));
    }

    private static HistoryTransaction Make(
        long began, long ended, HistoryOutcome outcome, (string Key, int[] List)[] reads,
        (string Key, int Value)[] appends) => new()
        {
            What = "test",
            Began = began,
            Ended = ended,
            Outcome = outcome,
            Reads = [.. reads.Select(read => KeyValuePair.Create(read.Key, read.List))],
            Appends = [.. appends.Select(append => KeyValuePair.Create(append.Key, append.Value))],
        };
}
