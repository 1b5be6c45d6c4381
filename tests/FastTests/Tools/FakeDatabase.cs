using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace FastTests.Tools;

/// <summary>
/// The endpoints that the import tool uses, over a dictionary: what the tool does is tested without the server, and
/// how it takes refusals that the server gives rarely.
/// </summary>
internal sealed class FakeDatabase : IAsyncDisposable
{
    private readonly WebApplication _application;
    private readonly string _path;

    private FakeDatabase(WebApplication application, string name)
    {
        _application = application;
        _path = $"/databases/{name}/";
    }

    internal SortedDictionary<string, JsonObject> Documents { get; } = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Bulk insert refuses with a 400 after this many documents.</summary>
    internal int RefuseAfter { get; set; } = int.MaxValue;

    internal Uri Url => new(_application.Urls.First());

    internal static async Task<FakeDatabase> StartAsync(string name)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        WebApplication application = builder.Build();
        var database = new FakeDatabase(application, name);
        application.Run(database.HandleAsync);
        await application.StartAsync();
        return database;
    }

    public ValueTask DisposeAsync() => _application.DisposeAsync();

    private async Task HandleAsync(HttpContext http)
    {
        switch (http.Request.Method, http.Request.Path.Value!.Replace(_path, "", StringComparison.Ordinal))
        {
            case ("GET", "operations/next-operation-id"):
                await http.Response.WriteAsync("""{"Id":1,"NodeTag":"A"}""");
                break;
            case ("GET", "operations/state"):
                await http.Response.WriteAsync("""{"Status":"Faulted","Result":{"Message":"refused by the test"}}""");
                break;
            case ("GET", "stats"):
                await http.Response.WriteAsync($$"""{"CountOfDocuments":{{Documents.Count}}}""");
                break;
            case ("GET", "collections/stats"):
                await http.Response.WriteAsync(JsonSerializer.Serialize(new { Collections = CountCollections() }));
                break;
            case ("POST", "bulk_insert"):
                await InsertAsync(http);
                break;
            case ("POST", "docs"):
                JsonNode? asked = await JsonNode.ParseAsync(http.Request.Body);
                await http.Response.WriteAsync(new JsonObject
                {
                    ["Results"] = new JsonArray([.. asked!["Ids"]!.AsArray().Select(id => Find(id!.ToString()))]),
                }.ToJsonString());
                break;
            case ("GET", "streams/docs"):
                await http.Response.WriteAsync(
                    string.Concat(Documents.Values.Select(each => each.ToJsonString() + "\n")));
                break;
            default:
                http.Response.StatusCode = 404;
                await http.Response.WriteAsync("""{"Message":"no such endpoint in the test"}""");
                break;
        }
    }

    private JsonNode? Find(string id) => Documents.GetValueOrDefault(id)?.DeepClone();

    private Dictionary<string, int> CountCollections() => Documents.Values
        .GroupBy(each => each["@metadata"]!["@collection"]!.ToString())
        .ToDictionary(group => group.Key, group => group.Count());

    private async Task InsertAsync(HttpContext http)
    {
        int count = 0;
        await foreach (JsonObject? command in JsonSerializer.DeserializeAsyncEnumerable<JsonObject>(http.Request.Body))
        {
            if (count++ == RefuseAfter)
            {
                http.Response.StatusCode = 400;
                await http.Response.WriteAsync("""{"Message":"refused by the test"}""");
                return;
            }

            string id = command!["Id"]!.ToString();
            JsonObject document = command["Document"]!.DeepClone().AsObject();
            document["@metadata"]!["@id"] = id;
            document["@metadata"]!["@change-vector"] = "A:1";
            Documents[id] = document;
        }

        http.Response.StatusCode = 204;
    }
}
