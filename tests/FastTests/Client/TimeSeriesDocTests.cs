using FastTests.Architecture;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Operations.TimeSeries;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Queries.TimeSeries;
using Raven.Client.Documents.Session;

namespace FastTests.Client;

/// <summary>
/// The C# of docs/timeseries.md: each of its blocks is a piece of this file, so that it compiles, and is run here.
/// </summary>
public sealed class TimeSeriesDocTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    [Fact]
    public void Every_code_block_of_the_page_is_run_by_a_test()
    {
        string code = DocBlocks.Squeeze(File.ReadAllText(
            Path.Combine(SourceTree.Root, "tests", "FastTests", "Client", "TimeSeriesDocTests.cs")));
        string[] blocks = DocBlocks.Of("docs/timeseries.md", "csharp");
        Assert.True(blocks.Length >= 3, $"Only {blocks.Length} blocks were found.");
        Assert.All(blocks, block => Assert.Contains(DocBlocks.Squeeze(block), code, StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_examples_of_the_page_do_what_it_says()
    {
        using DocumentStore store = fixture.NewStore();
        var noon = new DateTime(2026, 1, 1, 12, 0, 0, DateTimeKind.Utc);
        using (IAsyncDocumentSession users = store.OpenAsyncSession())
        {
            await users.StoreAsync(new User { Name = "Ada", Age = 36 }, "users/1");
            await users.StoreAsync(new Watch { Accuracy = 2 }, "watches/7");
            await users.SaveChangesAsync();
        }

        using IAsyncDocumentSession session = store.OpenAsyncSession();
        IAsyncSessionDocumentTypedTimeSeries<HeartRate> rates = session.TimeSeriesFor<HeartRate>("users/1");
        rates.Append(noon, new HeartRate { Rate = 71, Effort = 1 }, tag: "watches/7");
        rates.Append(noon.AddMinutes(20), new HeartRate { Rate = 95, Effort = 3 });
        await session.SaveChangesAsync();

        var days = await session.Query<User>().Where(user => user.Age > 30).Select(user => new
        {
            user.Name,
            Day = RavenQuery.TimeSeries<HeartRate>(user, "HeartRates", noon, noon.AddDays(1))
                .Where(entry => entry.Tag != "watches/old")
                .GroupBy(frame => frame.Hours(1)
                    .WithOptions(new TimeSeriesAggregationOptions { Interpolation = InterpolationType.Linear }))
                .Select(frame => new { Least = frame.Min(), Most = frame.Max() })
                .ToList(),
        }).ToListAsync();
        double peak = days[0].Day.Results[0].Max.Rate;

        TimeSeriesRawResult exact = await session.Query<User>()
            .Select(user => RavenQuery.TimeSeries(user, "HeartRates").LoadByTag<Watch>()
                .Where((entry, watch) => watch.Accuracy <= 2 && entry.Value > 70).ToList())
            .FirstAsync();

        Assert.Equal(("Ada", 95, 71), (days[0].Name, peak, days[0].Day.Results[0].Min.Rate));
        Assert.Equal([71, 1], Assert.Single(exact.Results).Values);

        await using (BulkInsertOperation bulk = store.BulkInsert())
        {
            using TypedTimeSeriesBulkInsert<HeartRate> many = bulk.TimeSeriesFor<HeartRate>("users/1");
            for (int i = 1; i <= 600; i++)
            {
                DateTime time = noon.AddHours(1).AddSeconds(i);
                await many.AppendAsync(time, new HeartRate { Rate = 60 + (i % 7), Effort = 1 });
            }
        }

        await store.TimeSeries.RegisterAsync<User, HeartRate>();        // Rate and Effort, for RQL
        await store.TimeSeries.SetRawPolicyAsync<User>(TimeValue.OfYears(100));
        await store.TimeSeries.SetPolicyAsync<User>("ByHour", TimeValue.OfHours(1), TimeValue.MaxValue);

        string folder = Directory.CreateTempSubdirectory("series-page").FullName;
        string file = Path.Combine(folder, "heart-rate.csv");

        await store.TimeSeries.ExportAsync("users/1", "HeartRates", file); // .csv; else JSON lines; .gz packs
        long entries = await store.TimeSeries.ImportAsync("users/1", "Copied", file);

        Assert.Equal(602, entries);
        Directory.Delete(folder, recursive: true);
        TimeSeriesStatistics? all = await store.Operations.SendAsync(new GetTimeSeriesStatisticsOperation("users/1"));
        Assert.Equal(602, all!.TimeSeries.Single(series => series.Name == "HeartRates").NumberOfEntries);
    }
}
