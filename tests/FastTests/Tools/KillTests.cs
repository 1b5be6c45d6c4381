using Raven.Tools.Stress;

namespace FastTests.Tools;

/// <summary>
/// The server that was built with these tests, as a process of its own, killed once; SlowTests kill it often.
/// </summary>
public sealed class KillTests(ITestOutputHelper output) : IDisposable
{
    private const int Rounds = 1;
    private const int AcknowledgementsMin = 200;

    private readonly string _directory = Directory.CreateTempSubdirectory("raven-kill-").FullName;

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [Fact]
    public async Task A_kill_loses_no_acknowledged_write_of_sixteen_writers_of_all_kinds()
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
        Assert.Equal(Rounds, result.Rounds);
        Assert.True(result.Acknowledged >= Rounds * AcknowledgementsMin, $"only {result.Acknowledged} writes");
    }
}
