using System.Text.Json.Nodes;
using Raven.Server.Routing;

namespace FastTests.Architecture;

/// <summary>The OpenAPI document is made from the routes and committed, so that its changes are seen.</summary>
public sealed class OpenApiTests
{
    [Fact]
    public void The_OpenAPI_document_is_the_golden_one()
    {
        string path = Path.Combine(SourceTree.Root, "docs/http/openapi.json");
        byte[] actual = OpenApiDocument.Write(RouteTable.Default.Routes);
        if (Environment.GetEnvironmentVariable("DEV_UPDATE_GOLDEN") == "1")
        {
            File.WriteAllBytes(path, actual);
        }

        Assert.True(
            File.ReadAllBytes(path).AsSpan().SequenceEqual(actual),
            $"{path} is not what the routes say: run this test with DEV_UPDATE_GOLDEN=1 and read the difference.");
    }

    [Fact]
    public void Every_route_is_in_the_OpenAPI_document_with_its_parameters()
    {
        JsonNode document = JsonNode.Parse(OpenApiDocument.Write(RouteTable.Default.Routes))!;
        JsonObject paths = document["paths"]!.AsObject();
        Assert.Equal(
            RouteTable.Default.Routes.Count, paths.Sum(path => path.Value!.AsObject().Count));
        JsonNode put = paths["/databases/{database}/docs"]!["put"]!;
        Assert.Equal("database", (string?)put["parameters"]![0]!["name"]);
        Assert.NotNull(document["components"]!["responses"]!["Error"]);
    }
}
