using Raven.Client.Documents;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Queries.TimeSeries;
using Raven.Client.Documents.Session;

namespace FastTests.Client;

/// <summary>Queries over time series, by LINQ and call by call, against the real server.</summary>
public sealed class TimeSeriesQueryTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    private static readonly DateTime Noon = new(2026, 1, 1, 12, 0, 0, DateTimeKind.Utc);

    [Fact]
    public async Task Entries_are_selected_by_range_and_condition()
    {
        using DocumentStore store = await NewStoreAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        IRavenQueryable<User> ada = session.Query<User>().Where(user => user.Age > 30);
        TimeSeriesRawResult all = await ada.Select(
            user => RavenQuery.TimeSeries(user, "HeartRate").ToList()).SingleAsync();
        Assert.Equal(10, all.Count);
        Assert.Equal(Noon, all.Results[0].Timestamp);
        Assert.Equal("watches/1", all.Results[0].Tag);

        DateTime from = Noon.AddMinutes(2);
        TimeSeriesRawResult some = await ada.Select(user => RavenQuery.TimeSeries("HeartRate", from, from.AddMinutes(5))
            .Where(entry => entry.Value > 3 && !(entry.Tag == "WATCHES/2") || entry.Values[0] == 7)
            .Where(entry => entry.Timestamp <= from.AddMinutes(5)).Scale(10).Offset(TimeSpan.FromHours(2)).ToList())
            .SingleAsync();
        Assert.Equal([40, 70], some.Results.Select(entry => entry.Value));
        Assert.Equal(Noon.AddMinutes(4).AddHours(2), some.Results[0].Timestamp);

        string[] tags = ["watches/2"];
        Assert.Equal(5, (await ada.Select(user => RavenQuery.TimeSeries(user, "HeartRate")
            .Where(entry => tags.Contains(entry.Tag)).ToList()).SingleAsync()).Count);
        Assert.Equal(0, (await ada.Select(user => RavenQuery.TimeSeries(user, "HeartRate")
            .Where(entry => entry.Tag == null).ToList()).SingleAsync()).Count);
        Assert.Equal([8, 9], (await ada.Select(user => RavenQuery.TimeSeries(user, "HeartRate")
            .FromLast(last => last.Minutes(1)).ToList()).SingleAsync()).Results.Select(entry => entry.Value));
        Assert.Equal([0, 1], (await ada.Select(user => RavenQuery.TimeSeries(user, "HeartRate")
            .FromFirst(first => first.Seconds(60)).ToList()).SingleAsync()).Results.Select(entry => entry.Value));
        Assert.Equal(2, (await ada.Select(user => RavenQuery.TimeSeries(user, "HeartRate", Noon, Noon.AddMinutes(1))
            .ToList()).SingleAsync()).Count);
    }

    [Fact]
    public async Task Groups_have_what_was_selected_beside_fields_of_the_document()
    {
        using DocumentStore store = await NewStoreAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        var rows = await session.Query<User>().OrderBy(user => user.Name).Select(user => new
        {
            user.Name,
            Rate = RavenQuery.TimeSeries(user, "HeartRate").GroupBy(by => by.Minutes(5)).Select(group => new
            {
                Least = group.Min(), Most = group.Max(), Mean = group.Average(), All = group.Sum(),
                Begin = group.First(), End = group.Last(), Number = group.Count(), Middle = group.Percentile(50),
                Rise = group.Slope(), Spread = group.StandardDeviation(),
            }).ToList(),
        }).ToListAsync();
        Assert.Equal(["Ada", "Bob"], rows.Select(row => row.Name));
        Assert.Equal(0, rows[1].Rate.Count);
        TimeSeriesRangeAggregation second = rows[0].Rate.Results[1];
        Assert.Equal((Noon.AddMinutes(5), Noon.AddMinutes(10)), (second.From, second.To));
        Assert.Equal([5], second.Count);
        Assert.Equal(
            (5.0, 9.0, 7.0, 35.0, 5.0, 9.0, 7.0),
            (second.Min[0], second.Max[0], second.Average[0], second.Sum[0], second.First[0], second.Last[0],
                second.Percentile[0]));
        Assert.Equal(4.0 / 240_000, second.Slope[0], 1e-12);
        Assert.Equal(Math.Sqrt(2), second.StandardDeviation[0], 1e-12);
        Assert.Null(second.Key);
    }

    [Fact]
    public async Task Groups_are_made_by_time_and_tags_and_gaps_are_filled()
    {
        using DocumentStore store = await NewStoreAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        IRavenQueryable<User> ada = session.Query<User>().Where(user => user.Age > 30);
        TimeSeriesAggregationResult byTag = await ada.Select(user => RavenQuery.TimeSeries(user, "HeartRate")
            .GroupBy(by => by.Hours(1).ByTag()).Select(group => group.Max()).Scale(2)
            .Offset(TimeSpan.FromMinutes(30)).ToList()).SingleAsync();
        Assert.Equal(
            [("watches/1", 8.0), ("watches/2", 18.0)],
            byTag.Results.Select(group => ((string?)group.Key!, group.Max[0])).OrderBy(group => group.Item2));
        Assert.Equal(Noon.AddMinutes(30), byTag.Results[0].From);
        Assert.Empty(byTag.Results[0].Min);

        TimeSeriesAggregationResult byField = await ada.Select(user => RavenQuery.TimeSeries(user, "HeartRate")
            .GroupBy(by => by.Days(1).ByTag<Watch>(watch => watch.Accuracy)).Select(group => group.Count()).ToList())
            .SingleAsync();
        Assert.Equal([2.0, 5.0], byField.Results.Select(group => (double)group.Key!).Order());

        TimeSeriesAggregationResult filled = await ada.Select(user => RavenQuery.TimeSeries(user, "HeartRate")
            .Where(entry => entry.Value == 0 || entry.Value == 2)
            .GroupBy(by => by.Minutes(1).WithOptions(
                new TimeSeriesAggregationOptions { Interpolation = InterpolationType.Linear }))
            .Select(group => new { Max = group.Max() }).ToList()).SingleAsync();
        Assert.Equal([0, 1, 2], filled.Results.Select(group => group.Max[0]));

        TimeSeriesAggregationResult byText = await ada.Select(user => RavenQuery.TimeSeries(user, "HeartRate")
            .GroupBy("1 month").ToList()).SingleAsync();
        Assert.Equal(45, Assert.Single(byText.Results).Sum[0]);
        TimeSeriesAggregationResult one = await ada.Select(user => RavenQuery.TimeSeries(user, "HeartRate")
            .Select(group => group.Average()).ToList()).SingleAsync();
        Assert.Equal(4.5, Assert.Single(one.Results).Average[0]);
    }

    [Fact]
    public async Task Conditions_see_the_documents_that_tags_name()
    {
        using DocumentStore store = await NewStoreAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        IRavenQueryable<User> ada = session.Query<User>().Where(user => user.Age > 30);
        double bound = 3;
        TimeSeriesRawResult exact = await ada.Select(user => RavenQuery.TimeSeries(user, "HeartRate")
            .LoadByTag<Watch>().Where((entry, watch) => watch.Accuracy < bound && entry.Value > 1).ToList())
            .SingleAsync();
        Assert.Equal([2, 3, 4], exact.Results.Select(entry => entry.Value));
        TimeSeriesRawResult<HeartRate> fresh = await ada.Select(
            user => RavenQuery.TimeSeries<HeartRate>(user, "HeartRate").LoadByTag<Watch>()
                .Where((entry, watch) => watch.IsNew && watch.Id == "watches/2").ToList()).SingleAsync();
        Assert.Equal(5, fresh.Count);
    }

    [Fact]
    public async Task Typed_series_give_objects()
    {
        using DocumentStore store = await NewStoreAsync();
        using (IAsyncDocumentSession writing = store.OpenAsyncSession())
        {
            for (int i = 0; i < 4; i++)
            {
                writing.TimeSeriesFor<HeartRate>("users/1").Append(
                    Noon.AddMinutes(i), new HeartRate { Rate = i, Effort = 10 * i });
            }

            await writing.SaveChangesAsync();
        }

        using IAsyncDocumentSession session = store.OpenAsyncSession();
        IRavenQueryable<User> ada = session.Query<User>().Where(user => user.Age > 30);
        TimeSeriesRawResult<HeartRate> raw = await ada.Select(user => RavenQuery.TimeSeries<HeartRate>("HeartRates")
            .Where(entry => entry.Value.Effort > 5 && entry.Tag == null).Scale(1).Offset(TimeSpan.Zero).ToList())
            .SingleAsync();
        Assert.Equal([10, 20, 30], raw.Results.Select(entry => entry.Value.Effort));

        TimeSeriesAggregationResult<HeartRate> groups = await ada.Select(
            user => RavenQuery.TimeSeries<HeartRate>(user, "HeartRates", Noon, Noon.AddMinutes(3))
                .GroupBy(by => by.Minutes(2)).Select(group => new
                {
                    Least = group.Min(), Most = group.Max(), Mean = group.Average(), All = group.Sum(),
                    Begin = group.First(), End = group.Last(), Number = group.Count(), Middle = group.Percentile(50),
                    Rise = group.Slope(), Spread = group.StandardDeviation(),
                }).Scale(1).Offset(TimeSpan.Zero).ToList()).SingleAsync();
        TimeSeriesRangeAggregation<HeartRate> last = groups.Results[1];
        Assert.Equal((2, 30), (last.Min.Rate, last.Max.Effort));
        Assert.Equal((2.5, 50, 2), (last.Average.Rate, last.Sum.Effort, last.Count.Rate));
        Assert.Equal((2, 30, 25), (last.First.Rate, last.Last.Effort, last.Percentile.Effort));
        Assert.Equal((1.0 / 60_000, 5), (last.Slope.Rate, last.StandardDeviation.Effort));

        Assert.Equal(4, (await ada.Select(user => RavenQuery.TimeSeries<HeartRate>("HeartRates", Noon, Noon.AddHours(1))
            .ToList()).SingleAsync()).Count);
        Assert.Equal(2, (await ada.Select(user => RavenQuery.TimeSeries<HeartRate>(user, "HeartRates")
            .FromLast(last => last.Minutes(1)).ToList()).SingleAsync()).Count);
        Assert.Equal(3, (await ada.Select(user => RavenQuery.TimeSeries<HeartRate>(user, "HeartRates")
            .FromFirst(first => first.Minutes(2)).ToList()).SingleAsync()).Count);
        Assert.Equal(6, (await ada.Select(user => RavenQuery.TimeSeries<HeartRate>(user, "HeartRates")
            .GroupBy("1 day").ToList()).SingleAsync()).Results[0].Sum.Rate);
        Assert.Equal(3, (await ada.Select(user => RavenQuery.TimeSeries<HeartRate>(user, "HeartRates")
            .Select(group => group.Max()).ToList()).SingleAsync()).Results[0].Max.Rate);
    }

    [Fact]
    public async Task A_projection_computes_with_series_of_its_own_and_of_other_documents()
    {
        using DocumentStore store = await NewStoreAsync();
        using (IAsyncDocumentSession writing = store.OpenAsyncSession())
        {
            await writing.StoreAsync(new Order { CompanyId = "users/1" }, "orders/1");
            await writing.SaveChangesAsync();
        }

        using IAsyncDocumentSession session = store.OpenAsyncSession();
        var row = await (
            from order in session.Query<Order>()
            let user = RavenQuery.Load<User>(order.CompanyId)
            select new
            {
                Name = user.Name + "!",
                Rate = RavenQuery.TimeSeries(user, "HeartRate").GroupBy(frame => frame.Hours(1))
                    .Select(frame => frame.Max()).ToList(),
                Weight = RavenQuery.TimeSeries(order.CompanyId!, "Weight").ToList(),
            }).SingleAsync();
        Assert.Equal("Ada!", row.Name);
        Assert.Equal(9, row.Rate.Results[0].Max[0]);
        Assert.Equal(Noon, row.Rate.Results[0].From);
        Assert.Equal((5, Noon.AddDays(1)), (row.Weight.Results[0].Value, row.Weight.Results[0].Timestamp));

        var computed = await session.Query<User>().Where(user => user.Age > 30).Select(user => new
        {
            Older = user.Age + 1, Rate = RavenQuery.TimeSeries("HeartRate").Where(entry => entry.Value > 7).ToList(),
        }).SingleAsync();
        Assert.Equal((37, 2), (computed.Older, computed.Rate.Count));
    }

    [Fact]
    public async Task Queries_call_by_call_select_series()
    {
        using DocumentStore store = await NewStoreAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        TimeSeriesAggregationResult groups = await session.Advanced.AsyncDocumentQuery<User>()
            .WhereEquals(user => user.Name, "Ada")
            .SelectTimeSeries(builder => builder.From("HeartRate").Where(entry => entry.Value > 0)
                .FromLast(last => last.Hours(1)).LoadByTag<Watch>().Where((entry, watch) => watch.Accuracy > 1)
                .GroupBy(by => by.Hours(1)).Select(group => group.Max()).Scale(3).Offset(TimeSpan.FromHours(1))
                .ToList())
            .SingleAsync();
        Assert.Equal(27, Assert.Single(groups.Results).Max[0]);
        Assert.Equal(Noon.AddHours(1), groups.Results[0].From);
        TimeSeriesRawResult raw = await session.Advanced.AsyncDocumentQuery<User>()
            .WhereEquals(user => user.Name, "Ada")
            .SelectTimeSeries(builder => builder.Raw<TimeSeriesRawResult>("from HeartRate where Value > 6"))
            .SingleAsync();
        Assert.Equal([7, 8, 9], raw.Results.Select(entry => entry.Value));
        TimeSeriesRawResult first = await session.Advanced.AsyncDocumentQuery<User>()
            .WhereEquals(user => user.Name, "Ada")
            .SelectTimeSeries(builder => builder.From("HeartRate").FromFirst(time => time.Minutes(1)).Scale(2)
                .Offset(TimeSpan.Zero).ToList()).SingleAsync();
        Assert.Equal([0, 2], first.Results.Select(entry => entry.Value));
        TimeSeriesAggregationResult all = await session.Advanced.AsyncDocumentQuery<User>()
            .WhereEquals(user => user.Name, "Ada")
            .SelectTimeSeries(builder => builder.From("HeartRate").Select(group => group.Sum()).ToList()).SingleAsync();
        Assert.Equal(45, all.Results[0].Sum[0]);
        using IDocumentSession blocking = store.OpenSession();
        Assert.Equal(45, await Task.Run(() => blocking.Advanced.DocumentQuery<User>()
            .WhereEquals(user => user.Name, "Ada")
            .SelectTimeSeries(builder => builder.From("HeartRate").GroupBy("1 year").ToList())
            .Single().Results[0].Sum[0], TestContext.Current.CancellationToken));
        List<TimeSeriesRawResult> byText = await session.Advanced.AsyncRawQuery<TimeSeriesRawResult>(
            "from Users as u where u.Name = 'Ada' select timeseries(from u.HeartRate last 2 minutes)").ToListAsync();
        Assert.Equal([7, 8, 9], byText.Single().Results.Select(entry => entry.Value));
    }

    [Theory]
    [InlineData(1, "milliseconds")]
    [InlineData(2, "seconds")]
    [InlineData(3, "minutes")]
    [InlineData(4, "hours")]
    [InlineData(5, "days")]
    [InlineData(6, "weeks")]
    [InlineData(7, "months")]
    [InlineData(8, "quarters")]
    [InlineData(9, "years")]
    public async Task Every_unit_of_time_is_one_of_the_server(int number, string unit)
    {
        using DocumentStore store = await NewStoreAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        IRavenQueryable<TimeSeriesAggregationResult> query = session.Query<User>().Select(
            user => RavenQuery.TimeSeries(user, "HeartRate").GroupBy(by => Say(by, number)).ToList());
        Assert.Equal($"{number} {unit}", query.ToIndexQuery().QueryParameters["p1"]);
        Assert.Equal(2, (await query.ToListAsync()).Count);
    }

    [Fact]
    public void What_cannot_be_said_of_entries_is_refused_by_name()
    {
        using DocumentStore store = fixture.NewStore();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        IRavenQueryable<User> users = session.Query<User>();
        Refuses("IsRollup", users.Select(
            user => RavenQuery.TimeSeries(user, "A").Where(entry => entry.IsRollup).ToList()));
        Refuses("Trim", users.Select(
            user => RavenQuery.TimeSeries(user, "A").Where(entry => entry.Tag!.Trim() == "A").ToList()));
        Refuses("known before", users.Select(user => RavenQuery.TimeSeries(user, user.Name).ToList()));
        Refuses("Min()", users.Select(
            user => RavenQuery.TimeSeries(user, "A").GroupBy("1 h").Select(group => group.Min()[0] + 1).ToList()));
        Refuses("one range", users.Select(user => RavenQuery.TimeSeries(user, "A", Noon, Noon)
            .FromLast(last => last.Hours(1)).ToList()));
        Assert.Throws<NotSupportedException>(() => RavenQuery.TimeSeries("A"));
        Assert.Throws<NotSupportedException>(() => RavenQuery.TimeSeries<HeartRate>("A"));
    }

    private static void Refuses<T>(string what, IRavenQueryable<T> query) => Assert.Contains(
        what, Assert.Throws<NotSupportedException>(query.ToIndexQuery).Message, StringComparison.Ordinal);

    private static void Say(ITimePeriodBuilder by, int number)
    {
        _ = number switch
        {
            1 => by.Milliseconds(1),
            2 => by.Seconds(2),
            3 => by.Minutes(3),
            4 => by.Hours(4),
            5 => by.Days(5),
            6 => by.Weeks(6),
            7 => by.Months(7),
            8 => by.Quarters(8),
            _ => by.Years(9),
        };
    }

    private async Task<DocumentStore> NewStoreAsync()
    {
        DocumentStore store = fixture.NewStore();
        await TimeSeriesTests.FillAsync(store);
        return store;
    }
}
