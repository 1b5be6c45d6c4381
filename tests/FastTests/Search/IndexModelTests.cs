using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine;
using Raven.Search.Segments;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Search;

/// <summary>An index holds what was put into it: through updates, deletes, merges, restarts and power cuts.</summary>
public sealed class IndexModelTests
{
    [Theory]
    [InlineData(1, 12, SearchEngineType.Corax)]
    [InlineData(2, 60, SearchEngineType.Corax)]
    [InlineData(3, 400, SearchEngineType.Corax)]
    [InlineData(1, 12, SearchEngineType.Lucene)]
    [InlineData(2, 60, SearchEngineType.Lucene)]
    public void Random_batches_and_merges_leave_what_the_model_says(
        int seed, int documentsMax, SearchEngineType engine)
    {
        Random random = new(seed);
        using SimulatedFileSystem disk = new();
        ManualScheduler scheduler = new();
        SearchIndex index = Open(disk, scheduler, engine);
        IndexModel model = new();
        try
        {
            for (int step = 0; step < 60; step++)
            {
                model.Step(random, index, documentsMax);
                bool merged = step % 3 == 0 && (random.Next(10) == 0 ? index.MergeAll() : index.Merge());
                if (random.Next(10) == 0)
                {
                    scheduler.RunAll();
                    index.Dispose();
                    index = Open(disk, scheduler, engine);
                }

                if (merged || step % 7 == 0)
                {
                    Compare(model, index, $"seed {seed}, step {step}");
                }
            }

            index.MergeAll();
            Compare(model, index, $"seed {seed}, at the end");
            using IndexReader reader = index.BeginRead();
            Assert.Equal(1, reader.SegmentCount);
            Assert.Equal(reader.EntryCount, reader.EntryCountWithDeleted);
        }
        finally
        {
            index.Dispose();
        }
    }

    [Theory]
    [Trait("Invariant", "INDEX-1")]
    [InlineData(1, SearchEngineType.Corax)]
    [InlineData(2, SearchEngineType.Corax)]
    [InlineData(1, SearchEngineType.Lucene)]
    [Trait("Invariant", "LUCENE-1")]
    public void After_a_power_cut_content_and_position_are_those_of_one_batch(int seed, SearchEngineType engine)
    {
        Random random = new(seed);
        using SimulatedFileSystem disk = new();
        List<(int Began, int Synced, IndexModel Model)> states = RunAndCut(random, disk, engine);
        CrashImages images = new(disk.Log);
        int[] cuts = [.. Enumerable.Range(0, 60).Select(_ => random.Next(disk.Log.Count + 1)).Order()];
        foreach (int cut in cuts)
        {
            images.AdvanceTo(cut);
            using SimulatedFileSystem left = new(images.Make(random));
            using SearchIndex index = Open(left, new ManualScheduler(), engine);
            byte[] position = index.ReadPosition();
            int batch = position.Length == 0 ? 0 : BitConverter.ToInt32(position);
            int least = states.Where(state => state.Synced < cut).Select(state => state.Model.Batches).Append(0).Max();
            int most = states.Where(state => state.Began < cut).Select(state => state.Model.Batches).Append(0).Max();
            Assert.True(batch >= least && batch <= most, $"seed {seed}, cut {cut}: {batch} of {least} to {most}");
            IndexModel model = states.Select(state => state.Model).Append(new IndexModel())
                .First(one => one.Batches == batch);
            Compare(model, index, $"seed {seed}, cut {cut}");
            model.Freeze().Step(random, index, 10);
        }
    }

    [Theory]
    [InlineData(SearchEngineType.Corax)]
    [InlineData(SearchEngineType.Lucene)]
    public void A_batch_that_is_not_committed_leaves_no_trace(SearchEngineType engine)
    {
        using SimulatedFileSystem disk = new();
        using SearchIndex index = Open(disk, new ManualScheduler(), engine);
        IndexModel model = new();
        model.Step(new Random(5), index, 30);
        using (IndexBatch batch = index.BeginBatch())
        {
            batch.BeginEntry("docs/1"u8);
            batch.Add(batch.GetOrAddField("New", FieldKind.Exact, Analyzers.Keyword), "x"u8);
            batch.EndEntry();
            batch.Delete("docs/2"u8);
            Assert.Throws<InvalidOperationException>(index.BeginBatch);
        }

        Compare(model, index, "dropped");
        model.Step(new Random(6), index, 30);
        Compare(model, index, "the next batch");
        Assert.DoesNotContain(index.Fields, field => field.Name == "New");
    }

    [Fact]
    [Trait("Invariant", "INDEX-1")]
    public void A_large_batch_is_several_segments_and_one_transaction()
    {
        using SimulatedFileSystem disk = new();
        using SearchIndex index = SearchIndex.Open(
            new SearchIndexOptions { Storage = Storage(disk, new ManualScheduler()), BatchSizeBytesMax = 4096 });
        using (IndexBatch batch = index.BeginBatch())
        {
            IndexField field = batch.GetOrAddField("F", FieldKind.Exact, Analyzers.Keyword);
            for (int i = 0; i < 500; i++)
            {
                batch.Delete(Encoding.UTF8.GetBytes("d/" + (i % 300)));
                batch.BeginEntry(Encoding.UTF8.GetBytes("d/" + (i % 300)));
                batch.Add(field, (long)i);
                batch.EndEntry();
            }

            using IndexReader none = index.BeginRead();
            Assert.Equal(0, none.EntryCount);
            batch.Commit("done"u8);
        }

        using IndexReader reader = index.BeginRead();
        Assert.True(reader.SegmentCount > 3);
        Assert.Equal(300, reader.EntryCount);
        Assert.Equal(["F=300"], IndexDump.Read(reader)["d/0"]);
    }

    [Fact]
    public void A_field_keeps_its_kind_and_analyzer()
    {
        using SimulatedFileSystem disk = new();
        using SearchIndex index = Open(disk, new ManualScheduler());
        using IndexBatch batch = index.BeginBatch();
        IndexField field = batch.GetOrAddField("F", FieldKind.Exact, Analyzers.Keyword);
        Assert.Same(field, batch.GetOrAddField("F", FieldKind.Exact, Analyzers.Keyword));
        Assert.Throws<SearchIndexException>(() => batch.GetOrAddField("F", FieldKind.FullText, Analyzers.Standard));
    }

    [Fact]
    public void Terms_of_numbers_are_in_the_order_of_the_numbers()
    {
        Random random = new(3);
        List<(decimal Value, byte[] Term)> terms = [];
        byte[] term = new byte[TermCode.NumberSize];
        for (int i = 0; i < 3000; i++)
        {
            decimal value;
            if (i % 2 == 0)
            {
                long integer = random.Next(3) switch
                {
                    0 => random.Next(-5, 5),
                    1 => (1L << 53) + random.Next(-5, 5),
                    _ => random.NextInt64(long.MinValue, long.MaxValue),
                };
                TermCode.WriteNumber(term, integer);
                Assert.True(TermCode.TryReadInt64(term, out long back) && back == integer, $"{integer}");
                value = integer;
            }
            else
            {
                double number = i % 4 == 1
                    ? random.Next(-20, 20) / 4.0
                    : Math.Floor((random.NextDouble() - 0.5) * 1e19);
                TermCode.WriteNumber(term, number);
                Assert.Equal(number, TermCode.ReadDouble(term));
                value = i % 4 == 1 ? (decimal)number : (decimal)new System.Numerics.BigInteger(number);
            }

            terms.Add((value, term.ToArray()));
        }

        terms.Sort((left, right) => left.Value.CompareTo(right.Value));
        for (int i = 1; i < terms.Count; i++)
        {
            int order = terms[i - 1].Term.AsSpan().SequenceCompareTo(terms[i].Term);
            Assert.True(terms[i - 1].Value == terms[i].Value ? order == 0 : order < 0, $"{terms[i].Value}");
        }

        TermCode.WriteNumber(term, long.MaxValue);
        Assert.True(TermCode.TryReadInt64(term, out long most) && most == long.MaxValue);
    }

    [Fact]
    public void The_length_of_a_text_is_kept_to_within_an_eighth()
    {
        int last = 0;
        for (int length = 0; length < 100_000; length++)
        {
            int kept = NormCode.Lengths[NormCode.Encode(length)];
            Assert.True(kept <= length && kept >= length - (length / 8) && kept >= last, $"{length}: {kept}");
            last = kept;
        }
    }

    private static List<(int Began, int Synced, IndexModel Model)> RunAndCut(
        Random random, SimulatedFileSystem disk, SearchEngineType engine)
    {
        List<(int Began, int Synced, IndexModel Model)> states = [];
        ManualScheduler scheduler = new();
        IndexModel model = new();
        using SearchIndex index = Open(disk, scheduler, engine);
        for (int step = 0; step < 50; step++)
        {
            int began = disk.Log.Count;
            model.Step(random, index, 20);
            states.Add((began, int.MaxValue, model.Freeze()));
            if (random.Next(3) == 0)
            {
                index.Merge();
            }

            if (random.Next(4) == 0)
            {
                index.Sync();
                for (int i = 0; i < states.Count; i++)
                {
                    states[i] = states[i] with { Synced = Math.Min(states[i].Synced, disk.Log.Count) };
                }
            }

            if (random.Next(5) == 0)
            {
                scheduler.RunAll();
            }
        }

        return states;
    }

    private static void Compare(IndexModel model, SearchIndex index, string when)
    {
        using IndexReader reader = index.BeginRead();
        string[] expected = model.Text().Split('\n');
        string[] actual = IndexDump.Text(reader).Split('\n');
        for (int line = 0; line < Math.Max(expected.Length, actual.Length); line++)
        {
            string should = line < expected.Length ? expected[line] : "nothing";
            string does = line < actual.Length ? actual[line] : "nothing";
            Assert.True(should == does, $"{when}:\n{should}\n{does}");
        }
    }

    private static SearchIndex Open(
        SimulatedFileSystem disk, ManualScheduler scheduler, SearchEngineType engine = SearchEngineType.Corax) =>
        LuceneEngine.Open(new SearchIndexOptions { Storage = Storage(disk, scheduler) }, engine);

    private static StorageOptions Storage(SimulatedFileSystem disk, ManualScheduler scheduler) => new()
    {
        FileSystem = disk,
        Scheduler = scheduler,
        JournalSizeBytesMin = 64 << 10,
        JournalSizeBytesMax = 256 << 10,
        FlushAfterBytes = 64 << 10,
    };
}
