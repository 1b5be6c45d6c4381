using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using Raven.Server.Http.Routing;

namespace FastTests.Architecture;

/// <summary>The OpenAPI document is made from the routes and committed, so that its changes are seen.</summary>
public sealed partial class OpenApiTests
{
    [Fact]
    public void The_OpenAPI_document_is_that_of_the_golden_file()
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

    /// <summary>
    /// The query parameters that a handler reads are those of its routes' description, and no others.
    /// </summary>
    [Fact]
    public void The_parameters_of_routes_are_those_that_the_code_reads()
    {
        HashSet<string> read = [];
        foreach (string path in Directory.EnumerateFiles(
            Path.Combine(SourceTree.Root, "src/Server"), "*.cs", SearchOption.AllDirectories))
        {
            read.UnionWith(Reading().Matches(File.ReadAllText(path)).Select(match => match.Groups["name"].Value));
        }

        HashSet<string> told = [.. RouteTable.Default.Routes
            .SelectMany(route => route.Query.Split(',', StringSplitOptions.RemoveEmptyEntries))
            .Select(one => one.Trim().Split(':')[0].TrimEnd('!', '*'))];
        Assert.Empty(read.Except(told));
        Assert.Empty(told.Except(read).Except(["replicationFactor"]));
    }

    /// <summary>Every route that is served has an example, which is run by a slow test.</summary>
    [Fact]
    public void Every_route_has_an_example_in_docs_http()
    {
        string pages = string.Concat(
            Directory.EnumerateFiles(Path.Combine(SourceTree.Root, "docs/http"), "*.md").Select(File.ReadAllText));
        string[] commands = [.. Command().Matches(pages).Select(match => match.Value)];
        List<string> missing = [];
        foreach (Route route in RouteTable.Default.Routes.Where(
            route => !route.Summary.StartsWith("Not served", StringComparison.Ordinal)))
        {
            if (route.Path == "/databases/*/changes")
            {
                // A WebSocket, which curl does not speak: docs/http/changes.md shows it otherwise.
                continue;
            }

            string method = HttpVerbs.Name(route.Verb);
            string pattern = Regex.Escape(route.Path).Replace("\\*", "[^/?']+", StringComparison.Ordinal)
                .Replace("\\$", "[^?']*", StringComparison.Ordinal);
            var path = new Regex($"127\\.0\\.0\\.1:8080{pattern}['?]");
            if (!commands.Any(command => path.IsMatch(command) && MethodsOf(command).Contains(method)))
            {
                missing.Add($"{method} {route.Path}");
            }
        }

        Assert.Empty(missing);
    }

    private static string[] MethodsOf(string command) =>
        command.Contains("--head", StringComparison.Ordinal) ? ["HEAD"]
        : command.Contains("-X ", StringComparison.Ordinal)
            ? [command.Split("-X ")[1].Split(' ')[0], "GET"]
        : ["GET"];

    [GeneratedRegex(@"(GetText|GetInt64|GetInt32|GetBool|QueryUtf8|RequiredUtf8|parameter\.Is)\(""(?<name>[^""]+)""")]
    private static partial Regex Reading();

    [GeneratedRegex(@"^curl .*?(?=^\s*$|^#|\z)", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Command();

    [Fact]
    public void Every_route_is_in_the_OpenAPI_document_with_its_parameters()
    {
        JsonNode document = JsonNode.Parse(OpenApiDocument.Write(RouteTable.Default.Routes))!;
        JsonObject paths = document["paths"]!.AsObject();
        Assert.Equal(
            RouteTable.Default.Routes.Count, paths.Sum(path => path.Value!.AsObject().Count));
        JsonNode put = paths["/databases/{database}/docs"]!["put"]!;
        Assert.Equal("database", (string?)put["parameters"]![0]!["name"]);
        JsonArray get = paths["/databases/{database}/docs"]!["get"]!["parameters"]!.AsArray();
        JsonNode id = get.Single(one => (string?)one!["name"] == "id")!;
        Assert.Equal(("query", "array"), ((string?)id["in"], (string?)id["schema"]!["type"]));
        JsonNode size = get.Single(one => (string?)one!["name"] == "pageSize")!;
        Assert.Equal("integer", (string?)size["schema"]!["type"]);
        Assert.True((bool)put["parameters"]![1]!["required"]!);
        Assert.NotNull(document["components"]!["responses"]!["Error"]);
    }
}
