using FastTests.Server;
using FastTests.Support;
using Raven.Client.Documents;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Operations.CompareExchange;
using Raven.Client.Documents.Operations.Counters;
using Raven.Client.Documents.Operations.Indexes;
using Raven.Client.Documents.Session;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;

namespace FastTests.Client;

/// <summary>An aggressive cache that tracks changes asks for nothing that is as it was, and takes nothing that is not.
/// </summary>
public sealed class AggressiveCacheTests : IDisposable
{
    private readonly TestServer _server = new(options => options with
    {
        Indexing = options.Indexing with { StaleWaitMax = TimeSpan.FromMilliseconds(50) },
    });

    private readonly DocumentStore _store;
    private int _requests;

    public AggressiveCacheTests()
    {
        _store = new DocumentStore { Urls = [_server.Host.Url], Database = "db" };
        _store.Initialize();
        _store.Maintenance.Server.Send(new CreateDatabaseOperation(new DatabaseRecord("db")));
        _store.OnBeforeRequest += (_, _) => Interlocked.Increment(ref _requests);
    }

    public void Dispose()
    {
        _store.Dispose();
        _server.Dispose();
    }

    [Fact]
    public async Task A_cached_stale_answer_is_not_used_after_its_index_has_caught_up()
    {
        await PutAsync("users/1", 1);
        await Deadline.UntilAsync(async () => await CountAsync() == 1);
        await _store.Maintenance.SendAsync(new StopIndexingOperation());
        await PutAsync("users/2", 1);
        await TrackAsync();
        using IDisposable scope = _store.AggressivelyCacheFor(TimeSpan.FromMinutes(5));
        Assert.Equal(1, await CountAsync());
        await _store.Maintenance.SendAsync(new StartIndexingOperation());
        await Deadline.UntilAsync(async () => await CountAsync() == 2);
        await Deadline.UntilAsync(async () => await RequestsOfAsync(CountAsync) == 0);
        Assert.Equal(2, await CountAsync());
    }

    [Fact]
    public async Task A_query_with_a_cached_stale_answer_is_sent_again()
    {
        await PutAsync("users/1", 1);
        await CountAsync();
        await _store.Maintenance.SendAsync(new StopIndexingOperation());
        await PutAsync("users/2", 1);
        await TrackAsync();
        using IDisposable scope = _store.AggressivelyCacheFor(TimeSpan.FromMinutes(5));
        await CountAsync();
        Assert.Equal(1, await RequestsOfAsync(CountAsync));
        Assert.Equal(1, await RequestsOfAsync(CountAsync));
    }

    [Fact]
    public async Task A_rebuilt_index_invalidates_its_cached_answers()
    {
        await PutAsync("users/1", 7);
        await PutIndexAsync("docs.Users.Select(user => new { user.Age })");
        await TrackAsync();
        using IDisposable scope = _store.AggressivelyCacheFor(TimeSpan.FromMinutes(5));
        await Deadline.UntilAsync(async () => await OfIndexAsync() == 1);
        await Deadline.UntilAsync(async () => await RequestsOfAsync(OfIndexAsync) == 0);
        await PutIndexAsync("docs.Users.Select(user => new { Age = user.Age + 1 })");
        await Deadline.UntilAsync(async () => await OfIndexAsync() == 0);
    }

    [Fact]
    public async Task Compare_exchange_values_are_not_taken_from_the_aggressive_cache()
    {
        await PutAsync("users/1", 7, "emails/a");
        await _store.Operations.SendAsync(new PutCompareExchangeValueOperation<string>("emails/a", "old", 0));
        await TrackAsync();
        using IDisposable scope = _store.AggressivelyCacheFor(TimeSpan.FromMinutes(5));
        Assert.Equal(("old", "old"), (await IncludedAsync(), await QueriedAsync()));
        CompareExchangeValue<string>? now =
            await _store.Operations.SendAsync(new GetCompareExchangeValueOperation<string>("emails/a"));
        await _store.Operations.SendAsync(
            new PutCompareExchangeValueOperation<string>("emails/a", "new", now!.Index));
        Assert.Equal(("new", "new"), (await IncludedAsync(), await QueriedAsync()));

        async Task<string?> IncludedAsync()
        {
            using IAsyncDocumentSession session = Open();
            session.Advanced.SetTransactionMode(TransactionMode.ClusterWide);
            await session.Advanced.AsyncRawQuery<User>("from Users include cmpxchg('emails/a')").ToListAsync();
            int before = _requests;
            string? value = (await session.Advanced.ClusterTransaction
                .GetCompareExchangeValueAsync<string>("emails/a"))?.Value;
            Assert.Equal(before, _requests);
            return value;
        }

        async Task<string?> QueriedAsync()
        {
            using IAsyncDocumentSession session = Open();
            return (await session.Advanced.AsyncRawQuery<User>(
                "from Users as u select { Name: cmpxchg('emails/a') }").ToListAsync())[0].Name;
        }
    }

    [Fact]
    public async Task An_increment_of_a_counter_invalidates_cached_answers_that_include_it()
    {
        await PutAsync("users/1", 7);
        await AddAsync();
        await TrackAsync();
        using IDisposable scope = _store.AggressivelyCacheFor(TimeSpan.FromMinutes(5));
        Assert.Equal(1, await LikesAsync());
        await AddAsync();
        await Deadline.UntilAsync(async () => await LikesAsync() == 2);

        async Task AddAsync() => await _store.Operations.SendAsync(
            new CounterBatchOperation(new CountersBatchCommandData("users/1").Increment("likes")));

        async Task<long?> LikesAsync()
        {
            using IAsyncDocumentSession session = Open();
            User? user = await session.LoadAsync<User>("users/1", it => it.IncludeCounter("likes"));
            return await session.CountersFor(user!).GetAsync("likes");
        }
    }

    [Fact]
    public async Task A_store_without_aggressive_caching_sends_every_request()
    {
        await PutAsync("users/1", 7);
        await TrackAsync();
        using IDisposable scope = _store.AggressivelyCacheFor(TimeSpan.FromMinutes(5));
        await LoadAsync();
        await Deadline.UntilAsync(async () => await RequestsOfAsync(LoadAsync) == 0);

        // A second confirmation of the watches may be under way, and starts the tracking again.
        await Deadline.UntilAsync(async () =>
        {
            _store.Context.SetTracking("db", false);
            return await RequestsOfAsync(LoadAsync) == 1;
        });
    }

    private async Task<int> RequestsOfAsync<T>(Func<Task<T>> read)
    {
        int before = _requests;
        await read();
        return _requests - before;
    }

    private async Task TrackAsync()
    {
        _store.AggressivelyCacheFor(TimeSpan.FromMinutes(5)).Dispose();
        await Deadline.UntilAsync(() => _store.Context.IsTracking("db"));
    }

    private IAsyncDocumentSession Open() => _store.OpenAsyncSession();

    private async Task PutAsync(string id, int age, string name = "")
    {
        using IAsyncDocumentSession session = Open();
        await session.StoreAsync(new User { Age = age, Name = name }, id);
        await session.SaveChangesAsync();
    }

    private async Task PutIndexAsync(string map) => await _store.Maintenance.SendAsync(
        new PutIndexesOperation(new IndexDefinition { Name = "ByAge", Maps = { map } }));

    private async Task<User?> LoadAsync()
    {
        using IAsyncDocumentSession session = Open();
        return await session.LoadAsync<User>("users/1");
    }

    private async Task<int> CountAsync()
    {
        using IAsyncDocumentSession session = Open();
        return await session.Query<User>().Where(user => user.Age == 1).CountAsync();
    }

    private async Task<int> OfIndexAsync()
    {
        using IAsyncDocumentSession session = Open();
        return (await session.Advanced.AsyncRawQuery<User>("from index 'ByAge' where Age = 7").ToListAsync()).Count;
    }
}
