using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Segments;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace FastTests.Search;

/// <summary>What stays as it is while batches go on: segments on the disk, and what a reader sees.</summary>
public sealed class IndexSnapshotTests
{
    [Fact]
    [Trait("Invariant", "INDEX-2")]
    public void A_segment_keeps_its_bytes_while_later_batches_replace_and_delete_its_documents()
    {
        using TestIndex test = new();
        test.Add("Name", Analyzers.Keyword, ["a", "b", "c", "d", "e", "f"]);
        Dictionary<string, string> before = ContentOf(test.Index);
        Assert.NotEmpty(before);
        Write(test.Index, ["d/0", "d/4"], ["d/1", "d/9"]);
        Write(test.Index, ["d/9", "d/3"], ["d/3"]);
        Dictionary<string, string> after = ContentOf(test.Index);
        Assert.True(after.Count > before.Count);
        Assert.All(before, entry => Assert.Equal(entry.Value, after[entry.Key]));
        using IndexReader reader = test.Index.BeginRead();
        Assert.Equal(4, reader.EntryCount);
    }

    [Fact]
    [Trait("Invariant", "INDEX-3")]
    public void A_reader_sees_one_snapshot_and_neither_waits_for_a_batch_nor_holds_one_up()
    {
        using TestIndex test = new();
        test.Add("Name", Analyzers.Keyword, ["a", "b", "c", "d"]);
        using IndexReader first = test.Index.BeginRead();
        string before = IndexDump.Text(first);
        using (IndexBatch batch = test.Index.BeginBatch())
        {
            batch.Delete("d/1"u8);
            Add(batch, "d/7");
            using IndexReader second = test.Index.BeginRead();
            batch.Commit("behind"u8);
            Assert.Equal(before, IndexDump.Text(second));
        }

        Assert.True(test.Index.MergeAll());
        Assert.Equal(before, IndexDump.Text(first));
        using IndexReader last = test.Index.BeginRead();
        Assert.NotEqual(before, IndexDump.Text(last));
    }

    private static void Write(SearchIndex index, string[] deleted, string[] added)
    {
        using IndexBatch batch = index.BeginBatch();
        foreach (string id in deleted.Concat(added))
        {
            batch.Delete(Encoding.UTF8.GetBytes(id));
        }

        foreach (string id in added)
        {
            Add(batch, id);
        }

        batch.Commit("x"u8);
    }

    private static void Add(IndexBatch batch, string id)
    {
        batch.BeginEntry(Encoding.UTF8.GetBytes(id));
        batch.Add(batch.GetOrAddField("Name", FieldKind.Exact, Analyzers.Keyword), "new"u8);
        batch.EndEntry();
    }

    /// <summary>The keys of all segments, which begin with the number of the segment, and their bytes.</summary>
    private static Dictionary<string, string> ContentOf(SearchIndex index)
    {
        using ReadTransaction transaction = index.BeginReadStructures();
        Dictionary<string, string> content = [];
        TreeCursor cursor = transaction.TryOpenTree(IndexNames.Content)!.GetCursor();
        for (bool isMore = cursor.SeekFirst(); isMore; isMore = cursor.MoveNext())
        {
            content.Add(Convert.ToHexString(cursor.Key), Convert.ToHexString(cursor.Value.Span));
        }

        return content;
    }
}
