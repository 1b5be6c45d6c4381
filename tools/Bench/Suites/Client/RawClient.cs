using System.Net.Http.Headers;
using System.Text.Json;

namespace Raven.Tools.Bench.Suites.Client;

/// <summary>The same calls as a session makes, with nothing but HttpClient and System.Text.Json: no tracking, no
/// comparison, no error types.</summary>
internal sealed class RawClient : IDisposable
{
    private static readonly MediaTypeHeaderValue JsonType = new("application/json");
    private readonly HttpClient _http;
    private readonly string _database;

    internal RawClient(Uri server, string database, HttpMessageHandler handler)
    {
        _http = new HttpClient(handler);
        _database = $"{server.AbsoluteUri}databases/{database}";
    }

    internal async Task<ClientItem> LoadAsync(string id)
    {
        using HttpResponseMessage answer = await _http.GetAsync(
            new Uri($"{_database}/docs?id={Uri.EscapeDataString(id)}"), HttpCompletionOption.ResponseHeadersRead);
        answer.EnsureSuccessStatusCode();
        byte[] body = await answer.Content.ReadAsByteArrayAsync();
        return JsonSerializer.Deserialize<Answer>(body)!.Results[0];
    }

    internal async Task StoreAsync(string id, ClientItem item)
    {
        byte[] body = JsonSerializer.SerializeToUtf8Bytes(new
        {
            Commands = new[] { new { Type = "PUT", Id = id, ChangeVector = (string?)null, Document = item } },
        });
        using HttpResponseMessage answer = await _http.PostAsync(new Uri($"{_database}/bulk_docs"), Content(body));
        answer.EnsureSuccessStatusCode();
        using JsonDocument read = JsonDocument.Parse(await answer.Content.ReadAsByteArrayAsync());
        _ = read.RootElement.GetProperty("Results")[0].GetProperty("@change-vector").GetString();
    }

    internal async Task<ClientItem[]> QueryAsync(int age)
    {
        byte[] body = JsonSerializer.SerializeToUtf8Bytes(new
        {
            Query = "from 'ClientItems' where Age = $p0 limit 0, 25", QueryParameters = new { p0 = age },
        });
        using HttpResponseMessage answer = await _http.PostAsync(new Uri($"{_database}/queries"), Content(body));
        answer.EnsureSuccessStatusCode();
        return JsonSerializer.Deserialize<Answer>(await answer.Content.ReadAsByteArrayAsync())!.Results;
    }

    public void Dispose() => _http.Dispose();

    private static ByteArrayContent Content(byte[] body)
    {
        var content = new ByteArrayContent(body);
        content.Headers.ContentType = JsonType;
        return content;
    }

    private sealed class Answer
    {
        public ClientItem[] Results { get; set; } = [];
    }
}
