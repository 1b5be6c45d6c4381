using System.Diagnostics;
using System.Text;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Indexing;

/// <summary>
/// Writes a document, and asks an index that a query made for it until it is there, over and over: the time from the
/// answer to the write. Queries take what the index has (<c>allowStale</c>), so that no query hurries it.
/// </summary>
internal sealed class VisibilityProbes
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(5);

    /// <summary>Asking without a pause would be a load of its own; what it adds is counted.</summary>
    private static readonly TimeSpan PollEvery = TimeSpan.FromMilliseconds(1);

    private readonly IndexedServer _server;
    private readonly string _database;
    private int _count;

    /// <summary>Makes the database and its index.</summary>
    internal VisibilityProbes(IndexedServer server, string database)
    {
        _server = server;
        _database = database;
        server.CreateDatabase(database, indexes: 0);
        server.Send(HttpMethod.Post, $"/databases/{database}/queries", IndexedServer.QueryOf("Name", "none"));
    }

    /// <summary>Probes until it is cancelled.</summary>
    internal async Task<LatencyHistogram> RunAsync(CancellationToken stop)
    {
        var latency = new LatencyHistogram();
        while (!stop.IsCancellationRequested)
        {
            string probe = $"probe/{_count++}";
            await PutAsync(probe).ConfigureAwait(false);
            long written = Stopwatch.GetTimestamp();
            while (!await IsVisibleAsync(probe).ConfigureAwait(false))
            {
                if (Stopwatch.GetElapsedTime(written) > TimeSpan.FromSeconds(30))
                {
                    throw new InvalidOperationException("A write did not become visible within 30 s.");
                }

                await Task.Delay(PollEvery, CancellationToken.None).ConfigureAwait(false);
            }

            latency.Record((long)(Stopwatch.GetElapsedTime(written).TotalSeconds * 1e9));
            await Task.Delay(Pause, CancellationToken.None).ConfigureAwait(false);
        }

        return latency;
    }

    private static StringContent Json(string text) => new(text, Encoding.UTF8, "application/json");

    private async Task PutAsync(string probe)
    {
        using StringContent body = Json(
            $"{{\"Name\":\"{probe}\",\"@metadata\":{{\"@collection\":\"{IndexedServer.Collection}\"}}}}");
        using HttpResponseMessage answer = await _server.Client.PutAsync(
            new Uri($"/databases/{_database}/docs?id={probe}", UriKind.Relative), body).ConfigureAwait(false);
        answer.EnsureSuccessStatusCode();
    }

    private async Task<bool> IsVisibleAsync(string probe)
    {
        using StringContent body = Json(IndexedServer.QueryOf("Name", probe));
        using HttpResponseMessage answer = await _server.Client.PostAsync(
            new Uri($"/databases/{_database}/queries?allowStale=true&metadataOnly=true", UriKind.Relative), body)
            .ConfigureAwait(false);
        string text = await answer.EnsureSuccessStatusCode().Content.ReadAsStringAsync().ConfigureAwait(false);
        return text.Contains("\"TotalResults\":1", StringComparison.Ordinal);
    }
}
