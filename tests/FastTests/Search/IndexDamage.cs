using Raven.Search;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Search;

/// <summary>
/// An index whose files are damaged in one place: what is read of it is what was written, up to its last batch or the
/// one before, or the damage is reported.
/// </summary>
internal sealed class IndexDamage(int seed, SearchEngineType engine)
{
    private readonly Random _random = new(seed);

    /// <summary>How many damages were reported.</summary>
    internal int ReportedCount { get; private set; }

    /// <summary>Damages so many copies of an index.</summary>
    internal void Run(int damages)
    {
        using SimulatedFileSystem disk = new();
        List<string> states = [""];
        ManualScheduler scheduler = new();
        using (SearchIndex index = Open(disk, scheduler))
        {
            IndexModel model = new();
            for (int batch = 0; batch < 24; batch++)
            {
                model.Step(_random, index, 80);
                states.Add(model.Text());
                while (_random.Next(2) == 0 && index.Merge())
                {
                }

                if (batch == 16)
                {
                    // What follows is in the journal alone.
                    scheduler.RunAll();
                }
            }
        }

        DiskImage whole = disk.CurrentImage();
        for (int i = 0; i < damages; i++)
        {
            DiskImage image = whole.Copy();
            string damage = DamageCheck.Damage(image, _random);
            Judge(image, states, $"{engine}, seed {seed}, damage {i}: {damage}");
        }
    }

    private void Judge(DiskImage image, List<string> states, string damage)
    {
        using SimulatedFileSystem disk = new(image);
        try
        {
            using SearchIndex index = Open(disk, new ManualScheduler());
            byte[] position = index.ReadPosition();
            int batch = position.Length == 0 ? 0 : BitConverter.ToInt32(position);
            using IndexReader reader = index.BeginRead();
            string found = IndexDump.Text(reader);
            Assert.True(batch >= states.Count - 2, $"{damage}: batch {batch} of {states.Count - 1}, unnoticed");
            Assert.True(states[batch] == found, $"{damage}: wrong data, unnoticed");
        }
        catch (Exception reported) when (reported is StorageCorruptedException or StorageVersionException
            or SearchIndexException)
        {
            ReportedCount++;
        }
    }

    private SearchIndex Open(SimulatedFileSystem disk, ManualScheduler scheduler) => LuceneEngine.Open(
        new SearchIndexOptions
        {
            Storage = new StorageOptions
            {
                FileSystem = disk,
                Scheduler = scheduler,
                JournalSizeBytesMin = 64 << 10,
                JournalSizeBytesMax = 256 << 10,
                FlushAfterBytes = 64 << 10,
            },
        },
        engine);
}
