using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;

namespace Raven.CommandLine.Import.Server;

/// <summary>The few endpoints that the tool needs of one database.</summary>
internal sealed class ServerClient : IDisposable
{
    private readonly HttpClient _http;
    private readonly string _database;

    /// <summary>Makes a client; it connects with its first request.</summary>
    /// <param name="server">The url of the server.</param>
    /// <param name="database">The database.</param>
    /// <param name="identity">Who calls; no one if null.</param>
    /// <exception cref="FormatException">The identity would go over a connection that others can read.</exception>
    internal ServerClient(Uri server, string database, ServerIdentity? identity = null)
    {
        _database = database;
        _http = (identity ?? ServerIdentity.None).Connect(server);
    }

    private string DatabasePath => $"/databases/{Uri.EscapeDataString(_database)}";

    /// <summary>Creates the database; one that is there already is left as it is.</summary>
    internal async Task CreateDatabaseAsync()
    {
        byte[] record = JsonSerializer.SerializeToUtf8Bytes(new { DatabaseName = _database, Settings = new { } });
        using var content = new ByteArrayContent(record);
        content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        using HttpResponseMessage response = await _http.PutAsync(
            $"/admin/databases?name={Uri.EscapeDataString(_database)}&replicationFactor=1", content);
        if (response.StatusCode != HttpStatusCode.Conflict && !response.IsSuccessStatusCode)
        {
            throw await ServerException.FromAsync(response);
        }
    }

    /// <summary>Begins a bulk insert under an operation id of the server, by which its state can be asked.</summary>
    internal async Task<(BulkInsert Bulk, long OperationId)> BeginBulkInsertAsync()
    {
        long id = await NextOperationAsync();
        return (new BulkInsert(_http, $"{DatabasePath}/bulk_insert?id={id}"), id);
    }

    /// <summary>An id for an operation to come.</summary>
    internal async Task<long> NextOperationAsync()
    {
        using JsonDocument answer = await GetJsonAsync($"{DatabasePath}/operations/next-operation-id");
        return answer.RootElement.GetProperty("Id").GetInt64();
    }

    /// <summary>Begins to read a dump of the database.</summary>
    /// <param name="operationId">The id of the export.</param>
    /// <param name="options">What is in it, as the server reads it.</param>
    internal async Task<HttpResponseMessage> ExportAsync(
        long operationId, IReadOnlyDictionary<string, object> options)
    {
        using var content = new ByteArrayContent(JsonSerializer.SerializeToUtf8Bytes(options));
        content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        string url = $"{DatabasePath}/smuggler/export?operationId={operationId}";
        using var request = new HttpRequestMessage(HttpMethod.Post, url) { Content = content };
        HttpResponseMessage response = await _http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
        return response.IsSuccessStatusCode ? response : throw await ServerException.FromAsync(response);
    }

    /// <summary>Sends a dump, and gives the result of its import.</summary>
    internal async Task<JsonDocument> ImportAsync(long operationId, Stream dump)
    {
        using var content = new StreamContent(dump);
        using HttpResponseMessage response = await _http.PostAsync(
            $"{DatabasePath}/smuggler/import?operationId={operationId}", content);
        return await ReadJsonAsync(response);
    }

    /// <summary>The result of an operation that has succeeded; null if the server does not know it any more.</summary>
    internal async Task<JsonDocument?> GetResultAsync(long operationId)
    {
        using JsonDocument? state = await TryGetAsync($"operations/state?id={operationId}");
        return state is not null && state.RootElement.TryGetProperty("Result", out JsonElement result)
            && result.ValueKind == JsonValueKind.Object
            ? JsonDocument.Parse(result.GetRawText())
            : null;
    }

    /// <summary>Why an operation failed, in the server's words; null if it does not know of a failure.</summary>
    internal async Task<string?> GetFailureAsync(long operationId)
    {
        try
        {
            using JsonDocument state = await GetJsonAsync($"{DatabasePath}/operations/state?id={operationId}");
            return state.RootElement.TryGetProperty("Result", out JsonElement result)
                && result.ValueKind == JsonValueKind.Object && result.TryGetProperty("Message", out JsonElement message)
                ? message.ToString()
                : null;
        }
        catch (Exception unknown) when (unknown is ServerException or HttpRequestException or JsonException)
        {
            return null;
        }
    }

    /// <summary>Documents in the whole database.</summary>
    internal async Task<long> CountDocumentsAsync()
    {
        using JsonDocument stats = await GetJsonAsync($"{DatabasePath}/stats");
        return stats.RootElement.GetProperty("CountOfDocuments").GetInt64();
    }

    /// <summary>Documents of each collection.</summary>
    internal async Task<Dictionary<string, long>> CountCollectionsAsync()
    {
        using JsonDocument stats = await GetJsonAsync($"{DatabasePath}/collections/stats");
        return stats.RootElement.GetProperty("Collections").EnumerateObject()
            .ToDictionary(each => each.Name, each => each.Value.GetInt64(), StringComparer.OrdinalIgnoreCase);
    }

    /// <summary>The documents with these ids, in their order; null for one that is not there.</summary>
    internal async Task<JsonDocument> GetDocumentsAsync(IReadOnlyCollection<string> ids)
    {
        using var content = new ByteArrayContent(JsonSerializer.SerializeToUtf8Bytes(new { Ids = ids }));
        content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        using HttpResponseMessage response = await _http.PostAsync($"{DatabasePath}/docs", content);
        if (response.StatusCode == HttpStatusCode.NotFound)
        {
            return JsonDocument.Parse("""{"Results":[null]}""");
        }

        return await ReadJsonAsync(response);
    }

    /// <summary>All documents, or those whose ids begin with a prefix, as JSON lines with their metadata.</summary>
    /// <param name="startsWith">The prefix; null for all.</param>
    /// <param name="skipDamaged">Whether a line stands for what cannot be read, instead of the end of the answer. The
    /// server knows that for the order of changes alone, so that all documents come.</param>
    internal async Task<HttpResponseMessage> StreamDocumentsAsync(string? startsWith, bool skipDamaged)
    {
        string which = skipDamaged ? "&skipDamaged=true"
            : startsWith is null ? ""
            : $"&startsWith={Uri.EscapeDataString(startsWith)}";
        HttpResponseMessage response = await _http.GetAsync(
            $"{DatabasePath}/streams/docs?format=jsonl{which}", HttpCompletionOption.ResponseHeadersRead);
        return response.IsSuccessStatusCode ? response : throw await ServerException.FromAsync(response);
    }

    /// <summary>Begins to read a time series as lines.</summary>
    /// <param name="series">The parameters of the url.</param>
    internal async Task<HttpResponseMessage> ExportSeriesAsync(string series)
    {
        HttpResponseMessage response = await _http.GetAsync(
            $"{DatabasePath}/streams/timeseries?{series}", HttpCompletionOption.ResponseHeadersRead);
        return response.IsSuccessStatusCode ? response : throw await ServerException.FromAsync(response);
    }

    /// <summary>Sends lines as the entries of a time series, and gives the result.</summary>
    internal async Task<JsonDocument> ImportSeriesAsync(string series, Stream lines)
    {
        using var content = new StreamContent(lines);
        using HttpResponseMessage response = await _http.PostAsync(
            $"{DatabasePath}/streams/timeseries?{series}", content);
        return await ReadJsonAsync(response);
    }

    /// <summary>What an endpoint of the database answers; null if it has nothing there.</summary>
    internal async Task<JsonDocument?> TryGetAsync(string path)
    {
        using HttpResponseMessage response = await _http.GetAsync($"{DatabasePath}/{path}");
        if (response.StatusCode != HttpStatusCode.NotFound)
        {
            return await ReadJsonAsync(response);
        }

        ServerException missing = await ServerException.FromAsync(response);
        return missing.IsDatabaseMissing ? throw missing : null;
    }

    /// <summary>What is wrong with the database, in the server's words; null if it knows of nothing.</summary>
    internal async Task<string?> GetFaultAsync()
    {
        try
        {
            // The status is 503 if anything is wrong: the body has the cause.
            using HttpResponseMessage response = await _http.GetAsync("/healthz");
            using JsonDocument health = JsonDocument.Parse(await response.Content.ReadAsByteArrayAsync());
            return health.RootElement.TryGetProperty("Faults", out JsonElement faults)
                ? faults.EnumerateObject()
                    .Where(fault => fault.Name.Equals(_database, StringComparison.OrdinalIgnoreCase))
                    .Select(fault => fault.Value.GetString()).FirstOrDefault()
                : null;
        }
        catch (Exception unknown) when (unknown is HttpRequestException or JsonException or InvalidOperationException)
        {
            return null;
        }
    }

    public void Dispose() => _http.Dispose();

    private async Task<JsonDocument> GetJsonAsync(string path)
    {
        using HttpResponseMessage response = await _http.GetAsync(path);
        return await ReadJsonAsync(response);
    }

    private static async Task<JsonDocument> ReadJsonAsync(HttpResponseMessage response) => response.IsSuccessStatusCode
        ? JsonDocument.Parse(await response.Content.ReadAsByteArrayAsync())
        : throw await ServerException.FromAsync(response);
}
