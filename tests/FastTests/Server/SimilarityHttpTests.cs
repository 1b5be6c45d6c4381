using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Documents that are like others, and words that misspelled ones may have meant.</summary>
public sealed class SimilarityHttpTests(SimilarityHttpTests.Documents documents)
    : IClassFixture<SimilarityHttpTests.Documents>
{
    private const string Options = """{"o":{"MinimumTermFrequency":1,"MinimumDocumentFrequency":1}}""";

    private readonly TestServer _server = documents.Server;

    [Theory]
    [Trait("Fault", "A19")]
    [InlineData("moreLikeThis(id() = 'a/1', $o)", "a/2 a/3")]
    [InlineData("moreLikeThis(id() = 'a/1', $o) and Kind = 'y'", "a/3")]
    [InlineData("Kind = 'x' and moreLikeThis(id() = 'a/1', $o)", "a/2")]
    [InlineData("Kind = 'y' and not moreLikeThis(id() = 'a/1', $o)", "a/4")]
    public async Task More_like_this_finds_similar_documents_that_meet_the_other_conditions(
        string condition, string ids) =>
        Assert.Equal(ids.Split(' '), (await IdsAsync($"from index 'Likes' where {condition}")).Order());

    [Fact]
    [Trait("Fault", "A19")]
    public async Task More_like_this_compares_fields_of_nested_properties()
    {
        Assert.Equal(["a/4"], await IdsAsync("from index 'Nested' where moreLikeThis(id() = 'a/3', $o)"));
        Assert.Equal(["a/4"], await IdsAsync("from index 'Kept' where moreLikeThis(id() = 'a/3', $o)"));
    }

    [Theory]
    [Trait("Fault", "A19")]
    [InlineData("Levenshtein", 0.8, "")]
    [InlineData("Levenshtein", 0.7, "moon")]
    [InlineData("JaroWinkler", 0.84, "moon")]
    [InlineData("NGram", 0.8, "")]
    [InlineData("NGram", 0.7, "moon")]
    public async Task Suggestions_are_ranked_by_the_distance_of_the_option(
        string distance, double accuracy, string words)
    {
        string parameters = System.FormattableString.Invariant(
            $"{{\"o\":{{\"Distance\":\"{distance}\",\"Accuracy\":{accuracy}}}}}");
        JsonNode answer = await QueryHttpTests.QueryAsync(
            _server, "from index 'Words' select suggest(Word, 'mxon', $o)", parameters);
        Assert.Equal(
            words.Split(' ', StringSplitOptions.RemoveEmptyEntries),
            answer["Results"]![0]!["Suggestions"]!.AsArray().Select(one => (string)one!));
    }

    private async Task<string[]> IdsAsync(string query) =>
        QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(_server, query, Options));

    /// <summary>A server with documents and indexes that the tests do not change.</summary>
    public sealed class Documents : IAsyncLifetime
    {
        internal TestServer Server { get; private set; } = null!;

        /// <inheritdoc/>
        public async ValueTask InitializeAsync()
        {
            Server = await TestServer.WithDatabaseAsync();
            await PutAsync("a/1", "red fox", "x", "none");
            await PutAsync("a/2", "fox runs", "x", "nobody");
            await PutAsync("a/3", "red moon", "y", "Jane");
            await PutAsync("a/4", "green sea", "y", "Jane");
            const string Indexes = """
                {"Indexes":[
                {"Name":"Likes","Maps":["from d in docs.Ds select new { d.Text, d.Kind }"],
                 "Fields":{"Text":{"Indexing":"Search"} } },
                {"Name":"Nested","Maps":["from d in docs.Ds select new { Author_Name = d.Author.Name }"],
                 "Fields":{"Author_Name":{"Indexing":"Search"} } },
                {"Name":"Kept","Maps":["from d in docs.Ds select new { Who = d.Author.Name }"],
                 "Fields":{"Who":{"Indexing":"Search","Storage":"Yes"} } },
                {"Name":"Words","Maps":["from d in docs.Ds from w in d.Text.Split(' ') select new { Word = w }"]}]}
                """;
            (await Server.SendAsync("PUT", "~/admin/indexes", Indexes)).Expect(HttpStatusCode.Created);
        }

        /// <inheritdoc/>
        public ValueTask DisposeAsync()
        {
            Server.Dispose();
            return ValueTask.CompletedTask;
        }

        private Task<string> PutAsync(string id, string text, string kind, string author) => Server.PutAsync(
            id, $$"""
            {"Text":"{{text}}","Kind":"{{kind}}","Author":{"Name":"{{author}}"},"@metadata":{"@collection":"Ds"} }
            """);
    }
}
