using FastTests.Search;
using Raven.Documents.Indexing.Maps;
using Raven.Search;

namespace FastTests.Queries;

/// <summary>What is kept of the documents that maps have read.</summary>
public sealed class ReferenceTrackerTests
{
    [Fact]
    public void A_collection_that_a_dropped_batch_was_the_first_to_read_is_stored_by_the_next_batch()
    {
        using TestIndex index = new();
        ReferenceTracker tracker = new();
        Read(index.Index, tracker, isCommitted: false);
        Read(index.Index, tracker, isCommitted: true);
        Assert.Equal(["Friends"], tracker.Collections);

        ReferenceTracker afterRestart = new();
        afterRestart.Load(index.Index);
        Assert.Equal(["Friends"], afterRestart.Collections);
    }

    private static void Read(SearchIndex index, ReferenceTracker tracker, bool isCommitted)
    {
        using IndexBatch batch = index.BeginBatch();
        tracker.Begin(batch.Transaction, seenEtag: 7);
        tracker.BeginDocument("users/1"u8);
        tracker.Add("friends/1"u8, "Friends");
        if (isCommitted)
        {
            batch.Commit("1"u8);
        }

        tracker.End();
    }
}
