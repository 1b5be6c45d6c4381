using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing;
using Shared.Storage;

namespace FastTests.Queries;

/// <summary>The power goes while documents are written and indexes follow them.</summary>
public sealed class IndexCrashTests
{
    [Theory]
    [InlineData(1, IndexEngine.Corax)]
    [InlineData(1, IndexEngine.Lucene)]
    public void After_a_power_cut_an_index_continues_at_its_position_and_answers_as_its_documents_say(
        int seed, IndexEngine engine)
    {
        IndexCrashRun run = new(seed, isLazy: false, engine);
        run.Run(steps: 50, cuts: 14);
        Assert.True(run.KeptCount > 2, $"only {run.KeptCount} indexes were there already");
        Assert.Equal(0, run.AheadCount);
    }

    [Theory]
    [InlineData(3)]
    public void An_index_with_changes_that_its_documents_lost_is_rebuilt_whenever_it_is_opened(int seed)
    {
        IndexCrashRun run = new(seed, isLazy: true);
        run.Run(steps: 50, cuts: 14);
        Assert.True(run.AheadCount > 0, $"only {run.AheadCount} indexes were ahead");
        Assert.True(run.KeptCount > 0);
    }

    [Fact]
    [Trait("Invariant", "OPN-2")]
    [Trait("Invariant", "IDX-2")]
    public void An_index_with_lost_changes_is_rebuilt_though_their_etags_were_given_out_again()
    {
        const string query = "from Users where Age > 5";
        using CrashDisks disks = new(isLazy: true, seed: 5);
        DiskImage documents;
        using (IndexedDatabase database = new(disks))
        {
            Write(database, 1, 10);
            database.MakeIndexFor(query);
            database.CatchUp();
            database.Restart();
            documents = disks.Documents.CurrentImage().Copy();
            Write(database, 100, 10);
            database.CatchUp();
            Assert.Equal(20, database.Ask(query).Ids.Count);
        }

        (string Folder, DiskImage) index = disks.Indexes.Select(one => (one.Key, one.Value.CurrentImage())).Single();
        using CrashDisks left = new(isLazy: true, seed: 6, documents, [index]);
        using IndexedDatabase recovered = new(left);
        Write(recovered, 200, 25);
        recovered.Restart();
        recovered.CatchUp();
        Assert.Equal(
            Enumerable.Range(1, 10).Concat(Enumerable.Range(200, 25)).Select(i => $"users/{i}").Order(),
            recovered.Ask(query).Ids.Order());
        Assert.Contains("rebuilt", Assert.Single(
            recovered.Database.Indexes.All.Single().Failures.ToArray()).Message, StringComparison.Ordinal);

        // One that was only closed continues at its position.
        recovered.Restart();
        Write(recovered, 300, 1);
        recovered.CatchUp();
        Assert.Equal(36, recovered.Ask(query).Ids.Count);
        Assert.Equal(36, recovered.MakeIndexFor(query).Position.MapAttempts);
    }

    [Fact]
    [Trait("Invariant", "IDXC-1")]
    public async Task An_index_definition_that_is_in_effect_is_kept_over_a_power_cut()
    {
        const string query = "from index 'Mine'";
        using CrashDisks disks = new(isLazy: false, seed: 7);
        using IndexedDatabase database = new(disks);
        Write(database, 1, 3);
        await database.Database.Indexes.Changes.PutAsync(new IndexDefinition
        {
            Name = "Mine", Maps = ["map('Users', u => ({ Age: u.Age }))"],
        });
        Assert.NotNull(database.Database.Indexes.Find("Mine"));
        using CrashImages images = new([.. disks.Documents.Log]);
        images.AdvanceToEnd();

        // The image has nothing of what was not durable at that moment.
        using CrashDisks left = new(isLazy: false, seed: 8, images.MakeNumber(1, new Random(1)), []);
        using IndexedDatabase recovered = new(left);
        Assert.NotNull(recovered.Database.Indexes.Find("Mine"));
        recovered.CatchUp();
        Assert.Equal(3, recovered.Ask(query).Ids.Count);
    }

    private static void Write(IndexedDatabase database, int first, int count)
    {
        database.Begin();
        for (int i = first; i < first + count; i++)
        {
            database.Put($"users/{i}", """{"Age":6,"@metadata":{"@collection":"Users"}}""");
        }

        database.Submit();
    }
}
