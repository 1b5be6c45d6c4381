using System.Collections.Concurrent;
using System.Net;
using System.Net.WebSockets;
using System.Text;
using System.Text.Json;
using FastTests.Support;
using Raven.Client.Documents;
using Raven.Client.Documents.Changes;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;

namespace FastTests.Client;

/// <summary>Watches of servers that are silent, refuse or are gone: each wait ends, and says why.</summary>
public sealed class ChangesFaultTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    private const string Refusing = "http://127.0.0.1:1";
    private static readonly TimeSpan Limit = TimeSpan.FromMilliseconds(300);

    [Fact]
    public async Task A_watch_of_a_silent_server_fails_after_its_timeout()
    {
        using var server = new FaultyServer("");
        using DocumentStore store = StoreOf(Limit, server.Url);
        IChangesObservable<DocumentChange> all = store.Changes().ForAllDocuments();
        using IDisposable subscription = all.Subscribe(new Recorder());
        await Assert.ThrowsAsync<RavenTimeoutException>(() => all.EnsureSubscribedNow().WaitAsync(Deadline.Hang));
        RavenTimeoutException late = await Assert.ThrowsAsync<RavenTimeoutException>(
            () => store.Changes().EnsureConnectedNow().WaitAsync(Deadline.Hang));
        Assert.Contains("not opened", late.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_timeout_of_watches_can_be_set_for_a_scope()
    {
        using var server = new FaultyServer("");
        using DocumentStore store = StoreOf(TimeSpan.FromMinutes(5), server.Url);
        IChangesObservable<DocumentChange> all = store.Changes().ForAllDocuments();
        using IDisposable subscription = all.Subscribe(new Recorder());
        using (store.SetRequestTimeout(Limit))
        {
            await Assert.ThrowsAsync<RavenTimeoutException>(() => all.EnsureSubscribedNow().WaitAsync(Deadline.Hang));
        }
    }

    [Fact]
    public async Task A_watch_that_waits_ends_with_an_exception_when_the_store_is_disposed()
    {
        using var server = new FaultyServer("");
        DocumentStore store = StoreOf(TimeSpan.FromMinutes(5), server.Url);
        IChangesObservable<DocumentChange> all = store.Changes().ForAllDocuments();
        var recorder = new Recorder();
        using IDisposable subscription = all.Subscribe(recorder);
        Task subscribed = all.EnsureSubscribedNow();
        Task connected = store.Changes().EnsureConnectedNow();
        await store.DisposeAsync().AsTask().WaitAsync(Deadline.Hang);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => subscribed.WaitAsync(Deadline.Hang));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => connected.WaitAsync(Deadline.Hang));
        await recorder.Ended.Task.WaitAsync(Deadline.Hang);
        Assert.Throws<ObjectDisposedException>(() => all.Subscribe(recorder));
    }

    [Fact]
    public async Task A_store_disposes_the_changes_of_all_databases_even_if_an_observer_throws()
    {
        DocumentStore store = StoreOf(TimeSpan.FromMinutes(5), Refusing);
        ConcurrentQueue<string> ended = [];
        foreach (string database in (string[])["a", "b", "c"])
        {
            _ = store.Changes(database).ForAllDocuments().Subscribe(new Thrower(() => ended.Enqueue(database)));
        }

        await Assert.ThrowsAsync<InvalidOperationException>(
            () => store.DisposeAsync().AsTask().WaitAsync(Deadline.Hang));
        Assert.Equal(["a", "b", "c"], ended.Order());
    }

    [Fact]
    public async Task A_refused_watch_fails_with_the_reason_and_can_be_started_again()
    {
        using var server = new ScriptedChanges(command => command.GetProperty("CommandId").GetInt64() == 1
            ? "{\"Type\":\"Error\",\"Exception\":\"too many watches\"}"
            : $"[{{\"Type\":\"Confirm\",\"CommandId\":{command.GetProperty("CommandId")}}}]");
        using DocumentStore store = StoreOf(Deadline.Hang, server.Url);
        await store.Changes().EnsureConnectedNow();
        IChangesObservable<DocumentChange> one = store.Changes().ForDocument("users/a");
        var recorder = new Recorder();
        one.Subscribe(recorder);
        RavenException refused = await Assert.ThrowsAsync<RavenException>(
            () => one.EnsureSubscribedNow().WaitAsync(Deadline.Hang));
        Assert.Contains("too many watches", refused.Message, StringComparison.Ordinal);
        Assert.Same(
            refused, await Assert.ThrowsAsync<RavenException>(() => recorder.Ended.Task.WaitAsync(Deadline.Hang)));
        using IDisposable again = one.Subscribe(new Recorder());
        await one.EnsureSubscribedNow().WaitAsync(Deadline.Hang);
        Assert.True(store.Changes().Connected);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_watch_moves_to_the_next_server_if_one_refuses_or_is_silent(bool isSilent)
    {
        using DocumentStore home = fixture.NewStore();
        using var silent = new FaultyServer("");
        using DocumentStore store = StoreOf(
            isSilent ? TimeSpan.FromSeconds(1) : Deadline.Hang, home.Database!,
            isSilent ? silent.Url : Refusing, fixture.Url);
        var recorder = new Recorder();
        using IDisposable subscription = store.Changes().ForDocument("users/a").Subscribe(recorder);
        using (store.SetRequestTimeout(Deadline.Hang))
        {
            await store.Changes().ForDocument("users/a").EnsureSubscribedNow();
        }

        using IAsyncDocumentSession session = home.OpenAsyncSession();
        await session.StoreAsync(new User(), "users/a");
        await session.SaveChangesAsync();
        await recorder.Heard.Task.WaitAsync(Deadline.Hang);
    }

    [Fact]
    public async Task An_observer_may_dispose_the_store_while_it_gets_a_change()
    {
        DocumentStore store = fixture.NewStore();
        using DocumentStore other = StoreOf(Deadline.Hang, store.Database!, fixture.Url);
        var disposed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        IChangesObservable<DocumentChange> all = store.Changes().ForAllDocuments();
        all.Subscribe(new Recorder(() =>
        {
            store.Dispose();
            disposed.TrySetResult();
        }));
        await all.EnsureSubscribedNow();
        using IAsyncDocumentSession session = other.OpenAsyncSession();
        await session.StoreAsync(new User(), "users/a");
        await session.SaveChangesAsync();
        await disposed.Task.WaitAsync(Deadline.Hang);
    }

    private static DocumentStore StoreOf(TimeSpan limit, string url) => StoreOf(limit, "db", url);

    private static DocumentStore StoreOf(TimeSpan limit, string database, params string[] urls)
    {
        var store = new DocumentStore
        {
            Urls = urls,
            Database = database,
            Conventions = { DisableTopologyUpdates = true, RequestTimeout = limit },
        };
        store.Initialize();
        return store;
    }

    private sealed class Recorder(Action? hear = null) : IObserver<DocumentChange>
    {
        internal TaskCompletionSource Heard { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal TaskCompletionSource Ended { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public void OnCompleted() => Ended.TrySetResult();

        public void OnError(Exception error) => Ended.TrySetException(error);

        public void OnNext(DocumentChange value)
        {
            Heard.TrySetResult();
            hear?.Invoke();
        }
    }

    /// <summary>A server that takes one connection for changes, and answers its commands by a script.</summary>
    private sealed class ScriptedChanges : IDisposable
    {
        private readonly HttpListener _listener;
        private readonly Func<JsonElement, string> _answer;

        internal ScriptedChanges(Func<JsonElement, string> answer)
        {
            _answer = answer;
            for (int attempt = 0; ; attempt++)
            {
                Url = $"http://127.0.0.1:{Random.Shared.Next(20000, 60000)}";
                _listener = new HttpListener();
                _listener.Prefixes.Add(Url + "/");
                try
                {
                    _listener.Start();
                    break;
                }
                catch (HttpListenerException) when (attempt < 20)
                {
                    // The port is another's, and a listener that did not start is disposed.
                }
            }

            _ = ServeAsync();
        }

        internal string Url { get; }

        public void Dispose() => ((IDisposable)_listener).Dispose();

        private async Task ServeAsync()
        {
            try
            {
                HttpListenerContext context = await _listener.GetContextAsync();
                using WebSocket socket = (await context.AcceptWebSocketAsync(null)).WebSocket;
                byte[] buffer = new byte[4096];
                while (true)
                {
                    WebSocketReceiveResult read = await socket.ReceiveAsync(buffer, CancellationToken.None);
                    if (read.MessageType == WebSocketMessageType.Close)
                    {
                        return;
                    }

                    using JsonDocument command = JsonDocument.Parse(buffer.AsMemory(0, read.Count));
                    await socket.SendAsync(
                        Encoding.UTF8.GetBytes(_answer(command.RootElement)), WebSocketMessageType.Text, true,
                        CancellationToken.None);
                }
            }
            catch (Exception e) when (
                e is HttpListenerException or WebSocketException or ObjectDisposedException or IOException)
            {
                // The test is over.
            }
        }
    }

    private sealed class Thrower(Action end) : IObserver<DocumentChange>
    {
        public void OnCompleted()
        {
            end();
            throw new InvalidOperationException("not now");
        }

        public void OnError(Exception error)
        {
        }

        public void OnNext(DocumentChange value)
        {
        }
    }
}
