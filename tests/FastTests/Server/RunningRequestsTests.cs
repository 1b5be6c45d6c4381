using System.Net;
using System.Text.Json.Nodes;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>What runs can be seen, and ended.</summary>
public sealed class RunningRequestsTests
{
    [Fact]
    public async Task A_running_request_is_listed_with_its_details_and_can_be_killed()
    {
        using TestServer server = await TestServer.WithDatabaseAsync(
            o => o with { ScriptStepsMax = long.MaxValue, ScriptTimeMax = Deadline.Hang * 10 });
        string before = await server.PutAsync("a", "{}");
        Task<HttpAnswer> endless = server.SendAsync(
            "PATCH", "~/docs?id=a", """{"Patch":{"Script":"this.X = 1; while (true) {}"}}""");
        JsonNode? running = null;
        await Deadline.UntilAsync(async () =>
        {
            JsonNode list = (await server.SendAsync("GET", "/admin/requests/running")).Json["Results"]!;
            running = list.AsArray().FirstOrDefault(one => ((string?)one!["Detail"])?.Length > 0);
            return running is not null;
        });

        Assert.Equal("/databases/db/docs", (string?)running!["Path"]);
        Assert.Equal("?id=a", (string?)running["Query"]);
        Assert.Equal("this.X = 1; while (true) {}", (string?)running["Detail"]);
        HttpAnswer killed = await server.SendAsync("POST", $"/admin/requests/kill?id={running["Id"]}");
        Assert.True((bool)killed.Expect(HttpStatusCode.OK).Json["Killed"]!);
        await Assert.ThrowsAsync<HttpRequestException>(() => endless);
        JsonNode stored = (await server.SendAsync("GET", "~/docs?id=a")).Json["Results"]![0]!;
        Assert.Equal(before, (string?)stored["@metadata"]!["@change-vector"]);

        // The client is notified before the script has stopped.
        await Deadline.UntilAsync(
            async () =>
            {
                HttpAnswer again = await server.SendAsync("POST", $"/admin/requests/kill?id={running["Id"]}");
                return !(bool)again.Json["Killed"]!;
            },
            "The request still runs.");
    }

    [Fact]
    public async Task Listing_running_requests_does_not_disturb_idle_connections()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using var waiting = new RawConnection(server.Port);
        for (int i = 0; i < 3; i++)
        {
            waiting.Send("GET /build/version HTTP/1.1\r\nHost: localhost\r\n\r\n");
            Assert.Equal(200, waiting.Receive().Status);
            (await server.SendAsync("GET", "/admin/requests/running")).Expect(HttpStatusCode.OK);
            waiting.Send("POST /admin/requests/kill?id=1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
            (int status, _, string body) = waiting.Receive();
            Assert.True(status == 200, $"{status}: {body}");
            (await server.SendAsync("GET", "/admin/requests/running")).Expect(HttpStatusCode.OK);
        }
    }

    [Fact]
    public async Task The_storage_report_with_details_describes_each_structure()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        for (int i = 0; i < 300; i++)
        {
            await server.PutAsync($"a/{i}", """{"Text":"some words","@metadata":{"@collection":"As"}}""");
        }

        JsonNode report =
            (await server.SendAsync("GET", "~/debug/storage/report?details=true")).Expect(HttpStatusCode.OK).Json;
        Assert.Single(report["Collections"]!.AsArray());
        JsonNode[] structures = [.. report["Structures"]!.AsArray().Select(one => one!)];
        JsonNode byId = structures.Single(one => (string?)one["Name"] == "Documents.ById");
        Assert.Equal((0, "Tree", 300), ((int)byId["Part"]!, (string?)byId["Kind"], (int)byId["Entries"]!));
        Assert.Equal((int)byId["Depth"]! - 1, (int)byId["BranchPages"]!);
        Assert.Equal(
            ((int)byId["LeafPages"]! + (int)byId["BranchPages"]! + (int)byId["OverflowPages"]!)
                * (int)report["PageSizeBytes"]!,
            (int)byId["SizeInBytes"]!);
        Assert.All(structures, one => Assert.InRange((double?)one["Fill"] ?? 0, 0, 1));
        Assert.All(structures, one => Assert.Null(one["Unread"]));
        Assert.InRange((double)byId["Fill"]!, 0.2, 1);
        JsonNode heap = structures.First(one => (string?)one["Name"] == "Documents");
        Assert.Equal(("RowHeap", 300), ((string?)heap["Kind"], (int)heap["Entries"]!));
        Assert.InRange((double)heap["Fill"]!, 0.2, 1);
        long pageBytes = (long)report["Pages"]! * (long)report["PageSizeBytes"]!;
        Assert.InRange(structures.Sum(one => (long)one["SizeInBytes"]!), 1, pageBytes);
        (await server.SendAsync("GET", "~/debug/storage/report?details=perhaps")).Expect(HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task The_storage_report_has_the_counts_of_documents_files_and_commits()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", """{"@metadata":{"@collection":"As"}}""");
        JsonNode report = (await server.SendAsync("GET", "~/debug/storage/report")).Expect(HttpStatusCode.OK).Json;
        Assert.Equal("As", (string?)report["Collections"]![0]!["Name"]);
        Assert.Equal(1, (int)report["Collections"]![0]!["Documents"]!);
        Assert.True((long)report["DataFileBytes"]! > 0);
        Assert.Equal("/databases/*/debug/storage/report", (string?)report["OldestReader"]);
        Assert.True((long)report["JournalWrites"]! > 0);
        Assert.Equal(1, (long)report["SharedCommits"]!);
        Assert.Equal(1.0, (double)report["WritesPerSharedCommit"]!);
        Assert.Null(report["Structures"]);
        JsonNode openApi = (await server.SendAsync("GET", "/openapi.json")).Expect(HttpStatusCode.OK).Json;
        Assert.Equal("3.1.0", (string?)openApi["openapi"]);
    }
}
