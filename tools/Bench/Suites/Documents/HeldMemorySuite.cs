using System.Globalization;
using System.Net.Http.Headers;
using System.Text;
using Raven.Tools.Bench.Suites.Http;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>
/// What a server still holds half a minute after a large load: documents and indexes are in files, so that memory that
/// is in no file has nothing to keep.
/// </summary>
internal sealed class HeldMemorySuite : IBenchSuite
{
    private const string HeldName = "5,000,000 documents loaded with two automatic indexes: memory held 30 s later";
    private const int DocumentCount = 5_000_000;
    private const int DocumentsOfRequest = 50_000;
    private const int Loaders = 4;
    private const double MegabytesMax = 300;
    private static readonly TimeSpan Rest = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan IndexingMax = TimeSpan.FromMinutes(20);

    public string Name => "documents";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (context.Wants(HeldName))
        {
            yield return new BenchRow
            {
                Name = HeldName,
                Unit = "MB",
                Target = BenchTarget.AtMost(MegabytesMax),
                WarmUpRuns = 0,
                Runs = 1,
                Ours = () => MeasureAsync(Path.Combine(context.ScratchDirectory, "held")).GetAwaiter().GetResult(),
            };
        }
    }

    private static async Task<double> MeasureAsync(string folder)
    {
        using ServerUnderTest server = ServerUnderTest.StartOurs(folder);
        using var client = new HttpClient { BaseAddress = server.Url, Timeout = TimeSpan.FromMinutes(5) };
        using (StringContent record = Json("{}"))
        {
            (await client.PutAsync("/admin/databases?name=held", record)).EnsureSuccessStatusCode();
        }

        await InsertAsync(client, "first", 1000);
        foreach (string field in (string[])["N", "City"])
        {
            string query = Uri.EscapeDataString($"from Items where {field} = '1'");
            await client.GetStringAsync($"/databases/held/queries?query={query}");
        }

        await Task.WhenAll(Enumerable.Range(0, Loaders).Select(
            loader => InsertAsync(client, $"load{loader}", DocumentCount / Loaders)));
        await WaitForIndexesAsync(client);
        await Task.Delay(Rest);
        return server.ReadAnonymousMegabytes();
    }

    private static async Task InsertAsync(HttpClient client, string prefix, int count)
    {
        for (int first = 0; first < count; first += DocumentsOfRequest)
        {
            var body = new StringBuilder("[");
            for (int i = first; i < Math.Min(count, first + DocumentsOfRequest); i++)
            {
                body.Append(i == first ? "" : ",").Append(CultureInfo.InvariantCulture,
                    $"{{\"Id\":\"{prefix}/{i}\",\"Type\":\"PUT\",\"Document\":{{\"N\":{i},\"City\":\"c{i % 1000}\","
                    + $"\"Name\":\"{(uint)i * 2654435761u:x16}\",\"@metadata\":{{\"@collection\":\"Items\"}}}}}}");
            }

            using StringContent documents = Json(body.Append(']').ToString());
            (await client.PostAsync("/databases/held/bulk_insert", documents)).EnsureSuccessStatusCode();
        }
    }

    private static async Task WaitForIndexesAsync(HttpClient client)
    {
        using var deadline = new CancellationTokenSource(IndexingMax);
        while ((await client.GetStringAsync("/databases/held/stats", deadline.Token))
            .Contains("\"IsStale\":true", StringComparison.Ordinal))
        {
            await Task.Delay(TimeSpan.FromMilliseconds(500), deadline.Token);
        }
    }

    private static StringContent Json(string text) =>
        new(text, Encoding.UTF8, new MediaTypeHeaderValue("application/json"));
}
