using System.Text;
using System.Text.RegularExpressions;
using FastTests.Support;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine;
using Raven.Search.Lucene.Engine.Files;
using Raven.Search.Queries;
using Raven.Search.Searchers;
using Raven.Storage.Options;
using Raven.Storage.Streams;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Search;

/// <summary>What is different in an index that Lucene keeps: its files, its readers, its limits.</summary>
public sealed partial class LuceneEngineTests
{
    [Theory]
    [InlineData(SearchEngineType.Corax, SearchEngineType.Lucene)]
    [InlineData(SearchEngineType.Lucene, SearchEngineType.Corax)]
    public void An_index_of_the_other_engine_is_refused_by_name(SearchEngineType written, SearchEngineType wanted)
    {
        using SimulatedFileSystem disk = new();
        using (SearchIndex index = Open(disk, written))
        {
            Add(index, "d/1", "red");
        }

        SearchIndexException refused = Assert.Throws<SearchIndexException>(() => Open(disk, wanted));
        Assert.Contains("Lucene", refused.Message, StringComparison.Ordinal);
        using SearchIndex kept = Open(disk, null);
        Assert.Equal(written, kept.Engine);
        Assert.Equal(1, Count(kept));
    }

    [Theory]
    [InlineData(SearchEngineType.Corax)]
    [InlineData(SearchEngineType.Lucene)]
    public void A_batch_waits_for_short_work_beside_it_and_another_batch_is_refused(SearchEngineType engine)
    {
        using TestIndex test = new(engine);
        Assert.True(test.Index.TryEnterWriteBeside());
        Exception? failure = null;
        Thread batches = new(() => failure = Record.Exception(() => Add(test.Index, "d/1", "red")))
        {
            IsBackground = true,
        };
        batches.Start();
        Deadline.Until(() => (batches.ThreadState & ThreadState.WaitSleepJoin) != 0);
        test.Index.LeaveWrite();
        batches.Join();
        Assert.Null(failure);
        Assert.Equal(1, Count(test.Index));
        using IndexBatch batch = test.Index.BeginBatch();
        Assert.Throws<InvalidOperationException>(test.Index.BeginBatch);
        Assert.False(test.Index.TryEnterWriteBeside());
    }

    [Fact]
    public void Vectors_are_refused_in_entries_and_in_queries()
    {
        using TestIndex test = new(SearchEngineType.Lucene);
        using (IndexBatch batch = test.Index.BeginBatch())
        {
            SearchIndexException refused = Assert.Throws<SearchIndexException>(
                () => batch.GetOrAddVectors("V", VectorFormat.Single, 3));
            Assert.Contains("Corax", refused.Message, StringComparison.Ordinal);
        }

        test.Add("Text", Analyzers.Standard, ["red", "blue"]);
        using IndexReader reader = test.Index.BeginRead();
        SearchQuery query = new();
        int vector = query.Nearest("V", query.Vector([1, 2]), 1, 0, 10);
        IndexSearcher searcher = new();
        Assert.Contains("'V'", Assert.Throws<SearchIndexException>(
            () => searcher.Run(reader, query, vector, new SearchRequest())).Message, StringComparison.Ordinal);
        int fused = query.Fuse(query.All(), query.None(), 5);
        Assert.Throws<SearchIndexException>(() => searcher.Run(reader, query, fused, new SearchRequest()));
    }

    [Fact]
    public void A_value_that_is_too_long_for_Lucene_is_refused_by_its_field_and_the_batch_goes_on()
    {
        using TestIndex test = new(SearchEngineType.Lucene);
        using IndexBatch batch = test.Index.BeginBatch();
        IndexField field = batch.GetOrAddField("F", FieldKind.Exact, Analyzers.Keyword);
        batch.BeginEntry("d/1"u8);
        batch.Add(field, Encoding.UTF8.GetBytes(new string('x', 32765)));
        batch.EndEntry();
        batch.BeginEntry("d/2"u8);
        SearchIndexException refused = Assert.Throws<SearchIndexException>(
            () => batch.Add(field, Encoding.UTF8.GetBytes(new string('x', 32766))));
        Assert.Contains("'F' has a value of 32,766 bytes", refused.Message, StringComparison.Ordinal);
        batch.EndEntry();
        batch.Delete("d/2"u8);
        batch.Commit("p"u8);
        Assert.Equal(1, Count(test.Index));
    }

    [Fact]
    public void Both_engines_give_the_same_entries_the_same_scores()
    {
        Random random = new(4);
        using SimulatedFileSystem disk = new();
        using SimulatedFileSystem other = new();
        using SearchIndex ours = Open(disk, SearchEngineType.Corax);
        using SearchIndex lucenes = Open(other, SearchEngineType.Lucene);
        new NaiveIndex().Step(new Random(5), ours, 400, 100_000);
        new NaiveIndex().Step(new Random(5), lucenes, 400, 100_000);
        using IndexReader left = ours.BeginRead();
        using IndexReader right = lucenes.BeginRead();
        SearchQuery query = new();
        IndexSearcher searcher = new();
        int scored = 0;
        for (int i = 0; i < 400; i++)
        {
            query.Clear();
            RandomQuery made = new(random, query);
            (int root, _) = made.Make(3);
            SearchRequest request = new() { Take = 1000, WithScores = true };
            Dictionary<string, float> ofOurs = ScoresOf(left);
            Dictionary<string, float> ofLucene = ScoresOf(right);
            Assert.True(ofOurs.Keys.Order().SequenceEqual(ofLucene.Keys.Order()), $"{i}: {made.Text}");
            if (PhraseWithMoves().IsMatch(made.Text.ToString()))
            {
                // Which places count is another walk over positions in Lucene: the entries are the same.
                continue;
            }

            foreach ((string entry, float score) in ofOurs)
            {
                float difference = Math.Abs(score - ofLucene[entry]);
                Assert.True(
                    difference <= 1e-3 * Math.Max(1, Math.Abs(score)),
                    $"{i}: {made.Text}: {entry} has {score} and by Lucene {ofLucene[entry]}");
                scored += score is 0 or 1 ? 0 : 1;
            }

            Dictionary<string, float> ScoresOf(IndexReader reader)
            {
                searcher.Run(reader, query, root, request);
                return Enumerable.Range(0, searcher.Count).ToDictionary(
                    at => $"{Encoding.UTF8.GetString(searcher.DocumentId(at))} {searcher.EntryNumber(at)}",
                    searcher.Score);
            }
        }

        Assert.True(scored > 1000, $"only {scored} scores are none of 0 and 1");
    }

    [Fact]
    [Trait("Invariant", "LUCENE-2")]
    [Trait("Invariant", "FILES-1")]
    [Trait("Invariant", "FILES-2")]
    public void A_reader_keeps_what_it_sees_while_batches_replace_all_of_it()
    {
        using SimulatedFileSystem disk = new();
        using SearchIndex index = Open(disk, SearchEngineType.Lucene);
        List<IndexReader> readers = [];
        for (int i = 0; i < 12; i++)
        {
            using (IndexBatch batch = index.BeginBatch())
            {
                IndexField field = batch.GetOrAddField("N", FieldKind.Exact, Analyzers.Keyword);
                for (int id = 0; id < 5; id++)
                {
                    batch.Delete(Encoding.UTF8.GetBytes($"d/{id}"));
                    batch.BeginEntry(Encoding.UTF8.GetBytes($"d/{id}"));
                    batch.Add(field, (long)i);
                    batch.EndEntry();
                }

                batch.Commit([(byte)i]);
            }

            readers.Add(index.BeginRead());
            _ = i % 4 == 3 && index.MergeAll();
            if (i == 6)
            {
                index.GiveIdleMemoryBack();
            }
        }

        SearchQuery query = new();
        IndexSearcher searcher = new();
        for (int i = readers.Count - 1; i >= 0; i--)
        {
            query.Clear();
            searcher.Run(readers[i], query, query.Equal("N", query.Value((long)i)), new SearchRequest());
            Assert.Equal(5, searcher.TotalCount);
            searcher.Run(readers[i], query, query.All(), new SearchRequest());
            Assert.Equal(5, searcher.TotalCount);
            readers[i].Dispose();
        }
    }

    [Fact]
    [Trait("Invariant", "DIR-1")]
    public void Files_that_no_commit_names_do_not_stay()
    {
        using SimulatedFileSystem disk = new();
        using (SearchIndex index = Open(disk, SearchEngineType.Lucene))
        {
            IndexModel model = new();
            Random random = new(8);
            for (int i = 0; i < 40; i++)
            {
                model.Step(random, index, 40);
                while (index.Merge())
                {
                }

                if (i % 5 == 0)
                {
                    using IndexBatch dropped = index.BeginBatch();
                    dropped.Delete("docs/1"u8);
                }
            }

            Assert.True(index.MergeAll());

            // The files of readers that were closed since are removed by the next batch.
            model.Step(random, index, 40);
        }

        using StorageEnvironment environment =
            StorageEnvironment.Open(new StorageOptions { FileSystem = disk, Scheduler = new ManualScheduler() });
        using ReadTransaction transaction = environment.BeginRead();
        StreamStore streams = transaction.TryOpenStreams(StorageFiles.Name)!;
        Assert.InRange(streams.Count, 5, 60);
    }

    [Fact]
    [Trait("Invariant", "DIR-2")]
    [Trait("Invariant", "DIR-3")]
    public void Batches_that_run_while_large_segments_are_merged_leave_what_the_model_says()
    {
        Random random = new(2);
        using SimulatedFileSystem disk = new();
        using SearchIndex index = LuceneEngine.Open(new SearchIndexOptions
        {
            Storage = new StorageOptions { FileSystem = disk, Scheduler = new ManualScheduler() },
            InlineMergeBytesMax = 1,
        });
        IndexModel model = new();
        int asked = 0;
        int merges = 0;
        for (int step = 0; step < 30; step++)
        {
            model.Step(random, index, 30);
            Assert.False(index.Merge());
            while (index.HasLargeMerge() && index.MergeLarge(() =>
            {
                if (asked++ % 40 == 7)
                {
                    model.Step(random, index, 30);
                    Compare(model, index, $"step {step}, in a merge");
                }

                return false;
            }))
            {
                merges++;
                Assert.False(index.Merge());
                Compare(model, index, $"step {step}");
            }
        }

        Assert.True(merges > 2 && asked > 100, $"{merges} merges, {asked} steps");
        Assert.True(index.MergeAll());
        Compare(model, index, "at the end");
    }

    [Fact]
    [Trait("Invariant", "DIR-2")]
    public void A_large_merge_that_is_stopped_leaves_the_index_as_it_was()
    {
        Random random = new(9);
        using SimulatedFileSystem disk = new();
        using SearchIndex index = LuceneEngine.Open(new SearchIndexOptions
        {
            Storage = new StorageOptions { FileSystem = disk, Scheduler = new ManualScheduler() },
            InlineMergeBytesMax = 1,
        });
        IndexModel model = new();
        int stops = 0;
        for (int step = 0; step < 30; step++)
        {
            model.Step(random, index, 30);
            _ = index.Merge();
            int asked = 0;
            if (index.HasLargeMerge() && !index.MergeLarge(() => ++asked > 20))
            {
                stops++;
            }

            Compare(model, index, $"step {step}");
        }

        Assert.True(stops > 0, "no merge was stopped");
    }

    [GeneratedRegex(@"phrase\(Text, [^,]*, [1-9]")]
    private static partial Regex PhraseWithMoves();

    private static void Compare(IndexModel model, SearchIndex index, string when)
    {
        using IndexReader reader = index.BeginRead();
        Assert.True(model.Text() == IndexDump.Text(reader), $"{when}:\n{model.Text()}\n\n{IndexDump.Text(reader)}");
    }

    private static SearchIndex Open(SimulatedFileSystem disk, SearchEngineType? engine) => LuceneEngine.Open(
        new SearchIndexOptions
        {
            Storage = new StorageOptions { FileSystem = disk, Scheduler = new ManualScheduler() },
        },
        engine);

    private static void Add(SearchIndex index, string id, string text)
    {
        using IndexBatch batch = index.BeginBatch();
        IndexField field = batch.GetOrAddField("Text", FieldKind.FullText, Analyzers.Standard);
        batch.BeginEntry(Encoding.UTF8.GetBytes(id));
        batch.Add(field, Encoding.UTF8.GetBytes(text));
        batch.EndEntry();
        batch.Commit("p"u8);
    }

    private static int Count(SearchIndex index)
    {
        using IndexReader reader = index.BeginRead();
        return reader.EntryCount;
    }
}
