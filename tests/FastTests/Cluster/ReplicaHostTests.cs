using FastTests.Support;
using Raven.Cluster.Hosting;
using Raven.Cluster.Replication;

namespace FastTests.Cluster;

/// <summary>Three nodes in one process: what is acknowledged is on all, whoever fails.</summary>
public sealed class ReplicaHostTests
{
    [Fact]
    public async Task What_is_written_on_the_primary_is_read_on_all()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        Assert.Equal("A", cluster.Primary());
        for (int i = 0; i < 50; i++)
        {
            await cluster.Nodes["A"].Files.WriteAsync($"k{i}", $"v{i}");
        }

        await cluster.AssertEqualAsync("A", "B", "C");
        Assert.Equal("v49", cluster.Nodes["C"].Files.Values["k49"]);
        ReplicaHost host = cluster.Nodes["A"].Host!;
        Assert.Equal(cluster.Nodes["A"].Files.Visible.TransactionId, host.Committed);
        Assert.Equal(2, await cluster.DoneAsync(host.WaitForReplicasAsync(2, CancellationToken.None).AsTask()));
        await cluster.UntilAsync(() => host.Peers.Count == 2 && host.Peers.All(peer => peer.LagTransactions == 0));
    }

    [Fact]
    [Trait("Invariant", "HOST-1")]
    public async Task A_commit_needs_neither_time_nor_the_store()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        await cluster.PassAsync(TimeSpan.FromSeconds(1));
        cluster.Store.IsAway = true;
        int writes = cluster.Store.Writes;

        // The clock stands still: nothing of it may wait for a tick.
        for (int i = 0; i < 20; i++)
        {
            await cluster.Nodes["A"].Files.WriteAsync("k", $"v{i}");
        }

        Assert.Equal(writes, cluster.Store.Writes);
        await cluster.AssertEqualAsync("A", "B", "C");
    }

    [Fact]
    [Trait("Invariant", "HOST-4")]
    public async Task A_follower_that_asks_is_told_at_once_what_is_committed()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        await cluster.PassAsync(TimeSpan.FromSeconds(1));

        // The clock stands still: no tick tells the follower of the write.
        await cluster.Nodes["A"].Files.WriteAsync("k", "1");
        Task<ReadStatus> read = cluster.Nodes["B"].Host!.ReadableAsync(CancellationToken.None).AsTask();
        await Deadline.UntilAsync(() => read.IsCompleted);
        Assert.Equal(ReadStatus.Readable, await read);
        Assert.Equal("1", cluster.Nodes["B"].Files.Values["k"]);

        // One tick does, if nothing else happens.
        await cluster.AssertEqualAsync("A", "B", "C");
    }

    [Fact]
    public async Task Another_node_takes_over_and_has_all_that_was_acknowledged()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        await cluster.WriteAsync("a", "1");
        await cluster.KillAsync("A");
        await cluster.WriteAsync("b", "2");
        Assert.NotEqual("A", cluster.Primary());
        await cluster.AssertEqualAsync("B", "C");
        Assert.Equal("1", cluster.Nodes["B"].Files.Values["a"]);

        // The old one comes back as a follower, by records.
        await cluster.StartAsync("A");
        await cluster.UntilAsync(() => cluster.InSync() == "A,B,C", "A has not come back");
        await cluster.AssertEqualAsync("A", "B", "C");
        Assert.Equal(0, cluster.Nodes["A"].Files.Copies);
    }

    [Fact]
    public async Task Who_was_away_for_long_comes_back_by_a_copy_of_pages()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        await cluster.KillAsync("C");
        await cluster.UntilAsync(() => cluster.InSync() == "A,B", "C has not been taken out");
        for (int i = 0; i < 100; i++)
        {
            await cluster.WriteAsync($"k{i}", new string('x', 100));
        }

        await cluster.StartAsync("C");
        await cluster.UntilAsync(() => cluster.InSync() == "A,B,C", "C has not come back");
        Assert.Equal(1, cluster.Nodes["C"].Files.Copies);
        Assert.True(cluster.Nodes["C"].Host!.CopiedBytes > 10_000);
        await cluster.AssertEqualAsync("A", "B", "C");
    }

    [Theory]
    [InlineData("A", "B")]
    [InlineData("B", "A")]
    public async Task A_cut_of_one_way_takes_a_follower_out_and_it_comes_back(string from, string to)
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        cluster.Network.Cut(from, to);
        await cluster.WriteAsync("a", "1");
        Assert.Equal("A,C", cluster.InSync());
        cluster.Network.Heal();
        await cluster.UntilAsync(() => cluster.InSync() == "A,B,C", "B has not come back");
        await cluster.WriteAsync("b", "2");
        await cluster.AssertEqualAsync("A", "B", "C");
    }

    [Fact]
    [Trait("Invariant", "HOST-3")]
    public async Task A_primary_that_is_cut_off_says_that_its_write_is_in_doubt_and_follows()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        await cluster.WriteAsync("a", "1");
        cluster.Network.CutBoth("A", "B");
        cluster.Network.CutBoth("A", "C");
        cluster.Store.IsAway = true;
        Task doubtful = cluster.Nodes["A"].Files.WriteAsync("doubt", "1");
        await cluster.PassAsync(TimeSpan.FromSeconds(1.5));
        Assert.False(doubtful.IsCompleted);

        // A may not shrink below two, so another one takes over, unless A was quicker with one of them.
        cluster.Store.IsAway = false;
        await cluster.UntilAsync(() => cluster.Group().Primary != "A", "nobody takes over");
        await cluster.UntilAsync(() => doubtful.IsCompleted, "the writer waits for ever");
        Assert.True(doubtful.IsFaulted);
        cluster.Network.Heal();
        await cluster.WriteAsync("b", "2");
        await cluster.UntilAsync(() => cluster.InSync() == "A,B,C", "A has not come back");
        await cluster.AssertEqualAsync("A", "B", "C");
        Assert.Equal("1", cluster.Nodes["C"].Files.Values["a"]);
    }

    [Fact]
    public async Task With_the_store_away_writes_and_reads_go_on()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        cluster.Store.IsAway = true;
        for (int i = 0; i < 10; i++)
        {
            await cluster.WriteAsync("k", $"{i}");
            await cluster.PassAsync(TimeSpan.FromSeconds(1));
        }

        ReplicaHost follower = cluster.Nodes["B"].Host!;
        Assert.Equal(
            ReadStatus.Readable, await cluster.DoneAsync(follower.ReadableAsync(CancellationToken.None).AsTask()));
        Assert.Equal("9", cluster.Nodes["B"].Files.Values["k"]);
    }

    [Fact]
    public async Task A_planned_switch_loses_no_write_and_keeps_the_old_primary_in_sync()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        await cluster.WriteAsync("a", "1");
        ReplicaHost a = cluster.Nodes["A"].Host!;
        Assert.Equal(
            SwitchStatus.NotInSync, await cluster.DoneAsync(a.HandOverAsync("D", CancellationToken.None)));
        Assert.Equal(SwitchStatus.Done, await cluster.DoneAsync(a.HandOverAsync("B", CancellationToken.None)));
        await cluster.WriteAsync("b", "2");
        Assert.Equal("B", cluster.Primary());
        Assert.Equal("A,B,C", cluster.InSync());
        Assert.Equal(
            SwitchStatus.NotPrimary, await cluster.DoneAsync(a.HandOverAsync("C", CancellationToken.None)));
        await cluster.AssertEqualAsync("A", "B", "C");
    }

    [Fact]
    public async Task A_switch_to_a_node_that_does_not_answer_comes_to_nothing()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        cluster.Store.IsAway = true;
        ReplicaHost a = cluster.Nodes["A"].Host!;
        Assert.Equal(SwitchStatus.TimedOut, await cluster.DoneAsync(a.HandOverAsync("B", CancellationToken.None)));
        cluster.Store.IsAway = false;
        await cluster.WriteAsync("a", "1");
        await cluster.UntilAsync(() => cluster.InSync() == "A,B,C");
        await cluster.AssertEqualAsync("A", "B", "C");
    }

    [Fact]
    public async Task A_member_is_added_and_another_removed()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        await cluster.WriteAsync("a", "1");
        ReplicaHost b = cluster.Nodes["B"].Host!;
        Assert.Equal(GroupChangeStatus.Done, (await b.AddMemberAsync("D", CancellationToken.None)).Status);
        Assert.Equal(GroupChangeStatus.Unchanged, (await b.AddMemberAsync("D", CancellationToken.None)).Status);
        await cluster.StartAsync("D");
        await cluster.UntilAsync(() => cluster.InSync() == "A,B,C,D", "D has not come");
        Assert.Equal(GroupChangeStatus.Refused, (await b.RemoveMemberAsync("A", CancellationToken.None)).Status);
        Assert.Equal(GroupChangeStatus.Done, (await b.RemoveMemberAsync("C", CancellationToken.None)).Status);
        await cluster.UntilAsync(() => cluster.Nodes["C"].Host!.View.Hindrance is not null, "C does not know");
        await cluster.WriteAsync("b", "2");
        await cluster.AssertEqualAsync("A", "B", "D");
        Assert.False(cluster.Nodes["C"].Files.Values.ContainsKey("b"));
        Assert.Equal(["A", "B", "D"], cluster.Group().Members);
        Assert.Equal(["A", "B", "D"], cluster.Group().Order);
    }

    [Fact]
    public async Task Reads_have_what_was_acknowledged_on_each_node()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        ReplicaHost primary = cluster.Nodes["A"].Host!;
        await cluster.UntilAsync(() => primary.ReadableAsync(CancellationToken.None).AsTask().IsCompletedSuccessfully);
        Assert.Equal(TimeSpan.Zero, primary.CommitAge);
        for (int i = 0; i < 10; i++)
        {
            await cluster.Nodes["A"].Files.WriteAsync("k", $"{i}");
            Task<ReadStatus>[] reads =
            [
                .. Enumerable.Range(0, 20).Select(
                    n => cluster.Nodes["B"].Host!.ReadableAsync(CancellationToken.None).AsTask()),
                primary.ConfirmAsync(CancellationToken.None).AsTask(),
            ];
            ReadStatus[] statuses = await cluster.DoneAsync(Task.WhenAll(reads));
            Assert.All(statuses, status => Assert.Equal(ReadStatus.Readable, status));
            Assert.Equal($"{i}", cluster.Nodes["B"].Files.Values["k"]);
        }

        Assert.True(cluster.Nodes["B"].Host!.CommitAge < TimeSpan.FromSeconds(1));

        // Nobody reaches anybody: there is no lease after a while, and who asks is told that this is not the place.
        cluster.Store.IsAway = true;
        cluster.Network.CutBoth("A", "B");
        cluster.Network.CutBoth("A", "C");
        await cluster.PassAsync(TimeSpan.FromSeconds(4));
        Task<ReadStatus> hanging = primary.ReadableAsync(CancellationToken.None).AsTask();
        await cluster.PassAsync(TimeSpan.FromSeconds(1));
        Assert.False(hanging.IsCompleted);
        Assert.Equal(
            ReadStatus.NotNow,
            await cluster.DoneAsync(cluster.Nodes["B"].Host!.ReadableAsync(CancellationToken.None).AsTask()));
    }

    [Fact]
    [Trait("Invariant", "HOST-2")]
    public async Task Files_that_fail_make_way_for_others_and_come_back()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        await cluster.WriteAsync("a", "1");

        // A follower whose disk is full is taken out, and its group goes on.
        cluster.Nodes["B"].Files.Failure = new IOException("No space left on device");
        await cluster.WriteAsync("b", "2");
        Assert.Equal("A,C", cluster.InSync());
        await cluster.UntilAsync(() => cluster.Nodes["B"].Host!.View.Hindrance is not null);
        cluster.Nodes["B"].Files.Failure = null;
        await cluster.UntilAsync(() => cluster.InSync() == "A,B,C", "B has not come back");

        // A primary whose disk is full gives its place up.
        cluster.Nodes["A"].Files.Failure = new IOException("No space left on device");
        await Assert.ThrowsAsync<IOException>(() => cluster.Nodes["A"].Files.WriteAsync("c", "3"));
        await cluster.UntilAsync(() => cluster.Primary() is "B" or "C", "nobody takes over");
        cluster.Nodes["A"].Files.Failure = null;
        await cluster.WriteAsync("d", "4");
        await cluster.UntilAsync(() => cluster.InSync() == "A,B,C", "A has not come back");
        await cluster.AssertEqualAsync("A", "B", "C");
    }

    [Theory]
    [InlineData(0)]
    [InlineData(6)]
    public async Task A_promotion_that_accepts_a_loss_begins_another_history(int secondsLater)
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        await cluster.WriteAsync("a", "1");
        await cluster.KillAsync("A");
        await cluster.KillAsync("B");
        await cluster.PassAsync(TimeSpan.FromSeconds(secondsLater));
        ReplicaHost c = cluster.Nodes["C"].Host!;
        Assert.Equal(SwitchStatus.Done, await cluster.DoneAsync(c.PromoteUncleanAsync(CancellationToken.None)));
        await cluster.WriteAsync("b", "2");
        Assert.NotEqual("0000000000001234", cluster.Group().Lineage);
        await cluster.StartAsync("A");
        await cluster.StartAsync("B");
        await cluster.UntilAsync(() => cluster.InSync() == "A,B,C", "the others have not come back");
        await cluster.AssertEqualAsync("A", "B", "C");
        Assert.Equal(ReplicaRole.Leading, c.View.Role);
    }

    /// <summary>The primary itself is what is left: it waits for the others, and may go on without them.</summary>
    [Fact]
    public async Task A_primary_that_is_left_alone_can_be_promoted_and_one_that_commits_can_not()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        await cluster.WriteAsync("a", "1");
        ReplicaHost a = cluster.Nodes["A"].Host!;
        Assert.Equal("A", cluster.Primary());
        Assert.Equal(SwitchStatus.NotPrimary, await cluster.DoneAsync(a.PromoteUncleanAsync(CancellationToken.None)));
        await cluster.KillAsync("B");
        await cluster.KillAsync("C");
        await cluster.PassAsync(TimeSpan.FromSeconds(6));
        Assert.Equal(SwitchStatus.Done, await cluster.DoneAsync(a.PromoteUncleanAsync(CancellationToken.None)));
        await cluster.WriteAsync("b", "2");
        await cluster.StartAsync("B");
        await cluster.StartAsync("C");
        await cluster.UntilAsync(() => cluster.InSync() == "A,B,C", "the others have not come back");
        await cluster.AssertEqualAsync("A", "B", "C");
    }

    /// <summary>
    /// Two of three were in sync when the primary went: the other one has everything, and too few are in sync. The
    /// third one, which is far behind, copies pages of it.
    /// </summary>
    [Fact]
    [Trait("Invariant", "REP-6")]
    public async Task A_node_that_took_over_alone_lets_the_others_copy_it()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        await cluster.KillAsync("C");
        for (int i = 0; i < 60; i++)
        {
            await cluster.WriteAsync("key" + i, new string('x', 200));
        }

        Assert.Equal("A,B", cluster.InSync());
        await cluster.KillAsync("A");
        await cluster.StartAsync("C");
        await cluster.UntilAsync(() => cluster.InSync() == "B,C", "C has not come back");
        await cluster.WriteAsync("b", "2");
        await cluster.AssertEqualAsync("B", "C");
    }

    /// <summary>An exception of the store's client is an answer that was lost, and not the end of all questions.
    /// </summary>
    [Fact]
    public async Task A_store_that_throws_is_asked_again()
    {
        await using var cluster = new ReplicaCluster();
        await cluster.StartAllAsync();
        await cluster.WriteAsync("a", "1");
        cluster.Store.Fault = new FormatException("a fault in the client of the store");
        await cluster.KillAsync("A");
        await cluster.PassAsync(TimeSpan.FromSeconds(8));
        Assert.Null(cluster.Primary());
        cluster.Store.Fault = null;
        await cluster.UntilAsync(() => cluster.Primary() is "B" or "C", "nobody takes over");
        await cluster.WriteAsync("b", "2");
        await cluster.AssertEqualAsync("B", "C");
    }
}
