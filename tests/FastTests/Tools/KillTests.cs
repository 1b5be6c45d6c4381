using Raven.Tools.Stress;
using Xunit.Abstractions;

namespace FastTests.Tools;

/// <summary>The server that was built with these tests, as a process of its own, killed three times.</summary>
public sealed class KillTests(ITestOutputHelper output) : IDisposable
{
    private const int Rounds = 3;
    private const int AcknowledgementsMin = 200;

    private readonly string _directory = Directory.CreateTempSubdirectory("raven-kill-").FullName;

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [Fact]
    public async Task Three_kills_lose_nothing_of_sixteen_writers_in_one_database_and_in_twenty_of_a_small_heap()
    {
        using var log = new StringWriter();
        StressResult result = await new StressRun(
            new StressOptions
            {
                ServerPath = typeof(Raven.Server.Program).Assembly.Location,
                DataDirectory = Path.Combine(_directory, "data"),
                Seed = Environment.TickCount & 0xffff,
                Rounds = Rounds,
                IsMixed = true,
                Writers = 16,
                AcknowledgementsMin = AcknowledgementsMin,
            },
            log).RunAsync();

        output.WriteLine(log.ToString());
        Assert.Empty(result.Problems);
        Assert.Equal((Rounds, 2), (result.Rounds, result.CrowdedRounds));
        Assert.True(result.Acknowledged >= Rounds * AcknowledgementsMin, $"only {result.Acknowledged} writes");

        // Two restarts behind rounds of twenty databases, three queries of each index in each.
        Assert.Equal(2 * 20 * 3, result.Asked);
    }
}
