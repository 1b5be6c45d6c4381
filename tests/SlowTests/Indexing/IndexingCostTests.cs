using System.Diagnostics;
using System.Text;
using FastTests.Queries;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Storage.Options;
using Raven.Storage.Platform;

namespace SlowTests.Indexing;

/// <summary>What indexes cost writers, and what merges cost indexes, at a million documents.</summary>
[Trait(Category.Shard, "indexing")]
[Collection(AloneInProcess.Name)]
public sealed class IndexingCostTests(ITestOutputHelper output)
{
    private const int Million = 1_000_000;
    private const double FactorMax = 1.05;

    [Fact]
    public void A_write_takes_the_same_time_beside_any_number_of_documents_to_be_indexed()
    {
        using IndexedDatabase indexed = new();
        using IndexedDatabase plain = new();
        DatabaseIndex index = Put(indexed);
        index.IsPaused = true;
        Write(indexed, 0, 10_000);
        Write(plain, 0, 10_000);
        double before = Ratio(indexed, plain);
        for (int at = 10_000; at < Million; at += 10_000)
        {
            Write(indexed, at, 10_000);
            Write(plain, at, 10_000);
        }

        Assert.Equal(0, index.Position.MapAttempts);
        double after = double.MaxValue;
        for (int attempt = 0; attempt < 8 && after > FactorMax; attempt++)
        {
            after = Math.Min(after, Ratio(indexed, plain));
        }

        output.WriteLine($"a write beside 10,000 documents to be indexed costs {before:0.000} of one without an index, "
            + $"beside {Million:N0} {after:0.000}");
        Assert.InRange(after, 0, FactorMax);
    }

    [Fact]
    public void The_memory_of_a_batch_is_the_same_for_a_thousand_documents_and_for_a_million()
    {
        long thousand = HighWaterOf(1_000);
        long million = HighWaterOf(Million);
        output.WriteLine($"{thousand} and {million} bytes");
        Assert.True(thousand > 0);
        Assert.Equal(thousand, million);
    }

    [Fact]
    [Trait("Invariant", "MRG-1")]
    public async Task Batches_do_not_wait_for_merges_of_a_million_entries()
    {
        string folder = Directory.CreateTempSubdirectory("raven-merges-").FullName;
        try
        {
            using SearchIndex index = SearchIndex.Open(new SearchIndexOptions
            {
                Storage = new StorageOptions { FileSystem = new RealFileSystem(folder) },
            });
            for (int at = 0; at < 8; at++)
            {
                Add(index, at * Million / 8, Million / 8);
            }

            Assert.True(index.HasLargeMerge());
            long began = Stopwatch.GetTimestamp();

            // Both on threads of their own: the pool may be taken by other tests for as long as a merge.
            Task merging = Task.Factory.StartNew(
                () => Assert.True(index.MergeLarge(() => false)),
                CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
            List<double> waits = [];
            for (int batch = 0; !merging.IsCompleted; batch++)
            {
                long start = Stopwatch.GetTimestamp();
                Add(index, Million + (batch * 5), 5);
                waits.Add(Stopwatch.GetElapsedTime(start).TotalMilliseconds);
                Thread.Sleep(5);
            }

            await merging;
            double merge = Stopwatch.GetElapsedTime(began).TotalMilliseconds;
            waits.Sort();
            output.WriteLine(
                $"the merge took {merge:0} ms; {waits.Count} batches beside it, p50 {waits[waits.Count / 2]:0.0} ms, "
                + $"the longest {waits[^1]:0} ms");

            // How many there are is the machine's; none of them waits for a good part of the merge.
            Assert.True(waits.Count > 8, $"{waits.Count} batches beside a merge of {merge:0} ms");
            Assert.True(waits[^1] < merge / 4, $"a batch took {waits[^1]} ms");
            using IndexReader reader = index.BeginRead();
            Assert.Equal(Million + (waits.Count * 5), reader.EntryCount);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static void Add(SearchIndex index, int first, int count)
    {
        using IndexBatch batch = index.BeginBatch();
        IndexField number = batch.GetOrAddField("Number", FieldKind.Exact, Analyzers.Keyword);
        IndexField name = batch.GetOrAddField("Name", FieldKind.Exact, Analyzers.LowerCaseKeyword);
        IndexField text = batch.GetOrAddField("Text", FieldKind.FullText, Analyzers.Standard);
        for (int i = first; i < first + count; i++)
        {
            batch.BeginEntry(Encoding.UTF8.GetBytes($"items/{i}"));
            batch.Add(number, (long)i);
            batch.Add(name, Encoding.UTF8.GetBytes($"name {i % 5000}"));
            batch.Add(
                text, Encoding.UTF8.GetBytes($"word{i % 100} word{i % 1000} word{i % 10_000} and others of them"));
            batch.EndEntry();
        }

        batch.Commit(BitConverter.GetBytes(first + count));
    }

    /// <summary>The least time of many rounds of single writes, with an index and without, turn by turn.</summary>
    private static double Ratio(IndexedDatabase indexed, IndexedDatabase plain)
    {
        double[] best = [double.MaxValue, double.MaxValue];
        for (int round = 0; round < 60; round++)
        {
            for (int which = 0; which < 2; which++)
            {
                long start = Stopwatch.GetTimestamp();
                for (int i = 0; i < 200; i++)
                {
                    Write(which == 0 ? indexed : plain, i, 1);
                }

                best[which] = Math.Min(best[which], Stopwatch.GetElapsedTime(start).TotalMilliseconds);
            }
        }

        return best[0] / best[1];
    }

    private static long HighWaterOf(int documents)
    {
        using IndexedDatabase database = new();
        for (int at = 0; at < documents; at += 1_000)
        {
            Write(database, at, 1_000);
        }

        DatabaseIndex index = Put(database);
        Assert.True(SpinWait.SpinUntil(() => index.CoveredEtag == documents, TimeSpan.FromMinutes(5)));
        return index.Memory!.HighWaterBytes;
    }

    private static DatabaseIndex Put(IndexedDatabase database) => database.Database.Indexes.Changes.PutAsync(
        new IndexDefinition { Name = "Mine", Maps = ["map('Users', u => ({ Age: u.Age }))"] }).AsTask().Result;

    private static void Write(IndexedDatabase database, int first, int count)
    {
        database.Begin();
        for (int i = first; i < first + count; i++)
        {
            database.Put(
                $"users/{i:D7}", $$"""{"Age":{{Million + i}},"Name":"one","@metadata":{"@collection":"Users"} }""");
        }

        database.Submit();
    }
}
