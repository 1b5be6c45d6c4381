using System.Diagnostics;
using System.Net;
using System.Text;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Queries whose condition takes long end when they are ended, and when nobody waits for them.</summary>
public sealed class EndedQueryTests
{
    private const int Documents = 4_000;

    /// <summary>Each of the terms takes some tenths of a millisecond with each of the patterns.</summary>
    private static readonly string Query = "from Ds where " + string.Join(
        " or ", Enumerable.Range(14, 10).Select(length => $"regex(T, '[ab]*a[ab]{{{length}}}c')"));

    [Fact]
    public async Task A_query_that_is_killed_ends_within_its_condition()
    {
        using TestServer server = await WithTextsAsync();
        Task<HttpAnswer> asked = server.SendAsync("GET", $"~/queries?query={Uri.EscapeDataString(Query)}");
        long id = await IdOfAsync(server);
        HttpAnswer killed = await server.SendAsync("POST", $"/admin/requests/kill?id={id}");
        Assert.True((bool)killed.Expect(HttpStatusCode.OK).Json["Killed"]!);
        await Assert.ThrowsAsync<HttpRequestException>(() => asked);
        await AssertEndsAsync(server);
    }

    [Fact]
    public async Task A_query_whose_client_is_gone_ends_within_its_condition()
    {
        using TestServer server = await WithTextsAsync();
        using (var client = new RawConnection(server.Port))
        {
            client.Send(
                $"GET /databases/db/streams/queries?query={Uri.EscapeDataString(Query)} HTTP/1.1\r\n"
                + "Host: localhost\r\n\r\n");
            await IdOfAsync(server);
        }

        await AssertEndsAsync(server);
    }

    private static async Task<TestServer> WithTextsAsync()
    {
        TestServer server = await TestServer.WithDatabaseAsync();
        var body = new StringBuilder("[");
        var random = new Random(3);
        for (int i = 0; i < Documents; i++)
        {
            body.Append(i == 0 ? "" : ",").Append($"{{\"Id\":\"ds/{i}\",\"Type\":\"PUT\",\"Document\":{{\"T\":\"");
            for (int at = 0; at < 900; at++)
            {
                body.Append(random.Next(2) == 0 ? 'a' : 'b');
            }

            body.Append("\",\"@metadata\":{\"@collection\":\"Ds\"}}}");
        }

        (await server.SendAsync("POST", "~/bulk_insert", body.Append(']').ToString())).Expect(HttpStatusCode.OK);

        // The index is made, and has all.
        HttpAnswer first = await server.SendAsync("GET", "~/queries?query=from%20Ds%20where%20T%20%3D%20'x'");
        Assert.False((bool)first.Expect(HttpStatusCode.OK).Json["IsStale"]!);
        return server;
    }

    private static async Task<long> IdOfAsync(TestServer server)
    {
        for (int i = 0; i < 500; i++)
        {
            if (await FindAsync(server) is { } running && (double)running["Milliseconds"]! > 100)
            {
                return (long)running["Id"]!;
            }

            await Task.Delay(10);
        }

        throw new Xunit.Sdk.XunitException("The query never ran, or not for long.");
    }

    private static async Task<JsonNode?> FindAsync(TestServer server)
    {
        JsonNode list = (await server.SendAsync("GET", "/admin/requests/running")).Json["Results"]!;
        return list.AsArray().FirstOrDefault(
            one => ((string)one!["Path"]!).EndsWith("/queries", StringComparison.Ordinal));
    }

    private static async Task AssertEndsAsync(TestServer server)
    {
        var watch = Stopwatch.StartNew();
        while (await FindAsync(server) is not null)
        {
            Assert.True(watch.Elapsed < TimeSpan.FromSeconds(3), "The query still runs.");
            await Task.Delay(20);
        }

        await server.AssertServesAsync();
    }
}
