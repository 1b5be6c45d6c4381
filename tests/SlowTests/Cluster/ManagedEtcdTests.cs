using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Raven.Cluster.Etcd;
using Raven.Cluster.Store;

namespace SlowTests.Cluster;

/// <summary>An etcd that a server runs for itself.</summary>
[Trait(Category.Shard, "cluster-store")]
[Trait(Category.Run, Category.Ci)]
public sealed class ManagedEtcdTests
{
    private const int QuotaBytes = 4 << 20;
    private static readonly TimeSpan Hang = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task One_that_is_over_its_quota_is_given_room_again()
    {
        await using EtcdOfDebian etcd = await EtcdOfDebian.PrepareAsync("http", "A");
        EtcdStoreOptions calls = etcd.CallsOf("A");
        ManagedEtcd member = await etcd.RunAsync(
            etcd.OptionsOf("A") with { QuotaBytes = QuotaBytes, CheckEvery = TimeSpan.FromHours(1) }, calls);
        await etcd.ReadyAsync("A");
        await using var store = new EtcdStore(calls);
        StoreTxnResult result;
        byte[] value = RandomNumberGenerator.GetBytes(400_000);
        int written = 0;
        do
        {
            result = await store.TxnAsync(new StoreTxn([], [new StoreChange("a", value)]));
            written++;
        }
        while (result.Status == StoreStatus.Ok && written < 100);

        Assert.Equal(StoreStatus.OutOfSpace, result.Status);
        Assert.True(await store.GetAsync("a") is { Status: StoreStatus.Ok, Entry.Value.Length: 400_000 });

        using var keeper = new EtcdKeeper(calls, QuotaBytes);
        bool wasFull = false;
        EtcdHealth health = await keeper.CheckAsync(full: () => wasFull = true);
        Assert.True(wasFull);
        Assert.Equal((false, null), (health.IsFull, health.Problem));
        Assert.True(health.SizeBytes < QuotaBytes / 2, $"{health.SizeBytes} bytes");
        Assert.Equal(
            StoreStatus.Ok, (await store.TxnAsync(new StoreTxn([], [new StoreChange("a", value)]))).Status);
        Assert.Equal(EtcdState.Running, member.State);
    }

    [Fact]
    public async Task Keys_that_fill_the_quota_are_told()
    {
        await using EtcdOfDebian etcd = await EtcdOfDebian.PrepareAsync("http", "A");
        EtcdStoreOptions calls = etcd.CallsOf("A");
        await etcd.RunAsync(
            etcd.OptionsOf("A") with { QuotaBytes = QuotaBytes, CheckEvery = TimeSpan.FromHours(1) }, calls);
        await etcd.ReadyAsync("A");
        await using var store = new EtcdStore(calls);
        using var keeper = new EtcdKeeper(calls, QuotaBytes);
        EtcdHealth health = await keeper.CheckAsync();
        for (int i = 0; !health.IsFull && i < 200; i++)
        {
            // What it has freed since may be room for some more of them, and an answer may be lost beside load.
            StoreStatus status = (await store.TxnAsync(new StoreTxn(
                [], [new StoreChange($"{i}", RandomNumberGenerator.GetBytes(100_000))]))).Status;
            health = status == StoreStatus.OutOfSpace ? await keeper.CheckAsync() : health;
        }

        Assert.True(health.IsFull, health.ToString());
        Assert.Contains("over its quota of 4194304 bytes", health.Problem, StringComparison.Ordinal);

        // What is deleted makes room.
        for (int i = 0; i < 200; i++)
        {
            Assert.Equal(
                StoreStatus.Ok, (await store.TxnAsync(new StoreTxn([], [new StoreChange($"{i}", null)]))).Status);
        }

        health = await keeper.CheckAsync();
        Assert.Equal((false, null), (health.IsFull, health.Problem));
    }

    [Fact]
    public async Task It_is_started_again_when_it_ends_and_stopped_with_what_an_earlier_run_left()
    {
        await using EtcdOfDebian etcd = await EtcdOfDebian.StartAsync("A");
        await using var store = new EtcdStore(etcd.CallsOf("A"));
        Assert.True((await store.TxnAsync(StoreTxn.Put("a", 0, new byte[] { 1 }))).Succeeded);
        int first = etcd.Member("A").ProcessId;
        Kill(first);
        using var hang = new CancellationTokenSource(Hang);
        while (etcd.Member("A").ProcessId == first || etcd.Member("A").State != EtcdState.Running)
        {
            await Task.Delay(20, hang.Token);
        }

        await etcd.ReadyAsync("A");
        StoreGetResult read = await store.GetAsync("a", hang.Token);
        Assert.True(read.Entry is not null, read.Problem);

        // What a server leaves that is killed: the next one with its folder ends it first.
        await etcd.StopAsync("A");
        ManagedEtcdOptions options = etcd.OptionsOf("A");
        using Process left = Process.Start(options.Program, options.Arguments());
        await File.WriteAllTextAsync(
            Path.Combine(options.Folder, "etcd.pid"), left.Id.ToString(CultureInfo.InvariantCulture), hang.Token);
        while (!IsAlive(left.Id))
        {
            await Task.Delay(20, hang.Token);
        }

        ManagedEtcd next = await etcd.RunAsync(options, etcd.CallsOf("A"));
        Assert.True(left.HasExited);
        await etcd.ReadyAsync("A");
        Assert.Equal(0, next.Restarts);
        Assert.NotNull((await store.GetAsync("a", hang.Token)).Entry);
        int last = next.ProcessId;
        await etcd.StopAsync("A");
        Assert.False(IsAlive(last));
        Assert.True(new FileInfo(options.LogFile).Length > 0);
        Assert.False(File.Exists(Path.Combine(options.Folder, "etcd.pid")));
    }

    [Fact]
    public async Task With_a_certificate_nobody_without_one_is_let_in()
    {
        await using EtcdOfDebian etcd = await EtcdOfDebian.PrepareAsync("https", "A", "B", "C");
        using X509Certificate2 ca = Authority("nodes");
        using X509Certificate2 node = NodeOf(ca);
        using X509Certificate2 strangers = Authority("strangers");
        using X509Certificate2 stranger = NodeOf(strangers);
        (string certificate, string key, string trusted) = Write(etcd.Folder, ca, node);
        var calls = etcd.CallsOf("A", "B", "C") with
        {
            ClientCertificate = () => node,
            TrustedRoots = [ca],
            CallTimeout = TimeSpan.FromSeconds(2),
        };
        foreach (string name in (string[])["A", "B", "C"])
        {
            await etcd.RunAsync(
                etcd.OptionsOf(name) with { CertificateFile = certificate, KeyFile = key, TrustedCaFile = trusted },
                calls with { Endpoints = [etcd.Clients[name]] });
        }

        await etcd.ReadyAsync("A");
        await using var store = new EtcdStore(calls);
        StoreTxnResult written = await store.TxnAsync(StoreTxn.Put("a", 0, new byte[] { 1 }));
        Assert.True(written.Succeeded, written.Problem);
        using var hang = new CancellationTokenSource(Hang);
        await using (IAsyncEnumerator<StoreWatchBatch> watch =
            store.WatchAsync("", written.Revision - 1, hang.Token).GetAsyncEnumerator(hang.Token))
        {
            Assert.True(await watch.MoveNextAsync());
            Assert.Equal("a", Assert.Single(watch.Current.Events).Key);
        }

        await using var bare = new EtcdStore(calls with { ClientCertificate = null });
        Assert.Equal(StoreStatus.Unavailable, (await bare.GetAsync("a")).Status);
        await using var foreign = new EtcdStore(calls with { ClientCertificate = () => stranger });
        Assert.Equal(StoreStatus.Unavailable, (await foreign.GetAsync("a")).Status);
        await using var unsure = new EtcdStore(calls with { TrustedRoots = [strangers] });
        Assert.Equal(StoreStatus.Unavailable, (await unsure.GetAsync("a")).Status);
    }

    [Fact]
    public async Task What_it_cannot_do_is_told()
    {
        await using EtcdOfDebian etcd = await EtcdOfDebian.PrepareAsync("http", "A");
        ManagedEtcdOptions options = etcd.OptionsOf("A");
        (ManagedEtcd? none, string? problem) = await ManagedEtcd.StartAsync(
            options with { Program = "/bin/true" }, etcd.CallsOf("A"),
            Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance);
        Assert.Null(none);
        Assert.Contains("does not say which etcd it is", problem, StringComparison.Ordinal);
    }

    private static bool IsAlive(int pid) => File.Exists($"/proc/{pid}/cmdline")
        && File.ReadAllText($"/proc/{pid}/cmdline").Contains("--data-dir", StringComparison.Ordinal);

    private static void Kill(int pid)
    {
        using Process kill = Process.Start("/bin/kill", ["-KILL", pid.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    private static X509Certificate2 Authority(string name)
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign, true));
        DateTimeOffset now = TimeProvider.System.GetUtcNow();
        return request.CreateSelfSigned(now.AddDays(-1), now.AddDays(1));
    }

    private static X509Certificate2 NodeOf(X509Certificate2 authority)
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=node", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension(
            [new Oid("1.3.6.1.5.5.7.3.1"), new Oid("1.3.6.1.5.5.7.3.2")], false));
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        DateTimeOffset now = TimeProvider.System.GetUtcNow();
        using X509Certificate2 signed = request.Create(
            authority, now.AddHours(-1), now.AddHours(1), RandomNumberGenerator.GetBytes(8));
        return signed.CopyWithPrivateKey(key);
    }

    private static (string Certificate, string Key, string Trusted) Write(
        string folder, X509Certificate2 authority, X509Certificate2 node)
    {
        (string certificate, string key, string trusted) = (
            Path.Combine(folder, "node.crt"), Path.Combine(folder, "node.key"), Path.Combine(folder, "ca.crt"));
        File.WriteAllText(certificate, node.ExportCertificatePem());
        using ECDsa secret = node.GetECDsaPrivateKey()!;
        File.WriteAllText(key, secret.ExportPkcs8PrivateKeyPem());
        File.WriteAllText(trusted, authority.ExportCertificatePem());
        return (certificate, key, trusted);
    }
}
