using System.Collections.Concurrent;
using System.Threading.Channels;
using FastTests.Server;
using FastTests.Support;
using Raven.Client.Documents;
using Raven.Client.Documents.Changes;
using Raven.Client.Documents.Session;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;

namespace FastTests.Client;

/// <summary>Changes that the server reports as they happen.</summary>
public sealed class ChangesTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    [Fact]
    public async Task Each_watch_gets_its_own_changes_and_no_others()
    {
        using DocumentStore store = fixture.NewStore();
        IDatabaseChanges changes = await store.Changes().EnsureConnectedNow();
        var one = await Watch(changes.ForDocument("users/a"));
        var prefix = await Watch(changes.ForDocumentsStartingWith("users/"));
        var collection = await Watch(changes.ForDocumentsInCollection<Order>());
        var all = await Watch(changes.ForAllDocuments());
        var counters = await Watch(changes.ForCounterOfDocument("users/a", "likes"));
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(new User(), "users/a");
            await session.StoreAsync(new User(), "users/b");
            await session.StoreAsync(new Order(), "orders/1");
            session.CountersFor("users/a").Increment("likes", 4);
            session.CountersFor("users/a").Increment("other", 4);
            await session.SaveChangesAsync();
            session.Delete("users/a");
            await session.SaveChangesAsync();
        }

        await all.WaitAsync(seen => seen.Any(change => change.Type == DocumentChangeTypes.Delete));
        await prefix.WaitAsync(seen => seen.Any(change => change.Type == DocumentChangeTypes.Delete));
        await collection.WaitAsync(seen => !seen.IsEmpty);
        await counters.WaitAsync(seen => !seen.IsEmpty);
        await one.WaitAsync(seen => seen.Any(change => change.Type == DocumentChangeTypes.Delete));
        Assert.All(one.Seen, change => Assert.Equal("users/a", change.Id));
        Assert.DoesNotContain(prefix.Seen, change => change.Id == "orders/1");
        Assert.Contains(prefix.Seen, change => change is { Id: "users/b", Type: DocumentChangeTypes.Put });
        Assert.Equal(["orders/1"], collection.Seen.Select(change => change.Id));
        Assert.All(counters.Seen, change => Assert.Equal(("likes", 4), (change.Name, change.Value)));
    }

    [Fact]
    public async Task A_watch_that_was_disposed_gets_no_changes()
    {
        using DocumentStore store = fixture.NewStore();
        IDatabaseChanges changes = store.Changes();
        var all = await Watch(changes.ForAllDocuments());
        var ended = await Watch(changes.ForDocument("users/a"));
        ended.Subscription!.Dispose();
        await Put(store, "users/a");
        await all.WaitAsync(seen => !seen.IsEmpty);
        Assert.Empty(ended.Seen);
        var again = await Watch(changes.ForDocument("users/a"));
        await Put(store, "users/a");
        await again.WaitAsync(seen => seen.Count == 1);
    }

    [Fact]
    public async Task An_observable_can_be_subscribed_to_again_after_its_subscriptions_ended()
    {
        using DocumentStore store = fixture.NewStore();
        IChangesObservable<DocumentChange> one = store.Changes().ForDocument("users/a");
        for (int round = 0; round < 3; round++)
        {
            Recorder<DocumentChange> recorder = await Watch(one);
            await Put(store, "users/a", age: round);
            await recorder.WaitAsync(seen => seen.Count == 1);
            recorder.Subscription!.Dispose();
            await Assert.ThrowsAsync<InvalidOperationException>(() => one.EnsureSubscribedNow());
        }
    }

    [Fact]
    public async Task Disposing_an_old_watch_leaves_a_newer_watch_of_the_same_name()
    {
        using DocumentStore store = fixture.NewStore();
        IChangesObservable<DocumentChange> old = store.Changes().ForDocument("users/a");
        (await Watch(old)).Subscription!.Dispose();
        Recorder<DocumentChange> newer = await Watch(store.Changes().ForDocument("users/a"));
        Recorder<DocumentChange> again = await Watch(old);
        again.Subscription!.Dispose();
        Recorder<DocumentChange> fence = await Watch(store.Changes().ForAllDocuments());
        await Put(store, "users/a");
        await newer.WaitAsync(seen => seen.Count == 1);
        await fence.WaitAsync(seen => seen.Count == 1);
        Assert.Empty(again.Seen);
    }

    [Fact]
    public async Task An_observer_that_subscribed_twice_gets_changes_once_after_one_subscription_ended()
    {
        using DocumentStore store = fixture.NewStore();
        IChangesObservable<DocumentChange> one = store.Changes().ForDocument("users/a");
        Recorder<DocumentChange> recorder = await Watch(one);
        IDisposable second = one.Subscribe(recorder);
        second.Dispose();
        second.Dispose();
        await Put(store, "users/a");
        await recorder.WaitAsync(seen => !seen.IsEmpty);
        Assert.Single(recorder.Seen);
    }

    [Fact]
    public async Task A_lost_changes_connection_is_restored_and_reports_that_changes_may_be_missing()
    {
        using var first = new TestServer();
        using var store = new DocumentStore { Urls = [first.Host.Url], Database = "db" };
        store.Initialize();
        await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new DatabaseRecord("db")));
        IDatabaseChanges changes = store.Changes();
        ConcurrentQueue<ChangesConnectionEventArgs> states = new();
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        changes.ConnectionStatusChanged += (_, state) =>
        {
            states.Enqueue(state);
            if (state is { IsConnected: true, MayHaveMissed.Count: > 0 })
            {
                back.TrySetResult();
            }
        };
        var watch = await Watch(changes.ForDocument("users/a"));
        int port = first.Port;
        first.Dispose();
        using var second = new TestServer(
            options => options with { ServerUrl = new Uri($"http://127.0.0.1:{port}") });
        await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new DatabaseRecord("db")));
        await back.Task.WaitAsync(Deadline.Hang);
        Assert.Contains(states, state => state is { IsConnected: false, Cause: not null });
        ChangesConnectionEventArgs told = states.Last();
        Assert.Equal(["watch-doc users/a"], told.MayHaveMissed);
        Assert.True(told.Gap > TimeSpan.Zero);
        await Put(store, "users/a");
        await watch.WaitAsync(seen => seen.Count == 1);
    }

    [Fact]
    public async Task Changes_invalidate_aggressively_cached_answers()
    {
        using DocumentStore store = fixture.NewStore();
        await Put(store, "users/a");
        int requests = 0;
        store.OnBeforeRequest += (_, _) => Interlocked.Increment(ref requests);
        using IDisposable scope = store.AggressivelyCacheFor(TimeSpan.FromMinutes(5));
        await Deadline.UntilAsync(() => store.Context.IsTracking(store.Database));
        var told = await Watch(store.Changes().ForAllDocuments());
        await Load(store);
        int before = requests;
        await Load(store);
        await Load(store);
        Assert.Equal(before, requests);
        using (store.DisableAggressiveCaching())
        {
            await Load(store);
        }

        Assert.Equal(before + 1, requests);
        await Put(store, "users/a", age: 7);
        await told.WaitAsync(seen => !seen.IsEmpty);
        Assert.Equal(7, (await Load(store))!.Age);
    }

    private static async Task<User?> Load(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        return await session.LoadAsync<User>("users/a");
    }

    private static async Task Put(DocumentStore store, string id, int age = 0)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        session.Advanced.UseOptimisticConcurrency = false;
        await session.StoreAsync(new User { Age = age }, id);
        await session.SaveChangesAsync();
    }

    private static async Task<Recorder<T>> Watch<T>(IChangesObservable<T> observable)
    {
        var recorder = new Recorder<T>();
        recorder.Subscription = observable.Subscribe(recorder);
        await observable.EnsureSubscribedNow().WaitAsync(Deadline.Hang);
        return recorder;
    }

    private sealed class Recorder<T> : IObserver<T>
    {
        private readonly Channel<bool> _came = Channel.CreateUnbounded<bool>();

        internal ConcurrentQueue<T> Seen { get; } = new();

        internal IDisposable? Subscription { get; set; }

        public void OnCompleted()
        {
        }

        public void OnError(Exception error)
        {
        }

        public void OnNext(T value)
        {
            Seen.Enqueue(value);
            _came.Writer.TryWrite(true);
        }

        internal async Task WaitAsync(Func<ConcurrentQueue<T>, bool> until)
        {
            while (!until(Seen))
            {
                await _came.Reader.ReadAsync().AsTask().WaitAsync(Deadline.Hang);
            }
        }
    }
}
