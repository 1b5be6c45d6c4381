using System.Collections.Concurrent;
using System.Text.Json;
using FastTests.Support;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Changes;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;
using Raven.Client.Exceptions.Documents.BulkInsert;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;
using Raven.TestDriver;

namespace FastTests.Client;

/// <summary>What ends in the middle, by its user, its server or its store, ends in time and leaves nothing behind.
/// </summary>
public sealed class DisposalTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    private const int DocumentSizeBytes = 62 * 1024;

    [Fact]
    public async Task A_bulk_insert_whose_server_reads_no_more_ends_at_the_request_timeout()
    {
        using var stuck = new StuckServer();
        var clock = new LimitClock(isRinging: true);
        using DocumentStore store = StoreOf(stuck.Url, TimeSpan.FromMinutes(5), clock: clock);
        using IDisposable limit = store.SetRequestTimeout(TimeSpan.FromMinutes(7));
        BulkInsertOperation bulk = store.BulkInsert();
        BulkInsertAbortedException ended = await Assert.ThrowsAsync<BulkInsertAbortedException>(
            () => FillAsync(bulk, CancellationToken.None).WaitAsync(Deadline.Hang));
        Assert.IsType<TimeoutException>(ended.InnerException);
        await bulk.DisposeAsync();
        Assert.Equal(TimeSpan.FromMinutes(7), Assert.Single(clock.Limits.Distinct()));
    }

    /// <summary>What it sends at its end may fill what lies between it and the server, or may not.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_bulk_insert_without_an_answer_ends_at_the_request_timeout(bool isFull)
    {
        using var stuck = new StuckServer();
        var clock = new LimitClock(isRinging: false);
        using DocumentStore store = StoreOf(stuck.Url, TimeSpan.FromMinutes(5), clock: clock);
        BulkInsertOperation bulk = store.BulkInsert();
        await bulk.StoreAsync(new User { Name = "first" }, "users/first");
        if (isFull)
        {
            using var giveUp = new CancellationTokenSource();
            Task filling = FillAsync(bulk, giveUp.Token);
            await clock.StandstillAsync().WaitAsync(Deadline.Hang);
            await giveUp.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => filling.WaitAsync(Deadline.Hang));
        }

        int before = clock.Limits.Count;
        clock.Ring();
        BulkInsertAbortedException ended = await Assert.ThrowsAsync<BulkInsertAbortedException>(
            () => bulk.DisposeAsync().AsTask().WaitAsync(Deadline.Hang));
        Assert.IsType<TimeoutException>(ended.InnerException);
        Assert.Equal([TimeSpan.FromMinutes(5)], clock.Limits.Skip(before));
    }

    [Fact]
    public async Task A_bulk_insert_ends_when_its_store_is_disposed()
    {
        using var stuck = new StuckServer();
        DocumentStore store = StoreOf(stuck.Url, TimeSpan.FromMinutes(5));
        BulkInsertOperation bulk = store.BulkInsert();
        await bulk.StoreAsync(new User { Name = new string('x', 2 * DocumentSizeBytes) }, "users/1");
        Task ending = bulk.DisposeAsync().AsTask();
        await store.DisposeAsync().AsTask().WaitAsync(Deadline.Hang);
        BulkInsertAbortedException ended =
            await Assert.ThrowsAsync<BulkInsertAbortedException>(() => ending.WaitAsync(Deadline.Hang));
        Assert.IsType<ObjectDisposedException>(ended.InnerException);
    }

    [Fact]
    public async Task A_stream_ends_when_its_store_is_disposed()
    {
        using var server = new FaultyServer(FaultyServer.Chunk(
            "{\"Name\":\"a\",\"@metadata\":{\"@id\":\"users/1\"}}\n"));
        DocumentStore store = StoreOf(server.Url, TimeSpan.FromMinutes(5));
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        List<string?> came = [];
        Task reading = ReadAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => reading.WaitAsync(Deadline.Hang));
        Assert.Equal(["users/1"], came);

        async Task ReadAsync()
        {
            await foreach (StreamResult<User> one in session.Advanced.StreamAsync<User>("users/"))
            {
                came.Add(one.Id);
                await store.DisposeAsync();
            }
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task An_attachment_whose_stream_fails_aborts_its_bulk_insert(bool isThrown)
    {
        using DocumentStore store = fixture.NewStore();
        using var token = new CancellationTokenSource();
        BulkInsertOperation bulk = store.BulkInsert();
        await bulk.StoreAsync(new User(), "users/1");
        using var stream = new BreakingStream(() =>
        {
            if (isThrown)
            {
                throw new IOException("the disk is gone");
            }

            token.Cancel();
        });
        Exception? broken = await Record.ExceptionAsync(() => bulk.AttachmentsFor("users/1").StoreAsync(
            "a", stream, cancellationToken: token.Token));
        Assert.True(isThrown ? broken is IOException : broken is OperationCanceledException, broken?.ToString());
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await bulk.StoreAsync(new User(), "users/2"));
        await bulk.DisposeAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Assert.False(await session.Advanced.Attachments.ExistsAsync("users/1", "a"));
        Assert.False(await session.Advanced.ExistsAsync("users/2"));
    }

    [Fact]
    public async Task An_attachment_that_is_refused_before_its_first_byte_leaves_the_bulk_insert_usable()
    {
        using DocumentStore store = fixture.NewStore();
        await using (BulkInsertOperation bulk = store.BulkInsert())
        {
            await bulk.StoreAsync(new User(), "users/1");
            await Assert.ThrowsAsync<ArgumentException>(
                () => bulk.AttachmentsFor("users/1").StoreAsync("", new MemoryStream()));
            await bulk.StoreAsync(new User(), "users/2");
        }

        Assert.True(await store.OpenAsyncSession().Advanced.ExistsAsync("users/2"));
    }

    [Fact]
    public void A_test_driver_that_fails_halfway_leaves_neither_store_nor_database()
    {
        using IDocumentStore other = new RavenTestDriver().GetDocumentStore();
        var driver = new FailingDriver(isSetup: true);
        Assert.Throws<InvalidOperationException>(() => driver.GetDocumentStore(database: "leaves_nothing"));
        Assert.True(driver.IsDisposed);
        Assert.DoesNotContain(
            other.Maintenance.Server.Send(new GetDatabaseNamesOperation(0, 1000))!,
            name => name.StartsWith("leaves_nothing", StringComparison.Ordinal));
    }

    [Fact]
    public void A_test_driver_whose_database_exists_leaves_no_store_and_keeps_that_database()
    {
        using IDocumentStore other = new RavenTestDriver().GetDocumentStore();
        var driver = new FailingDriver(isSetup: false);
        string taken = "";
        Assert.ThrowsAny<RavenException>(() => driver.GetDocumentStore(store =>
        {
            taken = store.Database!;
            other.Maintenance.Server.Send(new CreateDatabaseOperation(new DatabaseRecord(taken)));
        }));
        Assert.True(driver.IsDisposed);
        Assert.NotNull(other.Maintenance.Server.Send(new GetDatabaseRecordOperation(taken)));
        other.Maintenance.Server.Send(new DeleteDatabasesOperation(taken, hardDelete: true));
    }

    /// <summary>Sessions, watches, scopes of the cache and bulk inserts of one store, on many threads, and its end in
    /// the middle.</summary>
    [Fact]
    public async Task A_store_can_be_disposed_while_other_threads_use_it()
    {
        DocumentStore store = fixture.NewStore();
        using DocumentStore other = StoreOf(fixture.Url, Deadline.Hang, store.Database!);
        ConcurrentQueue<Exception> wrong = new();
        bool isDisposed = false;
        int rounds = 0;
        Task[] workers = [.. Enumerable.Range(0, 8).Select(worker => Task.Run(async () =>
        {
            for (int round = 0; ; round++)
            {
                try
                {
                    await WorkAsync(store, worker, round);
                    Interlocked.Increment(ref rounds);
                }
                catch (Exception e) when (Volatile.Read(ref isDisposed) && IsEnd(e))
                {
                    return;
                }
                catch (Exception e)
                {
                    wrong.Enqueue(e);
                    return;
                }
            }
        }))];
        await Deadline.UntilAsync(() => Volatile.Read(ref rounds) >= 60 || !wrong.IsEmpty);
        Volatile.Write(ref isDisposed, true);
        await Task.WhenAll(store.DisposeAsync().AsTask(), store.DisposeAsync().AsTask()).WaitAsync(Deadline.Hang);
        await Task.WhenAll(workers).WaitAsync(Deadline.Hang);
        Assert.Empty(wrong);
        Assert.Throws<ObjectDisposedException>(() => store.OpenSession());
        Assert.Throws<ObjectDisposedException>(() => store.Changes());
        await NobodyWatchesAsync(other);
    }

    private static async Task WorkAsync(DocumentStore store, int worker, int round)
    {
        string id = $"users/{worker}-{round}";
        IChangesObservable<DocumentChange> one = store.Changes().ForDocument(id);
        var heard = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using (one.Subscribe(new Listener(change => heard.TrySetResult())))
        {
            await one.EnsureSubscribedNow();
            using (IAsyncDocumentSession session = store.OpenAsyncSession())
            {
                await session.StoreAsync(new User { Name = id }, id);
                await session.StoreAsync(new Order());
                await session.SaveChangesAsync();
            }

            using (store.AggressivelyCacheFor(TimeSpan.FromMinutes(1)))
            {
                using IAsyncDocumentSession session = store.OpenAsyncSession();
                Assert.Equal(id, (await session.LoadAsync<User>(id))!.Name);
            }

            if (round % 4 == 0)
            {
                await using BulkInsertOperation bulk = store.BulkInsert();
                await bulk.StoreAsync(new Order());
            }

            // The store may end before the change is reported: an observer without a report is not notified of its end.
            await Task.WhenAny(heard.Task, one.EnsureSubscribedNow().WaitAsync(Deadline.Hang));
        }
    }

    private static bool IsEnd(Exception e) =>
        e is ObjectDisposedException or RavenException or OperationCanceledException or InvalidOperationException;

    /// <summary>Waits until the server has no watcher left of a store that ended.</summary>
    private static async Task NobodyWatchesAsync(DocumentStore other)
    {
        using var http = new HttpClient();
        await Deadline.UntilAsync(async () =>
        {
            string text = await http.GetStringAsync(
                new Uri($"{other.Urls[0]}/databases/{other.Database}/changes/debug"));
            using JsonDocument json = JsonDocument.Parse(text);
            return json.RootElement.GetProperty("Connections").GetArrayLength() == 0;
        });
    }

    /// <summary>Stores documents until that fails, of which there are more than any socket keeps.</summary>
    private static async Task FillAsync(BulkInsertOperation bulk, CancellationToken cancellationToken)
    {
        var user = new User { Name = new string('x', DocumentSizeBytes) };
        for (int i = 0; i < 2000; i++)
        {
            await bulk.StoreAsync(user, $"users/{i}", null, cancellationToken);
        }
    }

    private static DocumentStore StoreOf(
        string url, TimeSpan limit, string database = "db", TimeProvider? clock = null)
    {
        var store = new DocumentStore
        {
            Urls = [url],
            Database = database,
            Conventions =
            {
                DisableTopologyUpdates = true, RequestTimeout = limit, Clock = clock ?? TimeProvider.System,
            },
        };
        store.Initialize();
        return store;
    }

    /// <summary>Answers the first request of each connection, and reads nothing more of it.</summary>
    private sealed class StuckServer : IDisposable
    {
        private readonly ManualResetEventSlim _end = new();
        private readonly FaultyServer _server;

        internal StuckServer() => _server = new FaultyServer(
            FaultyServer.Answer(200, "{\"Id\":1}"), _ => _end.Wait(Deadline.Hang));

        internal string Url => _server.Url;

        public void Dispose()
        {
            _end.Set();
            _server.Dispose();
        }
    }

    /// <summary>A clock whose time is over as soon as it rings, however long it was: no wait for a limit takes time.
    /// </summary>
    private sealed class LimitClock(bool isRinging) : TimeProvider
    {
        private readonly ConcurrentQueue<LimitTimer> _timers = new();
        private volatile bool _isRinging = isRinging;

        /// <summary>For how long each timer was set.</summary>
        internal List<TimeSpan> Limits => [.. _timers.Select(timer => timer.Due)];

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            var timer = new LimitTimer(dueTime);
            _timers.Enqueue(timer);
            if (_isRinging)
            {
                ThreadPool.QueueUserWorkItem(_ => callback(state));
            }

            return timer;
        }

        /// <summary>Each timer that is made from now on rings at once.</summary>
        internal void Ring() => _isRinging = true;

        /// <summary>Returns when there was a wait for a while and nothing has moved.</summary>
        internal async Task StandstillAsync()
        {
            for (LimitTimer? seen = null; seen is null || seen.IsDisposed;)
            {
                seen = _timers.LastOrDefault();
                await Deadline.GraceAsync();
            }
        }
    }

    private sealed class LimitTimer(TimeSpan due) : ITimer
    {
        internal TimeSpan Due => due;

        internal bool IsDisposed { get; private set; }

        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose() => IsDisposed = true;

        public ValueTask DisposeAsync()
        {
            IsDisposed = true;
            return ValueTask.CompletedTask;
        }
    }

    /// <summary>Gives half of its bytes, and then does something.</summary>
    private sealed class BreakingStream(Action breakOff) : MemoryStream(new byte[200_000])
    {
        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (Position > 100_000)
            {
                breakOff();
                cancellationToken.ThrowIfCancellationRequested();
            }

            return base.ReadAsync(buffer, cancellationToken);
        }
    }

    private sealed class FailingDriver(bool isSetup) : RavenTestDriver
    {
        internal bool IsDisposed { get; private set; }

        protected override void PreInitialize(IDocumentStore documentStore) =>
            documentStore.AfterDispose += (_, _) => IsDisposed = true;

        protected override void SetupDatabase(IDocumentStore documentStore)
        {
            if (isSetup)
            {
                throw new InvalidOperationException("no data today");
            }
        }
    }

    private sealed class Listener(Action<DocumentChange> hear) : IObserver<DocumentChange>
    {
        public void OnCompleted()
        {
        }

        public void OnError(Exception error)
        {
        }

        public void OnNext(DocumentChange value) => hear(value);
    }
}
