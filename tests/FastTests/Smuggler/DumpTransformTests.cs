using System.Text.Json.Nodes;
using FastTests.Server;

namespace FastTests.Smuggler;

/// <summary>Scripts that change or leave out the documents of an export or import.</summary>
public sealed class DumpTransformTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private readonly TestServer _server = fixture.Server;

    [Fact]
    public async Task An_import_changes_documents_and_leaves_out_those_that_its_script_skips()
    {
        JsonNode result = await ImportAsync(
            "changed",
            "if (this.N === 2) throw 'skip'; this.Seen = this['@metadata']['@id']; this['@metadata']['@id'] = 'other'; "
                + "delete this.N; return [1];");
        Assert.Equal(2, (int)result["Documents"]!["ReadCount"]!);
        Assert.Equal(1, (int)result["Documents"]!["SkippedCount"]!);
        JsonNode document = (await _server.SendAsync("GET", "~/docs?id=changed/1")).Json["Results"]![0]!;
        Assert.Equal("changed/1", (string?)document["Seen"]);
        Assert.Null(document["N"]);
        Assert.Equal(404, (await _server.SendAsync("GET", "~/docs?id=changed/2")).Status);
        Assert.Equal(404, (await _server.SendAsync("GET", "~/docs?id=other")).Status);
    }

    [Theory]
    [InlineData("for (;;) {}", "limit")]
    [InlineData("let s = 'a'; while (true) s += s;", "limit")]
    [InlineData("throw new Error('skip');", "skip")]
    [InlineData("load('users/1');", "load")]
    [InlineData("put('users/1', {});", "put")]
    [InlineData("this.x.y = 1;", "failed")]
    [Trait("Security", "87")]
    [Trait("Row", "87")]
    public async Task A_document_whose_script_fails_is_left_out_and_named(string script, string says)
    {
        JsonNode result = await ImportAsync("failed", script);
        Assert.Equal(0, (int)result["Documents"]!["ReadCount"]!);
        Assert.Equal(3, (int)result["Documents"]!["ErroredCount"]!);
        Assert.Contains("'failed/1'", (string?)result["Messages"]![0], StringComparison.Ordinal);
        Assert.Contains(says, (string?)result["Messages"]![0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_export_changes_what_it_writes_and_not_what_is_stored()
    {
        await _server.CreateAsync("scripted");
        for (int i = 0; i < 3; i++)
        {
            await _server.SendAsync("PUT", $"/databases/scripted/docs?id=d/{i}", $"{{\"N\":{i}}}");
        }

        DumpContent dump = DumpContent.Read(await _server.ExportAsync(
            "scripted",
            """{"TransformScript":"if (this.N === 0) throw 'skip'; if (this.N === 1) this.x.y = 1; this.N = 7;"}"""));
        JsonNode document = Assert.Single(dump["Docs"]);
        Assert.Equal(7, (int)document["N"]!);
        Assert.Equal("d/2", (string?)document["@metadata"]!["@id"]);
        Assert.Equal(2, (int)(await _server.SendAsync("GET", "/databases/scripted/docs?id=d/2"))
            .Json["Results"]![0]!["N"]!);
    }

    [Fact]
    public async Task A_script_that_does_not_compile_is_refused_before_anything_is_read()
    {
        const string options = """{"TransformScript":"this.A = "}""";
        (await _server.SendAsync("POST", "~/smuggler/validate-options", options)).ExpectError(400, "TransformScript");
        (await _server.SendAsync("POST", "~/smuggler/export", options)).ExpectError(400, "TransformScript");
        (await _server.SendImportAsync(new DumpShape().ToBytes(), options: options))
            .ExpectError(400, "TransformScript");
        Assert.Equal(204, (await _server.SendAsync("POST", "~/smuggler/validate-options", "{}")).Status);
    }

    private Task<JsonNode> ImportAsync(string prefix, string script)
    {
        byte[] dump = new DumpShape().WithItems(
            "Docs",
            [.. Enumerable.Range(1, 3).Select(i => DumpShape.Document($"{prefix}/{i}", members: $"\"N\":{i}"))])
            .ToBytes();
        return _server.ImportAsync(
            dump, options: new JsonObject { ["TransformScript"] = script }.ToJsonString());
    }
}
