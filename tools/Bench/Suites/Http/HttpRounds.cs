namespace Raven.Tools.Bench.Suites.Http;

/// <summary>
/// Loads several servers in turn, the one that begins changing every round, and keeps what each round gave: all rows of
/// the table come from the same rounds.
/// </summary>
internal sealed class HttpRounds
{
    internal const int RequestsPerSecond = 0;
    internal const int CpuMicroseconds = 1;
    internal const int P99Microseconds = 2;

    private const int Clients = 64;

    /// <summary>
    /// Rounds for each run that is asked for: neighbours on the machine disturb a round by a third and more, and only
    /// the median of many distinguishes servers that differ by a twentieth.
    /// </summary>
    private const int RoundsPerRun = 5;
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan RoundTime = TimeSpan.FromSeconds(0.8);
    private readonly Dictionary<string, double[][]> _results = [];

    /// <summary>How many rounds there were.</summary>
    internal int RoundCount { get; }

    /// <summary>Runs all rounds now, a few for each run.</summary>
    internal HttpRounds(IReadOnlyList<(string Name, ServerUnderTest Server)> servers, string path, int runs)
    {
        RoundCount = runs * RoundsPerRun;
        foreach ((string name, ServerUnderTest server) in servers)
        {
            _results[name] = new double[RoundCount][];
            server.Load(path, Clients, WarmUp);
        }

        for (int round = 0; round < RoundCount; round++)
        {
            for (int turn = 0; turn < servers.Count; turn++)
            {
                (string name, ServerUnderTest server) = servers[(turn + round) % servers.Count];
                _results[name][round] = server.Load(path, Clients, RoundTime);
            }
        }
    }

    /// <summary>Gives the values of a metric, round by round, for a row without warm-up.</summary>
    internal Func<double> Metric(string server, int metric)
    {
        int next = 0;
        return () => _results[server][next++][metric];
    }

    /// <summary>
    /// How far two runs of the same server were apart in nine rounds of ten, as a share of the first. A smaller
    /// difference means nothing here.
    /// </summary>
    internal double BandOf(string first, string second, int metric)
    {
        double[] apart = [.. _results[first]
            .Zip(_results[second], (one, other) => Math.Abs((other[metric] / one[metric]) - 1)).Order()];
        return apart[(apart.Length - 1) * 9 / 10];
    }
}
