using FastTests.Server;
using FastTests.Support;
using Raven.Client.Documents;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.Attachments;
using Raven.Client.Documents.Operations.Indexes;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;
using Raven.Client.ServerWide.Operations;

namespace FastTests.Client;

/// <summary>What goes wrong between a client and a server ends in time, in an exception of a type that is written
/// down.</summary>
public sealed class FaultTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    private static readonly TimeSpan Limit = TimeSpan.FromMilliseconds(300);

    [Fact]
    public async Task A_stream_that_fails_after_its_first_documents_ends_with_an_exception()
    {
        using var server = new TestServer(options => options with { ResponseBufferSizeBytesMax = 4096 });
        using var store = new DocumentStore { Urls = [server.Host.Url], Database = "db" };
        store.Initialize();
        await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new("db")));
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        for (int i = 0; i < 50; i++)
        {
            await session.StoreAsync(new User { Age = i, Name = new string('x', 500) }, $"users/{i:D2}");
        }

        await session.SaveChangesAsync();
        List<int> came = [];
        await Assert.ThrowsAsync<RequestFailedException>(async () =>
        {
            await foreach (StreamResult<User> one in session.Advanced.AsyncRawQuery<User>(
                "from Users as u select { Age: u.Age < 40 ? u.Age : nothing.Such, Name: u.Name }").StreamAsync())
            {
                came.Add(one.Document.Age);
            }
        });

        // A connection that is reset may lose what was under way, and with it any number of the first ones.
        Assert.Equal(Enumerable.Range(0, came.Count), came);
        Assert.InRange(came.Count, 0, 40);
        Assert.Equal(50, await session.Query<User>().CountAsync());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_stream_that_breaks_or_stalls_ends_with_an_exception_in_time(bool isBroken)
    {
        const string Document = "{\"Name\":\"a\",\"@metadata\":{\"@id\":\"users/1\"}}\n";
        using var server = new FaultyServer(
            FaultyServer.Chunk(Document), isBroken ? FaultyServer.Break : null);
        using DocumentStore store = StoreOf(server, isBroken ? null : TimeSpan.FromSeconds(1));
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        List<string> came = [];
        RavenException ended = await Assert.ThrowsAnyAsync<RavenException>(async () =>
        {
            await foreach (StreamResult<User> one in session.Advanced.StreamAsync<User>("users/"))
            {
                came.Add(one.Id!);
            }
        });
        Assert.IsType(isBroken ? typeof(RequestFailedException) : typeof(RavenTimeoutException), ended);
        Assert.Equal(["users/1"], came);
    }

    [Fact]
    public async Task An_answer_with_500_becomes_an_exception_with_its_message()
    {
        using var server = new FaultyServer(FaultyServer.Answer(
            500, "{\"Type\":\"Some.UnknownException\",\"Message\":\"it broke\",\"Error\":\"at line 7\"}"));
        using DocumentStore store = StoreOf(server);
        RavenException told = await Assert.ThrowsAsync<RavenException>(
            () => store.OpenAsyncSession().LoadAsync<User>("users/1"));
        Assert.Equal(("it broke", 500, "at line 7"), (told.Message, told.StatusCode, told.ServerError));
        using var proxy = new FaultyServer(FaultyServer.Answer(502, "<html>bad gateway</html>"));
        using DocumentStore behind = StoreOf(proxy);
        RavenException quoted = await Assert.ThrowsAnyAsync<RavenException>(
            () => behind.OpenAsyncSession().LoadAsync<User>("users/1"));
        Assert.Contains("bad gateway", quoted.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_request_to_a_server_that_closes_its_connection_or_stalls_fails_in_time()
    {
        using var closing = new FaultyServer("", FaultyServer.CloseItsSide);
        using DocumentStore closed = StoreOf(closing);
        await Assert.ThrowsAsync<RequestFailedException>(
            () => closed.OpenAsyncSession().LoadAsync<User>("users/1"));
        using var half = new FaultyServer("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"Resu");
        using DocumentStore slow = StoreOf(half, Limit);
        await Deadline.AssertWaitsAsync(Limit, () => Assert.ThrowsAsync<RavenTimeoutException>(
            () => slow.OpenAsyncSession().LoadAsync<User>("users/1")));
    }

    [Fact]
    public async Task A_request_on_a_connection_that_was_closed_while_idle_succeeds()
    {
        using var server = new FaultyServer(
            FaultyServer.Answer(200, "{\"Results\":[null],\"Includes\":{}}"), FaultyServer.CloseItsSide);
        using DocumentStore store = StoreOf(server);
        for (int i = 0; i < 5; i++)
        {
            Assert.Null(await store.OpenAsyncSession().LoadAsync<User>("users/1"));
        }

        Assert.Equal(5, server.Requests);
    }

    [Fact]
    public async Task A_save_whose_wait_for_indexes_times_out_throws_only_if_it_is_set_to_throw()
    {
        using DocumentStore store = fixture.NewStore();
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(new User { Name = "A" }, "users/1");
            session.Advanced.WaitForIndexesAfterSaveChanges(Deadline.Hang);
            await session.SaveChangesAsync();
            Assert.Equal(1, await session.Query<User>().Where(it => it.Name == "A").CountAsync());
        }

        await store.Maintenance.SendAsync(new StopIndexingOperation());
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(new User { Name = "B" }, "users/2");
            session.Advanced.WaitForIndexesAfterSaveChanges(Limit, throwOnTimeout: true);
            await Assert.ThrowsAsync<RavenTimeoutException>(() => session.SaveChangesAsync());
        }

        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(new User { Name = "C" }, "users/3");
            session.Advanced.WaitForIndexesAfterSaveChanges(Limit, throwOnTimeout: false);
            await session.SaveChangesAsync();
            Assert.NotNull(await store.OpenAsyncSession().LoadAsync<User>("users/2"));
        }

        await store.Maintenance.SendAsync(new StartIndexingOperation());
    }

    [Fact]
    public async Task A_save_whose_wait_for_indexes_times_out_is_not_sent_again()
    {
        using DocumentStore store = fixture.NewStore();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new User { Age = 1 }, "users/1");
        await session.StoreAsync(new User(), "users/gone");
        await session.SaveChangesAsync();
        Assert.Equal(1, await session.Query<User>().Where(it => it.Age == 1).CountAsync());
        await store.Maintenance.SendAsync(new StopIndexingOperation());
        session.Advanced.Evict((await session.LoadAsync<User>("users/1"))!);
        session.Advanced.Evict((await session.LoadAsync<User>("users/gone"))!);
        session.Advanced.Increment<User, int>("users/1", it => it.Age, 1);
        session.CountersFor("users/1").Increment("likes", 1);
        session.Advanced.Attachments.Store("users/1", "a", new MemoryStream("text"u8.ToArray()));
        session.Delete("users/gone");
        var fresh = new User { Name = "new" };
        await session.StoreAsync(fresh, "users/");
        session.Advanced.WaitForIndexesAfterSaveChanges(Limit, throwOnTimeout: true);
        await Assert.ThrowsAsync<RavenTimeoutException>(() => session.SaveChangesAsync());

        Assert.False(session.Advanced.HasChanges);
        Assert.StartsWith("users/0", fresh.Id, StringComparison.Ordinal);
        fresh.Name = "newer";
        await session.SaveChangesAsync();
        using IAsyncDocumentSession reader = store.OpenAsyncSession();
        Assert.Equal(2, (await reader.LoadAsync<User>("users/1"))!.Age);
        Assert.Equal(1, await reader.CountersFor("users/1").GetAsync("likes"));
        Assert.Equal("newer", (await reader.LoadAsync<User>(fresh.Id!))!.Name);
        Assert.False(await reader.Advanced.ExistsAsync("users/gone"));
        using AttachmentResult? attachment = await reader.Advanced.Attachments.GetAsync("users/1", "a");
        Assert.Equal("text", await new StreamReader(attachment!.Stream).ReadToEndAsync());
    }

    /// <summary>The server never answers: what the client says of how long it waited is what it waited.</summary>
    [Fact]
    public async Task The_requested_wait_for_indexes_is_added_to_the_request_timeout()
    {
        var wait = TimeSpan.FromMilliseconds(30);
        using var silent = new FaultyServer("");
        using DocumentStore store = StoreOf(silent, TimeSpan.FromMilliseconds(50));
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await LateAsync(() => session.LoadAsync<User>("users/1"), 50);
        await LateAsync(() => Waiting().ToListAsync(), 80);
        await LateAsync(() => session.Advanced.AsyncRawQuery<User>("from Users").WaitForNonStaleResults(wait)
            .ToListAsync(), 80);
        await LateAsync(async () => Assert.NotNull(await Waiting().StreamAsync().FirstAsync()), 80);
        Lazy<Task<IEnumerable<User>>> first = Waiting().LazilyAsync();
        Lazy<Task<int>> second = Waiting().CountLazilyAsync();
        await LateAsync(() => first.Value, 110);
        await LateAsync(() => second.Value, 110);
        await session.StoreAsync(new User(), "users/1");
        session.Advanced.WaitForIndexesAfterSaveChanges(wait, throwOnTimeout: false);
        await LateAsync(() => session.SaveChangesAsync(), 80);

        IRavenQueryable<User> Waiting() =>
            session.Query<User>().Customize(query => query.WaitForNonStaleResults(wait));

        static async Task LateAsync(Func<Task> ask, int milliseconds)
        {
            RavenTimeoutException late = await Deadline.AssertWaitsAsync(
                TimeSpan.FromMilliseconds(milliseconds), () => Assert.ThrowsAsync<RavenTimeoutException>(ask));
            Assert.EndsWith(
                $"was not answered within {TimeSpan.FromMilliseconds(milliseconds)}.", late.Message,
                StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_wait_may_be_longer_than_the_longest_timer()
    {
        using DocumentStore store = fixture.NewStore();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new User { Age = 1 }, "users/1");
        session.Advanced.WaitForIndexesAfterSaveChanges(TimeSpan.MaxValue);
        await session.SaveChangesAsync();
        IRavenQueryable<User> query = session.Query<User>().Where(it => it.Age == 1)
            .Customize(it => it.WaitForNonStaleResults(TimeSpan.MaxValue));
        Assert.Equal(1, await query.CountAsync());
        Lazy<Task<int>> one = query.CountLazilyAsync();
        Lazy<Task<int>> other = query.CountLazilyAsync();
        Assert.Equal((1, 1), (await one.Value, await other.Value));
    }

    [Theory]
    [InlineData("<html>Please log in</html>")]
    [InlineData("[]")]
    [InlineData("7")]
    public async Task An_error_page_of_another_server_becomes_an_exception_with_its_text(string page)
    {
        using var proxy = new FaultyServer(FaultyServer.Answer(200, page));
        using DocumentStore store = StoreOf(proxy);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await RefusedAsync(() => session.LoadAsync<User>("users/1"));
        await RefusedAsync(() => session.Query<User>().ToListAsync());
        await RefusedAsync(() => session.Advanced.LoadStartingWithAsync<User>("users/"));
        await RefusedAsync(() => session.CountersFor("users/1").GetAsync("likes"));
        await RefusedAsync(() => session.Advanced.Revisions.GetForAsync<User>("users/1"));
        await RefusedAsync(() => session.Advanced.Lazily.LoadAsync<User>("users/2").Value);
        await RefusedAsync(() => store.Maintenance.SendAsync(new GetStatisticsOperation()));
        await RefusedAsync(() => store.Maintenance.Server.SendAsync(new GetDatabaseNamesOperation(0, 10)));
        await session.StoreAsync(new User(), "users/1");
        await RefusedAsync(() => session.SaveChangesAsync());

        async Task RefusedAsync(Func<Task> ask)
        {
            RavenException told = await Assert.ThrowsAnyAsync<RavenException>(ask);
            Assert.Contains(page, told.Message, StringComparison.Ordinal);
            Assert.NotNull(told.InnerException);
        }
    }

    private static DocumentStore StoreOf(FaultyServer server, TimeSpan? limit = null)
    {
        var store = new DocumentStore
        {
            Urls = [server.Url],
            Database = "db",
            Conventions = { DisableTopologyUpdates = true, RequestTimeout = limit ?? Deadline.Hang },
        };
        store.Initialize();
        return store;
    }
}
