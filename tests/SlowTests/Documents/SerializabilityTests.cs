using FastTests.Documents;
using FastTests.Documents.History;
using FastTests.Server;

namespace SlowTests.Documents;

/// <summary>
/// Two hundred histories of sixteen clients, a sixth of them patches, with restarts between them; and a hundred that
/// end with a power cut.
/// </summary>
[Trait(Category.Shard, "documents")]
public sealed class SerializabilityTests
{
    [Theory]
    [InlineData(1000, 3)]
    [InlineData(2000, 8)]
    [InlineData(3000, 40)]
    [InlineData(4000, 2)]
    public async Task Histories_are_strictly_serializable(int firstSeed, int documents)
    {
        using TestDatabase database = new();
        for (int seed = firstSeed; seed < firstSeed + 50; seed++)
        {
            HistoryRecorder recorder = new(database.Database, documents, seed);
            List<HistoryEvent> events = await recorder.RunAsync(clients: 16, eventsEach: 60);
            List<string> violations = HistoryChecker.Check(events);
            Assert.True(violations.Count == 0, $"seed {seed}: {string.Join(Environment.NewLine, violations.Take(5))}");
            if (seed % 5 == 0)
            {
                database.Restart();
            }
        }
    }

    [Theory]
    [InlineData(5000, 3)]
    [InlineData(6000, 20)]
    public async Task Histories_over_http_are_strictly_serializable(int firstSeed, int documents)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        for (int seed = firstSeed; seed < firstSeed + 25; seed++)
        {
            List<HistoryEvent> events =
                await new HttpHistoryRecorder(server, documents, seed).RunAsync(clients: 16, eventsEach: 60);
            List<string> violations = HistoryChecker.Check(events);
            Assert.True(violations.Count == 0, $"seed {seed}: {string.Join(Environment.NewLine, violations.Take(5))}");
        }
    }

    [Theory]
    [InlineData(7000, 2)]
    [InlineData(8000, 5)]
    public async Task Histories_of_sessions_whose_reads_hold_have_no_write_skew(int firstSeed, int documents)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        for (int seed = firstSeed; seed < firstSeed + 100; seed++)
        {
            List<HistoryEvent> events = await new TrackedHistoryRecorder(
                server, documents, seed, isTracking: true).RunAsync(clients: 16, roundsEach: 30);
            List<string> violations = HistoryChecker.Check(events);
            Assert.True(violations.Count == 0, $"seed {seed}: {string.Join(Environment.NewLine, violations.Take(5))}");
        }
    }

    [Theory]
    [InlineData(100)]
    [InlineData(200)]
    public async Task Histories_of_two_thousand_events_that_end_with_a_power_cut_are_linearizable(int firstSeed)
    {
        for (int seed = firstSeed; seed < firstSeed + 50; seed++)
        {
            using RegisterHistory history = new(seed);
            Assert.Empty(await history.RunAsync(clients: 16, eventsEach: 120, cuts: 4));
        }
    }
}
