using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;
using FastTests.Architecture;
using Raven.Documents.Indexing.Compilation;
using Raven.Server.Options;

namespace FastTests.Server;

/// <summary>Analyzers and sorters in C#, from the request that brings them to the answers of queries.</summary>
public sealed class ExtensionsHttpTests
{
    /// <summary>The classes that the page shows: <c>DashAnalyzer</c> and <c>LengthSorter</c>.</summary>
    private static readonly string Classes = DocBlocks.Of("docs/static-indexes.md", "csharp")[4];

    [Fact]
    [Trait("Invariant", "EXTC-2")]
    public async Task A_custom_analyzer_makes_the_terms_of_its_indexes_which_are_rebuilt_when_its_code_changes()
    {
        using TestServer server = await WithPartsAsync();
        (await PutAsync(server, "~/admin/analyzers", "Analyzers", "DashAnalyzer", Classes))
            .Expect(HttpStatusCode.NoContent);
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"Parts/Code","Maps":["from p in docs.Parts select new { p.Code }"],
             "Fields":{"Code":{"Indexing":"Search","Analyzer":"Shop.DashAnalyzer"}}}]}
            """)).Expect(HttpStatusCode.Created);
        Assert.Equal(["p/1", "p/2"], await FoundAsync(server, "search(Code, 'ab')"));
        Assert.Equal(["p/2"], await FoundAsync(server, "search(Code, 'ab-2', and)"));
        JsonNode terms = (await server.SendAsync("GET", "~/indexes/terms?name=Parts/Code&field=search(Code)")).Json;
        Assert.Equal(["1 x", "2", "CD", "ab"], terms["Terms"]!.AsArray().Select(one => (string?)one));

        string other = Classes.Replace("'-'", "' '", StringComparison.Ordinal);
        (await PutAsync(server, "~/admin/analyzers", "Analyzers", "DashAnalyzer", other))
            .Expect(HttpStatusCode.NoContent);
        Assert.Empty(await FoundAsync(server, "search(Code, 'ab')"));
        Assert.Equal(["p/1"], await FoundAsync(server, "search(Code, 'x')"));

        (await server.SendAsync("DELETE", "~/admin/analyzers?name=DashAnalyzer"))
            .ExpectError(400, "is used by the index 'Parts/Code'");
        (await server.SendAsync("DELETE", "~/indexes?name=Parts/Code")).Expect(HttpStatusCode.NoContent);
        (await server.SendAsync("DELETE", "~/admin/analyzers?name=dashanalyzer")).Expect(HttpStatusCode.NoContent);
        Assert.Empty((await server.SendAsync("GET", "~/admin/analyzers")).Json["Analyzers"]!.AsArray());
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"Parts/Code","Maps":["from p in docs.Parts select new { p.Code }"],
             "Fields":{"Code":{"Analyzer":"DashAnalyzer"}}}]}
            """)).ExpectError(400, "Cannot find analyzer type 'DashAnalyzer' for field: ");
    }

    [Fact]
    [Trait("Invariant", "EXT-1")]
    public async Task A_custom_sorter_of_the_database_takes_precedence_over_one_of_the_server()
    {
        using TestServer server = await WithPartsAsync();
        (await PutAsync(server, "/admin/sorters", "Sorters", "LengthSorter", Classes))
            .Expect(HttpStatusCode.NoContent);
        const string query = "from Parts order by custom(Code, 'LengthSorter')";
        Assert.Equal(["p/3", "p/2", "p/1"], await OrderedAsync(server, query));
        Assert.Equal(["p/1", "p/2", "p/3"], await OrderedAsync(server, query + " desc nulls first"));
        string turned = Classes.Replace("left.Utf8.Length - right.", "right.Utf8.Length - left.",
            StringComparison.Ordinal);
        string backwards = $"namespace Shop\n{{\n{turned}\n}}";
        (await PutAsync(server, "~/admin/sorters", "Sorters", "LengthSorter", backwards))
            .Expect(HttpStatusCode.NoContent);
        Assert.Equal(["p/1", "p/2", "p/3"], await OrderedAsync(server, query));
        JsonNode record = (await server.SendAsync("GET", "/admin/databases?name=db")).Json;
        Assert.Equal(backwards, (string?)record["Sorters"]!["LengthSorter"]!["Code"]);
        (await server.SendAsync("DELETE", "~/admin/sorters?name=LengthSorter")).Expect(HttpStatusCode.NoContent);
        Assert.Equal(["p/3", "p/2", "p/1"], await OrderedAsync(server, query));
        (await server.SendAsync("DELETE", "/admin/sorters?name=LengthSorter")).Expect(HttpStatusCode.NoContent);
        (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body(query)))
            .ExpectError(400, "line 1, column 34: There is no sorter with 'LengthSorter' name");
    }

    [Fact]
    [Trait("Invariant", "EXT-2")]
    public async Task An_index_whose_analyzer_was_changed_while_it_was_closed_is_built_anew()
    {
        string folder = Directory.CreateTempSubdirectory("raven-extensions-").FullName;
        try
        {
            using (TestServer server = await WithPartsAsync(folder))
            {
                (await PutAsync(server, "/admin/analyzers", "Analyzers", "DashAnalyzer", Classes))
                    .Expect(HttpStatusCode.NoContent);
                (await server.SendAsync("PUT", "~/admin/indexes", """
                    {"Indexes":[{"Name":"Parts/Code","Maps":["from p in docs.Parts select new { p.Code }"],
                     "Fields":{"Code":{"Indexing":"Search","Analyzer":"DashAnalyzer"}}}]}
                    """)).Expect(HttpStatusCode.Created);
                Assert.Equal(["p/1", "p/2"], await FoundAsync(server, "search(Code, 'ab')"));
            }

            // The database is not open yet when the server takes another version.
            using TestServer again = new(options => Allowing(options, folder));
            string other = Classes.Replace("'-'", "' '", StringComparison.Ordinal);
            (await PutAsync(again, "/admin/analyzers", "Analyzers", "DashAnalyzer", other))
                .Expect(HttpStatusCode.NoContent);
            Assert.Empty(await FoundAsync(again, "search(Code, 'ab')"));
            Assert.Equal(["p/1"], await FoundAsync(again, "search(Code, 'x')"));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    [Trait("Invariant", "EXTC-1")]
    public async Task Extension_code_that_cannot_be_compiled_is_not_stored_and_the_former_code_stays_in_effect()
    {
        const string query = "from Parts order by custom(Code, 'LengthSorter')";
        const string broken = "public class LengthSorter { int x = y; }";
        string folder = Directory.CreateTempSubdirectory("raven-extensions-").FullName;
        try
        {
            using (TestServer server = await WithPartsAsync(folder))
            {
                (await PutAsync(server, "~/admin/sorters", "Sorters", "LengthSorter", Classes))
                    .Expect(HttpStatusCode.NoContent);
                (await PutAsync(server, "~/admin/sorters", "Sorters", "LengthSorter", broken))
                    .ExpectError(400, "line ");
                Assert.Equal(["p/3", "p/2", "p/1"], await OrderedAsync(server, query));
            }

            // What is in effect after a restart is what was stored.
            using TestServer again = new(options => Allowing(options, folder));
            Assert.Equal(["p/3", "p/2", "p/1"], await OrderedAsync(again, query));
            JsonNode record = (await again.SendAsync("GET", "/admin/databases?name=db")).Json;
            Assert.Equal(Classes, (string?)record["Sorters"]!["LengthSorter"]!["Code"]);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task Extension_code_that_cannot_be_compiled_or_throws_is_answered_with_400_and_the_position()
    {
        using TestServer server = await WithPartsAsync();
        JsonNode error = (await PutAsync(
            server, "~/admin/sorters", "Sorters", "Bad", "public class Bad : FieldComparator\n{\n    int x = y;\n}"))
            .ExpectError(400, "line ").Json;
        Assert.EndsWith("SorterCompilationException", (string?)error["Type"], StringComparison.Ordinal);
        (await PutAsync(server, "~/admin/analyzers", "Analyzers", "Bad", "class A\n{\n  int x = y;\n}"))
            .ExpectError(400, "line 3, column 11: ");
        (await PutAsync(server, "~/admin/analyzers", "Analyzers", "Bad", "public class Other { }"))
            .ExpectError(400, "expected a class 'Bad' that is a Raven.Search.Analysis.Analyzer");
        (await PutAsync(server, "~/admin/sorters", "Sorters", "LengthSorter", Classes.Replace(
            "left.Utf8.Length - right.Utf8.Length", "throw new Exception(\"mine\")", StringComparison.Ordinal)))
            .Expect(HttpStatusCode.NoContent);
        (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body(
            "from Parts order by custom(Code, 'LengthSorter')")))
            .ExpectError(400, "The sorter 'LengthSorter' failed: mine");
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task Extensions_are_refused_with_the_name_of_the_setting_that_would_allow_them()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        JsonNode error = (await PutAsync(server, "~/admin/analyzers", "Analyzers", "DashAnalyzer", Classes))
            .ExpectError(400, "Indexing.CSharp=All").Json;
        Assert.EndsWith("AnalyzerCompilationException", (string?)error["Type"], StringComparison.Ordinal);
        (await PutAsync(server, "/admin/sorters", "Sorters", "LengthSorter", Classes))
            .ExpectError(400, "Indexing.CSharp=All");
        (await server.SendAsync("PUT", "~/admin/sorters", "{\"Sorters\":[{\"Name\":\"X\"}]}"))
            .ExpectError(400, "Sorters: each needs Code, a text.");
    }

    private static ServerOptions Allowing(ServerOptions options, string? folder) => folder is null
        ? options with { IndexingCSharp = CSharpUse.All }
        : options with { IndexingCSharp = CSharpUse.All, RunInMemory = false, DataDirectory = folder };

    private static async Task<TestServer> WithPartsAsync(string? folder = null)
    {
        TestServer server = await TestServer.WithDatabaseAsync(options => Allowing(options, folder));
        int number = 1;
        foreach (string code in new[] { "ab-1 x", "ab-2", "CD" })
        {
            await server.PutAsync(
                $"p/{number++}", $"{{\"Code\":\"{code}\",\"@metadata\":{{\"@collection\":\"Parts\"}}}}");
        }

        return server;
    }

    private static Task<HttpAnswer> PutAsync(TestServer server, string path, string list, string name, string code) =>
        server.SendAsync(
            "PUT", path, $"{{\"{list}\":[{{\"Name\":\"{name}\",\"Code\":{JsonSerializer.Serialize(code)}}}]}}");

    private static async Task<string[]> FoundAsync(TestServer server, string condition) =>
        [.. (await OrderedAsync(server, $"from index 'Parts/Code' where {condition}")).Order(StringComparer.Ordinal)];

    private static async Task<string[]> OrderedAsync(TestServer server, string query) =>
        QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, query));
}
