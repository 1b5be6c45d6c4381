using System.Text;
using System.Text.RegularExpressions;
using FastTests.Architecture;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Documents;

namespace FastTests.Server;

/// <summary>
/// What is stored was built to disk (its texts are compressed), what is only read to memory; and a body is built once,
/// in the memory from which its page is written.
/// </summary>
public sealed partial class StoredFormTests
{
    /// <summary>To a human one text, to the codec one letter and a length.</summary>
    private static readonly string Text = new('x', 600);

    /// <summary>The files of the wire whose bodies become what is stored.</summary>
    private static readonly string[] Storing =
    [
        "src/Server/Handlers/DocumentWriteHandler.cs", "src/Server/Handlers/CompareExchangeHandler.cs",
        "src/Server/Handlers/SampleDataHandler.cs", "src/Server/Http/BodyReader.cs",
        "src/Server/Http/ClusterTransaction.cs", "src/Server/Http/Commands/CommandScanner.cs",
        "src/Server/Http/Commands/Types/CompareExchangePutType.cs",
    ];

    [Theory]
    [InlineData("PUT", "~/docs?id=a", """{"T":"$"}""")]
    [InlineData("POST", "~/bulk_docs", """{"Commands":[{"Id":"a","Type":"PUT","Document":{"T":"$"}}]}""")]
    [InlineData("POST", "~/bulk_docs", """{"Commands":[{"Type":"PUT","Document":{"T":"$"},"Id":"a"}]}""")]
    [InlineData("POST", "~/bulk_insert", """[{"Id":"a","Type":"PUT","Document":{"T":"$"}}]""")]
    [InlineData("PATCH", "~/docs?id=a",
        """{"Patch":{"Script":""},"PatchIfMissing":{"Script":"this.T = args.T","Values":{"T":"$"}}}""")]
    [InlineData("POST", "~/bulk_docs",
        """{"Commands":[{"Id":"a","Type":"PATCH","Patch":{"Script":""},"CreateIfMissing":{"T":"$"}}]}""")]
    public async Task A_document_is_stored_in_its_compressed_form_by_every_endpoint(
        string method, string path, string body)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer answer = await server.SendAsync(method, path, body.Replace("$", Text, StringComparison.Ordinal));
        Assert.InRange(answer.Status, 200, 299);
        Assert.True(server.Host.State.Databases.TryGet("db", out Database? database));
        using DocumentSnapshot snapshot = database.BeginRead();
        Assert.True(snapshot.TryGet("a"u8, out StoredDocument document));
        Assert.True(document.Data.TryGet("T"u8, out var value));
        Assert.Equal(Text, value.GetString());
        ReadOnlySpan<byte> stored = document.Data.AsValue().Document.Memory.Span;
        Assert.Equal(-1, stored.IndexOf(Encoding.ASCII.GetBytes(Text)));
        Assert.InRange(stored.Length, 1, 100);
    }

    [Fact]
    public void Only_the_listed_handlers_build_documents_in_the_stored_form()
    {
        string[] storing =
        [
            .. SourceTree.Files.Where(file => file.IsIn("src/Server/Handlers/") || file.IsIn("src/Server/Http/"))
                .Where(file => file.Lines.Any(line => ToDisk().IsMatch(line))).Select(file => file.Path),
        ];
        Assert.Equal(Storing.Order(), storing.Order());
    }

    /// <summary>
    /// Every body is parsed by a context of the server's pool, whose parsers count what they build and how.
    /// </summary>
    [Theory]
    [InlineData("PUT", "~/docs?id=b", """{"A":1}""", 1, 0)]
    [InlineData("PUT", "~/cmpxchg?key=k&index=0", """{"Object":1}""", 1, 0)]
    [InlineData("PATCH", "~/docs?id=a", """{"Patch":{"Script":"this.B = 1"}}""", 0, 1)]
    [InlineData("POST", "~/docs", """{"Ids":["a"]}""", 0, 1)]
    [InlineData("POST", "~/queries", """{"Query":"from @all_docs"}""", 0, 1)]
    [InlineData("POST", "~/streams/queries", """{"Query":"from @all_docs"}""", 0, 1)]
    [InlineData("PATCH", "~/queries", """{"Query":{"Query":"from X update { this.B = 1 }"}}""", 0, 1)]
    [InlineData("DELETE", "~/queries", """{"Query":"from X"}""", 0, 1)]
    [InlineData("PUT", "~/indexes", """{"Indexes":[{"Name":"I","Maps":["map('X', x => ({ A: x.A }))"]}]}""", 0, 1)]
    [InlineData("POST", "~/indexes/has-changed", """{"Name":"I","Maps":["map('X', x => ({ A: x.A }))"]}""", 0, 1)]
    [InlineData("POST", "~/admin/revisions/config", """{"Default":{"Disabled":true}}""", 0, 1)]
    [InlineData("POST", "~/admin/expiration/config", """{"Disabled":true}""", 0, 1)]
    [InlineData("POST", "~/admin/refresh/config", """{"Disabled":true}""", 0, 1)]
    [InlineData("PUT", "~/admin/configuration/client", """{"MaxNumberOfRequestsPerSession":5}""", 0, 1)]
    [InlineData("PUT", "~/admin/configuration/settings", """{"Indexing.MapBatchSize":"128"}""", 0, 1)]
    [InlineData("PUT", "/admin/databases?name=other", """{"DatabaseName":"other","Settings":{}}""", 0, 1)]
    [InlineData("DELETE", "/admin/databases", """{"DatabaseNames":["db"]}""", 0, 1)]
    [InlineData("POST", "~/counters",
        """{"Documents":[{"DocumentId":"a","Operations":[{"Type":"Increment","CounterName":"c","Delta":1}]}]}""", 0, 1)]
    [InlineData("POST", "~/multi_get",
        """{"Requests":[{"Url":"/databases/db/queries","Method":"POST","Content":"{\"Query\":\"from X\"}"}]}""", 0, 2)]
    [InlineData("POST", "~/bulk_docs", """{"Commands":[{"Id":"a","Type":"DELETE","ChangeVector":null}]}""", 0, 1)]
    [InlineData("POST", "~/bulk_docs",
        """{"Commands":[{"Id":"a","Type":"PATCH","Patch":{"Script":"this.B = args.N","Values":{"N":1}}}]}""", 0, 1)]
    [InlineData("POST", "~/bulk_docs",
        """
        {"Commands":[{"Id":"a","Type":"Counters","Counters":{"DocumentId":"a",
        "Operations":[{"Type":"Increment","CounterName":"c","Delta":1}]}}]}
        """, 0, 1)]
    [InlineData("POST", "~/bulk_docs",
        """{"Commands":[{"Id":"b","Type":"PUT","Document":{"A":1}},{"Id":"a","Type":"DELETE"}]}""", 1, 0)]
    [InlineData("POST", "~/bulk_insert",
        """
        [{"Id":"b","Type":"PUT","Document":{"A":1}},{"Id":"a","Type":"Counters","Counters":{"DocumentId":"a",
        "Operations":[{"Type":"Increment","CounterName":"c","Delta":1}]}}]
        """, 1, 1)]
    public async Task A_body_is_parsed_in_the_stored_form_if_it_is_stored_and_in_the_memory_form_if_it_is_read(
        string method, string path, string body, int toDisk, int toMemoryMin)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        OperationContextPool contexts = server.Host.State.Contexts;
        int disk = contexts.CountParsed(BlittableMode.ToDisk);
        int memory = contexts.CountParsed(BlittableMode.ToMemory);

        HttpAnswer answer = await server.SendAsync(method, path, body);

        Assert.True(answer.Status is >= 200 and < 300, answer.Text);
        Assert.Equal(toDisk, contexts.CountParsed(BlittableMode.ToDisk) - disk);
        Assert.InRange(contexts.CountParsed(BlittableMode.ToMemory) - memory, toMemoryMin, 10);
    }

    [Fact]
    public async Task A_stored_body_is_copied_once_into_the_memory_of_its_request()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        var random = new Random(7);
        const int count = 60_000;
        string numbers = string.Join(',', Enumerable.Range(0, count).Select(_ => random.Next(1_000_000, 9_999_999)));
        await server.PutAsync("a", $"{{\"N\":[{numbers}]}}");
        Assert.True(server.Host.State.Databases.TryGet("db", out Database? database));
        using DocumentSnapshot snapshot = database.BeginRead();
        Assert.True(snapshot.TryGet("a"u8, out StoredDocument document));
        long stored = document.Data.AsValue().Document.Memory.Length;

        // The table of the array is made beside its values and then moved behind them.
        long most = server.Host.State.Contexts.GetStatistics().HighWaterBytes;
        Assert.InRange(most, stored, stored * 2.2);
    }

    [GeneratedRegex(@"\bBlittableMode\.ToDisk\b")]
    private static partial Regex ToDisk();
}
