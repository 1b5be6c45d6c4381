using Shared.Cluster;

namespace FastTests.Cluster;

/// <summary>The store of a server that stands alone keeps what every store keeps.</summary>
public sealed class LocalStoreContractTests : StoreContractTests
{
    private protected override Task<StoreHarness> StartAsync() => Task.FromResult<StoreHarness>(new LocalHarness());
}
