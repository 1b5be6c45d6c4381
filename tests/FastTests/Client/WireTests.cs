using System.Text.Json;
using System.Text.RegularExpressions;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Changes;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Session;
using Raven.Client.ServerWide.Operations;

namespace FastTests.Client;

/// <summary>
/// How many connections and requests there are between a store and its server, and of which bytes, as seen by a proxy
/// between them.
/// </summary>
public sealed class WireTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    private static readonly string Large = new('x', 100_000);

    [Fact]
    public async Task Consecutive_requests_use_one_connection()
    {
        using DocumentStore home = fixture.NewStore();
        using var relay = new Relay(fixture.Url);
        using DocumentStore store = StoreOf(relay, home);
        for (int i = 0; i < 10; i++)
        {
            using IAsyncDocumentSession session = store.OpenAsyncSession();
            await session.StoreAsync(new User { Age = i }, $"users/{i}");
            await session.SaveChangesAsync();
            Assert.Null(await session.LoadAsync<User>("users/none"));
        }

        await store.Maintenance.Server.SendAsync(new GetDatabaseNamesOperation(0, 10));
        Assert.Equal(21, RequestsOf(relay).Length);
        Assert.Equal(1, relay.Connections);
    }

    [Fact]
    public async Task All_watches_of_a_store_and_a_database_share_one_connection()
    {
        using DocumentStore home = fixture.NewStore();
        using DocumentStore second = fixture.NewStore();
        using var relay = new Relay(fixture.Url);
        using DocumentStore store = StoreOf(relay, home);
        await WatchAsync(store.Changes().ForAllDocuments());
        await WatchAsync(store.Changes(home.Database).ForDocument("users/1"));
        await WatchAsync(store.Changes().ForDocumentsStartingWith("users/"));
        await WatchAsync(store.Changes().ForAllIndexes());
        await WatchAsync(store.Changes().ForAllCounters());
        await WatchAsync(store.Changes(second.Database).ForAllDocuments());
        await WatchAsync(store.Changes(second.Database).ForAllOperations());
        Assert.Equal(5, Assert.Single(await WatchesAsync(home)));
        Assert.Equal(2, Assert.Single(await WatchesAsync(second)));
        Assert.Equal(2, RequestsOf(relay).Count(line => line.Contains("/changes ", StringComparison.Ordinal)));
        Assert.Equal(2, relay.Connections);
    }

    [Fact]
    public async Task Lazy_operations_are_sent_in_one_request_to_multi_get()
    {
        using DocumentStore home = fixture.NewStore();
        using var relay = new Relay(fixture.Url);
        using DocumentStore store = StoreOf(relay, home);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new User { Name = "a" }, "users/1");
        await session.SaveChangesAsync();
        session.Advanced.Clear();
        relay.Forget();
        int told = 0;
        store.OnBeforeRequest += (_, _) => told++;
        Lazy<Task<User?>> one = session.Advanced.Lazily.LoadAsync<User>("users/1");
        Lazy<Task<Dictionary<string, User?>>> two = session.Advanced.Lazily.LoadAsync<User>(["users/2", "users/3"]);
        Lazy<Task<IReadOnlyList<User>>> page = session.Advanced.Lazily.LoadStartingWithAsync<User>("users/");
        Lazy<Task<int>> count = session.Query<User>().Where(user => user.Age > 7).CountLazilyAsync();
        Lazy<Task<IEnumerable<User>>> query = session.Query<User>().LazilyAsync();
        Assert.Empty(relay.Sent);
        Assert.Equal("a", (await one.Value)!.Name);
        Assert.Equal((2, 1), ((await two.Value).Count, (await page.Value).Count));
        Assert.Equal((0, 1), (await count.Value, (await query.Value).Count()));
        Assert.Equal($"POST /databases/{home.Database}/multi_get HTTP/1.1", Assert.Single(RequestsOf(relay)));
        Assert.Equal(1, told);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Requests_are_compressed_if_the_conventions_say_so(bool isCompressed)
    {
        using DocumentStore home = fixture.NewStore();
        using var relay = new Relay(fixture.Url);
        using DocumentStore store = StoreOf(
            relay, home, made => made.Conventions.UseHttpCompression = isCompressed);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new User { Name = Large }, "users/1");
        await session.SaveChangesAsync();
        ExpectBytes(relay.Sent, "Content-Encoding: gzip", isCompressed);
        using IAsyncDocumentSession reader = home.OpenAsyncSession();
        Assert.Equal(Large, (await reader.LoadAsync<User>("users/1"))!.Name);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Answers_are_compressed_if_the_conventions_say_so(bool isCompressed)
    {
        using DocumentStore home = fixture.NewStore();
        using var relay = new Relay(fixture.Url);
        using DocumentStore store = StoreOf(
            relay, home, made => made.Conventions.UseHttpDecompression = isCompressed);
        using (IAsyncDocumentSession session = home.OpenAsyncSession())
        {
            await session.StoreAsync(new User { Name = Large }, "users/1");
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession reader = store.OpenAsyncSession();
        Assert.Equal(Large, (await reader.LoadAsync<User>("users/1"))!.Name);
        Assert.Equal(isCompressed, relay.Sent.Contains("Accept-Encoding: ", StringComparison.Ordinal));
        ExpectBytes(relay.Received, "Content-Encoding: ", isCompressed);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Bulk_inserts_are_compressed_if_their_options_say_so(bool isCompressed)
    {
        using DocumentStore home = fixture.NewStore();
        using var relay = new Relay(fixture.Url);
        using DocumentStore store = StoreOf(relay, home);
        await using (BulkInsertOperation bulk = store.BulkInsert(
            options: new BulkInsertOptions { UseCompression = isCompressed }))
        {
            await bulk.StoreAsync(new User { Name = Large }, "users/1");
        }

        ExpectBytes(relay.Sent, "Content-Encoding: gzip", isCompressed);
        using IAsyncDocumentSession reader = home.OpenAsyncSession();
        Assert.Equal(Large, (await reader.LoadAsync<User>("users/1"))!.Name);
    }

    private static DocumentStore StoreOf(Relay relay, DocumentStore home, Action<DocumentStore>? configure = null)
    {
        var store = new DocumentStore
        {
            Urls = [relay.Url], Database = home.Database, Conventions = { DisableTopologyUpdates = true },
        };
        configure?.Invoke(store);
        store.Initialize();
        return store;
    }

    /// <summary>The first lines of the requests.</summary>
    private static string[] RequestsOf(Relay relay) =>
        [.. Regex.Matches(relay.Sent, "[A-Z]+ /[^ ]* HTTP/1\\.1").Select(match => match.Value)];

    private static void ExpectBytes(string bytes, string header, bool isCompressed)
    {
        Assert.Equal(isCompressed, bytes.Contains(header, StringComparison.Ordinal));
        Assert.True(isCompressed ? bytes.Length < 10_000 : bytes.Length > 100_000, $"{bytes.Length} bytes");
    }

    private static async Task WatchAsync<T>(IChangesObservable<T> watched)
    {
        watched.Subscribe(new Deaf<T>());
        await watched.EnsureSubscribedNow();
    }

    /// <summary>Of each connection that watches changes of a database, how many watches it has.</summary>
    private static async Task<int[]> WatchesAsync(DocumentStore store)
    {
        using var http = new HttpClient();
        using JsonDocument json = JsonDocument.Parse(await http.GetStringAsync(
            new Uri($"{store.Urls[0]}/databases/{store.Database}/changes/debug")));
        return
        [
            .. json.RootElement.GetProperty("Connections").EnumerateArray()
                .Select(one => one.GetProperty("Watches").GetArrayLength()),
        ];
    }

    private sealed class Deaf<T> : IObserver<T>
    {
        public void OnCompleted()
        {
        }

        public void OnError(Exception error)
        {
        }

        public void OnNext(T value)
        {
        }
    }
}
