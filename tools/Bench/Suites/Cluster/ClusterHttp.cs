using System.Text;
using System.Text.Json.Nodes;

namespace Raven.Tools.Bench.Suites.Cluster;

/// <summary>Requests beside the load: they wait, on the thread that measures.</summary>
internal static class ClusterHttp
{
    private static readonly HttpClient Http = new() { Timeout = TimeSpan.FromSeconds(30) };

    /// <summary>Sends a request that must succeed: its answer, or an empty object if it has none.</summary>
    internal static JsonNode Send(HttpMethod method, Uri url, string? json)
    {
        using var request = new HttpRequestMessage(method, url);
        request.Content = json is null ? null : new StringContent(json, Encoding.UTF8, "application/json");
        using HttpResponseMessage answer = Http.SendAsync(request).GetAwaiter().GetResult();
        string text = answer.Content.ReadAsStringAsync().GetAwaiter().GetResult();
        return answer.IsSuccessStatusCode
            ? text.Length == 0 ? new JsonObject() : JsonNode.Parse(text)!
            : throw new HttpRequestException($"{method} {url}: {(int)answer.StatusCode} {text}");
    }

    internal static JsonNode Get(Uri url) => Send(HttpMethod.Get, url, null);

    internal static JsonNode Post(Uri url, string json) => Send(HttpMethod.Post, url, json);

    /// <summary>A text that is no JSON.</summary>
    internal static string GetText(Uri url) => Http.GetStringAsync(url).GetAwaiter().GetResult();
}
