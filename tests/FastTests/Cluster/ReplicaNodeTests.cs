using FastTests.Support;
using Raven.Cluster.Hosting;
using Shared.Storage;

namespace FastTests.Cluster;

/// <summary>Who may be a node, signs of life, and connections of strangers.</summary>
public sealed class ReplicaNodeTests
{
    [Fact]
    public async Task The_second_server_of_a_tag_is_refused_and_both_are_named()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.CreateGroupAsync();
        Assert.Null(await cluster.StartAsync("A"));
        await using var other = new ReplicaCluster.Stranger(cluster, "A", "server-X", 1, "c1");
        string? problem = await other.Node.StartAsync(CancellationToken.None);
        Assert.Contains("server-A", problem, StringComparison.Ordinal);
        Assert.Contains("server-X", problem, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_copied_data_folder_is_found_out()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        await using (var old = new ReplicaCluster.Stranger(cluster, "B", "server-B", 1, "c1"))
        {
            Assert.Contains(
                "copied", await old.Node.StartAsync(CancellationToken.None), StringComparison.Ordinal);
        }

        // A copy that counts on is the node from then on: the one before gives way.
        await using var next = new ReplicaCluster.Stranger(cluster, "B", "server-B", 2, "c1");
        Assert.Null(await next.Node.StartAsync(CancellationToken.None));
        await cluster.UntilAsync(() => cluster.Nodes["B"].Replica.Hindrance is not null, "B does not know");
        Assert.Contains("copy", cluster.Nodes["B"].Replica.Hindrance, StringComparison.Ordinal);
        await cluster.WriteAsync("a", "1");
        Assert.Equal("A,C", cluster.InSync());
    }

    /// <summary>A note may be older than it says, as it takes time to come: one that is from the future tells at once,
    /// those from the past if several come one after the other.</summary>
    [Theory]
    [InlineData(900, 1, 900)]
    [InlineData(-900, 3, -900)]
    [InlineData(-900, 2, 0)]
    [InlineData(400, 3, 0)]
    [InlineData(-400, 3, 0)]
    public void A_clock_that_is_off_is_found_by_the_times_of_its_notes(int aheadMs, int notes, int found)
    {
        var clock = new ManualClock();
        var clocks = new PeerClocks(clock);
        for (int i = 0; i < notes; i++)
        {
            clock.Advance(TimeSpan.FromSeconds(10));
            clocks.Take("B", clock.GetUtcNow().AddMilliseconds(aheadMs));
        }

        Assert.Equal(found, clocks.FindDiffering().Sum(each => each.Ahead.TotalMilliseconds));
        clocks.Forget("B");
        Assert.Empty(clocks.FindDiffering());
    }

    [Fact]
    public async Task Nodes_see_that_the_clock_of_another_is_an_hour_ahead_or_behind()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.CreateGroupAsync("B", "C");
        await cluster.StartAsync("A");
        await cluster.StartAsync("B", clock: new OtherTime(cluster.Clock, TimeSpan.FromHours(1)));
        await cluster.StartAsync("C", clock: new OtherTime(cluster.Clock, TimeSpan.FromHours(-1)));
        await cluster.UntilAsync(
            () => cluster.Nodes["A"].Replica.OtherClocks.Count == 2
                && cluster.Nodes["B"].Replica.OtherClocks.Count == 2,
            "two clocks that are off are not seen");
        var seen = cluster.Nodes["A"].Replica.OtherClocks.ToDictionary(each => each.Tag, each => each.Ahead.TotalHours);
        Assert.Equal(1, seen["B"], 0.01);
        Assert.Equal(-1, seen["C"], 0.01);
        Assert.Equal(
            -3, cluster.Nodes["B"].Replica.OtherClocks.Sum(each => each.Ahead.TotalHours), 0.01);
    }

    [Theory]
    [InlineData("server-B", 1, "c2", "cluster c2")]
    [InlineData("server-X", 1, "c1", "server-X")]
    [InlineData("server-B", 0, "c1", "start 0")]
    public async Task A_stranger_is_refused_by_who_is_dialed(string server, long incarnation, string id, string why)
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        await using var stranger = new ReplicaCluster.Stranger(cluster, "B", server, incarnation, id);
        (Stream? stream, string? problem) = await stranger.Node.DialAsync(
            "A", ReplicaCluster.Database, ReplicaPurpose.Log, 0, CancellationToken.None);
        Assert.Null(stream);
        Assert.Contains(why, problem, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Pages_are_sent_to_nobody_who_was_not_told_to_copy_them()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        (Stream? stream, string? problem) = await cluster.Nodes["B"].Replica.DialAsync(
            "A", ReplicaCluster.Database, ReplicaPurpose.Pages, 0, CancellationToken.None);
        Assert.Null(stream);
        Assert.Contains("has not told node B", problem, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_is_no_frame_ends_a_connection_and_nothing_else()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        var random = new Random(1);
        for (int i = 0; i < 20; i++)
        {
            (Stream? stream, string? problem) = await cluster.Nodes["B"].Replica.DialAsync(
                "A", ReplicaCluster.Database, ReplicaPurpose.Log, 0, CancellationToken.None);
            Assert.Null(problem);
            byte[] noise = new byte[random.Next(1, 200)];
            random.NextBytes(noise);
            await stream!.WriteAsync(noise);
            await stream.DisposeAsync();
        }

        await cluster.WriteAsync("a", "1");
        await cluster.UntilAsync(() => cluster.InSync() == "A,B,C");
        await cluster.AssertEqualAsync("A", "B", "C");
    }

    [Fact]
    public async Task Nodes_show_signs_of_life_and_one_is_the_observer()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        ReplicaNode b = cluster.Nodes["B"].Replica;
        await cluster.UntilAsync(() => b.Observer is not null && b.IsAlive("A") && b.IsAlive("C"));
        string first = b.Observer!;
        Assert.Single(cluster.Nodes.Values, node => node.Replica.IsObserver);
        await cluster.KillAsync(first);
        string other = first == "B" ? "C" : "B";
        ReplicaNode left = cluster.Nodes[other].Replica;
        await cluster.UntilAsync(() => left.Observer is { } now && now != first, "no other observer");
        await cluster.UntilAsync(() => !left.IsAlive(first), "its sign of life stays");
    }

    [Fact]
    public async Task Who_stops_hands_over_first()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        await cluster.WriteAsync("a", "1");
        Task stopped = cluster.Nodes["A"].Replica.StopAsync(handsOver: true, CancellationToken.None);
        await cluster.UntilAsync(() => stopped.IsCompleted && cluster.Primary() is "B" or "C");
        Assert.NotEqual("A", cluster.Group().Primary);
        await cluster.WriteAsync("b", "2");
        await cluster.AssertEqualAsync("B", "C");
    }

    [Fact]
    public async Task Who_stops_waits_for_nobody_who_is_not_there()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        ReplicaHost host = cluster.Nodes["A"].Host!;
        await cluster.KillAsync("B");
        await cluster.KillAsync("C");
        await cluster.UntilAsync(() => host.Peers.All(peer => !peer.IsConnected), "they are still connected");

        // The clock stands still from here on, and nobody acknowledges the write.
        Task write = cluster.Nodes["A"].Files.WriteAsync("a", "1");
        Task<SwitchStatus> switched = host.HandOverAtEndAsync(
            cluster.Group().InSync.First(tag => tag != "A"), CancellationToken.None);
        await Deadline.UntilAsync(() => switched.IsCompleted);
        Assert.Equal(SwitchStatus.NotInSync, await switched);
        Task stopped = cluster.Nodes["A"].Replica.StopAsync(handsOver: true, CancellationToken.None);
        await Deadline.UntilAsync(() => stopped.IsCompleted && write.IsCompleted);
        Assert.NotNull(write.Exception);
    }

    [Fact]
    public async Task A_node_that_starts_with_the_store_away_comes_when_that_is_back()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        await cluster.KillAsync("C");
        cluster.Store.IsAway = true;
        Assert.Null(await cluster.StartAsync("C"));
        await cluster.PassAsync(TimeSpan.FromSeconds(3));
        Assert.False(cluster.Nodes["C"].Files.IsServing);
        cluster.Store.IsAway = false;
        await cluster.WriteAsync("a", "1");
        await cluster.UntilAsync(() => cluster.InSync() == "A,B,C", "C has not come");
        await cluster.UntilAsync(() => cluster.Nodes["A"].Replica.IsAlive("C"), "C shows no sign of life");
        await cluster.AssertEqualAsync("A", "B", "C");
    }

    [Fact]
    public void A_greeting_that_was_changed_is_none()
    {
        var greeting = new ReplicaGreeting
        {
            Purpose = ReplicaPurpose.Pages, Incarnation = 5, Since = 7, ClusterId = "c", ServerId = "s", From = "A",
            To = "B", Database = "Größen", Problem = "",
        };
        byte[] bytes = greeting.ToBytes();
        Assert.True(ReplicaGreeting.TryRead(bytes, out ReplicaGreeting? again));
        Assert.Equal(greeting, again);
        for (int i = 0; i < bytes.Length; i++)
        {
            bytes[i] ^= 4;
            Assert.False(ReplicaGreeting.TryRead(bytes, out _), $"byte {i}");
            bytes[i] ^= 4;
            Assert.False(ReplicaGreeting.TryRead(bytes.AsSpan(0, i), out _), $"{i} bytes");
        }
    }

    /// <summary>A clock of the same pace, which shows another time of day.</summary>
    private sealed class OtherTime(TimeProvider inner, TimeSpan ahead) : TimeProvider
    {
        public override long TimestampFrequency => inner.TimestampFrequency;

        public override long GetTimestamp() => inner.GetTimestamp();

        public override DateTimeOffset GetUtcNow() => inner.GetUtcNow() + ahead;

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            inner.CreateTimer(callback, state, dueTime, period);
    }
}
