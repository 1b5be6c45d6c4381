using Raven.Search;
using Raven.Search.Segments;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using Shared.Storage;

namespace FastTests.Search;

/// <summary>Segments are merged beside batches, and readers see only what the model has.</summary>
public sealed class LargeMergeTests
{
    [Fact]
    [Trait("Invariant", "LARGE-1")]
    [Trait("Invariant", "LARGE-2")]
    public void Batches_that_run_while_segments_are_merged_leave_what_the_model_says()
    {
        const int seed = 1;
        Random random = new(seed);
        using SimulatedFileSystem disk = new();
        using SearchIndex index = Open(disk);
        IndexModel model = new();
        int asked = 0;
        int merges = 0;
        for (int step = 0; step < 16; step++)
        {
            model.Step(random, index, 30);

            // Between two fields of the merge a batch deletes and replaces what the merge is at.
            while (index.MergeLarge(() =>
            {
                if (asked++ % 2 == 0)
                {
                    model.Step(random, index, 30);
                    Compare(model, index, $"seed {seed}, step {step}, in a merge");
                }

                return false;
            }))
            {
                merges++;
                Compare(model, index, $"seed {seed}, step {step}");
            }
        }

        Assert.True(merges > 2, $"only {merges} merges");
    }

    [Fact]
    [Trait("Invariant", "LARGE-1")]
    [Trait("Invariant", "LARGE-4")]
    public void A_merge_that_is_stopped_or_cut_leaves_no_trace_and_the_next_one_removes_what_it_wrote()
    {
        Random random = new(3);
        using SimulatedFileSystem disk = new();
        IndexModel model = new();
        using (SearchIndex index = Open(disk))
        {
            for (int batch = 0; batch < 8; batch++)
            {
                model.Step(random, index, 200);
            }

            Assert.True(index.HasLargeMerge());
            int asked = 0;
            Assert.False(index.MergeLarge(() => asked++ == 2));
            Assert.Equal(3, asked);
            Compare(model, index, "stopped");
            Assert.NotEmpty(Leftovers(index));
        }

        using (SearchIndex index = Open(disk))
        {
            Compare(model, index, "opened again");
            Assert.NotEmpty(Leftovers(index));
            Assert.True(index.MergeLarge(() => false));
            Compare(model, index, "merged");
            Assert.Empty(Leftovers(index));
            Assert.False(index.HasLargeMerge());
            using IndexReader reader = index.BeginRead();
            Assert.Equal(1, reader.SegmentCount);
        }
    }

    [Fact]
    [Trait("Invariant", "LARGE-3")]
    public void No_other_merge_takes_the_segments_of_a_large_merge()
    {
        Random random = new(5);
        using SimulatedFileSystem disk = new();
        using SearchIndex index = Open(disk);
        IndexModel model = new();
        for (int batch = 0; batch < 8; batch++)
        {
            model.Step(random, index, 200);
        }

        int others = 0;
        Assert.True(index.MergeLarge(() =>
        {
            model.Step(random, index, 30);
            others += index.MergeAll() ? 1 : 0;
            Compare(model, index, "in the merge");
            return false;
        }));
        Assert.True(others > 0, "no other merge");
        Compare(model, index, "at the end");
    }

    [Fact]
    public void A_power_cut_in_a_merge_changes_nothing()
    {
        Random random = new(4);
        using SimulatedFileSystem disk = new();
        IndexModel model = new();
        int began;
        using (SearchIndex index = Open(disk))
        {
            for (int batch = 0; batch < 8; batch++)
            {
                model.Step(random, index, 30);
            }

            index.Sync();
            began = disk.Log.Count;
            Assert.True(index.MergeLarge(() => false));
        }

        CrashImages images = new(disk.Log);
        for (int cut = began + 1; cut <= disk.Log.Count; cut += 2)
        {
            images.AdvanceTo(cut);
            using SimulatedFileSystem left = new(images.Make(random));
            using SearchIndex index = Open(left);
            Compare(model, index, $"cut {cut}");
            index.MergeLarge(() => false);
            Compare(model, index, $"cut {cut}, merged");
        }
    }

    private static List<int> Leftovers(SearchIndex index)
    {
        using ReadTransaction transaction = index.BeginReadStructures();
        Tree segments = transaction.TryOpenTree(IndexNames.Segments)!;
        HashSet<int> without = [];
        TreeCursor cursor = transaction.TryOpenTree(IndexNames.Content)!.GetCursor();
        for (bool isMore = cursor.SeekFirst(); isMore; isMore = cursor.MoveNext())
        {
            if (!segments.Contains(cursor.Key[..4]))
            {
                without.Add(System.Buffers.Binary.BinaryPrimitives.ReadInt32BigEndian(cursor.Key));
            }
        }

        return [.. without];
    }

    private static void Compare(IndexModel model, SearchIndex index, string when)
    {
        using IndexReader reader = index.BeginRead();
        Assert.True(model.Text() == IndexDump.Text(reader), when);
    }

    private static SearchIndex Open(SimulatedFileSystem disk) => SearchIndex.Open(new SearchIndexOptions
    {
        Storage = new StorageOptions { FileSystem = disk, Scheduler = new ManualScheduler() },
        InlineMergeBytesMax = 0,
    });
}
