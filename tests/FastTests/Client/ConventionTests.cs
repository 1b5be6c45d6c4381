using System.Net;
using System.Text.Json.Nodes;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;
using Raven.Client.Http;

namespace FastTests.Client;

/// <summary>Settings of a store before it is initialized apply to all that it does.</summary>
public sealed class ConventionTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    private enum Colour
    {
        Red,
        Green,
    }

    [Fact]
    public async Task The_conventions_decide_how_ids_are_made_and_found()
    {
        using DocumentStore store = fixture.NewStore(store =>
        {
            store.Conventions.FindIdentityProperty = member => member.Name == "Key";
            store.Conventions.TransformTypeCollectionNameToDocumentIdPrefix = collection => "of-" + collection;
            store.Conventions.IdentityPartsSeparator = '-';
        });
        Assert.True(store.Conventions.IsFrozen);
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            var thing = new Thing { Name = "a" };
            await session.StoreAsync(thing);
            Assert.Equal("of-Things-1-A", thing.Key);
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession reader = store.OpenAsyncSession();
        Assert.Equal("of-Things-1-A", (await reader.LoadAsync<Thing>("of-Things-1-A"))!.Key);
        Assert.Equal(1, await reader.Query<Thing>().Where(it => it.Key == "of-Things-1-A").CountAsync());
        JsonObject stored = (await store.OpenAsyncSession().LoadAsync<JsonObject>("of-Things-1-A"))!;
        Assert.Equal(["Colour", "Name"], stored.Select(property => property.Key).Where(name => name[0] != '@').Order());

        using DocumentStore named = fixture.NewStore(store => store.Conventions.AsyncDocumentIdGenerator =
            (database, entity) => Task.FromResult($"{database}/{((User)entity).Name}"));
        using IAsyncDocumentSession other = named.OpenAsyncSession();
        var user = new User { Name = "anna" };
        await other.StoreAsync(user);
        Assert.Equal(named.Database + "/anna", user.Id);
        Assert.Equal(0, other.Advanced.NumberOfRequests);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Enumerations_are_saved_as_numbers_and_unknown_properties_dropped_if_the_conventions_say_so(
        bool isTold)
    {
        using DocumentStore store = fixture.NewStore(store =>
        {
            store.Conventions.SaveEnumsAsIntegers = isTold;
            store.Conventions.PreserveDocumentPropertiesNotFoundOnModel = !isTold;
        });
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            var json = JsonNode.Parse("""{"Name":"a","Extra":1}""")!.AsObject();
            await session.StoreAsync(json, "things/1");
            session.Advanced.GetMetadataFor(json)["@collection"] = "Things";
            await session.SaveChangesAsync();
        }

        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            (await session.LoadAsync<Thing>("things/1"))!.Colour = Colour.Green;
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession reader = store.OpenAsyncSession();
        Assert.Equal(1, await reader.Query<Thing>().Where(it => it.Colour == Colour.Green).CountAsync());
        Assert.Equal(Colour.Green, (await reader.LoadAsync<Thing>("things/1"))!.Colour);
        JsonObject saved = (await store.OpenAsyncSession().LoadAsync<JsonObject>("things/1"))!;
        Assert.Equal(isTold ? "1" : "\"Green\"", saved["Colour"]!.ToJsonString());
        Assert.Equal(!isTold, saved.ContainsKey("Extra"));
    }

    [Fact]
    public async Task A_session_has_the_concurrency_and_request_limit_of_the_conventions()
    {
        using DocumentStore store = fixture.NewStore(store =>
        {
            store.Conventions.MaxNumberOfRequestsPerSession = 1;
            store.Conventions.UseOptimisticConcurrency = false;
        });
        Assert.Same(store.Conventions, store.GetRequestExecutor().Conventions);
        foreach (string name in new[] { "first", "last" })
        {
            using IAsyncDocumentSession session = store.OpenAsyncSession();
            Assert.False(session.Advanced.UseOptimisticConcurrency);
            await session.StoreAsync(new User { Name = name }, "users/a");
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession reader = store.OpenAsyncSession();
        Assert.Equal("last", (await reader.LoadAsync<User>("users/a"))!.Name);
        await Assert.ThrowsAsync<SessionRequestLimitException>(() => reader.LoadAsync<User>("users/b"));
    }

    [Fact]
    public async Task No_answer_is_cached_if_the_cache_size_is_zero()
    {
        using DocumentStore store = fixture.NewStore(store => store.Conventions.MaxHttpCacheSizeBytes = 0);
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(new User(), "users/a");
            await session.SaveChangesAsync();
        }

        List<HttpStatusCode> answers = [];
        store.OnSucceedRequest += (_, answer) => answers.Add(answer.Response.StatusCode);
        for (int i = 0; i < 2; i++)
        {
            Assert.NotNull(await store.OpenAsyncSession().LoadAsync<User>("users/a"));
        }

        Assert.Equal([HttpStatusCode.OK, HttpStatusCode.OK], answers);
    }

    [Fact]
    public async Task A_query_that_waits_for_indexes_sends_the_timeout_of_the_conventions()
    {
        using DocumentStore store = fixture.NewStore(store =>
            store.Conventions.WaitForNonStaleResultsTimeout = TimeSpan.FromSeconds(7));
        List<string> sent = [];
        store.OnBeforeRequest += (_, request) => sent.Add(BodyOf(request.Request));
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.Query<User>().Customize(it => it.WaitForNonStaleResults()).ToListAsync();
        await session.Advanced.AsyncDocumentQuery<User>().WaitForNonStaleResults().ToListAsync();
        await session.Advanced.AsyncRawQuery<User>("from Users").WaitForNonStaleResults().ToListAsync();
        Assert.Equal(3, sent.Count(body => body.Contains("\"00:00:07\"", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_bulk_insert_makes_no_new_version_of_unchanged_documents_if_it_skips_them(bool isSkipping)
    {
        using DocumentStore store = fixture.NewStore();
        List<string?> versions = [];
        for (int i = 0; i < 2; i++)
        {
            await using (BulkInsertOperation bulk = store.BulkInsert(
                options: new BulkInsertOptions { SkipOverwriteIfUnchanged = isSkipping }))
            {
                await bulk.StoreAsync(new User { Name = "a" }, "users/a");
            }

            using IAsyncDocumentSession session = store.OpenAsyncSession();
            versions.Add(session.Advanced.GetChangeVectorFor((await session.LoadAsync<User>("users/a"))!));
        }

        Assert.Equal(isSkipping ? 1 : 2, versions.Distinct().Count());
    }

    [Fact]
    public async Task A_session_uses_its_own_request_executor_and_keeps_external_state()
    {
        using DocumentStore store = fixture.NewStore();
        using var silent = new FaultyServer("");
        using var other = new DocumentStore
        {
            Urls = [silent.Url], Database = store.Database,
            Conventions = { DisableTopologyUpdates = true, RequestTimeout = TimeSpan.FromMilliseconds(50) },
        };
        other.Initialize();
        using IAsyncDocumentSession session = store.OpenAsyncSession(
            new SessionOptions { RequestExecutor = other.GetRequestExecutor() });
        Assert.Same(other.GetRequestExecutor(), session.Advanced.RequestExecutor);
        await Assert.ThrowsAsync<RavenTimeoutException>(() => session.LoadAsync<User>("users/a"));
        RavenTimeoutException late = Assert.Throws<RavenTimeoutException>(() => other.GetRequestExecutor().Execute(
            new UserCountCommand { Timeout = TimeSpan.FromMilliseconds(60) }));
        Assert.Contains("00:00:00.06", late.Message, StringComparison.Ordinal);
        session.Advanced.ExternalState["mine"] = 7;
        Assert.Equal(7, session.Advanced.ExternalState["mine"]);
        Assert.Empty(store.OpenSession().Advanced.ExternalState);
    }

    [Fact]
    public async Task Reads_are_spread_over_the_servers_by_the_read_balance_convention()
    {
        foreach ((ReadBalanceBehavior behavior, int[] expected) in new (ReadBalanceBehavior, int[])[]
        {
            (ReadBalanceBehavior.None, [4, 0]), (ReadBalanceBehavior.RoundRobin, [2, 2]),
        })
        {
            string nothing = FaultyServer.Answer(200, "{\"Results\":[null],\"Includes\":{}}");
            using var first = new FaultyServer(nothing);
            using var second = new FaultyServer(nothing);
            using var store = new DocumentStore
            {
                Urls = [first.Url, second.Url], Database = "db",
                Conventions = { DisableTopologyUpdates = true, ReadBalanceBehavior = behavior },
            };
            store.Initialize();
            await store.OpenAsyncSession().LoadAsync<User>("users/warm");
            int[] before = [first.Requests, second.Requests];
            for (int i = 0; i < 4; i++)
            {
                Assert.Null(await store.OpenAsyncSession().LoadAsync<User>("users/a"));
            }

            Assert.Equal(expected, new[] { first.Requests - before[0], second.Requests - before[1] });
        }
    }

    [Fact]
    public async Task The_client_uses_the_servers_of_the_topology_that_a_server_reports()
    {
        using DocumentStore home = fixture.NewStore();
        using var telling = new FaultyServer(FaultyServer.Answer(200, $$"""
            {"Etag":3,"Nodes":[{"Url":"http://127.0.0.1:1"},{"Url":"{{fixture.Url}}/","ClusterTag":"B"}]}
            """));
        using var store = new DocumentStore { Urls = [telling.Url], Database = home.Database };
        store.Initialize();
        List<Topology> told = [];
        List<string> failed = [];
        store.OnTopologyUpdated += (_, update) => told.Add(update.Topology);
        store.OnFailedRequest += (_, failure) => failed.Add(failure.Url);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new User { Name = "a" }, "users/a");
        await session.SaveChangesAsync();
        Assert.Equal("a", (await home.OpenAsyncSession().LoadAsync<User>("users/a"))!.Name);
        Assert.Equal(3, told[0].Etag);
        Assert.Equal(["http://127.0.0.1:1", fixture.Url], told[0].Nodes.Select(node => node.Url));
        Assert.StartsWith("http://127.0.0.1:1/", Assert.Single(failed), StringComparison.Ordinal);
    }

    private static string BodyOf(HttpRequestMessage request) =>
        request.Content?.ReadAsStringAsync().GetAwaiter().GetResult() ?? "";

    private sealed class Thing
    {
        public string? Key { get; set; }

        public string Name { get; set; } = "";

        public Colour Colour { get; set; }
    }
}
