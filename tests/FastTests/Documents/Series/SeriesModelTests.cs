using Raven.Blittable.Memory;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Documents.Rows.Series;
using Raven.Documents.TimeSeries;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Documents.Series;

/// <summary>Time series are what a naive model says, after any changes, restarts and power cuts.</summary>
public sealed class SeriesModelTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [Trait("Invariant", "TS-1")]
    [Trait("Invariant", "TS-2")]
    [Trait("Invariant", "TS-3")]
    [Trait("Invariant", "TS-5")]
    public void Any_changes_leave_what_the_model_says(int part)
    {
        for (int seed = part * 50; seed < (part + 1) * 50; seed++)
        {
            SeriesHistory.Check(seed, steps: 16);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [Trait("Invariant", "BAT-1")]
    public void After_a_power_cut_every_acknowledged_change_is_there_whole(int seed)
    {
        Random random = new(seed);
        using SimulatedFileSystem disk = new();
        List<(int Began, int Acknowledged, long Etag, SeriesModel Model)> states = Run(random, disk);
        CrashImages images = new(disk.Log);
        int[] cuts = [.. Enumerable.Range(0, 30).Select(_ => random.Next(disk.Log.Count + 1)).Order()];
        foreach (int cut in cuts)
        {
            images.AdvanceTo(cut);
            using SimulatedFileSystem left = new(images.Make(random));
            using TestDatabase database = new(Options(left, new ManualScheduler()));
            using DocumentSnapshot snapshot = database.Database.BeginRead();
            long acknowledged = states.Where(state => state.Acknowledged < cut).Select(state => state.Etag)
                .DefaultIfEmpty().Max();
            long attempted = states.Where(state => state.Began < cut).Select(state => state.Etag)
                .DefaultIfEmpty().Max();
            Assert.True(
                snapshot.LastEtag >= acknowledged && snapshot.LastEtag <= attempted,
                $"seed {seed}, cut {cut}: {snapshot.LastEtag}, acknowledged {acknowledged}, attempted {attempted}");
            SeriesModel? model = states.LastOrDefault(state => state.Etag == snapshot.LastEtag).Model;
            Assert.True(model is not null || snapshot.LastEtag == 0, $"seed {seed}, cut {cut}: half a batch");
            (model ?? new SeriesModel()).AssertSame(snapshot, random);
        }
    }

    [Fact]
    [Trait("Invariant", "TS-4")]
    public void Deleted_ranges_are_kept_until_a_deletion_covers_them()
    {
        using TestDatabase database = new();
        database.Put("a", "{}");
        var points = new PointList();
        for (int i = 0; i < 100; i++)
        {
            points.Add(i * 10, [i], default);
        }

        Change(database, action => action.Appends.AddRange(points, 0, 100));
        Change(database, action => action.AddDeletion(205, 215));
        Change(database, action => action.AddDeletion(301, 309));
        Assert.Equal(1, Ranges(database));
        Change(database, action => action.AddDeletion(400, 410));
        Assert.Equal(2, Ranges(database));
        Change(database, action => action.AddDeletion(0, 300));
        Assert.Equal(2, Ranges(database));
        Change(database, action => action.AddDeletion(0, SeriesTime.Max));
        Assert.Equal(1, Ranges(database));
        database.Delete("a");
        Assert.Equal(0, Ranges(database));
    }

    private static long Ranges(TestDatabase database)
    {
        using DocumentSnapshot snapshot = database.Database.BeginRead();
        return snapshot.TimeSeriesDeletedRangeCount;
    }

    private static void Change(TestDatabase database, Action<TimeSeriesAction> change)
    {
        database.StartBatch();
        var action = new TimeSeriesAction(database.Batch.Context.Arena);
        NativeSlice name = database.Batch.Context.Arena.Allocate(1);
        name.WritableSpan[0] = (byte)'x';
        Assert.True(database.Batch.TryAddAction("a"u8, action, ExpectedVersion.Any));
        Assert.True(action.TrySetName("a"u8, name, out _));
        change(action);
        Assert.True(database.Submit());
    }

    private static List<(int Began, int Acknowledged, long Etag, SeriesModel Model)> Run(
        Random random, SimulatedFileSystem disk)
    {
        List<(int, int, long, SeriesModel)> states = [];
        ManualScheduler scheduler = new();
        using TestDatabase database = new(Options(disk, scheduler));
        var history = new SeriesHistory(random, database);
        for (int step = 0; step < 60; step++)
        {
            int began = disk.Log.Count;
            history.Step();
            using (DocumentSnapshot snapshot = database.Database.BeginRead())
            {
                states.Add((began, disk.Log.Count, snapshot.LastEtag, history.Model.Freeze()));
            }

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

    private static StorageOptions Options(SimulatedFileSystem disk, ManualScheduler scheduler) => new()
    {
        FileSystem = disk,
        Scheduler = scheduler,
        JournalSizeBytesMin = 64 << 10,
        JournalSizeBytesMax = 256 << 10,
        FlushAfterBytes = 64 << 10,
    };
}
