using Raven.Cluster.Store;
using Shared.Cluster;
using Shared.Storage;

namespace FastTests.Cluster;

/// <summary>A local store over records in memory.</summary>
internal sealed class LocalHarness : StoreHarness
{
    private readonly ManualClock _clock = new();
    private readonly LocalStore _store;

    internal LocalHarness() => _store = LocalStore.Open(new MemoryRecords(), new LocalStoreOptions { Clock = _clock });

    internal override IClusterStore Store => _store;

    internal override TimeSpan LeaseTime => TimeSpan.FromSeconds(10);

    internal override Task CompactAsync(long revision)
    {
        _store.Compact(revision);
        return Task.CompletedTask;
    }

    internal override Task PassAsync(TimeSpan time) => Task.Run(() => _clock.Advance(time));

    public override ValueTask DisposeAsync() => _store.DisposeAsync();
}
