using System.Net;
using System.Net.Sockets;
using System.Reflection;
using System.Text;
using FastTests.Server;
using FastTests.Support;
using Raven.Client.Documents;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;
using Raven.Client.Exceptions.Database;
using Raven.Client.ServerWide.Operations;

namespace FastTests.Client;

/// <summary>The way to the server and its faults: each ends in time, and in an exception that says what
/// happened.</summary>
public sealed class RequestExecutorTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    private const string Refusing = "http://127.0.0.1:1";

    [Fact]
    public async Task A_missing_database_is_reported_with_its_name()
    {
        using var store = new DocumentStore { Urls = [fixture.Url], Database = "nobody" };
        store.Initialize();
        DatabaseDoesNotExistException missing = await Assert.ThrowsAsync<DatabaseDoesNotExistException>(() =>
            store.OpenAsyncSession().LoadAsync<User>("users/a"));
        Assert.Equal("nobody", missing.DatabaseName);
    }

    [Fact]
    public async Task A_server_that_refuses_the_connection_is_skipped()
    {
        using DocumentStore home = fixture.NewStore();
        using var store = new DocumentStore
        {
            Urls = [Refusing, fixture.Url], Database = home.Database, Conventions = { DisableTopologyUpdates = true },
        };
        store.Initialize();
        List<string> failed = [];
        store.OnFailedRequest += (_, failure) => failed.Add(failure.Url);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new User { Name = "A" }, "users/a");
        await session.SaveChangesAsync();
        Assert.Equal("A", (await store.OpenAsyncSession().LoadAsync<User>("users/a"))!.Name);
        Assert.Single(failed);
    }

    [Fact]
    public async Task If_no_server_answers_the_exception_names_all_of_them()
    {
        using var store = new DocumentStore { Urls = [Refusing, "http://127.0.0.1:2"], Database = "db" };
        store.Initialize();
        AllTopologyNodesDownException down = await Assert.ThrowsAsync<AllTopologyNodesDownException>(() =>
            store.OpenAsyncSession().LoadAsync<User>("users/a"));
        Assert.Contains("127.0.0.1:1", down.Message, StringComparison.Ordinal);
        Assert.Contains("127.0.0.1:2", down.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_request_to_a_server_that_does_not_answer_ends_at_its_timeout()
    {
        using var silent = new Silent();
        using var store = new DocumentStore { Urls = [silent.Url], Database = "db" };
        store.Initialize();
        using (store.SetRequestTimeout(TimeSpan.FromMilliseconds(200)))
        {
            await Assert.ThrowsAsync<RavenTimeoutException>(() =>
                store.OpenAsyncSession().LoadAsync<User>("users/a"));
        }

        using var cancelled = new CancellationTokenSource(Deadline.Grace);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            store.OpenAsyncSession().LoadAsync<User>("users/a", cancelled.Token));
    }

    [Fact]
    public async Task A_write_that_may_have_been_done_is_not_sent_again()
    {
        using DocumentStore home = fixture.NewStore();
        using var broken = new Silent(answer: "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"Res");
        using var store = new DocumentStore
        {
            Urls = [broken.Url, fixture.Url], Database = home.Database, Conventions = { DisableTopologyUpdates = true },
        };
        store.Initialize();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        session.Delete("users/a");
        await Assert.ThrowsAsync<RequestFailedException>(() => session.SaveChangesAsync());
        Assert.Equal(1, broken.Connections);

        using IAsyncDocumentSession reader = store.OpenAsyncSession();
        Assert.Null(await reader.LoadAsync<User>("users/a"));
    }

    [Fact]
    public async Task A_write_that_may_have_been_done_is_reported_as_such_though_another_server_is_down()
    {
        using var broken = new Silent(answer: "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"Res");
        using var store = new DocumentStore
        {
            Urls = [Refusing, broken.Url], Database = "db", Conventions = { DisableTopologyUpdates = true },
        };
        store.Initialize();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        session.Delete("users/a");
        await Assert.ThrowsAsync<RequestFailedException>(() => session.SaveChangesAsync());
    }

    [Fact]
    public async Task A_client_reconnects_to_a_restarted_server_which_has_all_acknowledged_writes()
    {
        string folder = Directory.CreateTempSubdirectory("raven-client-").FullName;
        try
        {
            var first = new TestServer(options => options with { RunInMemory = false, DataDirectory = folder });
            int port = first.Port;
            using var store = new DocumentStore { Urls = [first.Host.Url], Database = "db" };
            store.Initialize();
            await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new("db")));
            using (IAsyncDocumentSession session = store.OpenAsyncSession())
            {
                await session.StoreAsync(new User { Name = "A" }, "users/a");
                await session.SaveChangesAsync();
            }

            first.Dispose();
            await Assert.ThrowsAsync<AllTopologyNodesDownException>(() =>
                store.OpenAsyncSession().LoadAsync<User>("users/a"));
            using var second = new TestServer(options => options with
            {
                RunInMemory = false,
                DataDirectory = folder,
                ServerUrl = new Uri($"http://127.0.0.1:{port}"),
            });
            Assert.Equal("A", (await store.OpenAsyncSession().LoadAsync<User>("users/a"))!.Name);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task A_repeated_read_sends_the_tag_of_the_cached_answer()
    {
        using DocumentStore store = fixture.NewStore();
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(new User { Name = "A" }, "users/a");
            await session.SaveChangesAsync();
        }

        List<HttpStatusCode> answers = [];
        store.OnSucceedRequest += (_, answer) => answers.Add(answer.Response.StatusCode);
        Assert.Equal("A", (await store.OpenAsyncSession().LoadAsync<User>("users/a"))!.Name);
        Assert.Equal("A", (await store.OpenAsyncSession().LoadAsync<User>("users/a"))!.Name);
        var noCaching = new SessionOptions { NoCaching = true };
        Assert.Equal("A", (await store.OpenAsyncSession(noCaching).LoadAsync<User>("users/a"))!.Name);
        Assert.Equal([HttpStatusCode.OK, HttpStatusCode.NotModified, HttpStatusCode.OK], answers);
    }

    [Fact]
    public async Task Request_bodies_are_compressed_if_the_conventions_say_so()
    {
        using DocumentStore store = fixture.NewStore(store =>
        {
            store.Conventions.UseHttpCompression = true;
            store.Conventions.UseHttpDecompression = true;
        });
        List<string> encodings = [];
        store.OnBeforeRequest += (_, sent) => encodings.AddRange(sent.Request.Content?.Headers.ContentEncoding ?? []);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new User { Name = new string('x', 100_000) }, "users/a");
        await session.SaveChangesAsync();
        Assert.Equal(["gzip"], encodings);
        Assert.Equal(100_000, (await store.OpenAsyncSession().LoadAsync<User>("users/a"))!.Name.Length);
    }

    [Fact]
    public void Conventions_of_an_initialized_store_cannot_be_changed()
    {
        using DocumentStore store = fixture.NewStore();
        Assert.Throws<InvalidOperationException>(() => store.Conventions.RequestTimeout = TimeSpan.Zero);
        Assert.Throws<InvalidOperationException>(() => store.Urls = []);
        Assert.Throws<InvalidOperationException>(() => store.Conventions.RegisterAsyncIdConvention<User>(
            (_, _) => Task.FromResult("users/1")));
        (object Owner, PropertyInfo Property)[] settable =
        [
            .. ((object[])[store, store.Conventions]).SelectMany(owner => owner.GetType().GetProperties()
                .Where(property => property.SetMethod is { IsPublic: true }).Select(property => (owner, property))),
        ];
        Assert.True(settable.Length > 20);
        Assert.All(settable, it => Assert.IsType<InvalidOperationException>(Assert.Throws<TargetInvocationException>(
            () => it.Property.SetValue(it.Owner, it.Property.GetValue(it.Owner))).InnerException));
        Assert.Throws<InvalidOperationException>(() => new DocumentStore { Urls = ["nonsense"] }.Initialize());
        using var unready = new DocumentStore { Urls = [fixture.Url], Database = "db" };
        Assert.Throws<InvalidOperationException>(() => unready.OpenSession());
    }

    [Fact]
    public async Task The_state_of_an_unknown_operation_is_reported_as_missing()
    {
        using DocumentStore store = fixture.NewStore();
        var operation = new Operation(store.GetRequestExecutor(), 123456);
        RavenException unknown = await Assert.ThrowsAsync<RavenException>(() => operation.WaitForCompletionAsync());
        Assert.Contains("123456", unknown.Message, StringComparison.Ordinal);
    }

    /// <summary>A server that takes requests, and answers with a piece of text, or not at all.</summary>
    private sealed class Silent : IDisposable
    {
        private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
        private readonly List<TcpClient> _clients = [];

        internal Silent(string? answer = null)
        {
            _listener.Start();
            Url = $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}";
            _ = AcceptAsync(answer);
        }

        internal string Url { get; }

        internal int Connections => _clients.Count;

        public void Dispose()
        {
            _listener.Dispose();
            _clients.ForEach(client => client.Dispose());
        }

        private async Task AcceptAsync(string? answer)
        {
            byte[] buffer = new byte[4096];
            while (await Accepting.NextAsync(_listener) is { } client)
            {
                _clients.Add(client);
                if (answer != null)
                {
                    await client.GetStream().ReadAtLeastAsync(buffer, 1);
                    await client.GetStream().WriteAsync(Encoding.ASCII.GetBytes(answer));
                    client.Client.Shutdown(SocketShutdown.Send);
                }
            }
        }
    }
}
