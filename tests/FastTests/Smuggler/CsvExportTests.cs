using System.Net;
using FastTests.Server;

namespace FastTests.Smuggler;

/// <summary>What a query finds as CSV, which an import reads back.</summary>
public sealed class CsvExportTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private readonly TestServer _server = fixture.Server;

    [Fact]
    public async Task Results_become_lines_that_an_import_makes_the_same_documents_of()
    {
        await _server.CreateAsync("lines");
        await _server.CreateAsync("linesCopy");
        const string document =
            """
            {"Name":"Ann \"A\", x","Address":{"City":"Paris","Zip":"07"},"Tags":[1,"b"],"Age":42,"None":null,"Empty":"",
            "Is":true,"Text":"true","Lines":"a\nb","@metadata":{"@collection":"Users"}}
            """;
        (await _server.SendAsync("PUT", "/databases/lines/docs?id=u/1", document)).Expect(HttpStatusCode.Created);
        HttpAnswer csv = (await _server.SendAsync(
            "GET", "/databases/lines/streams/queries?format=csv&query=from%20Users")).Expect(HttpStatusCode.OK);
        Assert.Equal("text/csv", csv.Message.Content.Headers.ContentType!.MediaType);
        Assert.StartsWith("@id,Address.City,Address.Zip,Age,Empty,", csv.Text, StringComparison.Ordinal);
        using var body = new ByteArrayContent(csv.Bytes);
        (await _server.SendAsync("POST", "/databases/linesCopy/smuggler/import/csv", body)).Expect(HttpStatusCode.OK);
        Assert.Equal(await StoredAsync("lines"), await StoredAsync("linesCopy"));
    }

    [Fact]
    [Trait("Security", "89")]
    [Trait("Row", "89")]
    public async Task Columns_can_be_named_and_formulas_escaped()
    {
        await _server.CreateAsync("cells");
        await _server.SendAsync(
            "PUT", "/databases/cells/docs?id=c/1", """{"A":"=cmd","B":-1,"@metadata":{"@collection":"C"}}""");
        const string url =
            "/databases/cells/streams/queries?format=csv&query=from%20C&field=@id&field=A&field=B&field=X";
        Assert.Equal("@id,A,B,X\r\nc/1,=cmd,-1,\r\n", (await _server.SendAsync("GET", url)).Text);
        Assert.Equal(
            "@id,A,B,X\r\nc/1,'=cmd,-1,\r\n", (await _server.SendAsync("GET", url + "&escapeFormulas=true")).Text);
        const string none = "/databases/cells/streams/queries?format=csv&query=from%20None&field=A";
        Assert.Equal("A\r\n", (await _server.SendAsync("GET", none)).Text);
    }

    private async Task<string> StoredAsync(string database)
    {
        DumpContent dump = DumpContent.Read(await _server.ExportAsync(database));
        dump["Docs"][0]["@metadata"]!.AsObject().Remove("@last-modified");
        return dump.Normal();
    }
}
