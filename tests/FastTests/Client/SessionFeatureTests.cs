using System.Collections.Concurrent;
using FastTests.Support;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Changes;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.Attachments;
using Raven.Client.Documents.Operations.CompareExchange;
using Raven.Client.Documents.Operations.Counters;
using Raven.Client.Documents.Operations.Revisions;
using Raven.Client.Documents.Queries.Spatial;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions.Cluster;

namespace FastTests.Client;

/// <summary>Parts of the surface that blocking callers use, and the rarer ones, against the real server.</summary>
public sealed class SessionFeatureTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    [Fact]
    public async Task Compare_exchange_values_of_a_cluster_transaction_are_saved_with_its_documents_or_not_at_all()
    {
        using DocumentStore store = fixture.NewStore();
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            session.Advanced.SetTransactionMode(TransactionMode.ClusterWide);
            session.Advanced.ClusterTransaction.CreateCompareExchangeValue("emails/a", "users/1");
            await session.StoreAsync(new User { Name = "A" }, "users/1");
            await session.SaveChangesAsync();
        }

        CompareExchangeValue<string> stale;
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            session.Advanced.SetTransactionMode(TransactionMode.ClusterWide);
            stale = (await session.Advanced.ClusterTransaction.GetCompareExchangeValueAsync<string>("emails/a"))!;
            Assert.Equal("users/1", stale.Value);
            session.Advanced.ClusterTransaction.UpdateCompareExchangeValue(
                new CompareExchangeValue<string>(stale.Key, stale.Index, "users/2"));
            await session.SaveChangesAsync();
        }

        using (IDocumentSession session = store.OpenSession())
        {
            session.Advanced.SetTransactionMode(TransactionMode.ClusterWide);
            IClusterTransactionOperations values = session.Advanced.ClusterTransaction;
            Assert.Equal("users/2", values.GetCompareExchangeValue<string>("emails/a")!.Value);
            values.UpdateCompareExchangeValue(new CompareExchangeValue<string>(stale.Key, stale.Index, "users/3"));
            session.Store(new User(), "users/3");
            Assert.Throws<ClusterTransactionConcurrencyException>(() => session.SaveChanges());
        }

        using (IDocumentSession session = store.OpenSession())
        {
            Assert.False(session.Advanced.Exists("users/3"));
            session.Advanced.SetTransactionMode(TransactionMode.ClusterWide);
            IClusterTransactionOperations values = session.Advanced.ClusterTransaction;
            CompareExchangeValue<string> now = values.GetCompareExchangeValue<string>("emails/a")!;
            values.DeleteCompareExchangeValue(now.Key, now.Index);
            session.SaveChanges();
        }

        Assert.Null(await store.Operations.SendAsync(new GetCompareExchangeValueOperation<string>("emails/a")));
    }

    [Fact]
    public async Task A_blocking_session_reads_and_writes_attachments_revisions_and_counters()
    {
        using DocumentStore store = fixture.NewStore();
        store.Maintenance.Send(new ConfigureRevisionsOperation(new() { Default = new() }));
        using (IDocumentSession session = store.OpenSession())
        {
            session.Store(new User { Name = "old" }, "users/1");
            session.Store(new User(), "users/2");
            session.Advanced.Attachments.Store("users/1", "a", new MemoryStream("text"u8.ToArray()));
            session.CountersFor("users/1").Increment("likes", 3);
            session.SaveChanges();
        }

        DateTime between = await Deadline.TimeBetweenAsync();
        using (IDocumentSession session = store.OpenSession())
        {
            User user = session.Load<User>("users/1")!;
            Assert.Equal("users/1", session.Advanced.GetDocumentId(user));
            user.Name = "new";
            session.Advanced.Attachments.Copy("users/1", "a", "users/2", "copied");
            session.Advanced.Attachments.Move("users/1", "a", "users/2", "moved");
            session.SaveChanges();
        }

        using (IDocumentSession session = store.OpenSession())
        {
            User owner = session.Load<User>("users/2")!;
            Assert.Equal(
                ["copied", "moved"], session.Advanced.Attachments.GetNames(owner).Select(it => it.Name).Order());
            using AttachmentResult? moved = session.Advanced.Attachments.Get("users/2", "moved");
            using AttachmentResult? copied = session.Advanced.Attachments.Get(owner, "copied");
            Assert.Equal("text", new StreamReader(moved!.Stream).ReadToEnd());
            Assert.Equal("text", new StreamReader(copied!.Stream).ReadToEnd());
            Assert.False(session.Advanced.Attachments.Exists("users/1", "a"));
            Assert.Equal(3, session.CountersFor("users/1").Get("likes"));
            Assert.Equal(3, session.CountersFor("users/1").Get(["likes"])["likes"]);
            Assert.Equal(["likes"], session.CountersFor("users/1").GetAll().Keys);
            IRevisionsSessionOperations revisions = session.Advanced.Revisions;
            Assert.Equal("new", revisions.GetFor<User>("users/1")[0].Name);
            Assert.True(revisions.GetCountFor("users/1") >= 2);
            IMetadataDictionary first = revisions.GetMetadataFor("users/1")[^1];
            Assert.Equal("old", revisions.Get<User>(first.GetString("@change-vector")!)!.Name);
            Assert.Equal("old", revisions.Get<User>("users/1", between)!.Name);
        }
    }

    [Fact]
    public async Task Revisions_id_prefixes_and_conditional_loads_work_in_both_kinds_of_session()
    {
        using DocumentStore store = fixture.NewStore();
        await store.Maintenance.ForDatabase(store.Database!).SendAsync(
            new ConfigureRevisionsOperation(new() { Default = new() }));
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new User { Name = "A" }, "users/1");
        await session.StoreAsync(new User { Name = "B" }, "users/2");
        await session.SaveChangesAsync();
        Assert.Equal("A", (await session.Advanced.Revisions.GetForAsync<User>("users/1"))[0].Name);
        session.Advanced.Clear();
        Lazy<Task<IReadOnlyList<User>>> lazy = session.Advanced.Lazily.LoadStartingWithAsync<User>("users/");
        Assert.Equal(["A", "B"], (await lazy.Value).Select(it => it.Name));
        Assert.Equal(["B"], (await session.Advanced.LoadStartingWithAsync<User>("users/", "2")).Select(it => it.Name));
        string version = session.Advanced.GetChangeVectorFor((await lazy.Value)[0])!;
        using IDocumentSession blocking = store.OpenSession();
        Assert.Null(blocking.Advanced.ConditionalLoad<User>("users/1", version).Entity);
        Assert.Equal(2, blocking.Advanced.RawQuery<User>("from Users").Count());
        await store.Operations.ForDatabase(store.Database!).SendAsync(new CounterBatchOperation(
            new CountersBatchCommandData("users/1").Increment("likes")));
        Assert.Equal(1, blocking.CountersFor("users/1").Get("likes"));
    }

    [Fact]
    public async Task Changes_of_indexes_operations_and_counters_are_observed()
    {
        using DocumentStore store = fixture.NewStore();
        using (IDocumentSession session = store.OpenSession())
        {
            session.Store(new User(), "users/1");
            session.SaveChanges();
        }

        IDatabaseChanges changes = await store.Changes().EnsureConnectedNow();
        var seen = new ConcurrentBag<string>();
        await Watch(changes.ForAllIndexes(), it => $"index {it.Name}");
        await Watch(changes.ForIndex("Users/ByName"), it => $"one {it.Name}");
        await Watch(changes.ForAllCounters(), it => $"counter {it.Name}");
        await Watch(changes.ForCounter("likes"), it => $"named {it.Name}");
        await Watch(changes.ForCountersOfDocument("users/1"), it => $"of {it.DocumentId}");
        await Watch(changes.ForCounterOfDocument("users/1", "likes"), it => $"both {it.DocumentId}");
        await Watch(changes.ForAllOperations(), it => "operation");
        using (IDocumentSession session = store.OpenSession())
        {
            session.CountersFor("users/1").Increment("likes");
            session.SaveChanges();
        }

        new Users_ByName().Execute(store);
        long last = await store.Maintenance.SendAsync(new GetNextOperationIdOperation());
        await Watch(changes.ForOperationId(last + 1), it => $"this operation {it.State.Status}");
        await Watch(changes.ForOperationId(last + 2), it => "another operation");
        Operation patch = await store.Operations.SendAsync(
            new PatchByQueryOperation("from Users update { this.A = 1 }"));
        Assert.Equal(last + 1, patch.Id);
        await patch.WaitForCompletionAsync(Deadline.Hang);
        string[] wanted =
        [
            "index Users/ByName", "one Users/ByName", "counter likes", "named likes", "of users/1", "both users/1",
            "operation", "this operation InProgress", "this operation Completed",
        ];
        await Deadline.UntilAsync(() => !wanted.Except(seen).Any());
        Assert.DoesNotContain("another operation", seen);

        async Task Watch<T>(IChangesObservable<T> watched, Func<T, string> describe)
        {
            watched.Subscribe(new Listener<T>(change => seen.Add(describe(change))));
            await watched.EnsureSubscribedNow();
        }
    }

    [Fact]
    public async Task Custom_ids_metadata_and_commands_are_supported()
    {
        using DocumentStore store = fixture.NewStore(it => it.Conventions
            .RegisterAsyncIdConvention<User>((database, user) => Task.FromResult($"people/{user.Name}")));
        Assert.Equal("Users", store.Conventions.GetCollectionName(typeof(User)));
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            var user = new User { Name = "Ann" };
            await session.StoreAsync(user);
            Assert.Equal("people/Ann", user.Id);
            await session.SaveChangesAsync();
        }

        await using (BulkInsertOperation bulk = store.BulkInsert())
        {
            var metadata = new MetadataDictionary { ["@collection"] = "Others", ["Ratio"] = 0.5, ["IsNew"] = true };
            Assert.True(metadata.TryGetValue("Ratio", out object? ratio) && ratio is 0.5);
            await bulk.StoreAsync(new User { Name = "B" }, "others/1", metadata);
        }

        using IAsyncDocumentSession reader = store.OpenAsyncSession();
        IMetadataDictionary read = reader.Advanced.GetMetadataFor((await reader.LoadAsync<User>("others/1"))!);
        Assert.Equal(("Others", 0.5, true),
            (read.GetString("@collection"), read.GetDouble("Ratio"), read.GetBoolean("IsNew")));
        Assert.Equal(1, await store.GetRequestExecutor().ExecuteAsync(new UserCountCommand()));
        Assert.Equal(
            "from 'Users' where spatial.contains(At, spatial.wkt($p0))",
            reader.Query<User>().Spatial("At", it => it.RelatesToShape("POINT (1 2)", SpatialRelation.Contains))
                .ToString());
        Assert.Equal(
            "docs.Users.Select(user => new { Names = Recurse(user.Address, address => new[] { address })"
            + ".Select(address => address.City), Age = AsJson(user)[\"Age\"] })",
            Assert.Single(new Users_Recursive().CreateIndexDefinition().Maps));
    }

    private sealed class Users_ByName : AbstractIndexCreationTask<User>
    {
        public Users_ByName() => Map = users => from user in users select new { user.Name };
    }

    private sealed class Users_Recursive : AbstractIndexCreationTask<User>
    {
        public Users_Recursive() => Map = users => users.Select(user => new
        {
            Names = Recurse(user.Address!, address => new[] { address }).Select(address => address.City),
            Age = AsJson(user)["Age"],
        });
    }

    private sealed class Listener<T>(Action<T> hear) : IObserver<T>
    {
        public void OnCompleted()
        {
        }

        public void OnError(Exception error)
        {
        }

        public void OnNext(T value) => hear(value);
    }
}
