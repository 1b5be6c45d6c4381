using System.Runtime.CompilerServices;
using Raven.Cluster.Store;

namespace Shared.Cluster;

/// <summary>
/// A store whose network is bad, by chance: requests and answers are lost, requests arrive much later, watches are
/// late. A seed and the same calls give the same faults.
/// </summary>
internal sealed class FaultyStore : IClusterStore
{
    private const int LaterMax = 6;
    private static readonly TimeSpan LateMax = TimeSpan.FromMilliseconds(15);

    private readonly IClusterStore _store;
    private readonly Random _random;
    private readonly List<(int After, StoreTxn Txn)> _late = [];
    private int _calls;

    internal FaultyStore(IClusterStore store, Random random)
    {
        _store = store;
        _random = random;
    }

    /// <summary>Of how many transactions one meets a fault; 0 for none.</summary>
    internal int FaultEvery { get; set; } = 3;

    /// <summary>What the next transactions meet, in place of chance: -1 nothing, 0 a lost request, 1 a lost
    /// answer.</summary>
    internal Queue<int> Script { get; } = [];

    /// <summary>Called after a fault, before it is told: others may act there.</summary>
    internal Func<Task> Between { get; set; } = () => Task.CompletedTask;

    /// <summary>Called at the next fault: the caller has no more time.</summary>
    internal Func<Task>? OnFault { get; set; }

    /// <summary>Told of each transaction that a client sends.</summary>
    internal Action<StoreTxn> Sent { get; set; } = _ => { };

    /// <summary>How many faults there were.</summary>
    internal int Faults { get; private set; }

    public string Kind => _store.Kind;

    public async ValueTask<StoreGetResult> GetAsync(string key, CancellationToken stop = default)
    {
        await ArriveAsync();
        return IsFault()
            ? new StoreGetResult(StoreStatus.Unavailable, null, 0, "lost")
            : await _store.GetAsync(key, stop);
    }

    public async ValueTask<StoreRangeResult> RangeAsync(string prefix, CancellationToken stop = default)
    {
        // Reads of a mirror come at any time: they take no part in what a seed says.
        return await _store.RangeAsync(prefix, stop);
    }

    public async ValueTask<StoreTxnResult> TxnAsync(StoreTxn txn, CancellationToken stop = default)
    {
        await ArriveAsync();
        Sent(txn);
        int fault = Script.Count > 0 ? Script.Dequeue() : IsFault() ? _random.Next(4) : -1;
        if (stop.IsCancellationRequested || fault < 0)
        {
            return await _store.TxnAsync(txn, stop);
        }

        var lost = new StoreTxnResult(StoreStatus.Unknown, false, 0, [], "lost");
        switch (fault)
        {
            case 0:
                break;
            case 1:
                await _store.TxnAsync(txn, stop);
                break;
            case 2:
                _late.Add((_calls + _random.Next(1, LaterMax), txn));
                break;
            default:
                lost = lost with { Status = StoreStatus.Unavailable };
                break;
        }

        await Between();
        await (OnFault?.Invoke() ?? Task.CompletedTask);
        return lost;
    }

    public async IAsyncEnumerable<StoreWatchBatch> WatchAsync(
        string prefix, long afterRevision, [EnumeratorCancellation] CancellationToken stop = default)
    {
        await foreach (StoreWatchBatch batch in _store.WatchAsync(prefix, afterRevision, stop))
        {
            await Task.Delay(LateMax, stop).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            yield return batch;
        }
    }

    public ValueTask<StoreLeaseResult> GrantAsync(TimeSpan timeToLive, CancellationToken stop = default) =>
        _store.GrantAsync(timeToLive, stop);

    public ValueTask<StoreLeaseResult> KeepAliveAsync(long lease, CancellationToken stop = default) =>
        _store.KeepAliveAsync(lease, stop);

    public ValueTask<StoreLeaseResult> RevokeAsync(long lease, CancellationToken stop = default) =>
        _store.RevokeAsync(lease, stop);

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    /// <summary>Lets all requests arrive that are still on their way.</summary>
    internal async Task FlushAsync()
    {
        foreach ((_, StoreTxn txn) in _late.ToArray())
        {
            await _store.TxnAsync(txn);
        }

        _late.Clear();
    }

    private bool IsFault()
    {
        if (FaultEvery == 0 || _random.Next(FaultEvery) != 0)
        {
            return false;
        }

        Faults++;
        return true;
    }

    private async Task ArriveAsync()
    {
        _calls++;
        foreach ((int After, StoreTxn Txn) late in _late.Where(each => each.After <= _calls).ToArray())
        {
            _late.Remove(late);
            await _store.TxnAsync(late.Txn);
        }
    }
}
