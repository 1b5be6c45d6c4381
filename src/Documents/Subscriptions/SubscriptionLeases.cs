using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Raven.Documents.Subscriptions;

//   LEASE-1  A lease is a Concurrent worker with one batch: until it is acknowledged, given back or over, no other
//            worker gets its documents.
//   LEASE-2  A lease ends with its time, with the definition of its subscription, and with the server: what it had is
//            sent again.

/// <summary>The batches of a database that clients have without a connection. Any thread.</summary>
public sealed class SubscriptionLeases
{
    private readonly ConcurrentDictionary<string, SubscriptionLease> _leases = new(StringComparer.Ordinal);
    private readonly DatabaseSubscriptions _owner;

    internal SubscriptionLeases(DatabaseSubscriptions owner) => _owner = owner;

    /// <summary>Takes a batch.</summary>
    /// <param name="name">The subscription.</param>
    /// <param name="options">How documents are taken; the strategy is Concurrent.</param>
    /// <param name="wait">How long to wait for documents.</param>
    /// <param name="time">How long the client has them.</param>
    /// <param name="cancellation">Ends the wait.</param>
    /// <returns>Null if there are no documents.</returns>
    /// <exception cref="SubscriptionException">The subscription cannot be used.</exception>
    public async ValueTask<SubscriptionLease?> TakeAsync(
        string name, SubscriptionWorkerOptions options, TimeSpan wait, TimeSpan time, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(options);
        TimeProvider clock = _owner.Services.Clock;
        SubscriptionWorker worker = await _owner.ConnectAsync(
            name,
            options with { Strategy = SubscriptionStrategy.Concurrent, EndsWhenEmpty = wait <= TimeSpan.Zero },
            cancellation).ConfigureAwait(false);
        SubscriptionBatch? batch = null;
        using var late = new CancellationTokenSource(wait > TimeSpan.Zero ? wait : Timeout.InfiniteTimeSpan, clock);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(late.Token, cancellation);
        try
        {
            batch = await worker.NextAsync(either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
        {
            // There was nothing in this time.
        }
        finally
        {
            if (batch is null)
            {
                await worker.DisposeAsync().ConfigureAwait(false);
            }
        }

        if (batch is null)
        {
            return null;
        }

        string id = string.Create(
            CultureInfo.InvariantCulture, $"{worker.Definition.Id}-{batch.Number}-{Guid.NewGuid():N}");
        SubscriptionLease lease = new(id, worker, batch, batch.LastChangeVector) { Until = clock.GetUtcNow() + time };
        CancellationToken ending = worker.Ending;
        _leases[id] = lease;
        lease.Timer = clock.CreateTimer(_ => _ = EndAsync(lease).AsTask(), null, time, Timeout.InfiniteTimeSpan);
        ending.Register(() => _ = EndAsync(lease).AsTask());
        return lease;
    }

    /// <summary>Says that a batch is done with.</summary>
    /// <exception cref="SubscriptionException">The lease is over, or the subscription was changed.</exception>
    public async ValueTask AcknowledgeAsync(string id)
    {
        SubscriptionLease lease = Remove(id);
        try
        {
            await InTurnAsync(lease, static one => one.Worker.AcknowledgeAsync()).ConfigureAwait(false);
        }
        finally
        {
            await lease.CompleteAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Gives documents back, which are sent again; the lease of the others goes on.</summary>
    /// <param name="id">The lease.</param>
    /// <param name="documents">Which documents; null for all, which ends the lease.</param>
    /// <param name="delay">How long they are not sent.</param>
    /// <exception cref="SubscriptionException">The lease is over, or the subscription was changed.</exception>
    public async ValueTask GiveBackAsync(string id, IReadOnlyCollection<string>? documents, TimeSpan delay)
    {
        SubscriptionLease lease = documents is null ? Remove(id) : Find(id);
        try
        {
            await InTurnAsync(lease, one => one.Worker.GiveBackAsync(documents, delay)).ConfigureAwait(false);
        }
        finally
        {
            if (documents is null)
            {
                await lease.CompleteAsync().ConfigureAwait(false);
            }
        }
    }

    /// <summary>Ends a lease, if it is not over: what it has is sent again.</summary>
    public async ValueTask EndAsync(SubscriptionLease lease)
    {
        ArgumentNullException.ThrowIfNull(lease);
        if (TryRemove(lease.Id, out _))
        {
            await lease.CompleteAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Has a lease end later, or earlier.</summary>
    /// <param name="id">The lease.</param>
    /// <param name="time">When it ends, from now on.</param>
    /// <exception cref="SubscriptionException">The lease is over.</exception>
    public DateTimeOffset Extend(string id, TimeSpan time)
    {
        SubscriptionLease lease = Find(id);
        if (lease.Timer?.Change(time, Timeout.InfiniteTimeSpan) == false)
        {
            throw Lost(id);
        }

        return lease.Until = _owner.Services.Clock.GetUtcNow() + time;
    }

    private static async ValueTask InTurnAsync(SubscriptionLease lease, Func<SubscriptionLease, ValueTask> step)
    {
        await lease.Turn.WaitAsync().ConfigureAwait(false);
        try
        {
            await step(lease).ConfigureAwait(false);
        }
        finally
        {
            lease.Turn.Release();
        }
    }

    private SubscriptionLease Find(string id) =>
        _leases.TryGetValue(id, out SubscriptionLease? lease) ? lease : throw Lost(id);

    private SubscriptionLease Remove(string id) => TryRemove(id, out SubscriptionLease? lease) ? lease : throw Lost(id);

    private bool TryRemove(string id, [NotNullWhen(true)] out SubscriptionLease? lease)
    {
        bool isRemoved = _leases.TryRemove(id, out lease);
        lease?.Timer?.Dispose();
        return isRemoved;
    }

    private static SubscriptionException Lost(string id) => new(
        SubscriptionProblem.BatchLost,
        $"There is no batch '{id}': it was acknowledged, or its lease is over and its documents are sent again.");
}
