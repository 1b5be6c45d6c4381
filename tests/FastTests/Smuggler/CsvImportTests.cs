using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Server;

namespace FastTests.Smuggler;

/// <summary>CSV files as documents: nested paths, quotes, and what is refused with its line and column.</summary>
public sealed class CsvImportTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private readonly TestServer _server = fixture.Server;

    [Theory]
    [InlineData("\n")]
    [InlineData("\r\n")]
    [InlineData("\r")]
    public async Task Rows_become_documents_with_nested_members(string end)
    {
        string prefix = $"nested{end.Length}{(int)end[0]}";
        string csv = string.Join(
            end, "@id,Name,Address.City,Address.Zip,Tags,Age,Note",
            $"{prefix}/1,\"Ann \"\"A\"\", x\",Paris,\"07\",\"[1,\"\"b\"\"]\",42,",
            $"{prefix}/2,Bob,,7,{{}},4x,\"two\nlines\"", "");
        JsonNode result = await ImportAsync(csv, "Users");
        Assert.Equal(2, (int)result["Documents"]!["ReadCount"]!);
        JsonNode ann = await GetAsync($"{prefix}/1");
        Assert.Equal("Ann \"A\", x", (string?)ann["Name"]);
        Assert.Equal("""{"City":"Paris","Zip":"07"}""", ann["Address"]!.ToJsonString());
        Assert.Equal("""[1,"b"]""", ann["Tags"]!.ToJsonString());
        Assert.Equal(42, (int)ann["Age"]!);
        Assert.Null(ann["Note"]);
        Assert.Equal("Users", (string?)ann["@metadata"]!["@collection"]);
        JsonNode bob = await GetAsync($"{prefix}/2");
        Assert.Equal("4x", (string?)bob["Age"]);
        Assert.Equal("""{"City":null,"Zip":7}""", bob["Address"]!.ToJsonString());
        Assert.Equal("two\nlines", (string?)bob["Note"]);
    }

    [Fact]
    public async Task Options_and_a_collection_in_the_rows_are_read()
    {
        using var body = new MultipartFormDataContent
        {
            { new StringContent("""{"Delimiter":";","Quote":"'","Trim":true}"""), "csvImportOptions" },
            { new StringContent("\uFEFF@id;@metadata.@collection;N\n opt/1 ; Things ;' 1 '\nopt/2;;2\n"), "file" },
        };
        (await _server.SendAsync("POST", "~/smuggler/import/csv", body)).Expect(HttpStatusCode.OK);
        JsonNode first = await GetAsync("opt/1");
        Assert.Equal(" 1 ", (string?)first["N"]);
        Assert.Equal("Things", (string?)first["@metadata"]!["@collection"]);
        Assert.Equal("@empty", (string?)(await GetAsync("opt/2"))["@metadata"]!["@collection"]);
    }

    [Theory]
    [InlineData("resume/3,3,3\nresume/4,4\n", "in the row of line 4:")]
    [InlineData("resume/3,3,\"3\n\"\nresume/4,4,\"4\n\n\n", "line 8, column 1, in the row of line 5:")]
    public async Task An_import_goes_on_at_the_row_that_its_refusal_names(string broken, string says)
    {
        const string header = "@id,N,Text\n";
        using var first = new StringContent(header + "resume/2,2,\"2\"\n" + broken);
        HttpAnswer answer = await _server.SendAsync("POST", "~/smuggler/import/csv", first);
        answer.ExpectError(400, says);
        string refused = (string)answer.Json["Message"]!;
        Assert.Equal(3, (int)(await GetAsync("resume/3"))["N"]!);
        await _server.SendAsync("DELETE", "~/docs?id=resume/2");
        int line = int.Parse(refused.Split("in the row of line ")[1].Split(':')[0], CultureInfo.InvariantCulture);
        string mended = header + "resume/2,2,\"2\"\n"
            + broken.Replace("resume/4,4\n", "resume/4,4,4\n", StringComparison.Ordinal)
                .Replace("\"4\n\n\n", "4\n", StringComparison.Ordinal) + "resume/5,5,5\n";
        using var body = new MultipartFormDataContent
        {
            { new StringContent($"{{\"FirstLine\":{line}}}"), "csvImportOptions" },
            { new StringContent(mended), "file" },
        };
        JsonNode result = (await _server.SendAsync("POST", "~/smuggler/import/csv", body))
            .Expect(HttpStatusCode.OK).Json;
        Assert.Equal(2, (int)result["Documents"]!["ReadCount"]!);
        Assert.Equal(4, (int)(await GetAsync("resume/4"))["N"]!);
        Assert.Equal(5, (int)(await GetAsync("resume/5"))["N"]!);
        Assert.Equal(404, (await _server.SendAsync("GET", "~/docs?id=resume/2")).Status);
    }

    [Fact]
    public async Task Rows_without_an_id_get_one_of_their_collection()
    {
        await ImportAsync("N\n1\n2\n", "Numbers");
        JsonArray found = (await _server.SendAsync("GET", "~/docs?startsWith=Numbers/")).Json["Results"]!.AsArray();
        Assert.Equal(2, found.Count);
    }

    [Theory]
    [InlineData("", "empty")]
    [InlineData("\n\n", "no header")]
    [InlineData("a,a\n", "'a'")]
    [InlineData("a,a.b\n", "'a.b'")]
    [InlineData("a,,b\n", "column 2")]
    [InlineData("a,b\n1,2\n3\n", "line 3")]
    [InlineData("a,b\n1,2,3\n", "3 cells")]
    [InlineData("a\n\"1\"x\n", "line 2, column 5")]
    [InlineData("a\n1\"\n", "line 2, column 3")]
    [InlineData("a\n\"1", "within a cell in quotes")]
    [InlineData("\u00ff\u00fea", "UTF-16")]
    [Trait("Security", "89")]
    [Trait("Row", "89")]
    public async Task What_is_no_csv_is_refused_with_its_place(string csv, string says)
    {
        using var body = new ByteArrayContent(Encoding.Latin1.GetBytes(csv));
        (await _server.SendAsync("POST", "~/smuggler/import/csv?collection=A", body)).ExpectError(400, says);
    }

    [Fact]
    [Trait("Security", "89")]
    [Trait("Row", "89")]
    public async Task A_million_columns_are_refused_and_no_reason_for_a_5xx()
    {
        using var body = new StringContent(new string(',', 1_000_000));
        (await _server.SendAsync("POST", "~/smuggler/import/csv", body)).ExpectError(400, "cells");
    }

    private async Task<JsonNode> GetAsync(string id) =>
        (await _server.SendAsync("GET", $"~/docs?id={Uri.EscapeDataString(id)}")).Json["Results"]![0]!;

    private async Task<JsonNode> ImportAsync(string csv, string collection)
    {
        using var body = new StringContent(csv);
        return (await _server.SendAsync("POST", $"~/smuggler/import/csv?collection={collection}", body))
            .Expect(HttpStatusCode.OK).Json;
    }
}
