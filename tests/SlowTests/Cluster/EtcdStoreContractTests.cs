using Shared.Cluster;

namespace SlowTests.Cluster;

/// <summary>The store in a real etcd keeps what every store keeps.</summary>
[Trait(Category.Shard, "cluster-store")]
[Trait(Category.Run, Category.Ci)]
public sealed class EtcdStoreContractTests : StoreContractTests
{
    protected override int Runs => 3;

    protected override int Steps => 60;

    private protected override async Task<StoreHarness> StartAsync() =>
        new EtcdHarness(await EtcdOfDebian.StartAsync("A"));
}
