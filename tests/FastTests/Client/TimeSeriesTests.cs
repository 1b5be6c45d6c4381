using Raven.Client.Documents;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Operations.TimeSeries;
using Raven.Client.Documents.Session;
using Raven.Client.Documents.Session.TimeSeries;
using Raven.Client.Exceptions;

namespace FastTests.Client;

/// <summary>Time series of sessions, against the real server.</summary>
public sealed class TimeSeriesTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    private static readonly DateTime Noon = new(2026, 1, 1, 12, 0, 0, DateTimeKind.Utc);
    private static readonly DateTime Early = new(2001, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    [Fact]
    public async Task Entries_of_a_save_are_read_back_with_their_times_tags_and_values()
    {
        using DocumentStore store = fixture.NewStore();
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            var ada = new User { Name = "Ada" };
            await session.StoreAsync(ada, "users/1");
            IAsyncSessionDocumentTimeSeries rate = session.TimeSeriesFor("users/1", "HeartRate");
            rate.Append(Noon, 71.5, "watches/7");
            rate.Append(Noon.AddMinutes(1), [-0.0, double.Epsilon, double.MaxValue]);
            session.TimeSeriesFor(ada, "heartrate").Append(DateTime.SpecifyKind(Noon.AddMinutes(2), default), 3);
            session.TimeSeriesFor(ada, "HeartRate").Append(Noon.AddTicks(9), 72, "watches/8");
            await session.SaveChangesAsync();
            Assert.False(session.Advanced.HasChanges);
        }

        using IAsyncDocumentSession other = store.OpenAsyncSession();
        TimeSeriesEntry[] all = (await other.TimeSeriesFor("users/1", "HeartRate").GetAsync())!;
        Assert.Equal([Noon, Noon.AddMinutes(1), Noon.AddMinutes(2)], all.Select(entry => entry.Timestamp));
        Assert.All(all, entry => Assert.Equal(DateTimeKind.Utc, entry.Timestamp.Kind));
        Assert.Equal(["watches/8", null, null], all.Select(entry => entry.Tag));
        Assert.Equal(72, all[0].Value);
        Assert.Equal(
            new[] { -0.0, double.Epsilon, double.MaxValue }.Select(BitConverter.DoubleToInt64Bits),
            all[1].Values.Select(BitConverter.DoubleToInt64Bits));
        Assert.Null(await other.TimeSeriesFor("users/1", "Other").GetAsync());
        Assert.Null(await other.TimeSeriesFor("users/none", "HeartRate").GetAsync());
    }

    [Fact]
    public async Task A_range_that_the_session_has_read_needs_no_request_until_it_is_changed()
    {
        using DocumentStore store = await WithEntriesAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        IAsyncSessionDocumentTimeSeries rate = session.TimeSeriesFor("users/1", "HeartRate");
        Assert.Equal([0, 1, 2, 3], Values(await rate.GetAsync(to: Noon.AddMinutes(3))));
        Assert.Equal([1, 2], Values(await rate.GetAsync(Noon.AddMinutes(1), Noon.AddMinutes(2))));
        Assert.Equal([2], Values(await rate.GetAsync(Noon.AddMinutes(1), Noon.AddMinutes(3), start: 1, pageSize: 1)));
        Assert.Equal(1, session.Advanced.NumberOfRequests);

        // Beside it and overlapping: asked for, and then one range.
        Assert.Equal([3, 4, 5], Values(await rate.GetAsync(Noon.AddMinutes(3), Noon.AddMinutes(5))));
        Assert.Equal([0, 1, 2, 3, 4, 5], Values(await rate.GetAsync(to: Noon.AddMinutes(5))));
        Assert.Equal(2, session.Advanced.NumberOfRequests);

        // A page of nothing says nothing of what is there.
        session.Advanced.Clear();
        Assert.Equal([], Values(await rate.GetAsync(pageSize: 0)));
        Assert.Equal([], Values(await rate.GetAsync(Noon, pageSize: 0)));
        Assert.Equal([0], Values(await rate.GetAsync(Noon, Noon)));
        Assert.Equal(10, (await rate.GetAsync())!.Length);
        Assert.Equal(6, session.Advanced.NumberOfRequests);

        // A page ends at its last entry: what follows is not known.
        session.Advanced.Clear();
        Assert.Equal([2, 3], Values(await rate.GetAsync(Noon.AddMinutes(1), null, start: 1, pageSize: 2)));
        Assert.Equal([2, 3], Values(await rate.GetAsync(Noon.AddMinutes(2), Noon.AddMinutes(3))));
        Assert.Equal(7, session.Advanced.NumberOfRequests);
        Assert.Equal([1, 2, 3, 4, 5, 6, 7, 8, 9], Values(await rate.GetAsync(Noon.AddMinutes(1), null)));
        Assert.Equal([], Values(await rate.GetAsync(Noon.AddMinutes(1), null, start: 100)));
        Assert.Equal(8, session.Advanced.NumberOfRequests);

        // Nor does a caller change what the session knows.
        foreach (int _ in (int[])[1, 2])
        {
            TimeSeriesEntry own = Assert.Single((await rate.GetAsync(Noon.AddMinutes(1), Noon.AddMinutes(1)))!);
            Assert.Equal((1, "watches/1"), (own.Value, own.Tag));
            (own.Values[0], own.Tag, own.Timestamp) = (50, null, Early);
        }

        var typed = new TimeSeriesEntry<HeartRate> { Timestamp = Noon.AddMinutes(7), Values = [70] };
        session.TimeSeriesFor<HeartRate>("users/1", "HeartRate").Append(typed);
        typed.Values[0] = 71;
        rate.Append(Noon.AddMinutes(1), 100);
        await session.SaveChangesAsync();
        Assert.Equal([100, 2], Values(await rate.GetAsync(Noon.AddMinutes(1), Noon.AddMinutes(2))));
        Assert.Equal([70], Values(await rate.GetAsync(Noon.AddMinutes(7), Noon.AddMinutes(7))));
        session.Advanced.Defer(new PatchCommandData(
            "users/1", null, new() { Script = "timeseries(this, 'HeartRate').delete();" }));
        await session.SaveChangesAsync();
        Assert.Null(await rate.GetAsync(Noon.AddMinutes(1), Noon.AddMinutes(2)));
    }

    [Fact]
    public async Task Deletions_remove_what_is_there_and_what_was_to_be_written_before_them()
    {
        using DocumentStore store = await WithEntriesAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        IAsyncSessionDocumentTimeSeries rate = session.TimeSeriesFor("users/1", "HeartRate");
        rate.Append(Noon.AddMinutes(4), 40);
        rate.Delete(Noon.AddMinutes(3), Noon.AddMinutes(5));
        rate.Delete(Noon);
        rate.Append(Noon.AddMinutes(5), 50);
        rate.Delete(from: Noon.AddMinutes(8));
        await session.SaveChangesAsync();
        Assert.Equal([1, 2, 50, 6, 7], Values(await rate.GetAsync()));
        rate.Delete();
        await session.SaveChangesAsync();
        Assert.Null(await rate.GetAsync());
    }

    [Fact]
    public async Task A_document_that_gets_its_first_series_can_be_saved_again_in_the_same_session()
    {
        using DocumentStore store = fixture.NewStore();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        var ada = new User { Name = "Ada" };
        await session.StoreAsync(ada, "users/1");
        await session.SaveChangesAsync();
        session.TimeSeriesFor(ada, "HeartRate").Append(Noon, 1);
        session.IncrementalTimeSeriesFor(ada, "INC:Steps").Increment(Noon, 1);
        await session.SaveChangesAsync();
        session.Advanced.Defer(new CopyTimeSeriesCommandData("users/1", "HeartRate", "users/1", "Copied"));
        await session.SaveChangesAsync();
        ada.Name = "Ada L.";
        await session.SaveChangesAsync();
        Assert.Equal([1], Values(await session.TimeSeriesFor(ada, "Copied").GetAsync()));
    }

    [Fact]
    public async Task Values_are_objects_of_a_type_that_numbers_its_members()
    {
        using DocumentStore store = fixture.NewStore();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        var ada = new User();
        await session.StoreAsync(ada, "users/1");
        IAsyncSessionDocumentTypedTimeSeries<HeartRate> rate = session.TimeSeriesFor<HeartRate>("users/1");
        rate.Append(Noon, new HeartRate { Rate = 60, Effort = 1 }, "watches/1");
        rate.Append(new TimeSeriesEntry<HeartRate>
        {
            Timestamp = Noon.AddMinutes(1), Value = new HeartRate { Rate = 70, Effort = double.NaN }, Tag = "t",
        });
        session.TimeSeriesFor<HeartRate>(ada).Append(Noon.AddMinutes(2), new HeartRate { Rate = 80, Effort = 3 });
        rate.Delete(Noon.AddMinutes(5));
        await session.SaveChangesAsync();
        TimeSeriesEntry<HeartRate>[] all = (await rate.GetAsync(Noon))!;
        Assert.Equal([60, 70, 80], all.Select(entry => entry.Value.Rate));
        Assert.Equal([1, double.NaN, 3], all.Select(entry => entry.Value.Effort));
        Assert.Equal(["watches/1", "t", null], all.Select(entry => entry.Tag));
        Assert.Equal([70], all[1].Values);

        // An entry that was read, changed and written again.
        all[0].Value.Effort = 9;
        rate.Append(all[0]);
        await session.SaveChangesAsync();
        TimeSeriesEntry[]? plain = await session.TimeSeriesFor(ada, "HeartRates").GetAsync();
        Assert.Equal([60, 9], plain![0].Values);
    }

    [Fact]
    public async Task Increments_add_to_values()
    {
        using DocumentStore store = fixture.NewStore();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        var ada = new User();
        await session.StoreAsync(ada, "users/1");
        IAsyncSessionDocumentIncrementalTimeSeries steps = session.IncrementalTimeSeriesFor("users/1", "INC:Steps");
        steps.Increment(Early, 40);
        steps.Increment(Early, [2, 5]);
        steps.Increment(Early.AddMinutes(1), 7);
        steps.Delete(Early.AddMinutes(1));
        await session.SaveChangesAsync();
        TimeSeriesEntry only = Assert.Single((await steps.GetAsync())!);
        Assert.Equal([42, 5], only.Values);

        IAsyncSessionDocumentTypedIncrementalTimeSeries<HeartRate> typed =
            session.IncrementalTimeSeriesFor<HeartRate>("users/1");
        typed.Increment(Early, new HeartRate { Rate = 1, Effort = 2 });
        session.IncrementalTimeSeriesFor<HeartRate>(ada).Increment(Early, new HeartRate { Rate = 1, Effort = 2 });
        typed.Increment(new HeartRate { Rate = 5 });
        steps.Increment(1);
        session.IncrementalTimeSeriesFor(ada, "INC:Steps").Increment([2, 3]);
        await session.SaveChangesAsync();
        TimeSeriesEntry<HeartRate>[] both = (await typed.GetAsync())!;
        Assert.Equal(2, both.Length);
        Assert.Equal((2, 4), (both[0].Value.Rate, both[0].Value.Effort));
        Assert.True(both[1].Timestamp > Early);
        Assert.Equal(48, (await steps.GetAsync())!.Sum(entry => entry.Values.Sum()) - 5);
    }

    [Fact]
    public async Task The_blocking_session_does_the_same()
    {
        using DocumentStore store = fixture.NewStore();
        using IDocumentSession session = store.OpenSession();
        var ada = new User();
        session.Store(ada, "users/1");
        session.Store(new Watch { Maker = "Acme" }, "watches/7");
        session.TimeSeriesFor("users/1", "Weight").Append(Noon, 80, "watches/7");
        session.TimeSeriesFor(ada, "Weight").Append(Noon.AddDays(1), [81]);
        session.TimeSeriesFor<HeartRate>("users/1").Append(Noon, new HeartRate { Rate = 1 });
        session.TimeSeriesFor<HeartRate>(ada, "HeartRates").Append(
            new TimeSeriesEntry<HeartRate> { Timestamp = Noon.AddDays(1), Value = new HeartRate { Rate = 2 } });
        session.IncrementalTimeSeriesFor("users/1", "INC:A").Increment(Noon, 1);
        session.IncrementalTimeSeriesFor(ada, "INC:A").Increment(Noon, [1]);
        session.IncrementalTimeSeriesFor<HeartRate>("users/1", "INC:B").Increment(Noon, new HeartRate());
        session.IncrementalTimeSeriesFor<HeartRate>(ada, "INC:B").Increment(new HeartRate());
        await Task.Run(session.SaveChanges, TestContext.Current.CancellationToken);
        Assert.Equal([80, 81], Values(session.TimeSeriesFor("users/1", "Weight").Get()));
        Assert.Equal([81], session.TimeSeriesFor(ada, "Weight").Stream(Noon.AddHours(1)).Select(it => it.Value));
        session.TimeSeriesFor(ada, "Weight").Get(Noon, null, include => include.IncludeTags());
        int before = session.Advanced.NumberOfRequests;
        Assert.Equal("Acme", session.Load<Watch>("watches/7")!.Maker);
        Assert.Equal(before, session.Advanced.NumberOfRequests);
        Assert.Equal(2, session.TimeSeriesFor<HeartRate>(ada).Get(Noon.AddDays(1))!.Single().Value.Rate);
        Assert.Equal(2, session.IncrementalTimeSeriesFor(ada, "INC:A").Get()!.Single().Value);
        Assert.Null(session.TimeSeriesRollupFor<HeartRate>("users/1", "ByHour").Get());
        Assert.Null(session.TimeSeriesRollupFor<HeartRate>(ada, "ByHour", "Weight").Get());
    }

    [Fact]
    public async Task Documents_come_along_with_entries()
    {
        using DocumentStore store = await WithEntriesAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        TimeSeriesEntry[]? entries = await session.TimeSeriesFor("users/1", "HeartRate").GetAsync(
            Noon, Noon.AddMinutes(3), include => include.IncludeDocument().IncludeTags());
        Assert.Equal(4, entries!.Length);
        Assert.Equal("Ada", (await session.LoadAsync<User>("users/1"))!.Name);
        Assert.Equal("Acme", (await session.LoadAsync<Watch>("watches/1"))!.Maker);
        Assert.Equal(1, session.Advanced.NumberOfRequests);
    }

    [Fact]
    public async Task Ranges_come_along_with_documents()
    {
        using DocumentStore store = await WithEntriesAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.LoadAsync<User>("users/1", include => include
            .IncludeTimeSeries("HeartRate", Noon, Noon.AddMinutes(1))
            .IncludeTimeSeries("HeartRate", TimeSeriesRangeType.Last, 2));
        IAsyncSessionDocumentTimeSeries rate = session.TimeSeriesFor("users/1", "HeartRate");
        Assert.Equal([0, 1], Values(await rate.GetAsync(Noon, Noon.AddMinutes(1))));
        Assert.Equal([8, 9], Values(await rate.GetAsync(Noon.AddMinutes(8))));
        Assert.Equal(1, session.Advanced.NumberOfRequests);

        session.Advanced.Clear();
        await session.LoadAsync<User>("users/1", include => include
            .IncludeTimeSeries(["HeartRate"], TimeSeriesRangeType.Last, TimeValue.OfMinutes(3))
            .IncludeTimeSeries(["Weight"], TimeSeriesRangeType.Last, 1)
            .IncludeTimeSeries("Steps", TimeSeriesRangeType.Last, TimeValue.OfMonths(1)));
        Assert.Equal([6, 7, 8, 9], Values(await rate.GetAsync(Noon.AddMinutes(6))));
        Assert.Equal([5], Values(await session.TimeSeriesFor("users/1", "Weight").GetAsync(Noon.AddDays(1))));
        Assert.Equal([], Values(await session.TimeSeriesFor("users/1", "Steps").GetAsync()));
        Assert.Equal(2, session.Advanced.NumberOfRequests);

        session.Advanced.Clear();
        await session.Query<User>().Include(include => include
            .IncludeAllTimeSeries(TimeSeriesRangeType.Last, TimeValue.OfMinutes(1))
            .IncludeTimeSeries("HeartRate", null, Noon)).ToListAsync();
        Assert.Equal([8, 9], Values(await rate.GetAsync(Noon.AddMinutes(8))));
        Assert.Equal([0], Values(await rate.GetAsync(to: Noon)));
        Assert.Equal(3, session.Advanced.NumberOfRequests);
        session.Advanced.Clear();
        await session.LoadAsync<User>(
            "users/1", include => include.IncludeAllTimeSeries(TimeSeriesRangeType.Last, 1));
        Assert.Equal([9], Values(await rate.GetAsync(Noon.AddMinutes(9))));
        Assert.Equal([5], Values(await session.TimeSeriesFor("users/1", "Weight").GetAsync(Noon.AddDays(1))));
        Assert.Equal(4, session.Advanced.NumberOfRequests);
    }

    [Fact]
    public async Task A_stream_gives_all_entries_of_a_range()
    {
        using DocumentStore store = await WithEntriesAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        List<TimeSeriesEntry> read = await session.TimeSeriesFor("users/1", "HeartRate")
            .StreamAsync(Noon.AddMinutes(1), Noon.AddMinutes(3)).ToListAsync(TestContext.Current.CancellationToken);
        Assert.Equal([1, 2, 3], read.Select(entry => entry.Value));
        Assert.Equal(["watches/1", "watches/1", "watches/1"], read.Select(entry => entry.Tag));
        Assert.Empty(await session.TimeSeriesFor("users/1", "None").StreamAsync()
            .ToListAsync(TestContext.Current.CancellationToken));
        List<TimeSeriesEntry<HeartRate>> typed = await session.TimeSeriesFor<HeartRate>("users/1", "HeartRate")
            .StreamAsync(to: Noon).ToListAsync(TestContext.Current.CancellationToken);
        Assert.Equal(0, Assert.Single(typed).Value.Rate);
    }

    [Fact]
    public async Task What_no_series_can_have_is_refused_before_it_is_sent()
    {
        using DocumentStore store = await WithEntriesAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        IAsyncSessionDocumentTimeSeries rate = session.TimeSeriesFor("users/1", "HeartRate");
        Assert.Throws<ArgumentException>(() => rate.Append(Noon, double.NaN));
        Assert.Throws<ArgumentException>(() => rate.Append(Noon, [1, double.PositiveInfinity]));
        Assert.Throws<ArgumentException>(() => rate.Append(Noon, []));
        Assert.Throws<ArgumentException>(() => rate.Append(Noon, new double[33]));
        Assert.Throws<ArgumentException>(() => rate.Append(Noon, 1, new string('t', 256)));
        Assert.Throws<ArgumentException>(() => rate.Append(Noon, 1, new string('ä', 128)));
        Assert.Throws<ArgumentException>(() => new TimeSeriesOperation().Append(
            new TimeSeriesOperation.AppendOperation { Timestamp = Noon, Values = [1], Tag = new string('t', 256) }));
        Assert.Throws<ArgumentException>(() => rate.Delete(Noon, Noon.AddDays(-1)));
        await Assert.ThrowsAsync<ArgumentException>(() => rate.GetAsync(Noon, Noon.AddDays(-1)));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => rate.GetAsync(start: -1));
        Assert.Throws<ArgumentException>(() => session.TimeSeriesFor("users/1", "INC:A"));
        Assert.Throws<ArgumentException>(() => session.IncrementalTimeSeriesFor("users/1", "A"));
        Assert.False(session.Advanced.HasChanges);

        // The longest tag.
        rate.Append(Noon.AddDays(1), 1, new string('ä', 127) + "t");
        await session.SaveChangesAsync();

        // What only the server can tell.
        session.TimeSeriesFor("users/none", "HeartRate").Append(Noon, 1);
        await Assert.ThrowsAnyAsync<RavenException>(() => session.SaveChangesAsync());
    }

    [Fact]
    public void A_type_that_cannot_stand_for_values_is_refused_by_name()
    {
        using DocumentStore store = fixture.NewStore();
        using IDocumentSession session = store.OpenSession();
        InvalidOperationException none = Assert.Throws<InvalidOperationException>(
            () => session.TimeSeriesFor<User>("users/1").Append(Noon, new User()));
        Assert.Contains(nameof(User), none.Message, StringComparison.Ordinal);
        InvalidOperationException gap = Assert.Throws<InvalidOperationException>(
            () => session.TimeSeriesFor<Gap>("users/1").Append(Noon, new Gap()));
        Assert.Contains("1 is missing", gap.Message, StringComparison.Ordinal);
        InvalidOperationException text = Assert.Throws<InvalidOperationException>(
            () => session.TimeSeriesFor<NoNumber>("users/1").Append(Noon, new NoNumber()));
        Assert.Contains("'Name' must be a double", text.Message, StringComparison.Ordinal);
    }

    internal static async Task FillAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new User { Name = "Ada", Age = 36 }, "users/1");
        await session.StoreAsync(new User { Name = "Bob", Age = 17 }, "users/2");
        await session.StoreAsync(new Watch { Maker = "Acme", Accuracy = 2 }, "watches/1");
        await session.StoreAsync(new Watch { Maker = "Other", Accuracy = 5, IsNew = true }, "watches/2");
        for (int i = 0; i < 10; i++)
        {
            session.TimeSeriesFor("users/1", "HeartRate").Append(
                Noon.AddMinutes(i), i, i < 5 ? "watches/1" : "watches/2");
        }

        session.TimeSeriesFor("users/1", "Weight").Append(Noon.AddDays(1), 5);
        await session.SaveChangesAsync();
    }

    private async Task<DocumentStore> WithEntriesAsync()
    {
        DocumentStore store = fixture.NewStore();
        await FillAsync(store);
        return store;
    }

    private static IEnumerable<double> Values(TimeSeriesEntry[]? entries) => entries!.Select(entry => entry.Value);

    private sealed class Gap
    {
        [TimeSeriesValue(0)]
        public double First { get; set; }

        [TimeSeriesValue(2)]
        public double Third { get; set; }
    }

    private sealed class NoNumber
    {
        [TimeSeriesValue(0)]
        public string Name { get; set; } = "";
    }
}
