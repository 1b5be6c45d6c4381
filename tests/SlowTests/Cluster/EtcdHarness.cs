using System.Net.Http.Json;
using Raven.Cluster.Store;
using Shared.Cluster;

namespace SlowTests.Cluster;

/// <summary>A store in a real etcd.</summary>
internal sealed class EtcdHarness : StoreHarness
{
    private readonly EtcdOfDebian _etcd;
    private readonly EtcdStore _store;
    private readonly HttpClient _http = new();

    internal EtcdHarness(EtcdOfDebian etcd)
    {
        _etcd = etcd;
        _store = new EtcdStore(etcd.CallsOf("A"));
    }

    internal override IClusterStore Store => _store;

    internal override TimeSpan LeaseTime => TimeSpan.FromSeconds(2);

    internal override async Task CompactAsync(long revision)
    {
        using HttpResponseMessage response = await _http.PostAsJsonAsync(
            new Uri(_etcd.Clients["A"], "/v3/kv/compaction"), new { revision = $"{revision}", physical = true });
        response.EnsureSuccessStatusCode();
    }

    internal override Task PassAsync(TimeSpan time) => Task.Delay(time, CancellationToken.None);

    public override async ValueTask DisposeAsync()
    {
        _http.Dispose();
        await _store.DisposeAsync();
        await _etcd.DisposeAsync();
    }
}
