using System.Text;
using Raven.Documents;
using Raven.Documents.Rows.Series;
using Raven.Documents.Settings;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Documents.Series;

/// <summary>
/// Random changes of time series that are rolled up and retired, with the power cut at places of the history and
/// amid the sweeps: what was acknowledged is there whole, and the next sweep leaves what the model says, as if there
/// had been no cut.
/// </summary>
internal sealed class RollupCrashHistory : IDisposable
{
    private readonly Random _random;
    private readonly string _where;
    private readonly SimulatedFileSystem _disk = new();
    private readonly List<Moment> _moments = [];

    private RollupCrashHistory(int seed)
    {
        _random = new Random(seed);
        _where = $"seed {seed}";
    }

    public void Dispose() => _disk.Dispose();

    /// <summary>Plays a history of so many steps, and cuts the power at so many places of it.</summary>
    internal static async Task CheckAsync(int seed, int steps, int cuts)
    {
        using var history = new RollupCrashHistory(seed);
        await history.RunAsync(steps);
        CrashImages images = new(history._disk.Log);
        foreach (int cut in history.Cuts(cuts))
        {
            images.AdvanceTo(cut);
            using SimulatedFileSystem left = new(images.Make(history._random));
            await history.RecoverAsync(left, cut);
        }
    }

    private static StorageOptions Options(SimulatedFileSystem disk, ManualScheduler scheduler) => new()
    {
        FileSystem = disk,
        Scheduler = scheduler,
        JournalSizeBytesMin = 64 << 10,
        JournalSizeBytesMax = 256 << 10,
        FlushAfterBytes = 64 << 10,
    };

    private async Task RunAsync(int steps)
    {
        ManualScheduler scheduler = new();
        using TestDatabase database = new(Options(_disk, scheduler));
        database.Clock.Now = new DateTimeOffset(SeriesTime.ToTicks(PointSource.Start + 30_000), TimeSpan.Zero);
        await database.Database.ConfigureAsync(
            SettingsStore.TimeSeries, Encoding.UTF8.GetBytes(RollupHistory.Policies));
        var history = new SeriesHistory(_random, database);
        RollupModel rollups = RollupHistory.NewModel();
        Note(database, _disk.Log.Count, history.Model, rollups, isSweep: false);
        for (int step = 0; step < steps; step++)
        {
            int began = _disk.Log.Count;
            history.Step(rollups.Forget);
            Note(database, began, history.Model, rollups, isSweep: false);
            if (_random.Next(3) == 0)
            {
                began = _disk.Log.Count;
                database.Clock.Now += TimeSpan.FromSeconds(1 + _random.Next(60));
                await SweepAsync(database);
                rollups.Sweep(history.Model, SeriesTime.OfTicks(database.Clock.Now.UtcTicks));
                Note(database, began, history.Model, rollups, isSweep: true);
            }

            if (_random.Next(8) == 0)
            {
                scheduler.RunAll();
            }

            if (_random.Next(20) == 0)
            {
                database.Restart();
            }
        }
    }

    private static async Task SweepAsync(TestDatabase database)
    {
        database.Database.BeginRead().Dispose();
        await database.Database.SweepAsync(database.Clock.Now);
    }

    private void Note(TestDatabase database, int began, SeriesModel model, RollupModel rollups, bool isSweep)
    {
        using DocumentSnapshot snapshot = database.Database.BeginRead();
        _moments.Add(new Moment(
            began, _disk.Log.Count, snapshot.LastEtag, database.Clock.Now, model.Freeze(), rollups.Copy(), isSweep));
    }

    /// <summary>Places of the log behind the configuration, in order; half of them amid a sweep.</summary>
    private IEnumerable<int> Cuts(int count)
    {
        int first = _moments[0].Acknowledged;
        Moment[] sweeps = [.. _moments.Where(moment => moment.IsSweep && moment.Acknowledged > moment.Began)];
        return Enumerable.Range(0, count).Select(i =>
        {
            if (i % 2 == 0 || sweeps.Length == 0)
            {
                return _random.Next(first, _disk.Log.Count + 1);
            }

            Moment sweep = sweeps[_random.Next(sweeps.Length)];
            return _random.Next(sweep.Began + 1, sweep.Acknowledged + 1);
        }).Order();
    }

    private async Task RecoverAsync(SimulatedFileSystem left, int cut)
    {
        string where = $"{_where}, cut {cut}";
        using TestDatabase database = new(Options(left, new ManualScheduler()));
        long etag;
        using (DocumentSnapshot snapshot = database.Database.BeginRead())
        {
            etag = snapshot.LastEtag;
        }

        long acknowledged = _moments.Where(moment => moment.Acknowledged < cut).Select(moment => moment.Etag)
            .DefaultIfEmpty().Max();
        Moment[] begun = [_moments[0], .. _moments.Skip(1).Where(moment => moment.Began < cut)];
        Assert.True(
            etag >= acknowledged && etag <= begun[^1].Etag,
            $"{where}: {etag}, acknowledged {acknowledged}, attempted {begun[^1].Etag}");
        int at = Array.FindLastIndex(begun, moment => moment.Etag <= etag);
        Moment expected = begun[at];
        SeriesModel model = expected.Model.Freeze();
        database.Clock.Now = begun[^1].Now;
        if (expected.Etag == etag)
        {
            using DocumentSnapshot snapshot = database.Database.BeginRead();
            model.AssertSame(snapshot, _random, where);
            expected.Rollups.Copy().Sweep(model, SeriesTime.OfTicks(database.Clock.Now.UtcTicks));
        }
        else
        {
            // A sweep is several transactions: some of them are there.
            Assert.True(begun[at + 1].IsSweep, $"{where}: half a batch");
            database.Clock.Now = begun[at + 1].Now;
            model = begun[at + 1].Model;
        }

        await SweepAsync(database);
        using (DocumentSnapshot snapshot = database.Database.BeginRead())
        {
            model.AssertSame(snapshot, _random, where + ", swept");
        }
    }

    /// <param name="Began">The place of the log at which it began.</param>
    /// <param name="Acknowledged">The place at which it was acknowledged.</param>
    /// <param name="Etag">The last etag behind it.</param>
    /// <param name="Now">The clock.</param>
    /// <param name="Model">The series behind it.</param>
    /// <param name="Rollups">What was retired by then.</param>
    /// <param name="IsSweep">Whether it was a sweep, not a batch.</param>
    private sealed record Moment(
        int Began, int Acknowledged, long Etag, DateTimeOffset Now, SeriesModel Model, RollupModel Rollups,
        bool IsSweep);
}
