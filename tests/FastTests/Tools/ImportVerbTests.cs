using System.Text.Json.Nodes;
using Raven.CommandLine.Import.Input;
using Raven.CommandLine.Import.Server;
using Raven.CommandLine.Import.Verbs;
using Raven.CommandLine.Output;

namespace FastTests.Tools;

public sealed class ImportVerbTests : IAsyncLifetime
{
    private static readonly IdentityOptions Zips = new()
    {
        Collection = "Zips",
        IdProperty = "_id",
        IdPrefix = "zips/",
    };

    private readonly string _directory = Directory.CreateTempSubdirectory("import").FullName;
    private readonly StringWriter _output = new();
    private FakeDatabase _database = null!;
    private ServerClient _client = null!;

    public async ValueTask InitializeAsync()
    {
        _database = await FakeDatabase.StartAsync("db");
        _client = new ServerClient(_database.Url, "db");
    }

    public async ValueTask DisposeAsync()
    {
        await _database.DisposeAsync();
        _client.Dispose();
        _output.Dispose();
        Directory.Delete(_directory, recursive: true);
    }

    [Fact]
    public async Task Imported_documents_get_their_id_and_collection_and_keep_everything_else()
    {
        string file = Write(
            "a.ndjson",
            """{"_id":"01001","pop":1.50}""",
            """{"_id":7,"@metadata":{"x":[1],"@id":"old","@flags":"f"}}""");

        Assert.Equal(0, await ImportAsync(Zips, file));

        Assert.Equal(["zips/01001", "zips/7"], _database.Documents.Keys);
        Assert.Equal(
            """{"_id":"01001","pop":1.50,"@metadata":"""
                + """{"@collection":"Zips","@id":"zips/01001","@change-vector":"A:1"}}""",
            _database.Documents["zips/01001"].ToJsonString());
        Assert.Equal(
            """{"_id":7,"@metadata":{"@collection":"Zips","x":[1],"@id":"zips/7","@change-vector":"A:1"}}""",
            _database.Documents["zips/7"].ToJsonString());
        Assert.Matches(
            @"^2 documents in \d+\.\d s, [\d,]+ documents/s, \d+\.\d MB/s\s+$", _output.ToString());
    }

    [Fact]
    public void An_import_logs_its_progress_at_intervals()
    {
        var often = new Progress(_output, isInteractive: false, totalBytes: 0, TimeSpan.Zero);
        often.Report(1023, rawBytes: 10, textBytes: 10);
        Assert.Empty(_output.ToString());
        often.Report(1024, rawBytes: 5_000_000, textBytes: 50_000_000);
        Assert.Matches(
            @"^1,024 documents in \d+\.\d s, [\d,]+ documents/s, [1-9]\d*\.\d MB/s\s+$", _output.ToString());
        var seldom = new Progress(_output, isInteractive: false, totalBytes: 0);
        seldom.Report(2048, rawBytes: 1, textBytes: 1);
        Assert.DoesNotContain("2,048", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_imported_document_without_an_id_property_is_named_by_its_metadata_or_its_number()
    {
        string file = Write(
            "a.ndjson",
            "{}",
            """{"@metadata":{"@id":"users/1","@collection":"Users"}}""",
            """{"Collection":"Orders"}""");

        await ImportAsync(new IdentityOptions { CollectionProperty = "Collection" }, file);

        Assert.Equal(["documents/1", "Orders/3", "users/1"], _database.Documents.Keys);
        Assert.Equal("Users", _database.Documents["users/1"]["@metadata"]!["@collection"]!.ToString());
    }

    [Fact]
    public async Task A_broken_line_stops_the_import_after_the_documents_before_it_are_stored()
    {
        string good = Write("good.ndjson", """{"_id":"a"}""", """{"_id":"b"}""");
        string bad = Write("bad.ndjson", """{"_id":"c"}""", """{"_id":"d",}""", """{"_id":"e"}""");

        Assert.Equal(3, await ImportAsync(Zips, good, bad));

        Assert.Equal(["zips/a", "zips/b", "zips/c"], _database.Documents.Keys);
        Assert.Contains($"{bad}, line 2, column 12", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("3 documents before it are in", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_document_without_the_chosen_id_property_stops_the_import()
    {
        string file = Write("a.ndjson", """{"_id":"a"}""", """{"_id":1.5}""");

        Assert.Equal(3, await ImportAsync(Zips, file));

        Assert.Contains("line 2", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("'_id'", _output.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(10)]
    [InlineData(200_000)]
    public async Task A_document_that_the_server_refuses_stops_the_import_with_the_message_of_the_server(int documents)
    {
        _database.RefuseAfter = 3;
        string file = Write("a.ndjson", [.. Enumerable.Range(0, documents).Select(n => $$"""{"_id":"{{n}}"}""")]);

        Assert.Equal(1, await ImportAsync(Zips, file));

        Assert.Contains("refused by the test", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("now holds 3 documents", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_import_ends_with_an_error_when_its_server_goes_away()
    {
        string file = Write("a.ndjson", [.. Enumerable.Range(0, 200_000).Select(n => $$"""{"_id":"{{n}}"}""")]);
        using var unreachable = new HttpClient { BaseAddress = new Uri("http://127.0.0.1:1") };
        using var bulk = new BulkInsert(unreachable, "/databases/db/bulk_insert");
        using var sources = new SourceSet([file], new SourceOptions());
        var envelope = new DocumentEnvelope(Zips);

        await Assert.ThrowsAsync<HttpRequestException>(async () =>
        {
            try
            {
                while (sources.TryRead(out ReadOnlyMemory<byte> document))
                {
                    Assert.True(envelope.TryIdentify(document.Span, out DocumentEnvelope.Identity identity, out _));
                    envelope.WriteCommand(bulk.BeginCommand(), document.Span, identity);
                }
            }
            catch (System.Threading.Channels.ChannelClosedException)
            {
                Assert.True(bulk.IsBroken);
            }

            await bulk.CompleteAsync();
        });
    }

    [Fact]
    public async Task An_exported_database_is_imported_unchanged()
    {
        string file = Write(
            "a.ndjson",
            """{"_id":"ü","n":12345678901234567890}""",
            """{"_id":"\u0041\ud83d\ude00","@metadata":{"y":{}}}""");
        await ImportAsync(Zips, file);
        string before = Content();
        string exported = Path.Combine(_directory, "out.ndjson.gz");

        Assert.Equal(0, await ExportVerb.RunAsync(
            _client, exported, new ExportOptions(), new VerbOutput(_output)));
        _database.Documents.Clear();
        Assert.Equal(0, await ImportAsync(new IdentityOptions(), exported));

        Assert.Equal(before, Content());
        Assert.Equal(2, _database.Documents.Count);
    }

    [Fact]
    public async Task Compare_finds_missing_changed_and_surplus_documents()
    {
        string file = Write(
            "a.ndjson", """{"_id":"a","n":1.0,"m":2}""", """{"_id":"b"}""", """{"_id":"c"}""", """{"_id":"C","x":1}""");
        await ImportAsync(Zips, file);
        Assert.Equal(0, await CompareAsync(file));
        Assert.Contains("1 of them given twice, 0 differences", _output.ToString(), StringComparison.Ordinal);

        _database.Documents["zips/a"]["n"] = 2;
        Assert.Equal(4, await CompareAsync(file));
        Assert.Contains($"{file}, line 1, column 1: 'zips/a' differs", _output.ToString(), StringComparison.Ordinal);

        _database.Documents["zips/a"]["n"] = 1;
        _database.Documents.Remove("zips/b");
        Assert.Equal(4, await CompareAsync(file));
        Assert.Contains("'zips/b' is not in the database", _output.ToString(), StringComparison.Ordinal);

        _database.Documents["zips/b"] = JsonNode.Parse(
            """{"_id":"b","@metadata":{"@id":"zips/b","@collection":"Zips"}}""")!.AsObject();
        Assert.Equal(0, await CompareAsync(file));
        _database.Documents["zips/z"] = JsonNode.Parse("""{"@metadata":{"@collection":"Zips"}}""")!.AsObject();
        Assert.Equal(4, await CompareAsync(file));
        Assert.Contains("collection Zips holds 4 documents, the files 3", _output.ToString(), StringComparison.Ordinal);
    }

    private async Task<int> ImportAsync(IdentityOptions options, params string[] files)
    {
        using var sources = new SourceSet(files, new SourceOptions());
        return await ImportVerb.RunAsync(_client, sources, options, new VerbOutput(_output));
    }

    private async Task<int> CompareAsync(string file)
    {
        using var sources = new SourceSet([file], new SourceOptions());
        return await new CompareVerb(_client, new VerbOutput(_output)).RunAsync(sources, Zips);
    }

    private string Content() => string.Join(
        '\n', _database.Documents.Select(each => $"{each.Key} {each.Value.ToJsonString()}"));

    private string Write(string name, params string[] lines)
    {
        string path = Path.Combine(_directory, name);
        File.WriteAllLines(path, lines);
        return path;
    }
}
