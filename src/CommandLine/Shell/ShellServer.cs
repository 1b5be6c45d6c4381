using System.Net.Http.Headers;
using System.Text;
using System.Text.Json.Nodes;
using Raven.CommandLine.Import.Server;

namespace Raven.CommandLine.Shell;

/// <summary>What the shell asks of a server.</summary>
internal sealed class ShellServer(HttpClient http)
{
    /// <summary>How many documents of a collection are looked at for the names of its fields.</summary>
    private const int SampleCount = 10;

    /// <summary>What a query answers.</summary>
    /// <exception cref="ServerException">The server refused.</exception>
    internal Task<JsonNode> QueryAsync(string database, string query, int count) => SendAsync(
        HttpMethod.Post, $"{PathOf(database)}/queries", new JsonObject { ["Query"] = query, ["PageSize"] = count });

    /// <summary>The names of the databases.</summary>
    internal async Task<string[]> DatabasesAsync() =>
        [.. (await SendAsync(HttpMethod.Get, "/databases?namesOnly=true"))["Databases"]!.AsArray()
            .Select(one => $"{one}").Order(StringComparer.OrdinalIgnoreCase)];

    /// <summary>The collections of a database with their numbers of documents.</summary>
    internal async Task<KeyValuePair<string, long>[]> CollectionsAsync(string database) =>
        [.. (await SendAsync(HttpMethod.Get, $"{PathOf(database)}/collections/stats"))["Collections"]!.AsObject()
            .Select(one => new KeyValuePair<string, long>(one.Key, (long)one.Value!))
            .OrderBy(one => one.Key, StringComparer.OrdinalIgnoreCase)];

    /// <summary>The indexes of a database, as they are.</summary>
    internal async Task<JsonArray> IndexesAsync(string database) =>
        (await SendAsync(HttpMethod.Get, $"{PathOf(database)}/indexes/stats"))["Results"]!.AsArray();

    /// <summary>The paths of fields that the first documents of a collection have.</summary>
    internal async Task<string[]> FieldsAsync(string database, string collection)
    {
        string name = collection.Replace("\\", "\\\\", StringComparison.Ordinal)
            .Replace("'", "\\'", StringComparison.Ordinal);
        JsonNode answer = await QueryAsync(database, $"from '{name}'", SampleCount);
        HashSet<string> fields = ["id()"];
        foreach (JsonNode? document in answer["Results"]!.AsArray())
        {
            AddFields(fields, document, "");
        }

        return [.. fields.Order(StringComparer.Ordinal)];
    }

    private static void AddFields(HashSet<string> fields, JsonNode? node, string prefix)
    {
        foreach ((string name, JsonNode? value) in node as JsonObject ?? [])
        {
            if (name == "@metadata")
            {
                continue;
            }

            bool isList = value is JsonArray;
            string path = prefix + name + (isList ? "[]" : "");
            fields.Add(path);
            AddFields(fields, isList ? value!.AsArray().FirstOrDefault() : value, path + ".");
        }
    }

    private static string PathOf(string database) => $"/databases/{Uri.EscapeDataString(database)}";

    private async Task<JsonNode> SendAsync(HttpMethod method, string path, JsonNode? body = null)
    {
        using var request = new HttpRequestMessage(method, path);
        if (body is not null)
        {
            request.Content = new ByteArrayContent(Encoding.UTF8.GetBytes(body.ToJsonString()));
            request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        }

        using HttpResponseMessage answer = await http.SendAsync(request);
        return answer.IsSuccessStatusCode
            ? JsonNode.Parse(await answer.Content.ReadAsStringAsync()) ?? new JsonObject()
            : throw await ServerException.FromAsync(answer);
    }
}
