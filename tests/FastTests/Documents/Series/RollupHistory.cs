using System.Text;
using Raven.Documents;
using Raven.Documents.Rows.Series;
using Raven.Documents.Settings;

namespace FastTests.Documents.Series;

/// <summary>Random changes of time series that are rolled up and retired, against a naive model.</summary>
internal static class RollupHistory
{
    internal const string Policies = """
        {"PolicyCheckFrequency":"00:00:01","Collections":{"@empty":{
            "RawPolicy":{"RetentionTime":{"Value":120,"Unit":"Second"}},
            "Policies":[
                {"Name":"fine","AggregationTime":{"Value":2,"Unit":"Second"},
                 "RetentionTime":{"Value":300,"Unit":"Second"}},
                {"Name":"coarse","AggregationTime":{"Value":20,"Unit":"Second"}}]}}}
        """;

    /// <summary>What the policies do.</summary>
    internal static RollupModel NewModel() => new(
        new("", 0, 120_000), new("@fine", 2_000, 300_000), new("@coarse", 20_000, null));

    /// <summary>Plays a history of so many steps; compares whenever the clock is where it was never before.</summary>
    internal static async Task CheckAsync(int seed, int steps)
    {
        Random random = new(seed);
        using var database = new TestDatabase();
        database.Clock.Now = new DateTimeOffset(SeriesTime.ToTicks(PointSource.Start + 30_000), TimeSpan.Zero);
        var history = new SeriesHistory(random, database);
        RollupModel rollups = NewModel();
        int configuredAt = random.Next(4);
        DateTimeOffset last = database.Clock.Now;
        for (int step = 0; step < steps; step++)
        {
            if (step == configuredAt)
            {
                await database.Database.ConfigureAsync(
                    SettingsStore.TimeSeries, Encoding.UTF8.GetBytes(Policies));
            }

            history.Step(rollups.Forget);
            if (random.Next(12) == 0)
            {
                database.Restart();
            }

            if (step < configuredAt || (step != steps - 1 && random.Next(3) != 0))
            {
                continue;
            }

            database.Clock.Now += TimeSpan.FromSeconds(1 + random.Next(60));
            if (step != steps - 1 && random.Next(5) == 0)
            {
                database.Clock.Set(TimeSpan.FromSeconds(random.Next(-100, 100)));
            }
            else if (database.Clock.Now < last)
            {
                database.Clock.Now = last;
            }

            database.Database.BeginRead().Dispose();
            await database.Database.SweepAsync(database.Clock.Now);
            rollups.Sweep(history.Model, SeriesTime.OfTicks(database.Clock.Now.UtcTicks));
            if (database.Clock.Now >= last)
            {
                last = database.Clock.Now;
                using DocumentSnapshot snapshot = database.Database.BeginRead();
                history.Model.AssertSame(snapshot, random, $"seed {seed}, step {step}");
            }
        }
    }
}
