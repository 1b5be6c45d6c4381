using FastTests.Support;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Changes;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.Attachments;
using Raven.Client.Documents.Operations.Counters;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;
using Raven.Client.ServerWide.Operations;

namespace FastTests.Client;

/// <summary>The overloads that are seldom called do what their siblings do.</summary>
public sealed class OverloadTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    private const int AttachmentSizeBytes = 4 * 1024 * 1024;

    [Fact]
    public async Task A_session_of_another_database_reads_and_writes_that_database()
    {
        using DocumentStore store = fixture.NewStore();
        using DocumentStore other = fixture.NewStore();
        using (IDocumentSession session = store.OpenSession(other.Database!))
        {
            session.Store(new User { Name = "there" }, "users/1");
            session.SaveChanges();
        }

        using IAsyncDocumentSession there = store.OpenAsyncSession(other.Database!);
        Assert.Equal("there", (await there.LoadAsync<User>("users/1"))!.Name);
        using IDocumentSession untracked = store.OpenSession(
            new SessionOptions { Database = other.Database, NoTracking = true });
        Assert.NotSame(untracked.Load<User>("users/1"), untracked.Load<User>("users/1"));
        using IDocumentSession here = store.OpenSession();
        Assert.Null(here.Load<User>("users/1"));
    }

    [Fact]
    public void Every_blocking_load_with_includes_needs_no_second_request()
    {
        using DocumentStore store = WithUsers();
        Ask(s => s.Include<User>(u => u.Name).Load("users/1"), "users/2");
        Ask(s => s.Include("Name").Load<User>("users/1"), "users/2");
        Ask(s => s.Include<User>(u => u.Tags).Load(["users/1"])["users/1"], "users/3");
        Ask(s => s.Include<User>(u => u.Name).Include(u => u.Tags).Load("users/1"), "users/3");
        Ask(s => s.Include<User>(u => u.Tags).Include(u => u.Name).Load("users/1"), "users/2");
        Ask(s => s.Include<User>(u => u.Tags).Include("Name").Load("users/1"), "users/2");
        Ask(s => s.Load<User>("users/1", it => it.IncludeDocuments(u => u.Name)), "users/2");
        Ask(s => s.Load<User>(["users/1"], it => it.IncludeDocuments(u => u.Tags))["users/1"], "users/3");

        void Ask(Func<IDocumentSession, User?> first, string second)
        {
            using IDocumentSession session = store.OpenSession();
            Assert.Equal("users/2", first(session)!.Name);
            Assert.Equal([second], session.Load<User>([second]).Keys);
            Assert.NotNull(session.Load<User>(second));
            Assert.Equal(1, session.Advanced.NumberOfRequests);
        }
    }

    [Fact]
    public async Task Every_asynchronous_load_with_includes_needs_no_second_request()
    {
        using DocumentStore store = WithUsers();
        await AskAsync(async s => await s.Include<User>(u => u.Name).LoadAsync("users/1"), "users/2");
        await AskAsync(async s => await s.Include("Name").LoadAsync<User>("users/1"), "users/2");
        await AskAsync(async s => await s.Include<User>(u => u.Tags).LoadAsync("users/1"), "users/3");
        await AskAsync(
            async s => await s.Include<User>(u => u.Tags).Include(u => u.Name).LoadAsync("users/1"), "users/2");
        await AskAsync(
            async s => await s.Include<User>(u => u.Name).Include(u => u.Tags).LoadAsync("users/1"), "users/3");
        await AskAsync(async s => await s.Include<User>(u => u.Tags).Include("Name").LoadAsync("users/1"), "users/2");
        await AskAsync(
            async s => (await s.LoadAsync<User>(["users/1"], it => it.IncludeDocuments(u => u.Tags)))["users/1"],
            "users/3");

        async Task AskAsync(Func<IAsyncDocumentSession, Task<User?>> first, string second)
        {
            using IAsyncDocumentSession session = store.OpenAsyncSession();
            Assert.Equal("users/2", (await first(session))!.Name);
            Assert.NotNull(await session.LoadAsync<User>(second));
            Assert.Equal(1, session.Advanced.NumberOfRequests);
        }
    }

    [Fact]
    public async Task Storing_and_deleting_with_an_expected_change_vector_throws_on_a_conflict()
    {
        using DocumentStore store = WithUsers();
        string version;
        using (IDocumentSession session = store.OpenSession())
        {
            version = session.Advanced.GetChangeVectorFor(session.Load<User>("users/1")!)!;
            session.Delete("users/1", "A:999");
            Assert.Throws<ConcurrencyException>(session.SaveChanges);
        }

        using (IDocumentSession session = store.OpenSession())
        {
            session.Store(new User { Name = "changed" }, version, "users/1");
            session.SaveChanges();
        }

        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(new User(), version, "users/1");
            await Assert.ThrowsAsync<ConcurrencyException>(() => session.SaveChangesAsync());
        }

        using (IDocumentSession session = store.OpenSession())
        {
            User user = session.Load<User>("users/1")!;
            Assert.Equal("changed", user.Name);
            session.CountersFor(user).Increment("likes");
            session.CountersFor(user).Increment("views");
            session.SaveChanges();
            session.CountersFor(user).Delete("likes");
            session.SaveChanges();
            Assert.Equal(["views"], session.CountersFor("users/1").GetAll().Keys);
            session.Delete(user);
            session.SaveChanges();
            Assert.False(session.Advanced.Exists("users/1"));
        }
    }

    [Fact]
    public async Task List_items_counters_attachments_and_compare_exchange_values_are_changed_by_a_save()
    {
        using DocumentStore store = WithUsers();
        await store.Operations.SendAsync(new CounterBatchOperation(
            new CountersBatchCommandData("users/1").Increment("a").Increment("b")));
        using (IAsyncDocumentSession session = store.OpenAsyncSession(
            new SessionOptions { TransactionMode = TransactionMode.ClusterWide }))
        {
            session.Advanced.ClusterTransaction.CreateCompareExchangeValue("k", 7);
            await session.SaveChangesAsync();
            long index = (await session.Advanced.ClusterTransaction.GetCompareExchangeValueAsync<int>("k"))!.Index;
            session.Advanced.ClusterTransaction.DeleteCompareExchangeValue("k", index);
            await session.SaveChangesAsync();
            Assert.Null(await session.Advanced.ClusterTransaction.GetCompareExchangeValueAsync<int>("k"));
        }

        using (IDocumentSession session = store.OpenSession(
            new SessionOptions { TransactionMode = TransactionMode.ClusterWide }))
        {
            session.Advanced.ClusterTransaction.CreateCompareExchangeValue("k", 8);
            session.SaveChanges();
            Assert.Equal(8, session.Advanced.ClusterTransaction.GetCompareExchangeValue<int>("k")!.Value);
        }

        using (IDocumentSession session = store.OpenSession())
        {
            User user = session.Load<User>("users/1")!;
            session.Advanced.Attachments.Store(
                user, "x", new MemoryStream(new byte[AttachmentSizeBytes]), "text/plain");
            session.Advanced.AddOrPatch<User, string>(
                "users/9", new User { Tags = ["first"] }, u => u.Tags, tags => tags.Add("second"));
            session.Advanced.Patch<User, string>("users/2", u => u.Tags, tags => tags.Remove("a"));
            session.Advanced.Defer(new CountersBatchCommandData("users/1").Delete("a"));
            session.SaveChanges();
        }

        using (IDocumentSession session = store.OpenSession())
        {
            Assert.Equal(["first"], session.Load<User>("users/9")!.Tags);
            Assert.Equal(["b", "c"], session.Load<User>("users/2")!.Tags);
            Assert.Equal(["b"], session.CountersFor("users/1").GetAll().Keys);
            AttachmentResult stored = session.Advanced.Attachments.Get("users/1", "x")!;
            stored.Dispose();
            var read = new MemoryStream();
            Exception? ended = Record.Exception(() => stored.Stream.CopyTo(read));
            Assert.True(ended != null || read.Length < AttachmentSizeBytes, "It was read to its end, though disposed.");
            session.Advanced.Attachments.Delete("users/1", "x");
            session.SaveChanges();
            Assert.False(session.Advanced.Attachments.Exists("users/1", "x"));
        }
    }

    [Fact]
    public async Task A_revision_is_made_when_a_session_forces_it()
    {
        using DocumentStore store = WithUsers();
        using IDocumentSession session = store.OpenSession();
        session.Advanced.Revisions.ForceRevisionCreationFor("users/1");
        session.Advanced.Revisions.ForceRevisionCreationFor(session.Load<User>("users/2")!);
        session.SaveChanges();
        using IAsyncDocumentSession other = store.OpenAsyncSession();
        other.Advanced.Revisions.ForceRevisionCreationFor("users/3");
        await other.SaveChangesAsync();
        Assert.Equal(
            [1L, 1L, 1L],
            new[] { "users/1", "users/2", "users/3" }.Select(id => session.Advanced.Revisions.GetCountFor(id)));
    }

    [Fact]
    public async Task Query_events_are_raised_and_queries_can_be_converted()
    {
        using DocumentStore store = WithUsers();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        List<string> told = [];
        List<User> found = await session.Advanced.AsyncDocumentQuery<User>().WhereEquals("Age", 1)
            .BeforeQueryExecuted(query => told.Add(query.Query))
            .AfterQueryExecuted(facts => told.Add($"{facts.TotalResults}")).ToListAsync();
        Assert.Equal(["users/1"], found.Select(it => it.Id));
        Assert.Equal(["from 'Users' where Age = $p0", "1"], told);
        Assert.Equal(
            "users/1", (await session.Advanced.AsyncDocumentQuery<User>().ToQueryable()
                .Where(it => it.Age == 1).SingleOrDefaultAsync())!.Id);
        Assert.Null(await session.Query<User>().Where(it => it.Age == 77).SingleOrDefaultAsync());
        Assert.Equal(1, await session.Query<User>().Where(it => it.Age == 1).LongCountAsync());
        using IDocumentSession blocking = store.OpenSession();
        Assert.Equal(
            "users/1", blocking.Advanced.DocumentQuery<object>(collectionName: "Users").WhereEquals("Age", 1)
                .OfType<User>().ToList().Single().Id);
        Assert.Equal(
            "from index 'Users/Overloads'", blocking.Query<User, Users_Overloads>().ToString());
        IRavenQueryable<User> users = session.Query<User>();
        Assert.Equal(
            "from 'Users' where spatial.within(Address, spatial.circle($p0, $p1, $p2)) "
            + "order by spatial.distance(Address, spatial.point($p3, $p4))",
            users.Spatial(u => u.Address, it => it.WithinRadius(10, 1, 2)).OrderByDistance(u => u.Address, 1, 2)
                .ToString());
        Assert.Equal(
            "from 'Users' order by spatial.distance(Address, spatial.point($p0, $p1)) desc",
            users.OrderByDistanceDescending(u => u.Address, 1, 2).ToString());
        Assert.Equal(
            users.VectorSearch(field => field.WithField("Tags"), value => value.ByEmbedding([1f])).ToString(),
            users.VectorSearch(field => field.WithField(u => u.Tags), value => value.ByEmbedding([1f])).ToString());
    }

    [Fact]
    public void Lazy_reads_of_a_blocking_session_are_sent_in_one_request()
    {
        using DocumentStore store = WithUsers();
        using IDocumentSession session = store.OpenSession();
        Lazy<Dictionary<string, User?>> two = session.Advanced.Lazily.Load<User>(["users/1", "users/2"]);
        Lazy<IReadOnlyList<User>> all = session.Advanced.Lazily.LoadStartingWith<User>("users/");
        Assert.Equal(3, all.Value.Count);
        Assert.Equal(["users/1", "users/2"], two.Value.Keys.Order());
        Assert.Equal(1, session.Advanced.NumberOfRequests);
    }

    [Fact]
    public void A_metadata_dictionary_tracks_its_changes()
    {
        var metadata = new MetadataDictionary();
        metadata.Add("a", 1L);
        metadata.Add(new KeyValuePair<string, object?>("b", "text"));
        Assert.True(metadata.ContainsKey("a"));
        bool[] contained = [metadata.Contains(new("b", "text")), metadata.Contains(new("b", "other"))];
        Assert.Equal([true, false], contained);
        Assert.False(metadata.Remove(new KeyValuePair<string, object?>("b", "other")));
        Assert.True(metadata.Remove(new KeyValuePair<string, object?>("b", "text")));
        Assert.True(metadata.Remove("a"));
        Assert.False(metadata.Remove("a"));
        metadata["c"] = true;
        metadata.Clear();
        Assert.Empty(metadata);
    }

    [Fact]
    public async Task Operations_commands_and_bulk_inserts_have_blocking_forms()
    {
        using DocumentStore store = fixture.NewStore();
        IDatabaseChanges changes = store.Changes();
        var heard = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        using IDisposable subscription = changes.ForDocumentsInCollection("Users").Subscribe(new First(heard));
        await changes.ForDocumentsInCollection("users").EnsureSubscribedNow();
        BulkInsertOperation bulk = store.BulkInsert();
        Assert.Equal("users/1-A", bulk.Store(new User { Age = 1 }));
        bulk.Store(new User { Age = 2 });
        bulk.Dispose();
        Assert.Equal("users/1-A", await heard.Task.WaitAsync(Deadline.Hang));
        Assert.Equal(
            [], store.Operations.Send(new GetCountersOperation("users/1-A", "none"))!.Where(it => it.Value != null));
        Assert.Equal(2, store.GetRequestExecutor().Execute(new UserCountCommand()));
        Operation patch = await store.Operations.SendAsync(new PatchByQueryOperation(new IndexQuery
        {
            Query = "from Users where Age = $age update { this.Name = 'x'; }", QueryParameters = { ["age"] = 2 },
        }));
        await patch.WaitForCompletionAsync(Deadline.Hang);
        Operation delete = await store.Operations.SendAsync(new DeleteByQueryOperation(new IndexQuery
        {
            Query = "from Users where Name = $name", QueryParameters = { ["name"] = "x" },
        }));
        await delete.WaitForCompletionAsync(Deadline.Hang);
        Assert.Equal(1, store.GetRequestExecutor().Execute(new UserCountCommand()));
        store.Maintenance.Server.Send(new DeleteDatabasesOperation([store.Database!], hardDelete: true));
        Assert.Null(store.Maintenance.Server.Send(new GetDatabaseRecordOperation(store.Database!)));
    }

    [Fact]
    public void Server_methods_in_a_map_become_the_text_of_the_index_definition()
    {
        IndexDefinition definition = new Users_Overloads().CreateIndexDefinition();
        Assert.Equal(
            "docs.Users.Select(user => new { Friends = LoadDocument(user.Tags, \"Users\").Select(it => it.Name), "
            + "Ranks = LoadCompareExchangeValue(user.Tags), Place = CreateSpatialField(user.Name), "
            + "_ = CreateField((\"N_\" + user.Name), user.Age, true, false) })",
            Assert.Single(definition.Maps));
        Assert.Equal(FieldStorage.Yes, definition.Fields["Other"].Storage);
    }

    private DocumentStore WithUsers()
    {
        DocumentStore store = fixture.NewStore();
        using IDocumentSession session = store.OpenSession();
        session.Store(new User { Name = "users/2", Age = 1, Tags = ["users/3"] }, "users/1");
        session.Store(new User { Tags = ["a", "b", "c"] }, "users/2");
        session.Store(new User(), "users/3");
        session.SaveChanges();
        return store;
    }

    private sealed class Users_Overloads : AbstractIndexCreationTask<User>
    {
        public Users_Overloads()
        {
            Map = users => users.Select(user => new
            {
                Friends = LoadDocument<User>(user.Tags).Select(it => it!.Name),
                Ranks = LoadCompareExchangeValue<int>(user.Tags),
                Place = CreateSpatialField(user.Name),
                _ = CreateField("N_" + user.Name, user.Age, true, false),
            });
            Store("Other", FieldStorage.Yes);
        }
    }

    private sealed class First(TaskCompletionSource<string> heard) : IObserver<DocumentChange>
    {
        public void OnCompleted()
        {
        }

        public void OnError(Exception error) => heard.TrySetException(error);

        public void OnNext(DocumentChange value) => heard.TrySetResult(value.Id);
    }
}
