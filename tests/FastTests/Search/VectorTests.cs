using System.Numerics;
using System.Text;
using FastTests.Support;
using Raven.Search;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;
using Raven.Search.Vectors;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Search;

/// <summary>The nearest vectors against looking at each of them.</summary>
public sealed class VectorTests
{
    [Theory]
    [Trait("Invariant", "VEC-1")]
    [Trait("Invariant", "VEC-2")]
    [InlineData(1, VectorFormat.Single, 3)]
    [InlineData(2, VectorFormat.Single, 37)]
    [InlineData(3, VectorFormat.Single, 128)]
    [InlineData(4, VectorFormat.Int8, 21)]
    [InlineData(5, VectorFormat.Int8, 64)]
    [InlineData(6, VectorFormat.Binary, 70)]
    [InlineData(7, VectorFormat.Binary, 8)]
    public void The_nearest_vectors_are_those_of_a_full_scan_through_updates_merges_and_restarts(
        int seed, VectorFormat format, int dimensions)
    {
        using SimulatedFileSystem disk = new();
        Random random = new(seed);
        VectorModel model = new(format, dimensions);
        SearchIndex index = Open(disk);
        try
        {
            for (int round = 0; round < 40; round++)
            {
                model.Step(random, index, round % 10 == 0 ? 300 : 30);
                switch (random.Next(6))
                {
                    case 0:
                        while (index.Merge())
                        {
                        }

                        break;
                    case 1:
                        index.MergeLarge(() => false);
                        break;
                    case 2:
                        index.MergeAll();
                        break;
                    case 3:
                        index.Dispose();
                        index = Open(disk);
                        break;
                }

                Compare(random, model, index, $"seed {seed}, round {round}");
            }
        }
        finally
        {
            index.Dispose();
        }
    }

    [Fact]
    public void The_length_of_a_vector_does_not_change_its_similarity()
    {
        using TestVectors test = new(VectorFormat.Single, [[3, 0], [0, 1e-30f], [1e30f, 1e30f], [0, 0], [-5, 0]]);
        Assert.Equal([(0, 1f), (2, 0.70710677f), (1, 0f), (3, 0f)], test.Nearest([1e-3f, 0], 0, 10));
        Assert.Equal([(2, 0.70710677f)], test.Nearest([0, 7e20f], 0.5f, 10).Skip(1));
    }

    [Fact]
    public void A_vector_of_exactly_the_least_similarity_is_found()
    {
        using TestVectors test = new(VectorFormat.Single, [[0.1f, 0.2f, 0.3f], [1, 0, 0]]);
        Assert.Equal(0, Assert.Single(test.Nearest([0.7f, 1.4f, 2.1f], 1, 10)).Document);
    }

    [Theory]
    [InlineData(8, 5, 9, 6, 3, -7)]
    [InlineData(9, 4, 4, 8, 2, -20)]
    [InlineData(5, 1, 4, 6, 6, -9)]
    public void An_orthogonal_vector_is_found_at_similarity_zero_however_its_sum_is_rounded(
        float x, float y, float z, float a, float b, float c)
    {
        using TestVectors test = new(VectorFormat.Single, [[x, y, z], [-a, -b, -c - 1]]);
        Assert.Equal([(0, 0f)], test.Nearest([a, b, c], 0, 10));
    }

    [Fact]
    public void A_vector_field_exists_in_documents_that_have_a_vector_and_has_no_terms()
    {
        using TestVectors test = new(VectorFormat.Single, [[1, 0], [], [0, 1]]);
        Assert.Equal([0, 2], test.Run(query => query.Exists("V"), false).Select(hit => hit.Document));
        Assert.Empty(test.Run(query => query.Equal("V", query.Value(1L)), false));
        Assert.Equal([1], test.Run(
            query => query.And(query.All(), query.Not(query.Exists("V"))), false).Select(hit => hit.Document));
    }

    [Fact]
    [Trait("Invariant", "DIM-1")]
    public void A_vector_of_other_dimensions_is_refused_and_the_index_goes_on()
    {
        using TestVectors test = new(VectorFormat.Single, [[1, 0]]);
        SearchIndexException wrong = Assert.Throws<SearchIndexException>(() => test.Add(7, [1, 2, 3]));
        Assert.Contains("'V' has vectors of 2 dimensions; this one has 3", wrong.Message, StringComparison.Ordinal);
        Assert.Throws<SearchIndexException>(() => test.Nearest([1, 2, 3], 0, 1));
        test.Add(8, [0, 1]);
        Assert.Equal([(8, 1f)], test.Nearest([0, 1], 0.9f, 10));
    }

    [Fact]
    public void A_batch_that_is_dropped_does_not_set_the_dimensions_of_a_field()
    {
        using TestVectors test = new(VectorFormat.Single, []);
        using (IndexBatch batch = test.Index.BeginBatch())
        {
            batch.BeginEntry("x"u8);
            batch.AddVector(batch.GetOrAddVectors("V", VectorFormat.Single, 0), [1, 2, 3, 4]);
            batch.EndEntry();
        }

        test.Add(1, [1, 2]);
        Assert.Equal(2, test.Index.Fields.Single(field => field.Name == "V").Dimensions);
    }

    [Theory]
    [Trait("Invariant", "DIM-1")]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void The_next_vector_sets_the_dimensions_if_no_vector_is_left(bool isOneBatch, bool isMerged)
    {
        using TestVectors test = new(VectorFormat.Single, [[1, 0], [0, 1], []]);
        using (IndexBatch batch = test.Index.BeginBatch())
        {
            DeleteAll(batch);
            if (isOneBatch)
            {
                AddThree(batch);
            }

            batch.Commit("x"u8);
        }

        if (!isOneBatch)
        {
            Assert.Equal(0, test.Index.Fields.Single(one => one.Name == "V").Dimensions);
            Assert.Empty(test.Nearest([1, 2, 3, 4], 0, 10));
            using IndexBatch batch = test.Index.BeginBatch();
            AddThree(batch);
            batch.Commit("x"u8);
        }

        if (isMerged)
        {
            test.Index.MergeAll();
        }

        Assert.Equal([5, 6], test.Nearest([1, 2, 3], 0, 10).Select(hit => hit.Document));
        test.Add(7, [1, 2, 2]);
        Assert.Equal([5, 7, 6], test.Nearest([1, 2, 3], 0, 10).Select(hit => hit.Document));
    }

    [Theory]
    [InlineData(VectorFormat.Single)]
    [InlineData(VectorFormat.Int8)]
    [InlineData(VectorFormat.Binary)]
    public void A_query_on_vectors_allocates_nothing(VectorFormat format)
    {
        Random random = new(5);
        VectorModel model = new(format, 40);
        using SimulatedFileSystem disk = new();
        using SearchIndex index = Open(disk);
        for (int i = 0; i < 3; i++)
        {
            model.Step(random, index, 400);
        }

        float[] wanted = model.RandomVector(random);
        SearchQuery query = new();
        IndexSearcher searcher = new();
        SearchRequest request = new() { Orders = { new OrderKey(OrderKind.Score, "", true, false, 0) } };
        Assert.Equal(0, Allocated.Least(Run));
        Assert.Equal(10, searcher.Count);

        void Run()
        {
            using IndexReader reader = index.BeginRead();
            query.Clear();
            int kind = query.Range("Kind", query.Value(1L), true, query.Value(3L), true);
            searcher.Run(
                reader, query, query.And(query.Nearest("V", query.Vector(wanted), 1, 0, 30), kind), request);
        }
    }

    [Fact]
    public void Sums_of_products_are_those_of_a_plain_loop_at_any_length()
    {
        const int seed = 9;
        Random random = new(seed);
        for (int length = 1; length < 200; length++)
        {
            sbyte[] left = [.. Enumerable.Range(0, length).Select(_ => (sbyte)(random.Next(3) == 0 ? -127 : Byte()))];
            sbyte[] right = [.. Enumerable.Range(0, length).Select(_ => (sbyte)(random.Next(3) == 0 ? 127 : Byte()))];
            Assert.Equal(left.Zip(right, (x, y) => x * y).Sum(), DotProduct.Of(left, right));
            float[] singles = [.. left.Select(x => x / 64f)];
            Assert.Equal(singles.Sum(x => (double)x * x), DotProduct.Of(singles, singles), 1e-2);
            ulong[] bits = [.. right.Select(x => (ulong)random.NextInt64())];
            Assert.Equal(bits.Sum(BitOperations.PopCount), DotProduct.Differences(bits, new ulong[length]));
        }

        sbyte[] least = [.. Enumerable.Repeat((sbyte)-128, 64)];
        byte[] record = new byte[VectorCode.SizeOf(VectorFormat.Int8, 64)];
        VectorCode.Write(least, record);
        Assert.Equal(1, VectorCode.Similarity(VectorFormat.Int8, 64, record, record), 1e-5);

        int Byte() => random.Next(-127, 128);
    }

    private static void DeleteAll(IndexBatch batch)
    {
        IndexField field = batch.GetOrAddVectors("V", VectorFormat.Single, 0);
        batch.Delete("0"u8);
        batch.BeginEntry("3"u8);
        Assert.Throws<SearchIndexException>(() => batch.AddVector(field, [1, 2, 3]));
        batch.EndEntry();
        batch.Delete("1"u8);
    }

    private static void AddThree(IndexBatch batch)
    {
        // Of an entry that is dropped, as it fails: it says nothing.
        IndexField field = batch.GetOrAddVectors("V", VectorFormat.Single, 0);
        batch.BeginEntry("4"u8);
        batch.AddVector(field, [1, 2, 3, 4, 5]);
        batch.EndEntry();
        batch.Delete("4"u8);
        batch.BeginEntry("5"u8);
        batch.AddVector(field, [1, 2, 3]);
        batch.EndEntry();
        batch.BeginEntry("6"u8);
        Assert.Throws<SearchIndexException>(() => batch.AddVector(field, [1, 2]));
        batch.AddVector(field, [3, 2, 1]);
        batch.EndEntry();
    }

    private static void Compare(Random random, VectorModel model, SearchIndex index, string where)
    {
        using IndexReader reader = index.BeginRead();
        for (int i = 0; i < 5; i++)
        {
            int shape = random.Next(4);
            bool isOfDocument = random.Next(4) == 0 && model.Count > 0;
            string document = isOfDocument ? model.Ids.ElementAt(random.Next(model.Count)) : "";
            List<float[]> wanted = isOfDocument ? model.VectorsOf(document)
                : [.. Enumerable.Range(0, random.Next(4) == 0 ? 3 : 1).Select(_ => model.RandomVector(random))];
            float least = random.Next(2) == 0 ? 0 : (float)Math.Round(random.NextDouble(), 2);
            int nearest = random.Next(4) switch { 0 => 1, 1 => int.MaxValue, 2 => 10, _ => random.Next(1, 400) };
            SearchQuery query = new();
            int near = isOfDocument
                ? query.NearestTo("V", query.VectorsOf(Encoding.UTF8.GetBytes(document)), least, nearest)
                : query.Nearest("V", AddAll(query, wanted), wanted.Count, least, nearest);
            int one = query.Equal("Kind", query.Value(2L));
            int root = shape switch
            {
                0 => near,
                1 => query.And(near, one),
                2 => query.And(query.And(query.All(), query.Not(one)), query.Boost(near, 1)),
                _ => query.And(query.Range("Kind", query.Value(1L), true, query.Value(2L), true), near),
            };
            Func<int, bool> isOfKind = shape switch
            {
                0 => _ => true,
                1 => kind => kind == 2,
                2 => kind => kind != 2,
                _ => kind => kind is 1 or 2,
            };
            List<double> expected = model.Nearest(wanted, isOfKind, least, nearest);
            IndexSearcher searcher = new();
            SearchRequest request = new() { Take = int.MaxValue };
            request.Orders.Add(new OrderKey(OrderKind.Score, "", true, false, 0));
            searcher.Run(reader, query, root, request);
            string what = $"{where}, query {i}: shape {shape}, least {least}, nearest {nearest}, of '{document}'";
            Assert.True(expected.Count == searcher.Count, $"{what}: {searcher.Count} instead of {expected.Count}");

            // Other conditions of the query count 1 each: they are the same for all.
            float other = shape switch { 0 => 0, 2 => searcher.Count == 0 ? 0 : searcher.Score(0) - At(0), _ => 1 };
            for (int hit = 0; hit < searcher.Count; hit++)
            {
                Assert.True(
                    Math.Abs(At(hit) - Math.Max(0, expected[hit])) < 2e-5, $"{what}: hit {hit} is no {expected[hit]}");
                Assert.True(Math.Abs(searcher.Score(hit) - other - At(hit)) < 2e-5, $"{what}: score of hit {hit}");
            }

            float At(int hit) => (float)Math.Max(
                0, model.SimilarityOf(Encoding.UTF8.GetString(searcher.DocumentId(hit)), wanted));
        }
    }

    private static int AddAll(SearchQuery query, List<float[]> vectors)
    {
        int first = query.Vector(vectors[0]);
        foreach (float[] vector in vectors.Skip(1))
        {
            query.Vector(vector);
        }

        return first;
    }

    private static SearchIndex Open(SimulatedFileSystem disk) => SearchIndex.Open(new SearchIndexOptions
    {
        Storage = new StorageOptions { FileSystem = disk, Scheduler = new ManualScheduler() },
        InlineMergeBytesMax = 8 << 10,
    });
}
