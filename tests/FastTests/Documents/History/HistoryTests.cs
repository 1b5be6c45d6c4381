using FastTests.Server;

namespace FastTests.Documents.History;

/// <summary>
/// Requests are strictly serializable, in the order of their etags; and the checker detects if they are not.
/// </summary>
public sealed class HistoryTests
{
    [Fact]
    public async Task Histories_of_sixteen_clients_are_strictly_serializable()
    {
        using TestDatabase database = new();
        for (int seed = 1; seed <= 5; seed++)
        {
            List<HistoryEvent> events =
                await new HistoryRecorder(database.Database, documents: 6, seed).RunAsync(clients: 16, eventsEach: 25);
            List<string> violations = HistoryChecker.Check(events);
            Assert.True(violations.Count == 0, $"seed {seed}: {string.Join(Environment.NewLine, violations.Take(5))}");
            Assert.Contains(events, one => one.RefusedWrite >= 0);
            Assert.Contains(events, one => one.IsCommit);
        }
    }

    [Fact]
    public async Task Histories_of_sixteen_clients_over_http_are_strictly_serializable()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        for (int seed = 1; seed <= 2; seed++)
        {
            List<HistoryEvent> events =
                await new HttpHistoryRecorder(server, documents: 6, seed).RunAsync(clients: 16, eventsEach: 25);
            List<string> violations = HistoryChecker.Check(events);
            Assert.True(violations.Count == 0, $"seed {seed}: {string.Join(Environment.NewLine, violations.Take(5))}");
            Assert.Contains(events, one => one.RefusedWrite >= 0);
            Assert.Contains(events, one => one.IsCommit);
            Assert.Contains(events, one => one.Seen.Count > 1);
        }
    }

    [Fact]
    public async Task What_a_session_has_read_holds_when_it_writes_and_without_that_the_checker_finds_skews()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        for (int seed = 1; seed <= 2; seed++)
        {
            List<HistoryEvent> events = await new TrackedHistoryRecorder(
                server, documents: 3, seed, isTracking: true).RunAsync(clients: 8, roundsEach: 15);
            List<string> violations = HistoryChecker.Check(events);
            Assert.True(violations.Count == 0, $"seed {seed}: {string.Join(Environment.NewLine, violations.Take(5))}");
            Assert.Contains(events, one => one.Held.Count > 0);
        }

        List<string> found = [];
        for (int seed = 1; seed <= 50 && found.Count == 0; seed++)
        {
            found = HistoryChecker.Check(await new TrackedHistoryRecorder(
                server, documents: 3, seed, isTracking: false).RunAsync(clients: 8, roundsEach: 15));
        }

        Assert.NotEmpty(found);
        Assert.All(found, one => Assert.StartsWith("write skew", one, StringComparison.Ordinal));
    }

    [Fact]
    public void The_checker_finds_a_write_skew()
    {
        HistoryEvent both = new()
        {
            Began = 1,
            Ended = 2,
            Writes = [new(0, true, -1, Etag: 1), new(1, true, -1, Etag: 2)],
        };
        HistoryEvent[] skewed =
        [
            new() { Began = 3, Ended = 6, Writes = [new(0, true, 1, Etag: 3)], Held = new() { [1] = 2 } },
            new() { Began = 4, Ended = 7, Writes = [new(1, true, 2, Etag: 4)], Held = new() { [0] = 1 } },
        ];
        Assert.Contains("write skew", Assert.Single(HistoryChecker.Check([both, .. skewed])));
    }

    /// <summary>The snapshot of a read over HTTP is not known; there must have been one all the same.</summary>
    [Theory]
    [InlineData(1, 0, 3, 4)]
    [InlineData(0, 2, 3, 4)]
    [InlineData(0, 0, 3, 4)]
    [InlineData(1, 2, -2, -1)]
    public void The_checker_finds_a_read_that_no_snapshot_of_its_time_explains(
        long first, long second, long began, long ended)
    {
        HistoryEvent both = new()
        {
            Began = 1,
            Ended = 2,
            Writes = [new(0, true, -1, Etag: 1), new(1, true, -1, Etag: 2)],
        };
        HistoryEvent read = new()
        {
            Began = began,
            Ended = ended,
            Seen = new() { [0] = first, [1] = second },
            SnapshotEtag = HistoryEvent.Untold,
        };
        Assert.Contains("read", Assert.Single(HistoryChecker.Check([both, read])));
    }

    [Fact]
    public void The_checker_finds_a_lost_update()
    {
        HistoryEvent[] events = [Put(1, 2, 0, 1), Put(3, 6, 1, 2), Put(4, 7, 1, 3)];
        Assert.Contains("lost update", Assert.Single(HistoryChecker.Check(events)));
    }

    [Fact]
    public void The_checker_finds_a_fractured_read()
    {
        HistoryEvent both = new()
        {
            Began = 1,
            Ended = 2,
            Writes = [new(0, true, -1, Etag: 1), new(1, true, -1, Etag: 2)],
        };
        HistoryEvent half = new()
        {
            Began = 3,
            Ended = 4,
            Seen = new() { [0] = 1, [1] = 0 },
            SnapshotEtag = 2,
        };
        Assert.Contains("fractured read", Assert.Single(HistoryChecker.Check([both, half])));
    }

    [Fact]
    public void The_checker_finds_a_stale_read()
    {
        HistoryEvent stale = new() { Began = 3, Ended = 4, Seen = new() { [0] = 0 }, SnapshotEtag = 0 };
        Assert.Contains("stale", Assert.Single(HistoryChecker.Check([Put(1, 2, 0, 1), stale])));
    }

    [Fact]
    public void The_checker_finds_a_commit_that_is_ordered_before_one_that_had_ended()
    {
        HistoryEvent[] events = [Put(1, 2, -1, 2), Put(3, 4, -1, 1)];
        Assert.Contains("real time", Assert.Single(HistoryChecker.Check(events)));
    }

    [Fact]
    public void The_checker_finds_a_refusal_without_a_reason()
    {
        HistoryEvent refused = new()
        {
            Began = 3,
            Ended = 4,
            Writes = [new(0, true, 1)],
            RefusedWrite = 0,
            RefusedBecauseOf = 7,
        };
        Assert.Contains("reason", Assert.Single(HistoryChecker.Check([Put(1, 2, 0, 1), refused])));
    }

    [Fact]
    public void The_checker_finds_an_etag_that_was_given_out_twice() =>
        Assert.Contains(
            HistoryChecker.Check([Put(1, 5, -1, 1), Put(2, 6, -1, 1)]),
            violation => violation.Contains("twice"));

    private static HistoryEvent Put(long began, long ended, long expected, long etag) =>
        new() { Began = began, Ended = ended, Writes = [new(0, true, expected, Etag: etag)] };
}
