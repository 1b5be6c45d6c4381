using FastTests.Support;
using Raven.Client.Documents;
using Raven.Client.Documents.Operations.Attachments;
using Raven.Client.Documents.Operations.Identities;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;
using Raven.Client.Exceptions.Cluster;
using Raven.Client.Exceptions.Database;

namespace FastTests.Client;

/// <summary>What the client does if nodes of a cluster fail, have no primary, or have the database no more.</summary>
public sealed class ClusterFailoverTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    private const string Perhaps =
        """{"Type":"Raven.Client.Exceptions.RavenTimeoutException","Message":"perhaps","Error":"perhaps"}""";

    private const string Gone =
        """{"Type":"Raven.Client.Exceptions.Database.DatabaseNotRelevantException","Message":"gone"}""";

    private const string Nobody =
        """{"Type":"Raven.Client.Exceptions.Cluster.NoLeaderException","Message":"nobody","Error":"nobody"}""";

    [Theory]
    [InlineData("perhaps", typeof(RavenTimeoutException))]
    [InlineData("broken", typeof(RequestFailedException))]
    public async Task What_was_perhaps_done_is_told_by_an_exception_of_its_own_and_not_sent_again(
        string fault, Type type)
    {
        using DocumentStore home = fixture.NewStore();
        using FaultyServer faulty = ServerOf(fault);
        using DocumentStore store = StoreOf(faulty, home);
        Exception? failure = await Record.ExceptionAsync(() => SaveAsync(store));
        Assert.IsType(type, failure);
        Assert.IsAssignableFrom<OutcomeUnknownException>(failure);
        Assert.False(await ExistsAsync(home));
    }

    [Theory]
    [InlineData(408, typeof(RavenTimeoutException))]
    [InlineData(502, typeof(RequestFailedException))]
    [InlineData(504, typeof(RavenTimeoutException))]
    public async Task An_answer_of_a_gateway_says_as_little_as_none(int status, Type type)
    {
        using DocumentStore home = fixture.NewStore();
        using var gateway = new FaultyServer(FaultyServer.Answer(status, "<html>Not now</html>"));
        using DocumentStore store = StoreOf(gateway, home);
        Exception? failure = await Record.ExceptionAsync(() => SaveAsync(store));
        Assert.IsType(type, failure);
        Assert.Equal(status, ((RavenException)failure).StatusCode);
        Assert.Contains("Not now", failure.Message, StringComparison.Ordinal);
        Assert.False(await ExistsAsync(home));
        using DocumentStore repeating = StoreOf(gateway, home, repeats: true);
        await SaveAsync(repeating);
        Assert.True(await ExistsAsync(home));
    }

    [Fact]
    public async Task A_write_without_a_body_is_sent_once_though_its_connection_was_used_before()
    {
        using DocumentStore home = fixture.NewStore();
        int count = 0;
        using var closing = new FaultyServer(_ => ++count == 1 ? "HTTP/1.1 204 X\r\n\r\n" : "", socket =>
        {
            if (count > 1)
            {
                FaultyServer.CloseItsSide(socket);
            }
        });
        using DocumentStore store = StoreOf(closing, home);
        await store.Operations.SendAsync(new DeleteAttachmentOperation("users/1", "a"));
        await Assert.ThrowsAsync<RequestFailedException>(
            () => store.Operations.SendAsync(new DeleteAttachmentOperation("users/1", "a")));
        Assert.Equal(2, count);
    }

    [Fact]
    public async Task A_server_to_which_there_is_no_connection_in_time_has_surely_done_nothing()
    {
        using DocumentStore home = fixture.NewStore();
        using var deaf = new DeafListener();
        using var store = new DocumentStore
        {
            Urls = [deaf.Url, home.Urls[0]], Database = home.Database,
            Conventions =
            {
                DisableTopologyUpdates = true, RequestTimeout = Deadline.Hang,
                CreateHttpMessageHandler = () => new SocketsHttpHandler
                {
                    ConnectTimeout = TimeSpan.FromMilliseconds(200),
                },
            },
        };
        store.Initialize();
        await SaveAsync(store);
        Assert.True(await ExistsAsync(home));
    }

    [Theory]
    [InlineData("perhaps")]
    [InlineData("broken")]
    public async Task A_write_that_was_perhaps_done_is_sent_again_if_the_conventions_say_so(string fault)
    {
        using DocumentStore home = fixture.NewStore();
        using FaultyServer faulty = ServerOf(fault);
        using DocumentStore store = StoreOf(faulty, home, repeats: true);
        Assert.True(store.Conventions.RepeatUncertainWrites);
        await SaveAsync(store);
        Assert.True(await ExistsAsync(home));
    }

    [Fact]
    public async Task A_request_that_the_server_remembers_is_sent_again_with_the_same_id()
    {
        using DocumentStore home = fixture.NewStore();
        string first = "";
        using var faulty = new FaultyServer(
            request =>
            {
                first = request;
                return "";
            },
            FaultyServer.Break);
        using DocumentStore store = StoreOf(faulty, home);
        List<string> sent = [];
        store.OnBeforeRequest += (_, request) => sent.Add(request.Request.RequestUri!.Query);
        Assert.Equal(1, await store.Maintenance.SendAsync(new NextIdentityForOperation("users")));
        Assert.Equal(2, sent.Count);
        Assert.Equal(sent[0], sent[1]);
        Assert.Contains("raft-request-id=", first, StringComparison.Ordinal);
        Assert.Equal(2, await store.Maintenance.SendAsync(new NextIdentityForOperation("users")));
    }

    [Fact]
    public async Task A_node_that_no_longer_has_the_database_is_left_for_the_next()
    {
        using DocumentStore home = fixture.NewStore();
        using FaultyServer faulty = ServerOf("gone");
        using DocumentStore store = StoreOf(faulty, home);
        await SaveAsync(store);
        Assert.True(await ExistsAsync(home));
        using DocumentStore alone = AloneOf(faulty, home);
        await Assert.ThrowsAsync<DatabaseNotRelevantException>(() => SaveAsync(alone));
    }

    [Fact]
    public async Task Without_a_primary_nothing_was_done_and_the_next_node_is_asked()
    {
        using DocumentStore home = fixture.NewStore();
        using FaultyServer faulty = ServerOf("nobody");
        using DocumentStore store = StoreOf(faulty, home);
        await SaveAsync(store);
        Assert.True(await ExistsAsync(home));
        using DocumentStore alone = AloneOf(faulty, home);
        await Assert.ThrowsAsync<NoLeaderException>(() => SaveAsync(alone));
    }

    [Fact]
    public async Task Each_request_says_which_list_of_nodes_it_knows()
    {
        List<string> asked = [];
        FaultyServer? server = null;
        using FaultyServer made = new(request =>
        {
            asked.Add(request);
            return FaultyServer.Answer(200, request.StartsWith("GET /topology", StringComparison.Ordinal)
                ? $$"""{"Etag":17,"Nodes":[{"Url":"{{server!.Url}}","ClusterTag":"A","ServerRole":"Member"}]}"""
                : "{\"Results\":[null],\"Includes\":{}}");
        });
        server = made;
        using var store = new DocumentStore { Urls = [server.Url], Database = "db" };
        store.Initialize();
        Assert.Null(await store.OpenAsyncSession().LoadAsync<User>("users/1"));
        Assert.DoesNotContain("Topology-Etag", asked[0], StringComparison.Ordinal);
        Assert.Contains("Topology-Etag: 17", asked[1], StringComparison.Ordinal);
    }

    private static FaultyServer ServerOf(string fault) => fault switch
    {
        "perhaps" => new FaultyServer(FaultyServer.Answer(500, Perhaps)),
        "gone" => new FaultyServer(FaultyServer.Answer(410, Gone)),
        "nobody" => new FaultyServer(FaultyServer.Answer(503, Nobody)),
        _ => new FaultyServer("", FaultyServer.Break),
    };

    /// <summary>A client that knows of one node alone.</summary>
    private static DocumentStore AloneOf(FaultyServer server, DocumentStore home)
    {
        var store = new DocumentStore
        {
            Urls = [server.Url], Database = home.Database, Conventions = { DisableTopologyUpdates = true },
        };
        store.Initialize();
        return store;
    }

    private static DocumentStore StoreOf(FaultyServer faulty, DocumentStore home, bool repeats = false)
    {
        var store = new DocumentStore
        {
            Urls = [faulty.Url, home.Urls[0]], Database = home.Database,
            Conventions =
            {
                DisableTopologyUpdates = true, RequestTimeout = Deadline.Hang, RepeatUncertainWrites = repeats,
            },
        };
        store.Initialize();
        return store;
    }

    private static async Task SaveAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new User { Name = "A" }, "users/1");
        await session.SaveChangesAsync();
    }

    private static async Task<bool> ExistsAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        return await session.Advanced.ExistsAsync("users/1");
    }
}
