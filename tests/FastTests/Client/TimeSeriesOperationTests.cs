using System.Threading.Channels;
using FastTests.Support;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Changes;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Documents.Operations.TimeSeries;
using Raven.Client.Documents.Session;
using Raven.Client.Documents.Session.TimeSeries;

namespace FastTests.Client;

/// <summary>Operations, policies, bulk inserts and changes of time series, against the real server.</summary>
public sealed class TimeSeriesOperationTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    private static readonly DateTime Noon = new(2026, 1, 1, 12, 0, 0, DateTimeKind.Utc);

    [Fact]
    public async Task Operations_change_and_read_series()
    {
        using DocumentStore store = await WithUserAsync();
        var change = new TimeSeriesOperation { Name = "HeartRate" };
        change.Append(new() { Timestamp = Noon, Values = [1, 2], Tag = "t" });
        change.Append(new() { Timestamp = Noon.AddMinutes(1), Values = [3] });
        change.Append(new() { Timestamp = Noon.AddMinutes(2), Values = [5] });
        change.Delete(new() { From = Noon.AddMinutes(2), To = null });
        await store.Operations.SendAsync(new TimeSeriesBatchOperation("users/1", change));
        var steps = new TimeSeriesOperation { Name = "INC:Steps" };
        steps.Increment(new() { Timestamp = Noon, Values = [4] });
        await store.Operations.SendAsync(new TimeSeriesBatchOperation("users/1", steps));

        TimeSeriesRangeResult page = (await store.Operations.SendAsync(
            new GetTimeSeriesOperation("users/1", "HeartRate", Noon, null, pageSize: 1)))!;
        Assert.Equal(((DateTime?)Noon, (DateTime?)Noon, (long?)null), (page.From, page.To, page.TotalResults));
        Assert.Equal([1, 2], Assert.Single(page.Entries).Values);
        TimeSeriesRangeResult full = (await store.Operations.SendAsync(
            new GetTimeSeriesOperation("users/1", "INC:Steps", returnFullResults: true)))!;
        Assert.Equal([4], Assert.Single(full.Entries[0].NodeValues!).Value);
        Assert.Equal(((DateTime?)null, (DateTime?)null, (long?)1), (full.From, full.To, full.TotalResults));
        Assert.Null(await store.Operations.SendAsync(new GetTimeSeriesOperation("users/1", "None")));

        TimeSeriesDetails details = (await store.Operations.SendAsync(new GetMultipleTimeSeriesOperation(
            "users/1",
            [
                new TimeSeriesRange { Name = "HeartRate", To = Noon },
                new TimeSeriesRange { Name = "INC:Steps" },
                new TimeSeriesRange { Name = "HeartRate", From = Noon.AddMinutes(1) },
            ])))!;
        Assert.Equal("users/1", details.Id);
        Assert.Equal([1, 3], details.Values["HeartRate"].Select(range => range.Entries.Single().Value));
        Assert.Equal(4, details.Values["INC:Steps"].Single().Entries.Single().Value);
        Assert.Null(await store.Operations.SendAsync(
            new GetMultipleTimeSeriesOperation("users/none", [new TimeSeriesRange { Name = "A" }])));

        TimeSeriesStatistics statistics =
            (await store.Operations.SendAsync(new GetTimeSeriesStatisticsOperation("users/1")))!;
        Assert.Equal(
            [("HeartRate", 2L, Noon, Noon.AddMinutes(1)), ("INC:Steps", 1L, Noon, Noon)],
            statistics.TimeSeries.Select(it => (it.Name, it.NumberOfEntries, it.StartDate, it.EndDate)));
    }

    [Fact]
    public async Task Commands_of_a_batch_change_and_copy_series()
    {
        using DocumentStore store = await WithUserAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        session.Advanced.Defer(
            new TimeSeriesBatchCommandData(
                "users/1", "A",
                [new() { Timestamp = Noon, Values = [1] }, new() { Timestamp = Noon.AddDays(1), Values = [2] }],
                [new() { From = null, To = null }]),
            new IncrementalTimeSeriesBatchCommandData(
                "users/1", "INC:B", [new() { Timestamp = Noon, Values = [3] }], [new() { From = Noon.AddDays(1) }]),
            new CopyTimeSeriesCommandData("users/1", "A", "users/1", "C", Noon.AddHours(1), Noon.AddDays(1)));
        await session.SaveChangesAsync();
        Assert.Equal([1, 2], (await session.TimeSeriesFor("users/1", "A").GetAsync())!.Select(entry => entry.Value));
        Assert.Equal(2, (await session.TimeSeriesFor("users/1", "C").GetAsync())!.Single().Value);
        Assert.Equal(3, (await session.IncrementalTimeSeriesFor("users/1", "INC:B").GetAsync())!.Single().Value);
    }

    [Fact]
    public async Task Policies_and_names_are_set_read_and_removed()
    {
        using DocumentStore store = await WithUserAsync();
        Assert.Null(await store.Maintenance.SendAsync(new GetTimeSeriesConfigurationOperation()));
        var byHour = new TimeSeriesPolicy("ByHour", TimeValue.OfHours(1));
        Assert.Equal("HeartRate@ByHour", byHour.GetTimeSeriesName("HeartRate"));
        await store.Maintenance.SendAsync(new ConfigureTimeSeriesOperation(new TimeSeriesConfiguration
        {
            Collections =
            {
                ["Users"] = new()
                {
                    Policies = [byHour, new("ByDay", TimeValue.OfDays(1), TimeValue.OfYears(2))],
                    RawPolicy = new RawTimeSeriesPolicy(TimeValue.OfDays(30)),
                },
            },
            PolicyCheckFrequency = TimeSpan.FromMinutes(7),
            NamedValues = { ["Users"] = new() { ["Weight"] = ["Kilograms"] } },
        }));
        await store.TimeSeries.RegisterAsync<User, HeartRate>();
        await store.TimeSeries.RegisterAsync<User>("Height", ["Meters"]);
        await store.TimeSeries.RegisterAsync("Dogs", "Barks", ["Number"]);
        await store.Maintenance.SendAsync(new ConfigureTimeSeriesValueNamesOperation(new()
        {
            Collection = "Dogs", TimeSeries = "Barks", ValueNames = ["Count"], Update = true,
        }));
        await store.TimeSeries.ForDatabase(store.Database!).SetPolicyAsync<User>(
            "ByMonth", TimeValue.OfMonths(1), TimeValue.MaxValue);
        await store.TimeSeries.SetRawPolicyAsync<User>(TimeValue.OfMinutes(100_000));
        await store.Maintenance.SendAsync(new ConfigureTimeSeriesPolicyOperation(
            "Users", new TimeSeriesPolicy("ByHour", TimeValue.OfHours(2), TimeValue.OfSeconds(10_000_000))));
        await store.TimeSeries.RemovePolicyAsync<User>("ByDay");
        await store.Maintenance.SendAsync(new RemoveTimeSeriesPolicyOperation("Users", "ByMonth"));

        TimeSeriesConfiguration told = (await store.Maintenance.SendAsync(new GetTimeSeriesConfigurationOperation()))!;
        TimeSeriesCollectionConfiguration users = told.Collections["Users"];
        TimeSeriesPolicy left = Assert.Single(users.Policies);
        Assert.Equal(
            ("ByHour", TimeValue.OfHours(2), new TimeValue(10_000_000, TimeValueUnit.Second)),
            (left.Name, left.AggregationTime, left.RetentionTime));
        Assert.Equal(TimeValue.OfMinutes(100_000), users.RawPolicy!.RetentionTime);
        Assert.False(users.Disabled);
        Assert.Equal(TimeSpan.FromMinutes(7), told.PolicyCheckFrequency);
        Assert.Equal(["Rate", "Effort"], told.NamedValues["Users"]["HeartRates"]);
        Assert.Equal(["Meters"], told.NamedValues["Users"]["Height"]);
        Assert.Equal(["Count"], told.NamedValues["Dogs"]["Barks"]);
        await Task.Run(
            () =>
            {
                store.TimeSeries.Register<User, HeartRate>("Pulse");
                store.TimeSeries.Register<User>("Height", ["Feet"]);
                store.TimeSeries.Register("Dogs", "Barks", ["Loudness"]);
                store.TimeSeries.RemovePolicy<User>("ByHour");
                store.TimeSeries.SetRawPolicy<User>(TimeValue.OfDays(400));
                store.TimeSeries.SetPolicy<User>("ByMonth", TimeValue.OfMonths(1), TimeValue.MaxValue);
            },
            TestContext.Current.CancellationToken);
        told = (await store.Maintenance.SendAsync(new GetTimeSeriesConfigurationOperation()))!;
        Assert.Equal("ByMonth", Assert.Single(told.Collections["Users"].Policies).Name);
        Assert.Equal(TimeValue.OfDays(400), told.Collections["Users"].RawPolicy!.RetentionTime);
        Assert.Equal(["Rate", "Effort"], told.NamedValues["Users"]["Pulse"]);
        Assert.Equal(["Feet"], told.NamedValues["Users"]["Height"]);
        Assert.Equal(["Loudness"], told.NamedValues["Dogs"]["Barks"]);
        await store.Maintenance.SendAsync(
            new ConfigureRawTimeSeriesPolicyOperation("Users", new RawTimeSeriesPolicy()));
        told = (await store.Maintenance.SendAsync(new GetTimeSeriesConfigurationOperation()))!;
        Assert.Equal(TimeValue.MaxValue, told.Collections["Users"].RawPolicy!.RetentionTime);
    }

    [Fact]
    public async Task A_roll_up_gives_the_parts_of_its_values()
    {
        using DocumentStore store = await WithUserAsync();
        await store.Maintenance.SendAsync(new ConfigureTimeSeriesOperation(new TimeSeriesConfiguration
        {
            Collections = { ["Users"] = new() { Policies = [new("ByHour", TimeValue.OfHours(1))] } },
            PolicyCheckFrequency = TimeSpan.FromSeconds(1),
        }));
        using (IAsyncDocumentSession writing = store.OpenAsyncSession())
        {
            foreach (double value in (double[])[2, 9, 1])
            {
                writing.TimeSeriesFor<HeartRate>("users/1").Append(
                    Noon.AddMinutes(10 - value), new HeartRate { Rate = value, Effort = 2 * value });
            }

            await writing.SaveChangesAsync();
        }

        TimeSeriesRollupEntry<HeartRate>[]? entries = null;
        await Deadline.UntilAsync(async () =>
        {
            using IAsyncDocumentSession session = store.OpenAsyncSession();
            entries = await session.TimeSeriesRollupFor<HeartRate>("users/1", "ByHour").GetAsync();
            return entries != null;
        });
        TimeSeriesRollupEntry<HeartRate> hour = Assert.Single(entries!);
        Assert.Equal((Noon, true), (hour.Timestamp, hour.IsRollup));
        Assert.Equal((9, 1, 1, 9), (hour.First.Rate, hour.Last.Rate, hour.Min.Rate, hour.Max.Rate));
        Assert.Equal((24, 3, 8), (hour.Sum.Effort, hour.Count.Effort, hour.Average.Effort));
        using IAsyncDocumentSession reading = store.OpenAsyncSession();
        User ada = (await reading.LoadAsync<User>("users/1"))!;
        Assert.Single((await reading.TimeSeriesRollupFor<HeartRate>(ada, "ByHour").GetAsync())!);
    }

    [Fact]
    public async Task Bulk_inserts_write_series_between_documents()
    {
        using DocumentStore store = fixture.NewStore();
        await using (BulkInsertOperation bulk = store.BulkInsert())
        {
            await bulk.StoreAsync(new User(), "users/1");
            TimeSeriesBulkInsert rate = bulk.TimeSeriesFor("users/1", "HeartRate");
            for (int i = 0; i < 3000; i++)
            {
                await rate.AppendAsync(Noon.AddSeconds(i), [i, 0.1 * i], i % 2 == 0 ? "even" : null);
            }

            await rate.AppendAsync(Noon.AddSeconds(-1), -0.5);
            rate.Dispose();
            await Assert.ThrowsAsync<ObjectDisposedException>(() => rate.AppendAsync(Noon, 1).AsTask());
            await bulk.CountersFor("users/1").IncrementAsync("likes");
            using TypedTimeSeriesBulkInsert<HeartRate> typed = bulk.TimeSeriesFor<HeartRate>("users/1");
            await typed.AppendAsync(Noon, new HeartRate { Rate = 1, Effort = 2 }, "t");
            await typed.AppendAsync(new TimeSeriesEntry<HeartRate>
            {
                Timestamp = Noon.AddDays(1), Value = new HeartRate { Rate = 3, Effort = double.NaN },
            });
            TypedTimeSeriesBulkInsert<HeartRate> ended = bulk.TimeSeriesFor<HeartRate>("users/1");
            ended.Dispose();
            await Assert.ThrowsAsync<ObjectDisposedException>(
                () => ended.AppendAsync(Noon, new HeartRate()).AsTask());
            await Assert.ThrowsAsync<ArgumentException>(() => bulk.TimeSeriesFor("users/1", "A")
                .AppendAsync(Noon, double.NaN).AsTask());
            await Assert.ThrowsAsync<ArgumentException>(() => bulk.TimeSeriesFor("users/1", "A")
                .AppendAsync(Noon, 1, new string('t', 256)).AsTask());
            Assert.Throws<ArgumentException>(() => bulk.TimeSeriesFor("users/1", "INC:A"));
            await Task.Run(
                () =>
                {
                    TimeSeriesBulkInsert blocking = bulk.TimeSeriesFor("users/1", "Weight");
                    blocking.Append(Noon, 80);
                    blocking.Append(Noon.AddDays(1), [81], "scales/1");
                    typed.Append(Noon.AddDays(2), new HeartRate { Rate = 5 });
                    typed.Append(new TimeSeriesEntry<HeartRate> { Timestamp = Noon.AddDays(3), Values = [7] });
                },
                TestContext.Current.CancellationToken);
            await bulk.StoreAsync(new User(), "users/2");
        }

        using IAsyncDocumentSession session = store.OpenAsyncSession();
        TimeSeriesEntry[] all = (await session.TimeSeriesFor("users/1", "HeartRate").GetAsync())!;
        Assert.Equal(3001, all.Length);
        Assert.Equal([-0.5], all[0].Values);
        Assert.Equal([2999, 0.1 * 2999], all[^1].Values);
        Assert.Equal(["even", null], all[1..3].Select(entry => entry.Tag));
        Assert.Equal(
            [1, 3, 5, 7],
            (await session.TimeSeriesFor<HeartRate>("users/1").GetAsync())!.Select(entry => entry.Value.Rate));
        Assert.Equal("scales/1", (await session.TimeSeriesFor("users/1", "Weight").GetAsync())![1].Tag);
        Assert.Equal(1, await session.CountersFor("users/1").GetAsync("likes"));
        Assert.NotNull(await session.LoadAsync<User>("users/2"));
    }

    [Fact]
    public async Task Changes_of_series_are_notified()
    {
        using DocumentStore store = await WithUserAsync();
        IDatabaseChanges changes = await store.Changes().EnsureConnectedNow();
        ChannelReader<TimeSeriesChange> all = await WatchAsync(changes.ForAllTimeSeries());
        ChannelReader<TimeSeriesChange> named = await WatchAsync(changes.ForTimeSeries("heartrate"));
        ChannelReader<TimeSeriesChange> one = await WatchAsync(changes.ForTimeSeriesOfDocument("users/1", "Weight"));
        ChannelReader<TimeSeriesChange> ofDocument = await WatchAsync(changes.ForTimeSeriesOfDocument("users/1"));
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        session.TimeSeriesFor("users/1", "HeartRate").Append(Noon, 1);
        session.TimeSeriesFor("users/1", "HeartRate").Append(Noon.AddDays(1), 1);
        await session.SaveChangesAsync();
        session.TimeSeriesFor("users/1", "Weight").Append(Noon, 1);
        await session.SaveChangesAsync();

        TimeSeriesChange first = await NextAsync(all);
        Assert.Equal(
            ("Put", "HeartRate", "users/1", "Users", (DateTime?)Noon, (DateTime?)Noon.AddDays(1)),
            (first.Type, first.Name, first.DocumentId, first.CollectionName, first.From, first.To));
        Assert.NotNull(first.ChangeVector);
        Assert.Equal("Weight", (await NextAsync(all)).Name);
        Assert.Equal("HeartRate", (await NextAsync(named)).Name);
        Assert.Equal("Weight", (await NextAsync(one)).Name);
        Assert.Equal("HeartRate", (await NextAsync(ofDocument)).Name);
        Assert.Equal("Weight", (await NextAsync(ofDocument)).Name);
    }

    private static async Task<ChannelReader<TimeSeriesChange>> WatchAsync(IChangesObservable<TimeSeriesChange> watch)
    {
        var seen = Channel.CreateUnbounded<TimeSeriesChange>();
        watch.Subscribe(new Recorder(seen.Writer));
        await watch.EnsureSubscribedNow();
        return seen.Reader;
    }

    private static Task<TimeSeriesChange> NextAsync(ChannelReader<TimeSeriesChange> seen) =>
        seen.ReadAsync(TestContext.Current.CancellationToken).AsTask().WaitAsync(Deadline.Hang);

    private async Task<DocumentStore> WithUserAsync()
    {
        DocumentStore store = fixture.NewStore();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new User { Name = "Ada" }, "users/1");
        await session.SaveChangesAsync();
        return store;
    }

    private sealed class Recorder(ChannelWriter<TimeSeriesChange> seen) : IObserver<TimeSeriesChange>
    {
        public void OnCompleted() => seen.TryComplete();

        public void OnError(Exception error) => seen.TryComplete(error);

        public void OnNext(TimeSeriesChange value) => seen.TryWrite(value);
    }
}
