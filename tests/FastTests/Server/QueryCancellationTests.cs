using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>Queries with a slow condition end when they are cancelled, and when no client waits for them.</summary>
public sealed class QueryCancellationTests(QueryCancellationTests.Texts texts)
    : IClassFixture<QueryCancellationTests.Texts>
{
    private const int Documents = 4_000;

    /// <summary>Each of the terms takes some tenths of a millisecond with each of the patterns, and minutes with all: a
    /// query that is seen to end did not end by itself.</summary>
    private static readonly string Query = QueryHttpTests.Body("from Ds where " + string.Join(
        " or ", Enumerable.Range(0, 240).Select(
            i => $"regex(T, '[ab]*a[ab]{{{14 + (i % 10)}}}{(char)('c' + (i / 10))}')")));

    [Fact]
    public async Task A_killed_query_ends_while_a_slow_condition_is_evaluated()
    {
        TestServer server = texts.Server;
        Task<HttpAnswer> asked = server.SendAsync("POST", "~/queries", Query);
        long id = await IdOfAsync(server);
        HttpAnswer killed = await server.SendAsync("POST", $"/admin/requests/kill?id={id}");
        Assert.True((bool)killed.Expect(HttpStatusCode.OK).Json["Killed"]!);

        // A browser would send it once more if its connection was cut.
        (await asked).ExpectError(400, "was killed");
        await AssertEndsAsync(server);
    }

    [Fact]
    public async Task A_query_after_a_killed_one_on_the_same_connection_is_answered()
    {
        TestServer server = texts.Server;
        using var client = new RawConnection(server.Port);
        for (int turn = 0; turn < 2; turn++)
        {
            client.Send(
                "POST /databases/db/queries HTTP/1.1\r\nHost: localhost\r\n"
                + $"Content-Length: {Query.Length}\r\n\r\n{Query}");
            long id = await IdOfAsync(server);
            (await server.SendAsync("POST", $"~/debug/queries/kill?id={id}")).Expect(HttpStatusCode.NoContent);
            (int status, _, string body) = client.Receive();
            Assert.Equal(400, status);
            Assert.Contains("System.OperationCanceledException", body, StringComparison.Ordinal);
        }

        client.Send("GET /databases/db/queries?query=from%20Ds%20limit%201 HTTP/1.1\r\nHost: localhost\r\n\r\n");
        Assert.Equal(200, client.Receive().Status);
    }

    [Fact]
    public async Task A_query_whose_client_disconnects_ends_while_a_slow_condition_is_evaluated()
    {
        TestServer server = texts.Server;
        using (var client = new RawConnection(server.Port))
        {
            client.Send(
                "POST /databases/db/streams/queries HTTP/1.1\r\nHost: localhost\r\n"
                + $"Content-Length: {Query.Length}\r\n\r\n{Query}");
            await IdOfAsync(server);
        }

        await AssertEndsAsync(server);
    }

    private static async Task<long> IdOfAsync(TestServer server)
    {
        long id = 0;
        await Deadline.UntilAsync(
            async () =>
            {
                JsonNode? running = await FindAsync(server);
                id = (long?)running?["Id"] ?? 0;
                return running is not null && (double)running["Milliseconds"]! > 100;
            },
            "The query never ran, or not for long.");
        return id;
    }

    private static async Task<JsonNode?> FindAsync(TestServer server)
    {
        JsonNode list = (await server.SendAsync("GET", "/admin/requests/running")).Json["Results"]!;
        return list.AsArray().FirstOrDefault(
            one => ((string)one!["Path"]!).EndsWith("/queries", StringComparison.Ordinal));
    }

    private static async Task AssertEndsAsync(TestServer server)
    {
        await Deadline.UntilAsync(async () => await FindAsync(server) is null, "The query still runs.");
        await server.AssertServesAsync();
    }

    /// <summary>A server with the texts that all of this class ask.</summary>
    public sealed class Texts : IAsyncLifetime
    {
        internal TestServer Server { get; private set; } = null!;

        /// <inheritdoc/>
        public async ValueTask InitializeAsync()
        {
            Server = await TestServer.WithDatabaseAsync();
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

            (await Server.SendAsync("POST", "~/bulk_insert", body.Append(']').ToString())).Expect(HttpStatusCode.OK);

            // The index is made, and has all.
            HttpAnswer first = await Server.SendAsync("GET", "~/queries?query=from%20Ds%20where%20T%20%3D%20'x'");
            Assert.False((bool)first.Expect(HttpStatusCode.OK).Json["IsStale"]!);
        }

        /// <inheritdoc/>
        public ValueTask DisposeAsync()
        {
            Server.Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
