using Raven.Documents;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Documents;

/// <summary>
/// The power goes at random moments of random batches; what is there afterwards is the model behind the last batch that
/// was acknowledged, or behind the one under way.
/// </summary>
public sealed class DocumentCrashTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [Trait("Invariant", "BAT-1")]
    public void After_a_power_cut_every_acknowledged_batch_is_recovered_whole(int seed)
    {
        Random random = new(seed);
        using SimulatedFileSystem disk = new();
        List<(int Began, int Acknowledged, DocumentModel Model)> states = Run(random, disk);

        CrashImages images = new(disk.Log);
        int[] cuts = [.. Enumerable.Range(0, 60).Select(_ => random.Next(disk.Log.Count + 1)).Order()];
        foreach (int cut in cuts)
        {
            images.AdvanceTo(cut);
            using SimulatedFileSystem left = new(images.Make(random));
            using TestDatabase database = new(Options(left, new ManualScheduler()));
            long lastEtag;
            using (DocumentSnapshot snapshot = database.Database.BeginRead())
            {
                lastEtag = snapshot.LastEtag;
            }

            long acknowledged = states.Where(state => state.Acknowledged < cut).Select(EtagOf).DefaultIfEmpty().Max();
            long attempted = states.Where(state => state.Began < cut).Select(EtagOf).DefaultIfEmpty().Max();
            Assert.True(lastEtag >= acknowledged && lastEtag <= attempted, $"seed {seed}, cut {cut}: {lastEtag}, "
                + $"acknowledged {acknowledged}, attempted {attempted}");
            DocumentModel? model = states.Select(state => state.Model).FirstOrDefault(one => one.LastEtag == lastEtag);
            Assert.True(model is not null || lastEtag == 0, $"seed {seed}, cut {cut}: half a batch, etag {lastEtag}");
            DocumentModelCheck.Compare(model ?? new DocumentModel(), database.Database);
            database.Put("after", "{}");
            Assert.Equal("{}", database.Read("after"));
        }
    }

    private static List<(int Began, int Acknowledged, DocumentModel Model)> Run(Random random, SimulatedFileSystem disk)
    {
        List<(int, int, DocumentModel)> states = [];
        DocumentModel model = new();
        ManualScheduler scheduler = new();
        using TestDatabase database = new(Options(disk, scheduler));
        for (int step = 0; step < 60; step++)
        {
            int began = disk.Log.Count;
            DocumentModelCheck.Step(random, model, database, $"step {step}");
            states.Add((began, disk.Log.Count, model.Freeze()));
            if (random.Next(8) == 0)
            {
                scheduler.RunAll();
            }

            if (random.Next(20) == 0)
            {
                database.Restart();
            }
        }

        return states;
    }

    private static long EtagOf((int Began, int Acknowledged, DocumentModel Model) state) => state.Model.LastEtag;

    private static StorageOptions Options(SimulatedFileSystem disk, ManualScheduler scheduler) => new()
    {
        FileSystem = disk,
        Scheduler = scheduler,
        JournalSizeBytesMin = 64 << 10,
        JournalSizeBytesMax = 256 << 10,
        FlushAfterBytes = 64 << 10,
    };
}
