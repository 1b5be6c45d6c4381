using System.Diagnostics;
using System.Globalization;
using System.Net.Http.Headers;
using System.Text;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>A load of small documents of one collection, and of two automatic indexes over them. The slow tests of
/// memory use it too.</summary>
internal static class ItemLoad
{
    private const int DocumentsOfRequest = 50_000;
    private const int Loaders = 4;
    private const int First = 1000;

    /// <summary>Loads documents into a database that indexes them by two fields.</summary>
    internal static async Task LoadIndexedAsync(HttpClient client, string database, int count)
    {
        await InsertAsync(client, $"/databases/{database}/bulk_insert", "first", First);
        foreach (string field in (string[])["N", "City"])
        {
            string query = Uri.EscapeDataString($"from Items where {field} = '1'");
            await client.GetStringAsync($"/databases/{database}/queries?query={query}");
        }

        await Task.WhenAll(Enumerable.Range(0, Loaders).Select(
            loader => InsertAsync(client, $"/databases/{database}/bulk_insert", $"load{loader}", count / Loaders)));
    }

    /// <summary>Inserts documents.</summary>
    /// <param name="client">Of the server.</param>
    /// <param name="path">The database's bulk_insert or bulk_docs.</param>
    /// <param name="prefix">Of the ids.</param>
    /// <param name="count">How many.</param>
    internal static async Task InsertAsync(HttpClient client, string path, string prefix, int count)
    {
        bool areCommands = path.EndsWith("bulk_docs", StringComparison.Ordinal);
        for (int first = 0; first < count; first += DocumentsOfRequest)
        {
            var body = new StringBuilder(areCommands ? "{\"Commands\":[" : "[");
            for (int i = first; i < Math.Min(count, first + DocumentsOfRequest); i++)
            {
                body.Append(i == first ? "" : ",").Append(CultureInfo.InvariantCulture,
                    $"{{\"Id\":\"{prefix}/{i}\",\"Type\":\"PUT\",\"Document\":{{\"N\":{i},\"City\":\"c{i % 1000}\","
                    + $"\"Name\":\"{(uint)i * 2654435761u:x16}\",\"@metadata\":{{\"@collection\":\"Items\"}}}}}}");
            }

            using var documents = new StringContent(
                body.Append(areCommands ? "]}" : "]").ToString(), Encoding.UTF8,
                new MediaTypeHeaderValue("application/json"));
            (await client.PostAsync(path, documents)).EnsureSuccessStatusCode();
        }
    }

    /// <summary>Waits until all indexes have seen all documents.</summary>
    /// <exception cref="TimeoutException">They have not after this time; the message is the statistics.</exception>
    internal static async Task WaitForIndexesAsync(HttpClient client, string database, TimeSpan max)
    {
        var waited = Stopwatch.StartNew();
        while (true)
        {
            string statistics = await client.GetStringAsync($"/databases/{database}/stats");
            if (!statistics.Contains("\"IsStale\":true", StringComparison.Ordinal))
            {
                return;
            }

            if (waited.Elapsed > max)
            {
                throw new TimeoutException(statistics);
            }

            await Task.Delay(TimeSpan.FromMilliseconds(500));
        }
    }
}
