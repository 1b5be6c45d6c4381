using System.Collections.Concurrent;
using Raven.Client.Documents;
using Raven.Client.Documents.Operations.Identities;
using Raven.Client.Documents.Session;
using Raven.Client.Documents.Subscriptions;
using Raven.Client.Exceptions;

namespace SlowTests.Cluster;

/// <summary>
/// What an application does with the .NET client, several things at once and again and again: it stores documents,
/// increments a counter, asks for identities, reads what it has written and works on a subscription. Then it looks for
/// what was acknowledged.
/// </summary>
internal sealed class ClientLoad : IAsyncDisposable
{
    private const int Writers = 4;
    private const string Counted = "counted/1";
    private const string Counter = "times";
    private const string Own = "own/1";
    private const string Subscription = "items";

    private static readonly TimeSpan AfterError = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly DocumentStore _store;
    private readonly CancellationTokenSource _stop = new();
    private readonly CancellationTokenSource _end = new();
    private readonly ConcurrentDictionary<string, bool> _stored = new();
    private readonly ConcurrentDictionary<string, bool> _brought = new();
    private readonly ConcurrentDictionary<long, bool> _identities = new();
    private readonly ConcurrentQueue<string> _problems = new();
    private readonly List<Task> _workers = [];
    private SubscriptionWorker<Item>? _worker;
    private Task _subscription = Task.CompletedTask;
    private int _counted;
    private int _countedPerhaps;
    private int _perhaps;

    internal ClientLoad(string[] urls)
    {
        _store = new DocumentStore { Urls = urls, Database = RealCluster.Database };
        _store.Initialize();
    }

    /// <summary>How many documents were stored.</summary>
    internal int Stored => _stored.Count;

    /// <summary>How many writes were perhaps done.</summary>
    internal int Perhaps => Volatile.Read(ref _perhaps);

    /// <summary>Begins.</summary>
    internal async Task StartAsync()
    {
        await TryAsync("the first document", () => StoreAsync(new Item { Id = Counted }));
        await _store.Subscriptions.CreateAsync(new SubscriptionCreationOptions
        {
            Name = Subscription, Query = "from Items",
        });
        _worker = _store.Subscriptions.GetSubscriptionWorker<Item>(
            new SubscriptionWorkerOptions(Subscription)
            {
                TimeToWaitBeforeConnectionRetry = TimeSpan.FromMilliseconds(200), MaxErroneousPeriod = Patience,
            });
        _subscription = _worker.Run(
            batch =>
            {
                foreach (SubscriptionItem<Item> item in batch.Items)
                {
                    _brought[item.Id] = true;
                }
            },
            _end.Token);
        for (int i = 0; i < Writers; i++)
        {
            _workers.Add(RepeatAsync("store", StoreNextAsync));
        }

        _workers.Add(RepeatAsync("count", CountAsync));
        _workers.Add(RepeatAsync("identity", IdentifyAsync));
        _workers.Add(RepeatAsync("write and read", WriteAndReadAsync));
    }

    /// <summary>Ends it, and says what is wrong: empty if nothing is.</summary>
    internal async Task<string> EndAsync()
    {
        await _stop.CancelAsync();
        await Task.WhenAll(_workers);
        foreach (string[] ids in _stored.Keys.Chunk(500))
        {
            using IAsyncDocumentSession session = _store.OpenAsyncSession();
            Dictionary<string, Item?> found = await session.LoadAsync<Item>(ids);
            foreach (string lost in ids.Where(id => found[id] is null))
            {
                _problems.Enqueue($"{lost} is lost");
            }
        }

        using (IAsyncDocumentSession session = _store.OpenAsyncSession())
        {
            long count = await session.CountersFor(Counted).GetAsync(Counter) ?? 0;
            if (count < _counted || count > _counted + _countedPerhaps)
            {
                _problems.Enqueue($"counted {count}, but {_counted} times and perhaps {_countedPerhaps} more");
            }
        }

        using var late = new CancellationTokenSource(Patience);
        while (_stored.Keys.Any(id => !_brought.ContainsKey(id)) && !_subscription.IsCompleted)
        {
            if (late.IsCancellationRequested)
            {
                _problems.Enqueue("the subscription lacks documents");
                break;
            }

            await Task.Delay(AfterError, CancellationToken.None);
        }

        if (_subscription.IsFaulted)
        {
            _problems.Enqueue($"the subscription: {_subscription.Exception}");
        }

        return string.Join(Environment.NewLine, _problems.Take(20));
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _end.CancelAsync();
        await Task.WhenAll(_workers);
        await Task.WhenAny(_subscription);
        if (_worker is not null)
        {
            await _worker.DisposeAsync();
        }

        _store.Dispose();
        _stop.Dispose();
        _end.Dispose();
    }

    private async Task RepeatAsync(string what, Func<int, Task> step)
    {
        for (int i = 1; !_stop.IsCancellationRequested; i++)
        {
            await TryAsync(what, () => step(i));
        }
    }

    private async Task TryAsync(string what, Func<Task> action)
    {
        try
        {
            await action();
        }
        catch (OutcomeUnknownException)
        {
            Interlocked.Increment(ref _perhaps);
            await Task.Delay(AfterError, CancellationToken.None);
        }
        catch (RavenException e)
        {
            _problems.Enqueue($"{what}: {e}");
            await Task.Delay(AfterError, CancellationToken.None);
        }
    }

    private async Task StoreAsync(Item item)
    {
        using IAsyncDocumentSession session = _store.OpenAsyncSession();
        await session.StoreAsync(item);
        await session.SaveChangesAsync();
        _stored[item.Id!] = true;
    }

    private Task StoreNextAsync(int number) => StoreAsync(new Item { Number = number });

    /// <summary>Not to be done twice: nothing but the count of answers says what it must be.</summary>
    private async Task CountAsync(int number)
    {
        try
        {
            using IAsyncDocumentSession session = _store.OpenAsyncSession();
            session.CountersFor(Counted).Increment(Counter);
            await session.SaveChangesAsync();
            _counted++;
        }
        catch (OutcomeUnknownException)
        {
            _countedPerhaps++;
            throw;
        }
    }

    private async Task IdentifyAsync(int number)
    {
        long next = await _store.Maintenance.SendAsync(new NextIdentityForOperation("numbers"));
        if (!_identities.TryAdd(next, true))
        {
            _problems.Enqueue($"the identity {next} was given twice");
        }
    }

    /// <summary>A read that begins after a write was acknowledged sees it, on whatever node.</summary>
    private async Task WriteAndReadAsync(int number)
    {
        using (IAsyncDocumentSession writing = _store.OpenAsyncSession())
        {
            Item? own = await writing.LoadAsync<Item>(Own);
            if (own is null)
            {
                await writing.StoreAsync(own = new Item(), Own);
            }

            own.Number = number;
            await writing.SaveChangesAsync();
            _stored[Own] = true;
        }

        using IAsyncDocumentSession session = _store.OpenAsyncSession();
        int? seen = (await session.LoadAsync<Item>(Own))?.Number;
        if (!(seen >= number))
        {
            _problems.Enqueue($"read {seen} after {number}");
        }
    }

    private sealed class Item
    {
        public string? Id { get; set; }

        public int Number { get; set; }
    }
}
