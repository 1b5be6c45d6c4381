using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Server;

namespace FastTests.Smuggler;

/// <summary>Dumps of other versions, and wrong ones: what is taken, what is counted, what is refused.</summary>
public sealed class DumpShapeTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private readonly TestServer _server = fixture.Server;

    [Theory]
    [InlineData(null)]
    [InlineData("gzip")]
    [InlineData("members")]
    [InlineData("zstd")]
    [Trait("Row", "84")]
    public async Task A_dump_is_known_by_its_first_bytes_whatever_the_order_of_its_sections(string? compression)
    {
        string prefix = compression ?? "plain";
        byte[] dump = new DumpShape { HasTrailingCommas = true }
            .WithItems("Identities", $$"""{"Key":"{{prefix}}|","Value":41,}""")
            .WithItems("Docs", [.. Enumerable.Range(0, 30).Select(i => DumpShape.Document($"{prefix}/{i}"))])
            .WithItems("Conflicts", """{"a":[1,2,],}""", """{"b":{},}""")
            .With("BuildVersion", "72104")
            .With("Nothing", "null")
            .ToBytes(compression);
        JsonNode result = await _server.ImportAsync(dump);
        Assert.Equal(30, (int)result["Documents"]!["ReadCount"]!);
        Assert.Equal(1, (int)result["Identities"]!["ReadCount"]!);
        Assert.Equal(2, (int)result["Skipped"]!["Conflicts"]!);
        Assert.Equal(1, (int)result["Skipped"]!["Nothing"]!);
        Assert.Equal(30, (int)result["Processed"]! - 1);
        HttpAnswer next = await _server.SendAsync("POST", $"~/identity/next?name={prefix}");
        Assert.Equal(42, (int)next.Json["NewIdentityValue"]!);
    }

    [Fact]
    public async Task A_bare_dump_is_taken_with_a_mark_before_it_and_control_characters_in_its_texts()
    {
        byte[] dump = new DumpShape { HasMark = true }
            .WithItems("Docs", DumpShape.Document("bare/1", members: "\"Text\":\"a\u0001b\tc\""))
            .ToBytes();
        using var body = new ByteArrayContent(dump);
        HttpAnswer answer = await _server.SendAsync("POST", "~/smuggler/import", body);
        Assert.Equal(1, (int)answer.Json["Documents"]!["ReadCount"]!);
        JsonNode document = (await _server.SendAsync("GET", "~/docs?id=bare/1")).Json["Results"]![0]!;
        Assert.Equal("a\u0001b\tc", (string?)document["Text"]);
    }

    [Fact]
    public async Task Documents_of_3_x_come_into_their_collection()
    {
        const string document =
            """{"Name":"old","@metadata":{"Raven-Entity-Name":"Companies","@id":"companies/1","@etag":"01"}}""";
        byte[] dump = new DumpShape()
            .WithItems("Indexes", """{"name":"Old","definition":{"Map":"from x in docs select x"}}""")
            .WithItems("Docs", document).WithItems("Attachments", """{"Data":"AAAA","Key":"a"}""")
            .WithItems("Transformers", """{"name":"t"}""").ToBytes("gzip");
        JsonNode result = await _server.ImportAsync(dump);
        Assert.Equal(1, (int)result["Indexes"]!["ErroredCount"]!);
        Assert.Equal(1, (int)result["Skipped"]!["Transformers"]!);
        JsonNode stored = (await _server.SendAsync("GET", "~/docs?id=companies/1")).Json["Results"]![0]!;
        Assert.Equal("Companies", (string?)stored["@metadata"]!["@collection"]);
        Assert.Equal("old", (string?)stored["Name"]);
    }

    [Fact]
    public async Task An_automatic_index_of_RavenDB_is_left_out_and_a_map_that_does_not_compile_is_reported()
    {
        const string automatic =
            """
            {"Type":"AutoMap","IndexDefinition":{"Name":"Auto/Users/ByName","Version":1,"Collections":["Users"],
            "LockMode":0,"Priority":1,"State":0,"MapFields":[{"Name":"Name","Indexing":0,"Aggregation":0,}],}}
            """;
        const string broken =
            """{"Type":"Map","IndexDefinition":{"Name":"Broken","Type":"Map","Maps":["from x in"],"Fields":{}}}""";
        const string good =
            """
            {"Type":"Map","IndexDefinition":{"Name":"Good","Type":"Map","LockMode":"Unlock","Priority":"Normal",
            "Configuration":{},"Reduce":null,"Maps":["from u in docs.Users select new { u.Name }"],
            "Fields":{"Name":{"Analyzer":null,"Indexing":"Search","Storage":null,"Suggestions":null}}}}
            """;
        JsonNode result = await _server.ImportAsync(
            new DumpShape().WithItems("Indexes", automatic, broken, good).ToBytes());
        Assert.Equal(1, (int)result["Indexes"]!["ReadCount"]!);
        Assert.Equal(1, (int)result["Indexes"]!["SkippedCount"]!);
        Assert.Equal(1, (int)result["Indexes"]!["ErroredCount"]!);
        Assert.Contains("'Broken'", (string?)result["Messages"]![1], StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "DUMP-1")]
    [Trait("Row", "85")]
    public async Task Ids_numbers_and_metadata_are_checked_as_those_of_a_put_and_the_rest_comes_in()
    {
        byte[] dump = new DumpShape()
            .WithItems(
                "Docs", DumpShape.Document("checked/1"), DumpShape.Document("checked/"), DumpShape.Document("a|"),
                DumpShape.Document(""), DumpShape.Document(new string('x', 600)), """{"N":1}""",
                """{"@metadata":{"@id":"checked/2","@collection":7}}""",
                """{"@metadata":{"@id":"checked/3","@flags":"HasRevisions, HasAttachments","@expires":"never"}}""",
                DumpShape.Document("../checked"))
            .WithItems(
                "Identities", """{"Key":"far|","Value":9223372036854775807}""", """{"Key":"","Value":1}""",
                """{"Key":"checked|","Value":5}""")
            .WithItems("CompareExchange", """{"Key":"c","Value":"{\"Object\":1}"}""", """{"Key":"d","Value":"[}"}""")
            .WithItems(
                "CounterGroups", """{"DocId":"checked/1","Values":{"likes":5,"wrong":"a"}}""",
                """{"DocId":"nowhere","Values":{"likes":5}}""", """{"DocId":"checked/1","Name":"one","Value":2}""")
            .ToBytes();
        JsonNode result = await _server.ImportAsync(dump);
        Assert.Equal(2, (int)result["Documents"]!["ReadCount"]!);
        Assert.Equal(7, (int)result["Documents"]!["ErroredCount"]!);
        Assert.Equal(1, (int)result["Identities"]!["ReadCount"]!);
        Assert.Equal(2, (int)result["Identities"]!["ErroredCount"]!);
        Assert.Equal(1, (int)result["CompareExchange"]!["ReadCount"]!);
        Assert.Equal(2, (int)result["Counters"]!["ReadCount"]!);
        Assert.Equal(2, (int)result["Counters"]!["ErroredCount"]!);
    }

    [Theory]
    [InlineData(-1, 0, "Size")]
    [InlineData(4_611_686_018_427_387_904, 0, "Size")]
    [InlineData(3, 0, "broken at")]
    [InlineData(9, 0, "broken at")]
    [InlineData(6, 1, null)]
    [InlineData(6, 2, null)]
    [Trait("Row", "86")]
    public async Task Bytes_of_an_attachment_are_linked_only_if_they_are_those_of_its_hash(
        long size, int wrong, string? error)
    {
        string id = $"wrong/{size}{wrong}";
        string hash = Convert.ToBase64String(SHA256.HashData("bytes!"u8));
        string named = wrong == 1 ? Convert.ToBase64String(SHA256.HashData("others"u8)) : hash;
        string item = wrong == 2
            ? $$$"""{"@metadata":{"@export-type":"Attachment"},"Size":{{{size}}}}"""
            : $$$"""{"@metadata":{"@export-type":"Attachment"},"Hash":"{{{named}}}","Size":{{{size}}}}""";
        string document =
            $$$"""
            {"@metadata":{"@id":"{{{id}}}",
            "@attachments":[{"Name":"n","Hash":"{{{named}}}","ContentType":"","Size":6}]}}
            """;
        byte[] dump = new DumpShape().WithBytes(
            Encoding.UTF8.GetBytes($"\"Docs\":[{item},"), "bytes!"u8.ToArray(), Encoding.UTF8.GetBytes($",{document}]"))
            .ToBytes("gzip");
        if (error is not null)
        {
            (await _server.SendImportAsync(dump)).ExpectError(400, error);
            return;
        }

        JsonNode result = await _server.ImportAsync(dump);
        Assert.Equal(0, (int)result["Documents"]!["Attachments"]!["ReadCount"]!);
        Assert.Equal(2, (int)result["Documents"]!["Attachments"]!["ErroredCount"]!);
        Assert.Equal(404, (await _server.SendAsync("GET", $"~/attachments?id={id}&name=n")).Status);
        Assert.Equal(200, (await _server.SendAsync("GET", $"~/docs?id={id}")).Status);
    }

    [Fact]
    [Trait("Row", "86")]
    public async Task To_know_the_hash_of_stored_bytes_is_no_right_to_them()
    {
        await _server.PutAsync("owner", "{}");
        await _server.SendAsync("PUT", "~/attachments?id=owner&name=n", new StringContent("secret"));
        string hash = Convert.ToBase64String(SHA256.HashData("secret"u8));
        JsonNode result = await _server.ImportAsync(new DumpShape().WithItems(
            "Docs",
            $$$"""{"@metadata":{"@id":"thief","@attachments":[{"Name":"n","Hash":"{{{hash}}}","Size":6}]}}""")
            .ToBytes());
        Assert.Equal(1, (int)result["Documents"]!["Attachments"]!["ErroredCount"]!);
        Assert.Contains("'thief'", (string?)result["Messages"]![0], StringComparison.Ordinal);
        Assert.Equal(404, (await _server.SendAsync("GET", "~/attachments?id=thief&name=n")).Status);
    }

    [Theory]
    [InlineData("", "empty")]
    [InlineData("[]", "starts with {")]
    [InlineData("{", "before its last }")]
    [InlineData("{\"Docs\":[", "before its last }")]
    [InlineData("{\"Docs\":[{\"a\":1", "item 0 of Docs")]
    [InlineData("{\"Docs\":[{\"a\":1]", "item 0 of Docs")]
    [InlineData("{\"Docs\":[7]}", "must be an object")]
    [InlineData("{\"Docs\":{}}", "must be a list")]
    [InlineData("{\"Docs\":[]}x", "follows its end")]
    [InlineData("{\"Docs\" []}", "colon")]
    [InlineData("{7:[]}", "name of a section")]
    [InlineData("{\"Indexes\":[7]}", "must be an object")]
    [InlineData("{\"DatabaseRecord\":[]}", "must be an object")]
    [InlineData("(\u00b5/\u00fd", "broken")]
    [InlineData("\u001f\u008b", "broken")]
    public async Task What_is_no_dump_is_refused_with_its_place(string dump, string says)
    {
        long id = await _server.NextOperationAsync(TestServer.Database);
        HttpAnswer answer = await _server.SendImportAsync(Encoding.Latin1.GetBytes(dump), operation: id);
        answer.ExpectError(400, says);
        JsonNode state = await _server.StateAsync(id);
        Assert.Equal("Faulted", (string?)state["Status"]);
        Assert.Contains(says, (string?)state["Result"]!["Message"], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("""{"OperateOnTypes":"Documents,Wishes"}""", "Wishes")]
    [InlineData("""{"OperateOnTypes":7}""", "OperateOnTypes")]
    [InlineData("""{"Collections":"Users,7","IncludeExpired":"yes"}""", "IncludeExpired")]
    [InlineData("""{"CompressionAlgorithm":"Brotli"}""", "Brotli")]
    [InlineData("""{"EncryptionKey":"AAAA"}""", "EncryptionKey")]
    [InlineData("""{"MaxStepsForTransformScript":0}""", "MaxSteps")]
    [InlineData("""{"IncludeExpired":true,"IncludeExpired":false}""", "IncludeExpired")]
    [InlineData("[]", "object")]
    public async Task Options_that_are_wrong_are_refused_on_both_ways(string options, string says)
    {
        byte[] dump = new DumpShape().ToBytes();
        (await _server.SendAsync("POST", "~/smuggler/export", options)).ExpectError(400, says);
        (await _server.SendImportAsync(dump, options: options)).ExpectError(400, says);
    }

    [Fact]
    public async Task An_upload_without_a_file_or_with_two_is_refused()
    {
        using var none = new MultipartFormDataContent { { new StringContent("{}"), "importOptions" } };
        (await _server.SendAsync("POST", "~/smuggler/import", none)).ExpectError(400, "no file");
        using var two = new MultipartFormDataContent
        {
            { new StringContent("{}"), "name" }, { new StringContent("{}"), "other" },
        };
        (await _server.SendAsync("POST", "~/smuggler/import", two)).ExpectError(400, "other");
    }
}
