using System.Net;
using System.Text;
using System.Text.Json;

namespace Raven.Tools.Stress;

/// <summary>The HTTP of the run: one database, called stress unless it is one of many.</summary>
internal sealed class DatabaseClient : IDisposable
{
    internal const string DefaultName = "stress";

    /// <summary>How long a query waits for a fresh index: only a hang takes longer, also on a machine with much else to
    /// do.</summary>
    internal const string FreshMax = "00:04:00";

    private static readonly TimeSpan HangMax = TimeSpan.FromMinutes(5);

    private readonly HttpClient _http;
    private readonly string _name;

    internal DatabaseClient(string url, StressSecurity? security = null)
        : this(
            new HttpClient(security?.NewHandler() ?? new SocketsHttpHandler())
            {
                BaseAddress = new Uri(url),
                Timeout = HangMax,
            },
            DefaultName)
    {
    }

    private DatabaseClient(HttpClient http, string name)
    {
        _http = http;
        _name = name;
    }

    /// <summary>The same server and its connections, for another database; the first client closes them.</summary>
    internal DatabaseClient Of(string name) => new(_http, name);

    /// <summary>Creates the database if it is not there.</summary>
    internal async Task CreateAsync()
    {
        using HttpResponseMessage answer = await _http.PutAsync(
            $"/admin/databases?name={_name}&replicationFactor=1", Json($$"""{"DatabaseName":"{{_name}}"}"""));
        if (answer.StatusCode != HttpStatusCode.Conflict)
        {
            answer.EnsureSuccessStatusCode();
        }
    }

    internal async Task<HttpStatusCode> PutAsync(string id, string document)
    {
        using HttpResponseMessage answer = await _http.PutAsync(PathOf(id), Json(document));
        return answer.StatusCode;
    }

    internal async Task<HttpStatusCode> DeleteAsync(string id)
    {
        using HttpResponseMessage answer = await _http.DeleteAsync(PathOf(id));
        return answer.StatusCode;
    }

    internal async Task<HttpStatusCode> SendBatchAsync(string commands)
    {
        using HttpResponseMessage answer = await _http.PostAsync($"/databases/{_name}/bulk_docs", Json(commands));
        return answer.StatusCode;
    }

    internal async Task<HttpStatusCode> BulkInsertAsync(HttpContent body, CancellationToken cancellation)
    {
        using HttpResponseMessage next = await _http.GetAsync(
            $"/databases/{_name}/operations/next-operation-id", cancellation);
        next.EnsureSuccessStatusCode();
        using JsonDocument operation = JsonDocument.Parse(await next.Content.ReadAsStringAsync(cancellation));
        long id = operation.RootElement.GetProperty("Id").GetInt64();
        using HttpResponseMessage answer = await _http.PostAsync(
            $"/databases/{_name}/bulk_insert?id={id}", body, cancellation);
        return answer.StatusCode;
    }

    /// <summary>The versions of documents; what is not there or not whole has a state of its own.</summary>
    internal async Task<Dictionary<string, long>> GetVersionsAsync(IReadOnlyCollection<string> ids)
    {
        using HttpResponseMessage answer = await _http.PostAsync(
            $"/databases/{_name}/docs", Json(JsonSerializer.Serialize(new { Ids = ids })));
        var versions = ids.ToDictionary(id => id, _ => Ledger.Absent, StringComparer.Ordinal);
        if (answer.StatusCode == HttpStatusCode.NotFound)
        {
            return versions;
        }

        answer.EnsureSuccessStatusCode();
        using JsonDocument documents = JsonDocument.Parse(await answer.Content.ReadAsByteArrayAsync());
        foreach (JsonElement each in documents.RootElement.GetProperty("Results").EnumerateArray())
        {
            if (each.ValueKind == JsonValueKind.Object)
            {
                string id = each.GetProperty("@metadata").GetProperty("@id").GetString()!;
                versions[id] = DocumentContent.TryGetVersion(id, each, out long version)
                    ? version
                    : Ledger.Broken;
            }
        }

        return versions;
    }

    /// <summary>Sends any request about the database; the path is relative to it.</summary>
    internal async Task<(HttpStatusCode Status, byte[] Body)> SendAsync(
        HttpMethod method, string path, HttpContent? content)
    {
        using var request = new HttpRequestMessage(method, $"/databases/{_name}/{path}") { Content = content };
        using HttpResponseMessage answer = await _http.SendAsync(request);
        return (answer.StatusCode, await answer.Content.ReadAsByteArrayAsync());
    }

    /// <summary>Waits until the database answers, if there is one.</summary>
    internal async Task OpenAsync()
    {
        using HttpResponseMessage answer = await _http.GetAsync($"/databases/{_name}/stats");
        if (!answer.Headers.Contains("Database-Missing"))
        {
            answer.EnsureSuccessStatusCode();
        }
    }

    /// <summary>The memory that the server says it may use, in GB: the limit of its heap, if it has one.</summary>
    internal async Task<double> GetUsableGigabytesAsync()
    {
        using JsonDocument node = JsonDocument.Parse(await _http.GetStringAsync("/cluster/node-info"));
        return node.RootElement.GetProperty("UsableMemoryInGb").GetDouble();
    }

    internal async Task<long> CountAsync()
    {
        using JsonDocument stats = JsonDocument.Parse(await _http.GetStringAsync($"/databases/{_name}/stats"));
        return stats.RootElement.GetProperty("CountOfDocuments").GetInt64();
    }

    public void Dispose() => _http.Dispose();

    private string PathOf(string id) => $"/databases/{_name}/docs?id={Uri.EscapeDataString(id)}";

    private static StringContent Json(string text) => new(text, Encoding.UTF8, "application/json");
}
