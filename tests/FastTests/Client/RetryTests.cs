using FastTests.Queries;
using FastTests.Support;
using Raven.Client.Documents;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;

namespace FastTests.Client;

/// <summary>
/// Which requests go to the next server, which do not, and how the servers of a database are found while the
/// store lives.
/// </summary>
public sealed class RetryTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    private const string Refusing = "http://127.0.0.1:1";
    private const string Nothing = "{\"Results\":[null],\"Includes\":{}}";

    [Theory]
    [InlineData("timeout")]
    [InlineData("broken")]
    [InlineData("page")]
    [InlineData("408")]
    [InlineData("502")]
    [InlineData("503")]
    [InlineData("504")]
    public async Task A_read_is_sent_to_the_next_server_after_any_failure(string fault)
    {
        using DocumentStore home = fixture.NewStore();
        await PutAsync(home, "users/1");
        using FaultyServer faulty = ServerOf(fault);
        var clock = new IndexClock();
        using DocumentStore store = StoreOf(faulty, fault, home, clock);
        List<string> failed = [];
        store.OnFailedRequest += (_, failure) => failed.Add(failure.Url);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await ExpectAsync(async () => (await session.LoadAsync<User>("users/1"))!.Name);
        await ExpectAsync(async () => (await session.Query<User>().SingleAsync()).Name);
        if (fault is not ("broken" or "page"))
        {
            // The reader may have had a part of a stream that has begun: it is not silently restarted.
            await ExpectAsync(async () =>
                (await session.Advanced.StreamAsync<User>("users/").SingleAsync()).Document.Name);
        }

        async Task ExpectAsync(Func<Task<string>> read)
        {
            failed.Clear();
            Assert.Equal("A", await read());
            Assert.StartsWith(faulty.Url, Assert.Single(failed), StringComparison.Ordinal);

            // What failed is asked last for a while, and first again after it.
            using IAsyncDocumentSession other = store.OpenAsyncSession();
            Assert.NotNull(await other.LoadAsync<User>("users/1"));
            Assert.Single(failed);
            clock.Advance(TimeSpan.FromSeconds(5));
        }
    }

    [Theory]
    [InlineData("timeout", false)]
    [InlineData("broken", false)]
    [InlineData("page", false)]
    [InlineData("408", false)]
    [InlineData("502", false)]
    [InlineData("503", true)]
    [InlineData("504", false)]
    public async Task A_write_is_sent_again_only_if_it_was_surely_not_done(string fault, bool isSentAgain)
    {
        using DocumentStore home = fixture.NewStore();
        using FaultyServer faulty = ServerOf(fault);
        using DocumentStore store = StoreOf(faulty, fault, home);
        List<string> sent = [];
        store.OnBeforeRequest += (_, request) => sent.Add(request.Request.RequestUri!.Authority);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new User(), "users/1");
        Exception? failure = await Record.ExceptionAsync(() => session.SaveChangesAsync());
        string[] servers = [new Uri(faulty.Url).Authority, new Uri(fixture.Url).Authority];
        Assert.Equal(isSentAgain ? servers : servers[..1], sent);
        Assert.Equal(isSentAgain, failure is null);
        Assert.True(isSentAgain || failure is OutcomeUnknownException, failure?.ToString());
        using IAsyncDocumentSession reader = home.OpenAsyncSession();
        Assert.Equal(isSentAgain, await reader.Advanced.ExistsAsync("users/1"));
    }

    /// <summary>The first server is gone meanwhile, or still there: the servers that it listed list others.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_topology_is_read_again_after_another_server_had_to_be_asked(bool isFirstGone)
    {
        using DocumentStore home = fixture.NewStore();
        await PutAsync(home, "users/1");
        string newest = $$"""{"Etag":2,"Nodes":[{"Url":"{{fixture.Url}}"}]}""";
        using var second = new FaultyServer(
            request => FaultyServer.Answer(200, IsTopology(request) ? newest : Nothing));
        string told = $$"""{"Etag":1,"Nodes":[{"Url":"{{Refusing}}"},{"Url":"{{second.Url}}"}]}""";
        using var first = new FaultyServer(_ => FaultyServer.Answer(200, Interlocked.Exchange(ref told, newest)));
        using var store = new DocumentStore { Urls = [first.Url], Database = home.Database };
        store.Initialize();
        if (isFirstGone)
        {
            store.OnTopologyUpdated += (_, _) => first.Dispose();
        }

        Assert.Null(await store.OpenAsyncSession().LoadAsync<User>("users/1"));
        await UntilAsync(store, etag: 2);
        Assert.Equal("A", (await store.OpenAsyncSession().LoadAsync<User>("users/1"))!.Name);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_topology_is_read_again_if_an_answer_says_so(bool isSaid)
    {
        using DocumentStore home = fixture.NewStore();
        await PutAsync(home, "users/1");
        int asked = 0;
        FaultyServer? server = null;
        using FaultyServer made = new(request => !IsTopology(request)
            ? FaultyServer.Answer(200, Nothing, isSaid ? "Refresh-Topology: true\r\n" : "")
            : FaultyServer.Answer(200, Interlocked.Increment(ref asked) == 1
                ? $$"""{"Etag":1,"Nodes":[{"Url":"{{server!.Url}}"}]}"""
                : $$"""{"Etag":2,"Nodes":[{"Url":"{{fixture.Url}}"}]}"""));
        server = made;
        using var store = new DocumentStore { Urls = [server.Url], Database = home.Database };
        store.Initialize();
        Assert.Null(await store.OpenAsyncSession().LoadAsync<User>("users/1"));
        if (isSaid)
        {
            await UntilAsync(store, etag: 2);
        }

        Assert.Equal(isSaid ? "A" : null, (await store.OpenAsyncSession().LoadAsync<User>("users/1"))?.Name);
        Assert.Equal(isSaid ? 2 : 1, asked);
    }

    private static bool IsTopology(string request) => request.StartsWith("GET /topology?", StringComparison.Ordinal);

    private static FaultyServer ServerOf(string fault) => fault switch
    {
        "timeout" => new FaultyServer(""),
        "broken" => new FaultyServer(
            "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"Res", FaultyServer.CloseItsSide),
        "page" => new FaultyServer(FaultyServer.Answer(200, "<html>Please log in</html>")),
        _ => new FaultyServer(FaultyServer.Answer(int.Parse(fault), "<html>not now</html>")),
    };

    /// <summary>
    /// A store that asks the faulty server first, but not for long if it is silent, and then the real one.
    /// </summary>
    private static DocumentStore StoreOf(
        FaultyServer faulty, string fault, DocumentStore home, TimeProvider? clock = null)
    {
        var store = new DocumentStore
        {
            Urls = [faulty.Url, home.Urls[0]], Database = home.Database,
            Conventions = { DisableTopologyUpdates = true, Clock = clock ?? TimeProvider.System },
        };
        store.Initialize();
        store.OnBeforeRequest += (_, request) => store.SetRequestTimeout(
            fault == "timeout"
            && request.Request.RequestUri!.OriginalString.StartsWith(faulty.Url, StringComparison.Ordinal)
                ? TimeSpan.FromMilliseconds(30)
                : Deadline.Hang);
        return store;
    }

    private static async Task PutAsync(DocumentStore store, string id)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new User { Name = "A" }, id);
        await session.SaveChangesAsync();
        Assert.Equal(1, await session.Query<User>().Customize(it => it.WaitForNonStaleResults()).CountAsync());
    }

    private static Task UntilAsync(DocumentStore store, long etag) =>
        Deadline.UntilAsync(() => store.GetRequestExecutor().Topology?.Etag == etag);
}
