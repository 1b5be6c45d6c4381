using FastTests.Server;
using FastTests.Server.Forwarding;
using FastTests.Support;
using Raven.Client.Documents;
using Raven.Client.Documents.Session;
using Raven.Client.Documents.Subscriptions;
using Raven.Client.Exceptions.Documents.Subscriptions;
using Raven.Server.Http.Cluster;

namespace FastTests.Client;

/// <summary>Subscriptions and their workers with the .NET client, against the real server.</summary>
public sealed class SubscriptionTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    [Fact]
    public async Task Subscriptions_are_made_listed_changed_switched_and_deleted()
    {
        using DocumentStore store = fixture.NewStore();
        string made = await store.Subscriptions.CreateAsync<User>();
        string named = await store.Subscriptions.CreateAsync(new SubscriptionCreationOptions
        {
            Name = "mail", Query = "from Users where Age > 20", ChangeVector = "LastDocument", Disabled = false,
            ArchivedDataProcessingBehavior = SubscriptionArchivedBehavior.IncludeArchived,
        });
        Assert.Equal("mail", named);
        Assert.Equal("from 'Users' as doc", (await store.Subscriptions.GetSubscriptionStateAsync(made)).Query);
        Assert.Equal(
            [made, "mail"], (await store.Subscriptions.GetSubscriptionsAsync()).Select(s => s.SubscriptionName));
        Assert.Equal("mail", await store.Subscriptions.UpdateAsync(
            new SubscriptionUpdateOptions { Name = "mail", Query = "from Users" }));
        Assert.Equal("mail", await store.Subscriptions.UpdateAsync(new SubscriptionUpdateOptions { Name = "mail" }));
        SubscriptionState state = await store.Subscriptions.GetSubscriptionStateAsync("mail");
        Assert.Equal("from Users", state.Query);
        Assert.Equal(SubscriptionArchivedBehavior.IncludeArchived, state.ArchivedDataProcessingBehavior);
        Assert.Null(state.LastBatchAckTime);
        Assert.Equal("post", await store.Subscriptions.UpdateAsync(
            new SubscriptionUpdateOptions { Id = state.SubscriptionId, Name = "post", CreateNew = false }));
        await store.Subscriptions.DisableAsync("post");
        Assert.True((await store.Subscriptions.GetSubscriptionStateAsync("post")).Disabled);
        await store.Subscriptions.EnableAsync("post");
        Assert.False((await store.Subscriptions.GetSubscriptionStateAsync("post")).Disabled);
        await store.Subscriptions.DropConnectionAsync("post");
        await store.Subscriptions.DeleteAsync("post");
        await Assert.ThrowsAsync<SubscriptionDoesNotExistException>(
            () => store.Subscriptions.GetSubscriptionStateAsync("post"));
        Assert.Equal("all", store.Subscriptions.Create(
            new SubscriptionCreationOptions { Name = "all", Query = "from Users" }));
        await Assert.ThrowsAsync<SubscriptionNameException>(
            () => store.Subscriptions.CreateAsync<User>(new() { Name = "all" }));
        Assert.Equal("more", store.Subscriptions.Create<User>(new SubscriptionCreationOptions { Name = "more" }));
    }

    [Fact]
    public async Task Each_document_is_handled_and_a_session_of_the_batch_saves_it()
    {
        using DocumentStore store = fixture.NewStore();
        Store(store, new User { Name = "a" }, new User { Name = "b" });
        string name = await store.Subscriptions.CreateAsync(new SubscriptionCreationOptions
        {
            Query = "from Users as u where u.Age = 0 include u.Name",
        });
        await using SubscriptionWorker<User> worker = store.Subscriptions.GetSubscriptionWorker<User>(name);
        var done = new TaskCompletionSource<List<string>>();
        worker.AfterAcknowledgment += batch => done.TrySetResult([.. batch.Items.Select(item => item.Result.Name!)]);
        Task running = worker.Run(async batch =>
        {
            using IAsyncDocumentSession session = batch.OpenAsyncSession();
            foreach (SubscriptionItem<User> item in batch.Items)
            {
                Assert.Same(item.Result, await session.LoadAsync<User>(item.Id));
                item.Result.Age = 30;
            }

            Assert.Equal(0, session.Advanced.NumberOfRequests);
            await session.SaveChangesAsync();
            Assert.Throws<InvalidOperationException>(() => batch.OpenSession());
            Assert.Throws<InvalidOperationException>(() => batch.OpenAsyncSession(new SessionOptions()));
        });
        Assert.Equal(["a", "b"], await done.Task.WaitAsync(Deadline.Hang));
        await store.Subscriptions.DropSubscriptionWorkerAsync(worker);
        SubscriptionClosedException closed = await Assert.ThrowsAsync<SubscriptionClosedException>(() => running);
        Assert.False(closed.CanReconnect);
        using IDocumentSession check = store.OpenSession();
        Assert.All(check.Query<User>().ToList(), user => Assert.Equal(30, user.Age));
    }

    [Fact]
    public async Task A_worker_goes_on_at_the_node_that_another_one_names()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        using DocumentStore there = StoreOf(nodes.A);
        string name = await there.Subscriptions.CreateAsync<User>();
        Store(there, new User { Name = "a" });
        nodes.OfB.Set(nodes.Group(GroupRole.Primary, nodes.NodeB));
        using DocumentStore store = StoreOf(nodes.B);
        using (IDocumentSession session = store.OpenSession())
        {
            Assert.Null(session.Load<User>("users/none"));
        }

        Assert.Equal("B", store.GetRequestExecutor().Topology!.Nodes[0].ClusterTag);
        nodes.OfB.Set(nodes.Group(GroupRole.Member, nodes.NodeA));
        await using SubscriptionWorker<User> worker = store.Subscriptions.GetSubscriptionWorker<User>(name);
        worker.OnSubscriptionConnectionRetry += failure => Assert.Fail($"{failure}");
        await foreach (SubscriptionBatch<User> batch in worker.RunAsync())
        {
            Assert.Equal(["a"], batch.Items.Select(item => item.Result.Name));
            break;
        }
    }

    [Fact]
    public async Task Batches_can_be_enumerated_and_the_last_one_ends_it()
    {
        using DocumentStore store = fixture.NewStore();
        Store(store, new User { Name = "a" }, new User { Name = "b" }, new User { Name = "c" });
        string name = await store.Subscriptions.CreateAsync<User>();
        await using SubscriptionWorker<User> worker = store.Subscriptions.GetSubscriptionWorker<User>(
            new SubscriptionWorkerOptions(name) { MaxDocsPerBatch = 2, CloseWhenNoDocsLeft = true });
        List<string> names = [];
        await foreach (SubscriptionBatch<User> batch in worker.RunAsync())
        {
            names.Add(string.Concat(batch.Items.Select(item => item.Result.Name)));
            using IDocumentSession session = batch.OpenSession();
            Assert.NotNull(session.Load<User>(batch.Items[0].Id));
        }

        Assert.Equal(["ab", "c"], names);
        await store.Subscriptions.SendAgainAsync(name, ["users/1-A"]);
        await using SubscriptionWorker<User> again = store.Subscriptions.GetSubscriptionWorker<User>(
            new SubscriptionWorkerOptions(name) { CloseWhenNoDocsLeft = true });
        names.Clear();
        await Assert.ThrowsAsync<SubscriptionClosedException>(() => again.Run(
            batch => names.AddRange(batch.Items.Select(item => item.Result.Name!))));
        Assert.Equal(["a"], names);
        await Assert.ThrowsAsync<InvalidOperationException>(() => again.Run(_ => { }));
    }

    [Fact]
    public async Task A_handler_that_throws_ends_the_worker_and_its_batch_comes_again()
    {
        using DocumentStore store = fixture.NewStore();
        Store(store, new User { Name = "a" });
        string name = await store.Subscriptions.CreateAsync<User>();
        await using SubscriptionWorker<User> failing = store.Subscriptions.GetSubscriptionWorker<User>(name);
        SubscriberErrorException error = await Assert.ThrowsAsync<SubscriberErrorException>(
            () => failing.Run(_ => throw new InvalidOperationException("boom")));
        Assert.Equal("boom", error.InnerException!.Message);
        await using SubscriptionWorker<User> ignoring = store.Subscriptions.GetSubscriptionWorker<User>(
            new SubscriptionWorkerOptions(name)
            {
                IgnoreSubscriberErrors = true, CloseWhenNoDocsLeft = true,
                Strategy = SubscriptionOpeningStrategy.WaitForFree, WorkerId = "w",
            });
        int batches = 0;
        await Assert.ThrowsAsync<SubscriptionClosedException>(() => ignoring.Run(_ =>
        {
            batches++;
            throw new InvalidOperationException("boom");
        }));
        Assert.Equal(1, batches);
    }

    [Fact]
    public async Task Projections_and_failures_are_told_from_documents()
    {
        using DocumentStore store = fixture.NewStore();
        Store(store, new User { Name = "a", Age = 1 }, new User { Name = "b", Age = 2 });
        string name = await store.Subscriptions.CreateAsync(new SubscriptionCreationOptions
        {
            Query = "from Users as u select { Name: u.Age == 2 ? boom() : u.Name + '!' }",
        });
        await using SubscriptionWorker<User> worker = store.Subscriptions.GetSubscriptionWorker<User>(name);
        await foreach (SubscriptionBatch<User> batch in worker.RunAsync())
        {
            Assert.Equal("a!", batch.Items[0].Result.Name);
            Assert.True(batch.Items[0].IsProjection);
            Assert.Contains("boom", batch.Items[1].ExceptionMessage);
            Assert.Throws<SubscriptionException>(() => batch.Items[1].Result);
            Assert.NotEmpty(batch.Items[1].ChangeVector);
            break;
        }
    }

    [Fact]
    public async Task Revisions_come_in_pairs()
    {
        using DocumentStore store = fixture.NewStore();
        await store.Maintenance.SendAsync(
            new Raven.Client.Documents.Operations.Revisions.ConfigureRevisionsOperation(
                new Raven.Client.Documents.Operations.Revisions.RevisionsConfiguration { Default = new() }));
        string name = await store.Subscriptions.CreateForRevisionsAsync<User>();
        Store(store, new User { Id = "users/1", Name = "a" });
        using (IDocumentSession session = store.OpenSession())
        {
            session.Load<User>("users/1")!.Name = "b";
            session.SaveChanges();
        }

        await using SubscriptionWorker<Revision<User>> worker =
            store.Subscriptions.GetSubscriptionWorkerForRevisions<User>(
                new SubscriptionWorkerOptions(name) { CloseWhenNoDocsLeft = true });
        List<string> pairs = [];
        await foreach (SubscriptionBatch<Revision<User>> batch in worker.RunAsync())
        {
            pairs.AddRange(batch.Items.Select(i => $"{i.Result.Previous?.Name}-{i.Result.Current?.Name}"));
        }

        Assert.Equal(["-a", "a-b"], pairs);
    }

    [Fact]
    public async Task A_feed_gives_the_last_version_of_each_document_and_goes_on_from_a_token()
    {
        using DocumentStore store = fixture.NewStore();
        Store(store, new User { Name = "a" }, new User { Name = "b" });
        List<FeedChange<User>> changes = await ReadAsync(new FeedOptions { EndsWhenEmpty = true, PageSize = 1 });
        Assert.Equal(["a", "b"], changes.Select(change => change.Document!.Name));
        using (IDocumentSession session = store.OpenSession())
        {
            session.Delete(changes[0].Id);
            session.SaveChanges();
        }

        FeedChange<User> deleted = Assert.Single(await ReadAsync(
            new FeedOptions { EndsWhenEmpty = true, Since = changes[1].Token, Deletions = true }));
        Assert.True(deleted.IsDeleted);
        Assert.Equal(changes[0].Id, deleted.Id);
        Assert.Empty(await ReadAsync(new FeedOptions
        {
            EndsWhenEmpty = true, Query = "from Users where Name = 'x'",
        }));

        async Task<List<FeedChange<User>>> ReadAsync(FeedOptions options)
        {
            List<FeedChange<User>> read = [];
            await foreach (FeedChange<User> change in store.Subscriptions.Feed<User>(options))
            {
                read.Add(change);
            }

            return read;
        }
    }

    [Fact]
    public async Task A_worker_connects_again_after_a_change_and_is_refused_if_another_has_the_subscription()
    {
        using DocumentStore store = fixture.NewStore();
        string name = await store.Subscriptions.CreateAsync<User>();
        var retried = new TaskCompletionSource();
        var handled = new TaskCompletionSource();
        await using SubscriptionWorker<User> worker = store.Subscriptions.GetSubscriptionWorker<User>(
            new SubscriptionWorkerOptions(name) { TimeToWaitBeforeConnectionRetry = TimeSpan.FromMilliseconds(10) });
        worker.OnSubscriptionConnectionRetry += _ => retried.TrySetResult();
        Task running = worker.Run(_ => handled.TrySetResult());
        while ((await store.Subscriptions.GetSubscriptionStateAsync(name)).LastClientConnectionTime is null)
        {
            await Task.Yield();
        }

        await using SubscriptionWorker<User> second = store.Subscriptions.GetSubscriptionWorker<User>(name);
        await Assert.ThrowsAsync<SubscriptionInUseException>(() => second.Run(_ => { }));
        await store.Subscriptions.UpdateAsync(
            new SubscriptionUpdateOptions { Name = name, Query = "from Users where Age > 5" });
        await retried.Task.WaitAsync(Deadline.Hang);
        Store(store, new User { Name = "old", Age = 9 });
        await handled.Task.WaitAsync(Deadline.Hang);
        await worker.DisposeAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    private static DocumentStore StoreOf(TestServer server)
    {
        DocumentStore store = new() { Urls = [server.Host.Url], Database = TestServer.Database };
        store.Initialize();
        return store;
    }

    private static void Store(DocumentStore store, params User[] users)
    {
        using IDocumentSession session = store.OpenSession();
        foreach (User user in users)
        {
            session.Store(user);
        }

        session.SaveChanges();
    }
}
