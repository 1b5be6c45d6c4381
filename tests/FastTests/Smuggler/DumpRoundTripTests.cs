using System.Globalization;
using System.Net;
using System.Text.Json.Nodes;
using FastTests.Server;

namespace FastTests.Smuggler;

/// <summary>What is exported and imported again is the same, item by item.</summary>
public sealed class DumpRoundTripTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private const string All = $$"""{"OperateOnTypes":"{{SmugglerClient.Everything}}"}""";

    private readonly TestServer _server = fixture.Server;

    [Theory]
    [InlineData(1, "Gzip")]
    [InlineData(2, "Zstd")]
    [InlineData(3, "Gzip")]
    [InlineData(4, "Zstd")]
    [Trait("Invariant", "DUMP-3")]
    public async Task A_database_with_every_feature_comes_back_as_it_was(int seed, string compression)
    {
        string from = $"from{seed}";
        string to = $"to{seed}";
        await _server.CreateAsync(from);
        await _server.CreateAsync(to);
        await new RandomDatabase(_server, from, seed).FillAsync(120);
        string options = All.Replace(
            "{\"O", $"{{\"CompressionAlgorithm\":\"{compression}\",\"O", StringComparison.Ordinal);
        byte[] dump = await _server.ExportAsync(from, options);
        Assert.Equal(compression == "Zstd" ? 0x28 : 0x1F, dump[0]);
        JsonNode result = await _server.ImportAsync(dump, to, All);
        DumpContent before = DumpContent.Read(dump);
        DumpContent after = DumpContent.Read(await _server.ExportAsync(to, All));
        Assert.True(
            WithoutTombstones(before) == WithoutTombstones(after),
            $"seed {seed}\n{WithoutTombstones(before)}\n-- is now --\n{WithoutTombstones(after)}");
        Assert.Equal(before["Docs"].Count, (int)result["Documents"]!["ReadCount"]!);
        Assert.Equal(before["RevisionDocuments"].Count, (int)result["RevisionDocuments"]!["ReadCount"]!);
        Assert.Equal(0, (int)result["Documents"]!["Attachments"]!["ErroredCount"]!);
        Assert.Empty(result["Messages"]!.AsArray());

        // Documents that are the same stay as they are.
        await _server.ImportAsync(dump, to, """{"OperateOnTypes":"Documents,Attachments"}""");
        DumpContent again = DumpContent.Read(await _server.ExportAsync(to, All));
        Assert.Equal(after["Docs"].Select(Vector).Order(), again["Docs"].Select(Vector).Order());
    }

    [Fact]
    public async Task Time_series_come_back_with_their_tags_and_every_bit()
    {
        await _server.CreateAsync("series");
        await _server.CreateAsync("seriesCopy");
        await PutAsync("series", "users/1");
        await PutAsync("series", "users/2");
        string many = string.Join(',', Enumerable.Range(0, 20_000).Select(i => string.Create(
            CultureInfo.InvariantCulture,
            $"[{1_767_225_600_000 + (i * 1000L)},2,{i / 7.0},-0.0{(i % 3 == 0 ? ",\"tags/é\"" : "")}]")));
        string inserted = "[{\"Id\":\"users/1\",\"Type\":\"TimeSeriesBulkInsert\",\"TimeSeries\":{\"Name\":\"Heart\","
            + $"\"TimeFormat\":\"UnixTimeInMs\",\"Appends\":[{many}]}}}}]";
        (await _server.SendAsync("POST", "/databases/series/bulk_insert?id=9001", inserted)).Expect(HttpStatusCode.OK);
        (await _server.SendAsync("POST", "/databases/series/timeseries?docId=users/2", """
            {"Name":"INC:Steps","Increments":[{"Timestamp":"2026-01-01T00:00:00Z","Values":[2]}]}
            """)).Expect(HttpStatusCode.NoContent);
        byte[] dump = await _server.ExportAsync("series");
        JsonNode result = await _server.ImportAsync(dump, "seriesCopy");
        Assert.Equal(0, (int)result["TimeSeries"]!["ErroredCount"]!);
        Assert.True((int)result["TimeSeries"]!["ReadCount"]! >= 4);
        foreach (string path in new[] { "docId=users/1&name=Heart", "docId=users/2&name=INC:Steps" })
        {
            string before = (await _server.SendAsync("GET", $"/databases/series/timeseries?{path}")).Text;
            Assert.Equal(before, (await _server.SendAsync("GET", $"/databases/seriesCopy/timeseries?{path}")).Text);
        }

        // Those of documents that are not there are passed over.
        await _server.CreateAsync("seriesAlone");
        result = await _server.ImportAsync(dump, "seriesAlone", """{"OperateOnTypes":"TimeSeries"}""");
        Assert.Equal(0, (int)result["TimeSeries"]!["ErroredCount"]!);
        Assert.Equal(404, (await _server.SendAsync("GET", "/databases/seriesAlone/docs?id=users/1")).Status);
    }

    [Fact]
    [Trait("Invariant", "RUP-2")]
    public async Task Groups_of_a_raw_series_go_on_with_the_imported_roll_ups_of_what_is_gone()
    {
        await _server.CreateAsync("rolled");
        await PutAsync("rolled", "u/1");
        (await _server.SendAsync("POST", "/databases/rolled/admin/timeseries/config", """
            {"Collections":{"@empty":{"Policies":[{"Name":"h","AggregationTime":{"Value":3600,"Unit":"Second"}}]}}}
            """)).Expect(HttpStatusCode.OK);
        byte[] dump = new DumpShape()
            .WithItems(
                "TimeSeries",
                """
                {"DocId":"u/1","Name":"x@h","Entries":[
                    [1767225600000,6,1,3,1,3,6,3],[1767229200000,6,5,5,5,5,5,1]]}
                """,
                """{"DocId":"u/1","Name":"x","Entries":[[1767232800000,1,9]]}""")
            .ToBytes(null);
        await _server.ImportAsync(dump, "rolled");
        HttpAnswer answer = await _server.SendAsync("POST", "/databases/rolled/queries", """
            {"Query":"from '@all_docs' as u select timeseries(from u.x group by 1 day select max(), sum(), first())"}
            """);
        JsonNode row = answer.Expect(HttpStatusCode.OK).Json["Results"]![0]!;
        Assert.Equal(5, (int)row["Count"]!);
        JsonNode group = Assert.Single(row["Results"]!.AsArray())!;
        Assert.Equal("[5]", group["Count"]!.ToJsonString());
        Assert.Equal(
            "[9][20][1]",
            group["Max"]!.ToJsonString() + group["Sum"]!.ToJsonString() + group["First"]!.ToJsonString());
    }

    private async Task PutAsync(string database, string id) =>
        (await _server.SendAsync("PUT", $"/databases/{database}/docs?id={id}", "{}")).Expect(HttpStatusCode.Created);

    [Fact]
    public async Task The_newest_revision_of_an_imported_document_is_the_version_that_it_has()
    {
        await _server.CreateAsync("kept");
        await _server.CreateAsync("keptCopy");
        (await _server.SendAsync(
            "POST", "/databases/kept/admin/revisions/config", """{"Default":{"Disabled":false}}"""))
            .Expect(HttpStatusCode.OK);
        foreach (string id in (string[])["a", "b", "b", "a", "a"])
        {
            (await _server.SendAsync("PUT", $"/databases/kept/docs?id={id}", $"{{\"N\":\"{Guid.NewGuid()}\"}}"))
                .Expect(HttpStatusCode.Created);
        }

        (await _server.SendAsync("DELETE", "/databases/kept/docs?id=b")).Expect(HttpStatusCode.NoContent);
        await _server.ImportAsync(await _server.ExportAsync("kept"), "keptCopy");
        JsonNode document = (await _server.SendAsync("GET", "/databases/keptCopy/docs?id=a")).Json["Results"]![0]!;
        JsonArray revisions = await RevisionsAsync("a");
        Assert.Equal(3, revisions.Count);
        Assert.Equal(Vector(document), Vector(revisions[0]!));
        JsonArray bin = (await _server.SendAsync("GET", "/databases/keptCopy/revisions/bin"))
            .Json["Results"]!.AsArray();
        Assert.Equal(["b"], bin.Select(one => (string)one!["@metadata"]!["@id"]!));
        Assert.Equal(3, (await RevisionsAsync("b")).Count);

        // The next change keeps no version twice.
        (await _server.SendAsync("PUT", "/databases/keptCopy/docs?id=a", "{}")).Expect(HttpStatusCode.Created);
        Assert.Equal(4, (await RevisionsAsync("a")).Count);
    }

    [Fact]
    public async Task Only_the_named_types_and_collections_are_written()
    {
        await _server.CreateAsync("some");
        foreach (string collection in (string[])["Users", "Orders"])
        {
            (await _server.SendAsync(
                "PUT", $"/databases/some/docs?id={collection}/1",
                $$$"""{"@metadata":{"@collection":"{{{collection}}}"}}""")).Expect(HttpStatusCode.Created);
        }

        DumpContent users = DumpContent.Read(await _server.ExportAsync(
            "some", """{"OperateOnTypes":"Documents,Conflicts","Collections":["users"]}"""));
        Assert.Equal(["BuildVersion", "Docs"], users.Sections.Select(section => section.Name));
        Assert.Equal("Users/1", (string?)users["Docs"].Single()["@metadata"]!["@id"]);
        byte[] all = await _server.ExportAsync("some");
        await _server.CreateAsync("someCopy");
        JsonNode result = await _server.ImportAsync(all, "someCopy", """{"Collections":["Orders"]}""");
        Assert.Equal(1, (int)result["Documents"]!["ReadCount"]!);
        Assert.Equal(1, (int)result["Documents"]!["SkippedCount"]!);
    }

    [Fact]
    public async Task An_imported_document_keeps_the_time_of_its_last_change()
    {
        await _server.CreateAsync("times");
        await _server.ImportAsync(
            """
            {"Docs":[{"N":1,"@metadata":{"@id":"a","@last-modified":"2019-01-04T07:46:44.5002849"}},
            {"@metadata":{"@id":"b","@last-modified":"2999-01-04T07:46:44.5002849"}}]}
            """u8.ToArray(),
            "times");
        JsonNode[] documents = [.. (await _server.SendAsync("GET", "/databases/times/docs?id=a&id=b"))
            .Json["Results"]!.AsArray().Select(one => one!["@metadata"]!["@last-modified"]!)];
        Assert.Equal("2019-01-04T07:46:44.5002849Z", (string?)documents[0]);
        Assert.DoesNotContain("2999-", (string?)documents[1], StringComparison.Ordinal);
    }

    private async Task<JsonArray> RevisionsAsync(string id) =>
        (await _server.SendAsync("GET", $"/databases/keptCopy/revisions?id={id}")).Expect(HttpStatusCode.OK)
            .Json["Results"]!.AsArray();

    private static string Vector(JsonNode document) => (string)document["@metadata"]!["@change-vector"]!;

    private static string WithoutTombstones(DumpContent content)
    {
        content.Sections.RemoveAll(section => section.Name is "Tombstones" or "CompareExchangeTombstones");
        return content.Normal();
    }
}
