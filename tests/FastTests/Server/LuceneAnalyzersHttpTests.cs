using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.Documents.Indexing.Compilation;

namespace FastTests.Server;

/// <summary>Lucene's analyzers by their names, and users' analyzers that derive from Lucene's.</summary>
public sealed class LuceneAnalyzersHttpTests
{
    private const string German = "Lucene.Net.Analysis.De.GermanAnalyzer, Lucene.Net.Contrib.Analyzers";

    private const string Commas = """
        using System.IO;
        using Lucene.Net.Analysis;
        using Lucene.Net.Analysis.Core;
        using Lucene.Net.Analysis.Util;
        using Lucene.Net.Util;

        namespace Shop
        {
            public sealed class CommaAnalyzer : Analyzer
            {
                protected override TokenStreamComponents CreateComponents(string fieldName, TextReader reader)
                {
                    var parts = new Commas(reader);
                    return new TokenStreamComponents(parts, new LowerCaseFilter(LuceneVersion.LUCENE_48, parts));
                }

                private sealed class Commas : CharTokenizer
                {
                    public Commas(TextReader reader) : base(LuceneVersion.LUCENE_48, reader) { }

                    protected override bool IsTokenChar(int c) => c != ',';
                }
            }
        }
        """;

    [Theory]
    [InlineData("GermanAnalyzer", "search(Text, 'Haus')", "t/1")]
    [InlineData(German, "search(Text, 'Haus')", "t/1")]
    [InlineData("Lucene.Net.Analysis.De.GermanAnalyzer", "search(Text, 'der')", "")]
    [InlineData("GermanAnalyzer(StopWords=none)", "search(Text, 'der')", "t/1")]
    [InlineData("GermanAnalyzer(Excluded=häuser)", "search(Text, 'Haus')", "")]
    [InlineData("GermanAnalyzer(Stemmer=none)", "search(Text, 'Haus')", "")]
    [InlineData("frenchanalyzer", "search(Text, 'homme')", "t/2")]
    [InlineData("CJKAnalyzer", "search(Text, '東京')", "t/3")]
    public async Task A_field_has_the_analyzer_of_Lucene_that_it_names(string analyzer, string condition, string found)
    {
        using TestServer server = await WithTextsAsync(CSharpUse.Maps);
        (await PutIndexAsync(server, analyzer)).Expect(HttpStatusCode.Created);
        Assert.Equal(found, await FoundAsync(server, condition));
    }

    [Fact]
    public async Task A_name_that_is_no_analyzer_is_refused_with_the_names_that_are()
    {
        using TestServer server = await WithTextsAsync(CSharpUse.Maps);
        JsonNode error = (await PutIndexAsync(server, "KlingonAnalyzer"))
            .ExpectError(400, "Cannot find analyzer type 'KlingonAnalyzer' for field: Text: there are ArabicAnalyzer, ")
            .Json;
        Assert.EndsWith("AnalyzerDoesNotExistException", (string?)error["Type"], StringComparison.Ordinal);
        (await PutIndexAsync(server, "GermanAnalyzer(StopWords)")).ExpectError(400, "'StopWords' is no option of it");
        (await PutIndexAsync(server, "GermanAnalyzer(StopWords=a")).ExpectError(400, "its brackets are not closed");
        (await PutIndexAsync(server, "GermanAnalyzer(Stemmer=Klingon)"))
            .ExpectError(400, "there is no stemmer 'Klingon', but Armenian, ");
        (await PutIndexAsync(server, "SnowballAnalyzer")).ExpectError(400, "it needs a stemmer");
        (await PutIndexAsync(server, "WhitespaceAnalyzer(StopWords=a)")).ExpectError(400, "has no option StopWords");
        (await PutIndexAsync(server, $"GermanAnalyzer(StopWords={new string('a', 40_000)})"))
            .ExpectError(400, "at most 32768 characters");
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task An_index_with_an_analyzer_of_Lucene_is_opened_as_it_was_closed()
    {
        string folder = Directory.CreateTempSubdirectory("raven-lucene-").FullName;
        try
        {
            const string name = "GermanAnalyzer(StopWords=c# der)";
            using (TestServer server = await WithTextsAsync(CSharpUse.Maps, folder))
            {
                (await PutIndexAsync(server, name)).Expect(HttpStatusCode.Created);
                Assert.Equal("t/1", await FoundAsync(server, "search(Text, 'Haus')"));
            }

            using TestServer again = new(options => options with { RunInMemory = false, DataDirectory = folder });
            Assert.Equal("t/1", await FoundAsync(again, "search(Text, 'Haus')"));
            Assert.Empty(await ErrorsAsync(again));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task An_analyzer_in_CSharp_may_derive_from_that_of_Lucene()
    {
        using TestServer server = await WithTextsAsync(CSharpUse.All);
        (await PutAnalyzerAsync(server, "CommaAnalyzer", Commas)).Expect(HttpStatusCode.NoContent);
        (await PutIndexAsync(server, "Shop.CommaAnalyzer, Shop")).Expect(HttpStatusCode.Created);
        Assert.Equal("t/4", await FoundAsync(server, "search(Text, '\"big red\"')"));
        (await server.SendAsync("DELETE", "~/admin/analyzers?name=CommaAnalyzer"))
            .ExpectError(400, "is used by the index 'Texts'");
    }

    [Theory]
    [InlineData(
        "c != ','", "c != 'x' ? true : throw new System.IO.IOException(\"mine\")",
        "The analyzer 'CommaAnalyzer' failed: mine")]
    [InlineData("c != ','", "c != 'x' || Turn() > 0", "failed: it does not end, or takes more steps than it may")]
    [InlineData(
        "IsTokenChar(int c)", "IsTokenChar(int c) => c != 'x' || IsTokenChar(c); bool Other(int c)", "failed: ")]
    public async Task An_analyzer_that_throws_or_never_ends_is_an_error_of_the_index(
        string part, string replacement, string message)
    {
        using TestServer server = await WithTextsAsync(CSharpUse.All);
        string code = Commas.Replace(part, replacement, StringComparison.Ordinal).Replace(
            "public Commas(", "static int Turn() { while (true) { } } public Commas(",
            StringComparison.Ordinal);
        (await PutAnalyzerAsync(server, "CommaAnalyzer", code)).Expect(HttpStatusCode.NoContent);
        (await PutIndexAsync(server, "CommaAnalyzer")).Expect(HttpStatusCode.Created);
        await QueryHttpTests.QueryAsync(server, "from index 'Texts'");
        JsonArray errors = await ErrorsAsync(server);
        Assert.NotEmpty(errors);
        Assert.Contains(message, (string?)errors[0]!["Error"], StringComparison.Ordinal);
        (await server.SendAsync(
            "POST", "~/queries", QueryHttpTests.Body("from index 'Texts' where search(Text, 'x')")))
            .ExpectError(400, message);
        await server.AssertServesAsync();
    }

    private static async Task<TestServer> WithTextsAsync(CSharpUse use, string? folder = null)
    {
        TestServer server = await TestServer.WithDatabaseAsync(options => folder is null
            ? options with { IndexingCSharp = use }
            : options with { IndexingCSharp = use, RunInMemory = false, DataDirectory = folder });
        int number = 1;
        foreach (string text in new[] { "Die Häuser der Stadt", "l'homme", "東京都", "Big Red,small", "x" })
        {
            await server.PutAsync(
                $"t/{number++}", $"{{\"Text\":\"{text}\",\"@metadata\":{{\"@collection\":\"Texts\"}}}}");
        }

        return server;
    }

    private static Task<HttpAnswer> PutIndexAsync(TestServer server, string analyzer) => server.SendAsync(
        "PUT", "~/admin/indexes",
        "{\"Indexes\":[{\"Name\":\"Texts\",\"Maps\":[\"from t in docs.Texts select new { t.Text }\"],"
        + "\"Fields\":{\"Text\":{\"Indexing\":\"Search\",\"Analyzer\":" + JsonSerializer.Serialize(analyzer) + "}}}]}");

    private static Task<HttpAnswer> PutAnalyzerAsync(TestServer server, string name, string code) => server.SendAsync(
        "PUT", "~/admin/analyzers",
        $"{{\"Analyzers\":[{{\"Name\":\"{name}\",\"Code\":{JsonSerializer.Serialize(code)}}}]}}");

    private static async Task<string> FoundAsync(TestServer server, string condition) => string.Join(
        ' ', QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, $"from index 'Texts' where {condition}")));

    private static async Task<JsonArray> ErrorsAsync(TestServer server) =>
        (await server.SendAsync("GET", "~/indexes/errors?name=Texts")).Json["Results"]![0]!["Errors"]!.AsArray();
}
