using System.Diagnostics;
using System.Globalization;
using System.Text;
using Raven.Cluster.Etcd;
using Raven.Cluster.Store;
using SlowTests.Backups;

namespace SlowTests.Cluster;

/// <summary>Three members of a real etcd: some are killed, stand still, are replaced, and answers are cut
/// off.</summary>
[Trait(Category.Shard, "cluster-store")]
[Trait(Category.Run, Category.Ci)]
public sealed class EtcdClusterTests
{
    private static readonly TimeSpan Hang = TimeSpan.FromMinutes(1);

    [Fact]
    [Trait("Invariant", "STORE-2")]
    [Trait("Invariant", "CERTAIN-1")]
    public async Task No_write_is_lost_or_doubled_while_members_are_killed_and_stand_still()
    {
        await using EtcdOfDebian etcd = await EtcdOfDebian.StartAsync("A", "B", "C");
        EtcdStoreOptions options = etcd.CallsOf("A", "B", "C") with { EndpointTimeout = TimeSpan.FromSeconds(1) };
        await using var store = new CertainStore(new EtcdStore(options), new CertainStoreOptions { ClientId = "t" });
        await using var mirror = new StoreMirror(store);
        mirror.Start();
        using var ended = new CancellationTokenSource(Hang);
        using var enough = new CancellationTokenSource();
        Task<int> writing = CountAsync(store, enough.Token, ended.Token);
        await Task.Delay(500, CancellationToken.None);

        int before = etcd.Member("A").ProcessId;
        Signal("KILL", before);
        await Task.Delay(2_500, CancellationToken.None);
        Signal("STOP", etcd.Member("B").ProcessId);
        await Task.Delay(3_000, CancellationToken.None);
        Signal("CONT", etcd.Member("B").ProcessId);
        await etcd.ReadyAsync("A");
        Assert.Equal(1, etcd.Member("A").Restarts);
        Assert.NotEqual(before, etcd.Member("A").ProcessId);
        Signal("STOP", etcd.Member("C").ProcessId);
        await Task.Delay(3_000, CancellationToken.None);
        Signal("CONT", etcd.Member("C").ProcessId);
        await enough.CancelAsync();
        int count = await writing;
        Assert.True(count > 20, $"only {count} writes");
        StoreEntry last = (await store.GetAsync("count", ended.Token)).Entry!;
        Assert.Equal(($"{count}", (long)count), (Encoding.ASCII.GetString(last.Value.Span), last.Version));
        Assert.True(await mirror.WaitForAsync(last.ModRevision, ended.Token), mirror.Problem);
        Assert.Equal(last.ModRevision, mirror.Find("count")!.ModRevision);
    }

    [Fact]
    [Trait("Invariant", "CERTAIN-1")]
    public async Task Connections_that_are_cut_off_anywhere_leave_each_write_done_once()
    {
        await using EtcdOfDebian etcd = await EtcdOfDebian.StartAsync("A");
        var random = new Random(17);
        await using var relay = new CuttingRelay(
            etcd.Clients["A"].Port, () =>
            {
                lock (random)
                {
                    return random.Next(1_500, 6_000);
                }
            });
        EtcdStoreOptions options = etcd.CallsOf("A") with
        {
            Endpoints = [new Uri($"http://127.0.0.1:{relay.Port}")],
            RetryPause = TimeSpan.FromMilliseconds(5),
        };
        await using var store = new CertainStore(
            new EtcdStore(options),
            new CertainStoreOptions { ClientId = "t", RetryPause = TimeSpan.FromMilliseconds(5) });
        using var ended = new CancellationTokenSource(Hang);
        using var enough = new CancellationTokenSource(TimeSpan.FromSeconds(6));
        int count = await CountAsync(store, enough.Token, ended.Token);
        Assert.True(relay.Cuts > 20 && count > 20, $"{relay.Cuts} cuts, {count} writes");
        await using var direct = new EtcdStore(options with { Endpoints = [etcd.Clients["A"]] });
        StoreEntry last = (await direct.GetAsync("count", ended.Token)).Entry!;
        Assert.Equal(($"{count}", (long)count), (Encoding.ASCII.GetString(last.Value.Span), last.Version));
    }

    [Fact]
    public async Task Another_member_takes_the_place_of_one_that_is_gone()
    {
        await using EtcdOfDebian etcd = await EtcdOfDebian.StartAsync("A", "B", "C");
        await using var store = new EtcdStore(etcd.CallsOf("A", "B"));
        StoreTxnResult written = await store.TxnAsync(StoreTxn.Put("a", 0, new byte[] { 7 }));
        Assert.True(written.Succeeded, written.Problem);
        var members = new EtcdMembers(store, TimeProvider.System);
        await etcd.StopAsync("C");
        Directory.Delete(Path.Combine(etcd.Folder, "C"), recursive: true);
        etcd.Move("C");

        EtcdMemberResult replaced = await members.ReplaceAsync("C", etcd.Peers["C"]);
        Assert.True(replaced.Status == StoreStatus.Ok, replaced.Problem);
        EtcdMemberResult again = await members.ReplaceAsync("C", etcd.Peers["C"]);
        Assert.Equal(replaced.Members.Select(each => each.Id), again.Members.Select(each => each.Id));
        EtcdMember learner = Assert.Single(replaced.Members, each => each.IsLearner);

        await etcd.RunAsync(etcd.OptionsOf("C") with { IsJoining = true }, etcd.CallsOf("C"));
        using var hang = new CancellationTokenSource(Hang);
        EtcdMemberResult promoted;
        do
        {
            await Task.Delay(200, hang.Token);
            promoted = await members.PromoteAsync(learner.Id, hang.Token);
        }
        while (promoted.Status != StoreStatus.Ok);

        EtcdMember[] all = [.. promoted.Members.OrderBy(each => each.Name, StringComparer.Ordinal)];
        Assert.Equal(["A", "B", "C"], all.Select(each => each.Name));
        Assert.All(all, each => Assert.False(each.IsLearner));
        await etcd.ReadyAsync("C");
        await etcd.StopAsync("A");
        await using var other = new EtcdStore(etcd.CallsOf("C") with { Root = "/raven/other/" });
        Assert.True((await other.TxnAsync(StoreTxn.Put("b", 0, new byte[] { 1 }))).Succeeded);
    }

    /// <summary>Counts up by transactions until it is enough.</summary>
    private static async Task<int> CountAsync(CertainStore store, CancellationToken enough, CancellationToken ended)
    {
        int count = 0;
        while (!enough.IsCancellationRequested)
        {
            StoreGetResult read = await store.GetAsync("count", ended);
            if (read.Status == StoreStatus.Unavailable && !ended.IsCancellationRequested)
            {
                continue;
            }

            Assert.Equal((StoreStatus.Ok, null), (read.Status, read.Problem));
            int value = read.Entry is null
                ? 0
                : int.Parse(Encoding.ASCII.GetString(read.Entry.Value.Span), CultureInfo.InvariantCulture);
            Assert.Equal(count, value);
            StoreTxnResult done = await store.TxnAsync(
                StoreTxn.Put("count", read.Entry?.ModRevision ?? 0, Encoding.ASCII.GetBytes($"{value + 1}")), ended);
            if (done.Status == StoreStatus.Unavailable)
            {
                continue;
            }

            Assert.Equal((StoreStatus.Ok, true, null), (done.Status, done.Succeeded, done.Problem));
            count++;
        }

        return count;
    }

    private static void Signal(string signal, int pid)
    {
        using Process kill = Process.Start("/bin/kill", ["-" + signal, pid.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
        Assert.Equal(0, kill.ExitCode);
    }
}
