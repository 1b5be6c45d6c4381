using System.Collections.Concurrent;
using System.Net;
using System.Text.Json.Nodes;
using FastTests.Client;
using FastTests.Support;
using Raven.Server.Http.Cluster;

namespace FastTests.Server.Forwarding;

/// <summary>What is told of a request whose node was not reached, or has gone: it was surely not done, or perhaps.
/// </summary>
[Trait("Invariant", "FWD-2")]
public sealed class UnsentTests
{
    private const string None = "HTTP/1.1 204 X\r\n\r\n";

    [Theory]
    [InlineData("DELETE", "~/docs?id=a/2")]
    [InlineData("POST", "~/identity/next?name=a%7C")]
    public async Task A_write_without_a_body_is_sent_once_though_its_connection_was_used_before(
        string method, string path)
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        int count = 0;
        using var closing = new FaultyServer(_ => ++count == 1 ? None : "", socket =>
        {
            if (count > 1)
            {
                FaultyServer.CloseItsSide(socket);
            }
        });
        nodes.OfB.Set(nodes.Group(GroupRole.Member, StandInNodes.Node("A", closing.Url)));
        Assert.Equal(204, (await nodes.B.SendAsync("DELETE", "~/docs?id=a/1")).Status);
        (await nodes.B.SendAsync(method, path)).ExpectError(500, "Perhaps it was done");
        Assert.Equal(2, count);
    }

    [Fact]
    public async Task What_reads_only_is_sent_again_also_if_the_primary_alone_may_answer_it()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        using var breaking = new FaultyServer("", FaultyServer.Break);
        nodes.OfB.Set(nodes.Group(GroupRole.Member, StandInNodes.Node("A", breaking.Url)));
        Task<HttpAnswer> next = nodes.B.SendAsync("GET", "~/hilo/next?tag=users&lastBatchSize=1&lastRangeAt=2026-01-01"
            + "T00:00:00.0000000Z&identityPartsSeparator=/&lastMax=0");
        await Deadline.UntilAsync(() => breaking.Requests > 0);
        nodes.OfB.Set(nodes.Group(GroupRole.Member, nodes.NodeA, epoch: 2));
        Assert.Equal(1, (long)(await next).Expect(HttpStatusCode.OK).Json["Low"]!);
    }

    /// <summary>The connection does not come about in time, or another node becomes the primary before that.</summary>
    [Theory]
    [InlineData("PUT", "{}", true)]
    [InlineData("PUT", "{}", false)]
    [InlineData("DELETE", null, false)]
    public async Task A_node_to_which_there_is_no_connection_has_surely_done_nothing(
        string method, string? body, bool changesAtOnce)
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        using var deaf = new DeafListener();
        NodeView away = StandInNodes.Node("A", deaf.Url);
        nodes.OfB.Set(nodes.Group(GroupRole.Member, away));
        Task<HttpAnswer> held = nodes.B.SendAsync(method, "~/docs?id=a/1", body);
        if (changesAtOnce)
        {
            await Deadline.GraceAsync();
            nodes.OfB.Set(nodes.Group(GroupRole.Member, nodes.NodeA, epoch: 2));
        }
        else
        {
            // The address is better known now; under the same primary nobody ends the attempt.
            await Deadline.GraceAsync();
            nodes.OfB.Set(nodes.Group(GroupRole.Member, nodes.NodeA));
        }

        Assert.Equal(method == "PUT" ? 201 : 204, (await held).Status);
    }

    [Fact]
    public async Task A_node_whose_connection_was_cut_is_asked_before_it_gets_a_body_until_it_answers()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        ConcurrentQueue<string> got = [];
        bool isDying = true;
        bool breaks = true;
        using var dying = new FaultyServer(
            request =>
            {
                got.Enqueue(request);
                breaks = Volatile.Read(ref isDying);
                return breaks ? "" : IsAsked(request) ? "HTTP/1.1 100 Continue\r\n\r\n" : None;
            },
            socket =>
            {
                if (breaks)
                {
                    FaultyServer.Break(socket);
                }
            });
        nodes.OfB.Set(nodes.Group(GroupRole.Member, StandInNodes.Node("A", dying.Url)));
        (await nodes.B.SendAsync("PUT", "~/docs?id=a/1", "{}")).ExpectError(500, "Perhaps it was done");

        // Its sockets are open yet, and nobody reads what they take: that was surely not done.
        Task<HttpAnswer> held = nodes.B.SendAsync("PUT", "~/docs?id=a/2", "{}");
        await Deadline.UntilAsync(() => dying.Requests > 2);
        Assert.Equal(1, got.Count(request => !IsAsked(request)));
        Volatile.Write(ref isDying, false);
        Assert.Equal(204, (await held).Status);

        // It has answered, and is trusted.
        got.Clear();
        Assert.Equal(204, (await nodes.B.SendAsync("PUT", "~/docs?id=a/3", "{}")).Status);
        Assert.False(IsAsked(Assert.Single(got)));

        static bool IsAsked(string request) => request.Contains("Expect:", StringComparison.OrdinalIgnoreCase);
    }

    [Theory]
    [InlineData("PUT", "{}")]
    [InlineData("GET", "")]
    [Trait("Invariant", "FWD-4")]
    public async Task A_request_that_nobody_can_serve_is_held_for_15_seconds_and_was_surely_not_done(
        string method, string body)
    {
        var clock = new DueClock();
        using var server = new InMemoryServer(clock);
        NodeView away = StandInNodes.Node("A", "http://127.0.0.1:1");
        var cluster = new StandInCluster("B") { Reads = _ => ReadState.NotNow };
        cluster.Set(new GroupView
        {
            Database = "db", Etag = 1, Epoch = 1, Role = GroupRole.Member, IsOpen = true, Primary = away,
            Nodes = [new GroupNode(away, GroupRole.Primary)], MinInSync = 1,
        });
        server.State.Cluster = cluster;
        var request = new InMemoryRequest(method, "/databases/db/docs", "?id=a", body);
        if (body.Length > 0)
        {
            request.Request["Content-Length"] = $"{body.Length}";
        }

        (_, Task done) = server.Begin(request);
        for (int i = 0; i < 149; i++)
        {
            clock.Advance(TimeSpan.FromMilliseconds(100));
            await Task.Yield();
        }

        await Deadline.GraceAsync();
        Assert.False(done.IsCompleted);
        clock.Advance(TimeSpan.FromMilliseconds(100));
        await done.WaitAsync(Deadline.Hang);
        Assert.Equal(503, request.StatusCode);
        var error = JsonNode.Parse(request.Answer)!;
        Assert.StartsWith(
            "Nothing was done: for 15 seconds no node", (string?)error["Message"], StringComparison.Ordinal);
        Assert.Equal("1", $"{request.Response["Retry-After"]}");
    }

    [Fact]
    [Trait("Invariant", "FWD-4")]
    public async Task A_node_that_has_just_started_holds_what_is_of_a_database_that_it_does_not_know_yet()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        var known = new TaskCompletionSource();
        nodes.OfB.Known = known.Task;
        nodes.OfB.Set(null);
        Task<HttpAnswer> write = nodes.B.SendAsync("PUT", "~/docs?id=a/1", "{}");
        Task<HttpAnswer> topology = nodes.B.SendAsync("GET", "/topology?name=db");
        await Deadline.GraceAsync();
        Assert.False(write.IsCompleted || topology.IsCompleted);
        nodes.OfB.Set(nodes.Group(GroupRole.Member, nodes.NodeA));
        known.SetResult();
        (await write).Expect(HttpStatusCode.Created);
        Assert.Equal("A", (string?)(await topology).Expect(HttpStatusCode.OK).Json["Nodes"]![0]!["ClusterTag"]);
        Assert.Equal(200, (await nodes.A.SendAsync("GET", "~/docs?id=a/1")).Status);

        // The same of a primary that was started again, to which another node sends: that it knows none is no answer.
        known = new TaskCompletionSource();
        nodes.OfA.Known = known.Task;
        nodes.OfA.Set(null);
        write = nodes.B.SendAsync("PUT", "~/docs?id=a/2", "{}");
        await Deadline.GraceAsync();
        Assert.False(write.IsCompleted);
        nodes.OfA.Set(nodes.Group(GroupRole.Primary, nodes.NodeA));
        known.SetResult();
        (await write).Expect(HttpStatusCode.Created);
    }

    [Theory]
    [InlineData(false, 15)]
    [InlineData(true, 2)]
    [Trait("Invariant", "FWD-4")]
    public async Task A_node_that_does_not_learn_the_databases_of_its_cluster_says_that_nothing_was_done(
        bool isOfNode, int seconds)
    {
        var clock = new DueClock();
        using var server = new InMemoryServer(clock);
        server.State.Cluster = new StandInCluster("B") { Known = new TaskCompletionSource().Task };
        var request = new InMemoryRequest("PUT", "/databases/db/docs", "?id=a", "{}");
        if (isOfNode)
        {
            request.Request["Raven-Forwarded"] = "A, 1";
            request.Request["Raven-Forwarded-Key"] = "secret";
        }

        (_, Task done) = server.Begin(request);
        clock.Advance(TimeSpan.FromSeconds(seconds) - TimeSpan.FromMilliseconds(1));
        await Deadline.GraceAsync();
        Assert.False(done.IsCompleted);
        clock.Advance(TimeSpan.FromMilliseconds(1));
        await done.WaitAsync(Deadline.Hang);
        Assert.Equal(503, request.StatusCode);
        Assert.Contains("Nothing was done", request.Answer, StringComparison.Ordinal);
        Assert.Equal(isOfNode, request.Response.ContainsKey("Raven-Not-Primary"));
    }

    /// <summary>A clock that stands still until a test moves it; timers ring when their time has come.</summary>
    private sealed class DueClock : TimeProvider
    {
        private readonly Lock _lock = new();
        private readonly List<DueTimer> _timers = [];
        private TimeSpan _now;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => _now.Ticks;

        public override DateTimeOffset GetUtcNow() => new DateTimeOffset(2026, 11, 21, 12, 0, 0, TimeSpan.Zero) + _now;

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            var timer = new DueTimer(this, () => callback(state));
            timer.Change(dueTime, period);
            return timer;
        }

        internal void Advance(TimeSpan time)
        {
            DueTimer[] due;
            lock (_lock)
            {
                _now += time;
                due = [.. _timers.Where(timer => timer.Due <= _now)];
            }

            foreach (DueTimer timer in due)
            {
                timer.Ring();
            }
        }

        private sealed class DueTimer(DueClock clock, Action ring) : ITimer
        {
            private TimeSpan _period = Timeout.InfiniteTimeSpan;

            internal TimeSpan Due { get; private set; }

            internal void Ring()
            {
                Change(_period, _period);
                ring();
            }

            public bool Change(TimeSpan dueTime, TimeSpan period)
            {
                lock (clock._lock)
                {
                    _period = period;
                    clock._timers.Remove(this);
                    if (dueTime != Timeout.InfiniteTimeSpan)
                    {
                        Due = clock._now + dueTime;
                        clock._timers.Add(this);
                    }
                }

                return true;
            }

            public void Dispose() => Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);

            public ValueTask DisposeAsync()
            {
                Dispose();
                return ValueTask.CompletedTask;
            }
        }
    }
}
