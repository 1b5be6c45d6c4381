using System.Globalization;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Operations.TimeSeries;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Queries.TimeSeries;
using Raven.Client.Documents.Session;
using Raven.Client.Documents.Session.TimeSeries;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;
using Raven.Server;

namespace Raven.Samples.TimeSeries;

/// <summary>
/// A day of heart rates: written one by one and in bulk, asked for by the hour, and put into a file that a notebook
/// reads in one line (<c>chart.ipynb</c> beside). Its arguments are the file, <c>heart-rate.csv</c> without any, and
/// the url of a server, without which it starts one of its own, in memory.
/// </summary>
internal static class Program
{
    private static readonly DateTime Morning = new(2026, 1, 1, 6, 0, 0, DateTimeKind.Utc);

    private static async Task Main(string[] arguments)
    {
        string file = arguments.Length > 0 ? arguments[0] : "heart-rate.csv";
        using ServerHost? own = arguments.Length > 1 ? null : EmbeddedServer.StartInMemory();
        using var store = new DocumentStore { Urls = [own?.Url ?? arguments[1]], Database = "measurements" };
        store.Initialize();
        if (await store.Maintenance.Server.SendAsync(new GetDatabaseRecordOperation("measurements")) is null)
        {
            await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new DatabaseRecord("measurements")));
        }

        await store.TimeSeries.RegisterAsync<User, HeartRate>();
        await store.TimeSeries.SetPolicyAsync<User>("ByHour", TimeValue.OfHours(1), TimeValue.MaxValue);
        await WriteAsync(store);
        await ReadAsync(store);
        await AskAsync(store);
        await CopyAsync(store, file);
    }

    private static async Task WriteAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new User { Name = "Ada" }, "users/1");
        session.TimeSeriesFor<HeartRate>("users/1").Append(
            Morning, new HeartRate { Rate = 52, Effort = 0 }, "watches/7");
        await session.SaveChangesAsync();

        await using BulkInsertOperation bulk = store.BulkInsert();
        using TypedTimeSeriesBulkInsert<HeartRate> day = bulk.TimeSeriesFor<HeartRate>("users/1");
        for (int minute = 1; minute < 180; minute++)
        {
            double effort = minute is >= 60 and < 90 ? 3 : 1;
            var value = new HeartRate { Rate = 55 + (20 * effort) + (minute % 5), Effort = effort };
            await day.AppendAsync(Morning.AddMinutes(minute), value, "watches/7");
        }
    }

    private static async Task ReadAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        TimeSeriesEntry<HeartRate>[]? first = await session.TimeSeriesFor<HeartRate>("users/1").GetAsync(pageSize: 2);
        foreach (TimeSeriesEntry<HeartRate> entry in first!)
        {
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture, $"{entry.Timestamp:HH:mm} {entry.Value.Rate} by {entry.Tag}"));
        }
    }

    private static async Task AskAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        var users = await session.Query<User>().Select(user => new
        {
            user.Name,
            Hours = RavenQuery.TimeSeries<HeartRate>(user, "HeartRates").GroupBy(frame => frame.Hours(1))
                .Select(frame => new { Least = frame.Min(), Most = frame.Max() }).ToList(),
        }).ToListAsync();
        foreach (TimeSeriesRangeAggregation<HeartRate> hour in users[0].Hours.Results)
        {
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{users[0].Name} from {hour.From:HH:mm}: {hour.Min.Rate} to {hour.Max.Rate}"));
        }
    }

    private static async Task CopyAsync(DocumentStore store, string file)
    {
        await store.TimeSeries.ExportAsync("users/1", "HeartRates", file);
        long entries = await store.TimeSeries.ImportAsync("users/1", "Copy", file);
        Console.WriteLine($"{entries} entries went through {Path.GetFileName(file)}.");
    }
}
