using System.Text;
using Raven.Blittable.Memory;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Documents.Ids;
using Raven.Documents.Rows.Series;
using Raven.Documents.Settings;
using Raven.Documents.TimeSeries;

namespace FastTests.Documents.Series;

/// <summary>When series are rolled up, and how far one transaction goes.</summary>
public sealed class RollupTests : IDisposable
{
    private readonly TestDatabase _database = new();

    public void Dispose() => _database.Dispose();

    [Fact]
    [Trait("Invariant", "RUP-3")]
    public async Task A_closed_database_is_opened_when_a_frame_is_over()
    {
        await ConfigureAsync("""{"Policies":[{"Name":"m","AggregationTime":{"Value":60,"Unit":"Second"}}]}""");
        _database.Put("a", "{}");
        Append(0, 1);
        await SweepAsync();
        Assert.Equal(0, CountOf("x@m"));
        Assert.True(_database.Database.TryClose());
        Assert.False(_database.Database.MustOpen(_database.Clock.Now));
        _database.Clock.Now += TimeSpan.FromSeconds(61);
        Assert.True(_database.Database.MustOpen(_database.Clock.Now));
        _database.Database.OpenForDue();
        await SweepAsync();
        Assert.Equal(1, CountOf("x@m"));
        Assert.True(_database.Database.TryClose());
        _database.Clock.Now += TimeSpan.FromDays(400);
        Assert.False(_database.Database.MustOpen(_database.Clock.Now));
    }

    [Fact]
    [Trait("Invariant", "RUP-5")]
    public async Task A_roll_up_that_is_cut_short_goes_on_where_it_was()
    {
        await ConfigureAsync("""{"Policies":[{"Name":"s","AggregationTime":{"Value":5,"Unit":"Second"}}]}""");
        _database.Put("a", "{}");
        Append(0, 100);
        _database.Clock.Now += TimeSpan.FromSeconds(200);
        long before = 0;
        for (int run = 0; run < 20; run++)
        {
            _database.StartBatch();
            Arena arena = _database.Batch.Context.Arena;
            Assert.True(_database.Batch.TryAddAction(
                "a"u8, new RollupAction(arena, Key(arena, "x"), pointsMax: 10), ExpectedVersion.Any));
            Assert.True(_database.Submit());
            long now = CountOf("x@s");
            Assert.InRange(now - before, 0, 3);
            before = now;
        }

        Assert.InRange(before, 20, 21);
    }

    [Fact]
    public async Task A_policy_with_other_frames_makes_all_of_them_anew_and_one_that_is_removed_leaves_them()
    {
        await ConfigureAsync("""{"Policies":[{"Name":"p","AggregationTime":{"Value":5,"Unit":"Second"}}]}""");
        _database.Put("a", "{}");
        Append(0, 100);
        _database.Clock.Now += TimeSpan.FromSeconds(200);
        await SweepAsync();
        Assert.InRange(CountOf("x@p"), 20, 21);
        await ConfigureAsync("""{"Policies":[{"Name":"p","AggregationTime":{"Value":50,"Unit":"Second"}}]}""");
        await SweepAsync();
        Assert.InRange(CountOf("x@p"), 2, 3);
        await ConfigureAsync("{}");
        await SweepAsync();
        Assert.InRange(CountOf("x@p"), 2, 3);
    }

    [Fact]
    public async Task Points_at_both_ends_of_time_are_rolled_up_and_retired()
    {
        await ConfigureAsync("""
            {"RawPolicy":{"RetentionTime":{"Value":1,"Unit":"Month"}},
             "Policies":[{"Name":"m","AggregationTime":{"Value":1,"Unit":"Month"},"RetentionTime":null},
                         {"Name":"y","AggregationTime":{"Value":12,"Unit":"Month"},"RetentionTime":null}]}
            """);
        _database.Put("a", "{}");
        AppendAt(0, SeriesTime.OfTicks(_database.Clock.Now.UtcTicks), SeriesTime.Max);
        await SweepAsync();
        Assert.Equal((2, 1, 1), (CountOf("x"), CountOf("x@m"), CountOf("x@y")));
        _database.Clock.Now = new DateTimeOffset(9999, 12, 31, 23, 59, 50, TimeSpan.Zero);
        await SweepAsync();
        Assert.Equal((1, 2, 2), (CountOf("x"), CountOf("x@m"), CountOf("x@y")));
        AppendAt(0, 1, SeriesTime.Max - 1);
        await SweepAsync();
        Assert.Equal((2, 2, 2), (CountOf("x"), CountOf("x@m"), CountOf("x@y")));
    }

    private async Task ConfigureAsync(string collection) => await _database.Database.ConfigureAsync(
        SettingsStore.TimeSeries,
        Encoding.UTF8.GetBytes(
            "{\"PolicyCheckFrequency\":\"00:00:01\",\"Collections\":{\"@empty\":" + collection + "}}"));

    private Task SweepAsync()
    {
        _database.Clock.Now += TimeSpan.FromSeconds(2);
        return _database.Database.SweepAsync(_database.Clock.Now);
    }

    private void Append(int start, int count)
    {
        long now = SeriesTime.OfTicks(_database.Clock.Now.UtcTicks);
        AppendAt([.. Enumerable.Range(start, count).Select(i => now + (i * 1000L))]);
    }

    private void AppendAt(params long[] times)
    {
        _database.StartBatch();
        Arena arena = _database.Batch.Context.Arena;
        var action = new TimeSeriesAction(arena);
        NativeSlice name = arena.Allocate(1);
        name.WritableSpan[0] = (byte)'x';
        Assert.True(_database.Batch.TryAddAction("a"u8, action, ExpectedVersion.Any));
        Assert.True(action.TrySetName("a"u8, name, out _));
        foreach (long time in times)
        {
            action.Appends.Add(time, [time % 1000], default);
        }

        Assert.True(_database.Submit());
    }

    private long CountOf(string name)
    {
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        byte[] key = new byte[SeriesKey.SizeBytesMax];
        SeriesKey.TryWrite(key, "a"u8, Encoding.UTF8.GetBytes(name), out int length, out DocumentIdError _);
        return snapshot.TryGetTimeSeries(key.AsSpan(0, length), out StoredSeries series) ? series.Count : 0;
    }

    private static NativeSlice Key(Arena arena, string name)
    {
        byte[] key = new byte[SeriesKey.SizeBytesMax];
        SeriesKey.TryWrite(key, "a"u8, Encoding.UTF8.GetBytes(name), out int length, out DocumentIdError _);
        NativeSlice kept = arena.Allocate(length);
        key.AsSpan(0, length).CopyTo(kept.WritableSpan);
        return kept;
    }
}
