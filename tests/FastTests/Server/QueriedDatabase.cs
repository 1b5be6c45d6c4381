using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>One database for the tests of a class; each test has collections of its own.</summary>
public sealed class QueriedDatabase : IDisposable
{
    private readonly TestServer _server = TestServer.WithDatabaseAsync().GetAwaiter().GetResult();

    internal TestServer Server => _server;

    /// <summary>Writes documents of a collection, whose ids are its name and their numbers from 1.</summary>
    internal async Task PutAsync(string collection, params string[] documents)
    {
        var commands = new JsonArray();
        foreach (string json in documents)
        {
            JsonObject document = JsonNode.Parse(json)!.AsObject();
            document["@metadata"] = new JsonObject { ["@collection"] = collection };
            commands.Add(new JsonObject
            {
                ["Type"] = "PUT",
                ["Id"] = $"{collection}/{commands.Count + 1}",
                ["Document"] = document,
            });
        }

        (await _server.SendAsync("POST", "~/bulk_docs", new JsonObject { ["Commands"] = commands }.ToJsonString()))
            .Expect(HttpStatusCode.Created);
    }

    internal Task<HttpAnswer> SendAsync(string query, string parameters = "{}", params string[] headers) =>
        _server.SendAsync("POST", "~/queries", QueryHttpTests.Body(query, parameters), headers);

    internal async Task<JsonNode> QueryAsync(string query, string parameters = "{}") =>
        (await SendAsync(query, parameters)).Expect(HttpStatusCode.OK).Json;

    /// <summary>The numbers of the documents that are found, in their order.</summary>
    internal async Task<string> NumbersAsync(string query, string parameters = "{}") => string.Join(
        ' ', QueryHttpTests.Ids(await QueryAsync(query, parameters)).Select(id => id.Split('/')[1]));

    /// <summary>The results without their metadata, as JSON, one behind the other.</summary>
    internal async Task<string> RowsAsync(string query, string parameters = "{}") => string.Join(
        ' ', (await QueryAsync(query, parameters))["Results"]!.AsArray().Select(one =>
        {
            one!.AsObject().Remove("@metadata");
            return one.ToJsonString();
        }));

    /// <summary>Makes an index that stores all of its fields.</summary>
    internal async Task MakeIndexAsync(string name, string map) => (await _server.SendAsync(
        "PUT", "~/admin/indexes", new JsonObject
        {
            ["Indexes"] = new JsonArray(new JsonObject
            {
                ["Name"] = name,
                ["Maps"] = new JsonArray(map),
                ["Fields"] = new JsonObject { ["__all_fields"] = new JsonObject { ["Storage"] = "Yes" } },
            }),
        }.ToJsonString())).Expect(HttpStatusCode.Created);

    public void Dispose() => _server.Dispose();
}
