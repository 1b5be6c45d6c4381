using System.Text;
using Raven.Cluster.Store;

namespace Shared.Cluster;

/// <summary>
/// Some clients that find out what became of their transactions while answers are lost and requests arrive late, and
/// act in the middle of one another. Afterwards all that was ever written is read from a watch: what was told must be
/// that.
/// </summary>
internal sealed class StoreFaultRun
{
    private const int Clients = 3;
    private const int Keys = 3;
    private const int DepthMax = 3;

    private readonly StoreHarness _harness;
    private readonly int _seed;
    private readonly int _steps;
    private readonly Random _random;
    private readonly FaultyStore[] _faults;
    private readonly CertainStore[] _stores;
    private readonly List<(string Value, string Key, StoreTxnResult Result)> _told = [];
    private int _written;
    private int _depth;

    internal StoreFaultRun(StoreHarness harness, int seed, int steps)
    {
        _harness = harness;
        _seed = seed;
        _steps = steps;
        _random = new Random(seed);
        _faults = [.. Enumerable.Range(0, Clients).Select(_ => new FaultyStore(harness.Store, _random)
        {
            Between = MeanwhileAsync,
        })];
        _stores = [.. _faults.Select((each, i) => new CertainStore(each, new CertainStoreOptions
        {
            ClientId = $"c{seed}-{i}", ConcurrencyMax = DepthMax + 1, RetryPause = TimeSpan.Zero, Random = _random,
        }))];
    }

    private string Prefix => $"f/{_seed}/";

    internal async Task RunAsync()
    {
        long start = (await _harness.Store.RangeAsync(Prefix)).Revision;
        for (int step = 0; step < _steps; step++)
        {
            await StepAsync();
        }

        foreach (FaultyStore store in _faults)
        {
            await store.FlushAsync();
        }

        Assert.True(_faults.Sum(each => each.Faults) > _steps / 10, "there were hardly any faults");
        List<(string Key, string? Value, long Revision)> history = await HistoryAsync(start);
        foreach ((string value, string key, StoreTxnResult result) in _told)
        {
            (string Key, string? Value, long Revision)[] found = [.. history.Where(each => each.Value == value)];
            string what = $"seed {_seed}: '{value}' of {key}, told {result.Status}, {result.Succeeded}, "
                + $"{result.Revision}; was at {string.Join(',', found.Select(each => each.Revision))}";
            if (result is { Status: StoreStatus.Ok, Succeeded: true })
            {
                Assert.True(found.Length == 1 && found[0].Revision == result.Revision && found[0].Key == key, what);
            }
            else
            {
                Assert.True(found.Length <= (result.Status == StoreStatus.Unknown ? 1 : 0), what);
            }
        }
    }

    private async Task MeanwhileAsync()
    {
        if (_depth < DepthMax && _random.Next(2) == 0)
        {
            _depth++;
            await StepAsync();
            _depth--;
        }
    }

    private async Task StepAsync()
    {
        int client = _random.Next(Clients);
        string key = $"{Prefix}{_random.Next(Keys)}";

        // The key as it is, or as it was a while ago.
        StoreEntry? entry = (await _harness.Store.GetAsync(key)).Entry;
        long expected = _random.Next(4) == 0 ? 0 : entry?.ModRevision ?? 0;
        if (entry is not null && _random.Next(4) == 0)
        {
            // Deletions let a creation that was refused be possible again.
            await _harness.Store.TxnAsync(StoreTxn.Delete(key, entry.ModRevision));
            entry = null;
        }

        string value = $"{_seed}.{_written++}";
        using var stop = new CancellationTokenSource();
        if (_random.Next(8) == 0)
        {
            _faults[client].OnFault = stop.CancelAsync;
        }

        StoreTxnResult result = await _stores[client].TxnAsync(
            new StoreTxn(
                [new StoreCondition(key, expected)],
                [new StoreChange(key, Encoding.UTF8.GetBytes(value))]),
            stop.Token);
        _faults[client].OnFault = null;
        _told.Add((value, key, result));
    }

    private async Task<List<(string Key, string? Value, long Revision)>> HistoryAsync(long start)
    {
        long end = (await _harness.Store.TxnAsync(
            new StoreTxn([], [new StoreChange(Prefix + "end", Array.Empty<byte>())]))).Revision;
        List<(string Key, string? Value, long Revision)> history = [];
        using var hang = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        await foreach (StoreWatchBatch batch in _harness.Store.WatchAsync(Prefix, start, hang.Token))
        {
            Assert.Equal(StoreWatchKind.Changes, batch.Kind);
            history.AddRange(batch.Events.Select(each => (
                each.Key, each.Entry is null ? null : Encoding.UTF8.GetString(each.Entry.Value.Span), each.Revision)));
            if (batch.Revision >= end)
            {
                break;
            }
        }

        return history;
    }
}
