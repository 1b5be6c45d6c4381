using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Search;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;
using Raven.Search.Segments;
using Raven.Search.Vectors;
using Raven.Storage.Errors;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Search;

/// <summary>The nearest by graphs, beside the nearest by looking at each.</summary>
public sealed class VectorGraphTests
{
    [Theory]
    [Trait("Invariant", "HNSW-1")]
    [Trait("Invariant", "HNSW-2")]
    [InlineData(1, VectorFormat.Single, 24)]
    [InlineData(2, VectorFormat.Int8, 24)]
    [InlineData(3, VectorFormat.Binary, 256)]
    public void A_graph_finds_the_nearest_with_few_comparisons(int seed, VectorFormat format, int dimensions)
    {
        using GraphVectors test = new(seed, format, dimensions);
        test.Put(Enumerable.Range(0, 2500));
        test.MergeAll();
        Assert.NotNull(GraphOf(test.Index));
        double recall = test.Recall(20);
        Assert.True(recall >= 0.95, $"recall {recall}");
        test.Nearest(test.Index, test.Vector(), 10);
        Assert.True(test.VectorsRead < 1500, $"{test.VectorsRead} of 2,500 were looked at");
    }

    [Theory]
    [Trait("Invariant", "VEC-4")]
    [InlineData(800)]
    [InlineData(500)]
    [InlineData(100)]
    [InlineData(10)]
    [InlineData(1)]
    public void Conditions_that_leave_few_keep_recall(int below)
    {
        using GraphVectors test = new(below, VectorFormat.Single, 16);
        test.Put(Enumerable.Range(0, 4000));
        test.MergeAll();
        double recall = test.Recall(10, below);
        Assert.True(recall >= 0.95, $"recall {recall}");
    }

    [Fact]
    [Trait("Invariant", "VEC-5")]
    [Trait("Invariant", "GRAPH-1")]
    public void Updates_deletions_merges_and_restarts_keep_recall()
    {
        const int seed = 11;
        Random random = new(seed);
        using GraphVectors test = new(seed, VectorFormat.Single, 12);
        double least = 1;
        test.Put(Enumerable.Range(0, 2500));
        test.MergeAll();
        for (int round = 0; round < 24; round++)
        {
            int first = random.Next(3000);
            test.Put(
                Enumerable.Range(first, random.Next(3) == 0 ? 600 : 60), vectorsEach: random.Next(4) == 0 ? 2 : 1,
                deletedOfTen: random.Next(4));
            switch (random.Next(5))
            {
                case 0:
                    test.Index.MergeAll();
                    break;
                case 1:
                    while (test.Index.Merge())
                    {
                    }

                    break;
                case 2:
                    test.Reopen();
                    break;
            }

            while (random.Next(2) == 0 && test.Index.MergeLarge(() => false))
            {
            }

            string where = $"seed {seed}, round {round}";
            least = Math.Min(least, test.Recall(4, where: where));
            least = Math.Min(least, test.Recall(2, 850, where));
        }

        Assert.True(least >= 0.85, $"recall {least}");
        test.MergeAll();
        Assert.NotNull(GraphOf(test.Index));
        Assert.True(test.Recall(20) >= 0.95);
    }

    [Fact]
    public void Documents_with_many_vectors_are_found_once_each()
    {
        using GraphVectors test = new(5, VectorFormat.Single, 16);
        test.Put(Enumerable.Range(0, 2000), vectorsEach: 2);
        test.MergeAll();
        Assert.True(test.Recall(10) >= 0.95);
    }

    [Fact]
    public void Equal_vectors_do_not_cut_a_graph_in_two()
    {
        using GraphVectors test = new(6, VectorFormat.Single, 16);
        test.Put(Enumerable.Range(0, 1500));
        float[] same = test.Vector();
        using (IndexBatch batch = test.Index.BeginBatch())
        {
            IndexField vectors = batch.GetOrAddVectors("V", VectorFormat.Single, 16);
            for (int i = 0; i < 1500; i++)
            {
                batch.BeginEntry(Encoding.UTF8.GetBytes($"{5000 + i}"));
                batch.AddVector(vectors, i < 750 ? same : new float[16]);
                batch.EndEntry();
                test.Documents[5000 + i] = (0, [same]);
            }

            batch.Commit("x"u8);
        }

        test.MergeAll();
        Assert.True(test.Recall(20) >= 0.95);
        Assert.All(test.Nearest(test.Index, same, 10), hit => Assert.True(hit.Score > 0.999f));
    }

    [Fact]
    public void A_segment_without_a_graph_is_scanned_until_it_has_one()
    {
        using GraphVectors test = new(7, VectorFormat.Single, 8, graphVectorsMin: int.MaxValue);
        test.Put(Enumerable.Range(0, 1000));
        test.MergeAll();
        Assert.Null(GraphOf(test.Index));
        Assert.False(test.Index.HasLargeMerge());
        Assert.Equal(1, test.Recall(5));
        test.Reopen();
        Assert.True(test.Index.HasLargeMerge());
        Assert.True(test.Index.MergeLarge(() => false));
        Assert.False(test.Index.HasLargeMerge());
        Assert.NotNull(GraphOf(test.Index));
        Assert.True(test.Recall(5) >= 0.95);
    }

    [Fact]
    [Trait("Invariant", "HNSW-3")]
    [Trait("Invariant", "HNSW-4")]
    public void A_graph_is_the_same_however_often_it_is_built_and_whatever_happens_meanwhile()
    {
        List<int[]> graphs = [];
        for (int run = 0; run < 2; run++)
        {
            using GraphVectors test = new(8, VectorFormat.Single, 8);
            test.Put(Enumerable.Range(0, 1200));
            test.MergeAll();
            int asked = 0;
            test.Reopen(graphVectorsMin: 100);
            test.Put(Enumerable.Range(2000, 1000));
            Assert.True(test.Index.MergeLarge(() =>
            {
                if (run == 1 && asked++ < 3)
                {
                    test.Put(Enumerable.Range(4000 + asked, 1));
                }

                return false;
            }));
            Assert.True(run == 0 || asked > 3);
            graphs.Add(GraphOf(test.Index)!);
        }

        Assert.Equal(graphs[0], graphs[1]);
    }

    [Fact]
    [Trait("Invariant", "GRAPH-1")]
    public void A_power_cut_while_a_graph_is_built_changes_nothing()
    {
        Random random = new(4);
        using GraphVectors test = new(9, VectorFormat.Single, 8);
        test.Put(Enumerable.Range(0, 600));
        test.Index.Sync();
        int began = test.Disk.Log.Count;
        Assert.True(test.Index.MergeLarge(() => false));
        test.Index.Sync();
        CrashImages images = new(test.Disk.Log);
        float[] wanted = test.Vector();
        List<(int Id, float Score)> expected = test.Nearest(test.Index, wanted, 10, isExact: true);
        int without = 0;
        for (int cut = began + 1; cut <= test.Disk.Log.Count; cut++)
        {
            images.AdvanceTo(cut);
            using SimulatedFileSystem left = new(images.Make(random));
            using SearchIndex index = test.OpenOn(left);
            without += GraphOf(index) is null ? 1 : 0;
            Assert.Equal(expected, test.Nearest(index, wanted, 10, isExact: true));
            Assert.True(test.Nearest(index, wanted, 10).Intersect(expected).Count() >= 8, $"cut {cut}");
            while (index.MergeLarge(() => false))
            {
            }

            Assert.NotNull(GraphOf(index));
        }

        Assert.True(without > 0);
    }

    [Theory]
    [Trait("Invariant", "VPART-1")]
    [InlineData(VectorFormat.Single)]
    [InlineData(VectorFormat.Int8)]
    public void Records_in_parts_are_the_same_vectors(VectorFormat format)
    {
        using GraphVectors test = new(10, format, 12) { PartBytesMax = 4096 };
        test.Reopen();
        test.Put(Enumerable.Range(0, 700));
        test.Put(Enumerable.Range(500, 400), deletedOfTen: 3);
        using (IndexReader reader = test.Index.BeginRead())
        {
            Assert.Equal(2, reader.SegmentCount);
        }

        float[][] wanted = [.. Enumerable.Range(0, 10).Select(_ => test.Vector())];
        var before = wanted.Select(one => test.Nearest(test.Index, one, 10, isExact: true)).ToList();
        test.MergeAll();
        Assert.Equal(before, wanted.Select(one => test.Nearest(test.Index, one, 10, isExact: true)));
        Assert.True(PartsOf(test.Index) > 3);
        test.Reopen();
        Assert.True(test.Recall(5) >= 0.95);
        test.Put(Enumerable.Range(2000, 300));
        test.MergeAll();
        Assert.True(test.Recall(10) >= 0.95);
    }

    [Fact]
    [Trait("Invariant", "HNSW-1")]
    public void A_damaged_graph_is_reported_or_harmless()
    {
        const int seed = 12;
        Random random = new(seed);
        using GraphVectors test = new(seed, VectorFormat.Single, 8);
        test.Put(Enumerable.Range(0, 600));
        test.MergeAll();
        int[] graph = GraphOf(test.Index)!;
        using IndexReader reader = test.Index.BeginRead();
        VectorReader vectors = ((SegmentsReader)reader).Segments[0].TryGetVectors(1)!;
        GraphWalk walk = new();
        int reported = 0;
        for (int i = 0; i < 3000; i++)
        {
            int[] damaged = [.. graph.AsSpan(0, random.Next(20) == 0 ? random.Next(graph.Length) : graph.Length)];
            for (int flips = random.Next(1, 4); flips > 0 && damaged.Length > 0; flips--)
            {
                int at = random.Next(2) == 0 ? random.Next(Math.Min(16, damaged.Length)) : random.Next(damaged.Length);
                damaged[at] = random.Next(3) == 0 ? random.Next() - (random.Next(2) * int.MaxValue)
                    : damaged[at] ^ (1 << random.Next(32));
            }

            try
            {
                VectorGraph.Check(MemoryMarshal.AsBytes(damaged.AsSpan()), vectors.Count);
                VectorGraph whole = new(damaged);
                if (whole.Header.Entry >= 0)
                {
                    ReadOnlySpan<byte> wanted = vectors.Record(random.Next(vectors.Count));
                    int start = walk.Descend(whole, vectors, wanted, 0);
                    walk.Walk(whole, vectors, wanted, whole.Header.TopLevel > 0 ? whole.VectorOf(start) : start, 100);
                    Assert.All(walk.Found.Keys.ToArray(), key => Assert.InRange(NearKey.Number(key), 0, 599));
                }
            }
            catch (StorageCorruptedException)
            {
                reported++;
            }
        }

        Assert.True(reported > 300, $"only {reported} were reported");
    }

    [Fact]
    public void A_graph_has_exactly_these_bytes()
    {
        string golden = Path.Combine(Path.GetDirectoryName(ThisFile())!, "graph-1.txt");
        using GraphVectors test = new(14, VectorFormat.Binary, 64, graphVectorsMin: 50);
        test.Put(Enumerable.Range(0, 120));
        test.Put(Enumerable.Range(0, 20), deletedOfTen: 10);
        test.MergeAll();
        string text = string.Concat(GraphOf(test.Index)!.Chunk(16).Select(row => string.Join(' ', row) + "\n"));
        if (Environment.GetEnvironmentVariable("DEV_UPDATE_GOLDEN") == "1")
        {
            File.WriteAllText(golden, text);
        }

        Assert.True(File.ReadAllText(golden).ReplaceLineEndings("\n") == text, "They are others now.");
    }

    [Theory]
    [InlineData(1000)]
    [InlineData(800)]
    public void A_search_by_a_graph_allocates_nothing(int below)
    {
        using GraphVectors test = new(13, VectorFormat.Single, 8);
        test.Put(Enumerable.Range(0, 4000));
        test.MergeAll();
        SearchQuery query = new();
        IndexSearcher searcher = new();
        SearchRequest request = new() { Orders = { new OrderKey(OrderKind.Score, "", true, false, 0) } };
        float[] wanted = test.Vector();
        Assert.Equal(0, Allocated.Least(Run));
        Assert.Equal(10, searcher.Count);

        void Run()
        {
            using IndexReader reader = test.Index.BeginRead();
            query.Clear();
            int kind = query.Range("Number", SearchQuery.Unbounded, true, query.Value((long)below), false);
            int near = query.Nearest("V", query.Vector(wanted), 1, 0, 10);
            searcher.Run(reader, query, below < 1000 ? query.And(near, kind) : near, request);
        }
    }

    [Fact]
    public void A_similarity_and_a_number_are_ordered_as_one_word()
    {
        float[] similarities = [-1, -0.5f, -1e-20f, 0, 1e-20f, 0.25f, 1];
        ulong last = 0;
        foreach (float similarity in similarities)
        {
            foreach (int number in (int[])[int.MaxValue, 7, 0])
            {
                ulong key = NearKey.Of(similarity, number);
                Assert.True(key > last);
                Assert.Equal((similarity, number), (NearKey.Similarity(key), NearKey.Number(key)));
                last = key;
            }
        }
    }

    private static int[]? GraphOf(SearchIndex index)
    {
        using IndexReader reader = index.BeginRead();
        int field = index.Fields.ToList().FindIndex(one => one.Kind == FieldKind.Vector);
        for (int i = ((SegmentsReader)reader).Segments.Count - 1; i >= 0; i--)
        {
            if (BlobOf(index, ((SegmentsReader)reader).Segments[i].Id, field, IndexNames.GraphPart) is { } blob)
            {
                return [.. MemoryMarshal.Cast<byte, int>(blob)];
            }
        }

        return null;
    }

    private static string ThisFile([CallerFilePath] string path = "") => path;

    private static int PartsOf(SearchIndex index)
    {
        using IndexReader reader = index.BeginRead();
        int count = 0;
        int segment = ((SegmentsReader)reader).Segments[0].Id;
        while (BlobOf(index, segment, 1, IndexNames.FirstRecordsPart + count) is not null)
        {
            count++;
        }

        return count;
    }

    private static byte[]? BlobOf(SearchIndex index, int segment, int field, int part)
    {
        using ReadTransaction transaction = index.BeginReadStructures();
        byte[] key = new byte[IndexNames.PartKeySize];
        IndexNames.WritePartKey(key, segment, field, part);
        return transaction.TryOpenTree(IndexNames.Content)!.TryGet(key, out NativeSlice blob)
            ? blob.Span.ToArray()
            : null;
    }
}
