namespace Raven.Cluster.Store;

/// <summary>
/// A lease that is kept alive for as long as it is not disposed of, as for a node's sign of life. What is bound to it
/// says that a node was there a while ago, and no more. Any thread.
/// </summary>
public sealed class StoreLease : IAsyncDisposable
{
    private const int RenewalsInTime = 3;

    /// <summary>How long an end waits for the store: without it the lease ends by itself.</summary>
    private static readonly TimeSpan RevokeMax = TimeSpan.FromSeconds(1);

    private readonly IClusterStore _store;
    private readonly TimeProvider _clock;
    private readonly CancellationTokenSource _ended = new();
    private readonly CancellationTokenSource _lost = new();
    private readonly Task _renewing;

    private StoreLease(IClusterStore store, TimeProvider clock, long id, TimeSpan timeToLive)
    {
        _store = store;
        _clock = clock;
        Id = id;
        TimeToLive = timeToLive;
        _renewing = RenewAsync();
    }

    /// <summary>Its id, for changes of a transaction.</summary>
    public long Id { get; }

    /// <summary>How long it lives without being renewed.</summary>
    public TimeSpan TimeToLive { get; }

    /// <summary>Ends when the lease is gone, or was not renewed for as long as it lives.</summary>
    public CancellationToken Lost => _lost.Token;

    /// <summary>Begins a lease.</summary>
    /// <param name="store">The store.</param>
    /// <param name="timeToLive">How long it lives without being renewed.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="stop">Ends the call.</param>
    /// <returns>The lease, or null and what is wrong.</returns>
    public static async Task<(StoreLease? Lease, StoreLeaseResult Result)> GrantAsync(
        IClusterStore store, TimeSpan timeToLive, TimeProvider clock, CancellationToken stop = default)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(clock);
        StoreLeaseResult granted = await store.GrantAsync(timeToLive, stop).ConfigureAwait(false);
        return (
            granted.Status == StoreStatus.Ok ? new StoreLease(store, clock, granted.Id, granted.TimeToLive) : null,
            granted);
    }

    /// <summary>Ends the lease, and what is bound to it, if the store can be reached.</summary>
    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync().ConfigureAwait(false);
        await _renewing.ConfigureAwait(false);
        if (!_lost.IsCancellationRequested)
        {
            using var limit = new CancellationTokenSource(RevokeMax, _clock);
            await _store.RevokeAsync(Id, limit.Token).ConfigureAwait(false);
        }

        _ended.Dispose();
        _lost.Dispose();
    }

    private async Task RenewAsync()
    {
        long renewed = _clock.GetTimestamp();
        while (true)
        {
            await Task.Delay(TimeToLive / RenewalsInTime, _clock, _ended.Token)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (_ended.IsCancellationRequested)
            {
                return;
            }

            long asked = _clock.GetTimestamp();
            StoreLeaseResult kept = await _store.KeepAliveAsync(Id, _ended.Token).ConfigureAwait(false);
            if (kept.Status == StoreStatus.Ok)
            {
                renewed = asked;
            }
            else if (kept.Status == StoreStatus.LeaseGone || _clock.GetElapsedTime(renewed) >= TimeToLive)
            {
                await _lost.CancelAsync().ConfigureAwait(false);
                return;
            }
        }
    }
}
