using System.Text;
using FastTests.Documents;
using Raven.Blittable.Contexts;
using Raven.Documents.Queries;
using Raven.Documents.Subscriptions;

namespace FastTests.Subscriptions;

/// <summary>A database of a test, and its subscriptions, without a server around them.</summary>
internal sealed class SubscriptionDatabase(TestDatabase database) : IDisposable
{
    private readonly OperationContextPool _contexts = new(new OperationContextPoolOptions());
    private QueryServices? _services;

    internal TestDatabase Test => database;

    internal DatabaseSubscriptions Subscriptions => database.Database.Subscriptions(_services ??= new QueryServices(
        database.Clock)
    { HashSeed = 42, Contexts = _contexts });

    internal SubscriptionDefinition Create(SubscriptionChange change) => Wait(Subscriptions.CreateAsync(change));

    internal SubscriptionDefinition Create(string query, string? name = null) =>
        Create(new SubscriptionChange { Query = query, Name = name });

    internal SubscriptionWorker Connect(
        string name, SubscriptionStrategy strategy = SubscriptionStrategy.OpenIfFree, int count = 4096) =>
        Wait(BeginConnect(name, strategy, count));

    /// <summary>The same, which may have to wait for another worker to go.</summary>
    internal ValueTask<SubscriptionWorker> BeginConnect(string name, SubscriptionStrategy strategy, int count) =>
        Subscriptions.ConnectAsync(
            name,
            new SubscriptionWorkerOptions { Strategy = strategy, BatchCountMax = count, EndsWhenEmpty = true },
            CancellationToken.None);

    /// <summary>The texts of the documents of the next batch; none if there is no batch.</summary>
    internal static string[] Next(SubscriptionWorker worker) => Take(worker) is { } batch
        ? [.. Enumerable.Range(0, batch.Count).Select(i => Encoding.UTF8.GetString(batch.DataOf(i)))]
        : [];

    /// <summary>The ids of the documents of the next batch; none if there is no batch.</summary>
    internal static string[] NextIds(SubscriptionWorker worker) => Take(worker) is { } batch
        ? [.. Enumerable.Range(0, batch.Count).Select(batch.IdOf)]
        : [];

    internal static SubscriptionBatch? Take(SubscriptionWorker worker) =>
        Wait(worker.NextAsync(CancellationToken.None));

    internal static void Acknowledge(SubscriptionWorker worker) =>
        worker.AcknowledgeAsync().AsTask().GetAwaiter().GetResult();

    internal static void Close(SubscriptionWorker worker) =>
        worker.DisposeAsync().AsTask().GetAwaiter().GetResult();

    internal static T Wait<T>(ValueTask<T> task) => task.AsTask().GetAwaiter().GetResult();

    public void Dispose()
    {
        database.Dispose();
        _contexts.Dispose();
    }
}
