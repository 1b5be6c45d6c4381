using System.Net;
using Raven.Cluster.Store;
using Shared.Storage;

namespace FastTests.Cluster;

/// <summary>What the store makes of the answers of etcd's endpoints, which a stand-in gives.</summary>
public sealed class EtcdStoreTests : IDisposable
{
    private const string Root = "/raven/x/";

    private readonly EtcdStandIn _etcd = new();

    public void Dispose() => _etcd.Dispose();

    [Theory]
    [InlineData("3.4.23", true)]
    [InlineData("3.5.13", true)]
    [InlineData("3.5.14", false)]
    [InlineData("3.6.0-rc.1", false)]
    public async Task An_etcd_that_is_too_old_is_refused_by_name(string version, bool isTooOld)
    {
        _etcd.Version = _ => version;
        await using EtcdStore store = NewStore(1);
        StoreTxnResult result = await store.TxnAsync(StoreTxn.Put("a", 0, new byte[] { 1 }));
        Assert.Equal(isTooOld ? StoreStatus.Refused : StoreStatus.Ok, result.Status);
        if (isTooOld)
        {
            Assert.Contains(
                $"http://127.0.0.1:1/ is {version}. 3.5.14 or later", result.Problem, StringComparison.Ordinal);
            Assert.Empty(_etcd.Asked);
        }
    }

    [Fact]
    public async Task An_endpoint_that_is_too_old_or_no_etcd_or_anothers_is_passed_by()
    {
        _etcd.Version = port => port == 1 ? "3.4.23" : port == 2 ? "none" : "3.5.16";
        await using EtcdStore store = NewStore(1, 2, 3);
        Assert.Equal(StoreStatus.Ok, (await store.GetAsync("a")).Status);
        Assert.Equal(["3 /v3/kv/range"], _etcd.Asked);

        _etcd.Version = _ => "3.5.16";
        _etcd.Cluster = port => port == 3 ? "7" : "8";
        _etcd.Answer = (port, _) => port == 3
            ? throw new HttpRequestException(HttpRequestError.ConnectionError, "refused")
            : (HttpStatusCode.OK, """{"header":{"revision":"9"}}""");
        StoreGetResult result = await store.GetAsync("a");
        Assert.Equal(StoreStatus.Unavailable, result.Status);
        Assert.Equal(["3 /v3/kv/range"], _etcd.Asked.Distinct());
    }

    [Fact]
    public async Task All_endpoints_of_another_cluster_are_refused_by_name()
    {
        await using EtcdStore store = NewStore(1);
        Assert.Equal(StoreStatus.Ok, (await store.GetAsync("a")).Status);
        _etcd.Cluster = _ => "8";
        _etcd.Answer = (_, _) => (HttpStatusCode.OK, "lost");
        Assert.Equal(StoreStatus.Refused, (await store.GetAsync("a")).Status);
        Assert.Contains("the etcd cluster 8", (await store.GetAsync("a")).Problem, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "STORE-2")]
    public async Task A_transaction_goes_to_another_endpoint_only_if_it_surely_was_not_sent()
    {
        await using EtcdStore store = NewStore(1, 2);
        Assert.Equal(StoreStatus.Ok, (await store.GetAsync("a")).Status);
        _etcd.Answer = (port, _) => (HttpStatusCode.OK, port == 1 ? "lost" : """{"header":{"revision":"6"}}""");
        StoreTxnResult lost = await store.TxnAsync(StoreTxn.Put("a", 0, new byte[] { 1 }));
        Assert.Equal(StoreStatus.Unknown, lost.Status);
        Assert.Equal("1 /v3/kv/txn", _etcd.Asked[^1]);

        // A read asks on.
        Assert.Equal(StoreStatus.Ok, (await store.GetAsync("a")).Status);
        Assert.Equal(["1 /v3/kv/range", "2 /v3/kv/range"], _etcd.Asked.Skip(2));

        _etcd.Answer = (port, _) => port == 2
            ? throw new HttpRequestException(HttpRequestError.ConnectionError, "refused")
            : (HttpStatusCode.OK, """{"header":{"revision":"7"},"succeeded":true}""");
        StoreTxnResult done = await store.TxnAsync(StoreTxn.Put("a", 0, new byte[] { 1 }));
        Assert.Equal((StoreStatus.Ok, true, 7L), (done.Status, done.Succeeded, done.Revision));
        Assert.Equal(["2 /v3/kv/txn", "1 /v3/kv/txn"], _etcd.Asked.TakeLast(2));
    }

    [Theory]
    [InlineData(8, "etcdserver: mvcc: database space exceeded", StoreStatus.OutOfSpace)]
    [InlineData(8, "etcdserver: too many requests", StoreStatus.Unavailable)]
    [InlineData(5, "etcdserver: requested lease not found", StoreStatus.LeaseGone)]
    [InlineData(3, "etcdserver: request is too large", StoreStatus.Refused)]
    [InlineData(7, "etcdserver: permission denied", StoreStatus.Refused)]
    [InlineData(14, "etcdserver: unhealthy cluster", StoreStatus.Unavailable)]
    [InlineData(14, "etcdserver: request timed out", StoreStatus.Unknown)]
    [InlineData(14, "etcdserver: leader changed", StoreStatus.Unknown)]
    [InlineData(2, "anything", StoreStatus.Unknown)]
    public async Task An_error_is_told_as_what_it_leaves_open(int code, string message, StoreStatus status)
    {
        _etcd.Answer = (_, _) =>
            (HttpStatusCode.BadRequest, $$"""{"code":{{code}},"message":"{{message}}","error":"{{message}}"}""");
        await using EtcdStore store = NewStore(1, 2);
        StoreTxnResult result = await store.TxnAsync(StoreTxn.Put("a", 0, new byte[] { 1 }));
        Assert.Equal(status, result.Status);
        Assert.Contains(message, result.Problem, StringComparison.Ordinal);
        Assert.Single(_etcd.Asked);
    }

    [Theory]
    [InlineData("")]
    [InlineData("<html>Bad gateway</html>")]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("""{"header":{"revision":"x"}}""")]
    [InlineData("""{"header":{"revision":"6"},"responses":[{"response_put":{}}]}""")]
    [InlineData("""{"header":{"revision":"6"},"responses":[{"response_range":{"kvs":[{"key":"!"}]}}]}""")]
    [InlineData("""{"header":{"revision":"6"},"responses":[{"response_range":{"kvs":[{"key":7}]}}]}""")]
    public async Task An_answer_that_cannot_be_read_is_as_good_as_none(string body)
    {
        _etcd.Answer = (_, _) => (HttpStatusCode.OK, body);
        await using EtcdStore store = NewStore(1);
        StoreTxnResult result = await store.TxnAsync(StoreTxn.Put("a", 0, new byte[] { 1 }));
        Assert.Equal(StoreStatus.Unknown, result.Status);
        Assert.NotEmpty(result.Problem!);
    }

    [Fact]
    public async Task A_revision_that_goes_back_ends_all_use()
    {
        await using EtcdStore store = NewStore(1, 2);
        Assert.Equal(5, (await store.GetAsync("a")).Revision);
        _etcd.Answer = (_, _) => (HttpStatusCode.OK, """{"header":{"revision":"4"},"succeeded":true}""");
        StoreTxnResult result = await store.TxnAsync(StoreTxn.Put("a", 0, new byte[] { 1 }));
        Assert.Equal(StoreStatus.Unknown, result.Status);
        Assert.Contains("went back from 5 to 4", result.Problem, StringComparison.Ordinal);
        int asked = _etcd.Asked.Count;
        Assert.Equal(StoreStatus.Refused, (await store.GetAsync("a")).Status);
        Assert.Equal(StoreStatus.Refused, (await store.TxnAsync(StoreTxn.Put("a", 0, new byte[] { 1 }))).Status);
        Assert.Equal(asked, _etcd.Asked.Count);
    }

    [Theory]
    [InlineData("http://10.0.0.1:2379", Root, "Use https")]
    [InlineData("http://etcd.example:2379", Root, "Use https")]
    [InlineData("ftp://127.0.0.1:2379", Root, "is no endpoint")]
    [InlineData("http://127.0.0.1:2379/v3", Root, "is no endpoint")]
    [InlineData("http://a:b@127.0.0.1:2379", Root, "is no endpoint")]
    [InlineData("https://10.0.0.1:2379", "/raven", "is no root")]
    [InlineData("https://10.0.0.1:2379", "/", "is no root")]
    [InlineData("https://10.0.0.1:2379", Root, null)]
    [InlineData("http://localhost:2379", Root, null)]
    [InlineData("http://[::1]:2379", Root, null)]
    public void Options_that_are_wrong_say_what_is_wrong(string endpoint, string root, string? says)
    {
        string? problem = new EtcdStoreOptions { Endpoints = [new Uri(endpoint)], Root = root }.ProblemOf();
        if (says is null)
        {
            Assert.Null(problem);
        }
        else
        {
            Assert.Contains(says, problem, StringComparison.Ordinal);
        }
    }

    private EtcdStore NewStore(params int[] ports) => new(
        new EtcdStoreOptions
        {
            Endpoints = [.. ports.Select(port => new Uri($"http://127.0.0.1:{port}"))],
            Root = Root,
            RetryPause = TimeSpan.Zero,
            Clock = new ManualClock(TimeSpan.TicksPerMillisecond * 20),
        },
        _etcd);
}
