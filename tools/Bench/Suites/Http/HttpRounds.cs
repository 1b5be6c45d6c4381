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
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan RoundTime = TimeSpan.FromSeconds(1.5);
    private readonly Dictionary<string, double[][]> _results = [];

    /// <summary>Runs all rounds now.</summary>
    internal HttpRounds(IReadOnlyList<(string Name, ServerUnderTest Server)> servers, string path, int rounds)
    {
        foreach ((string name, ServerUnderTest server) in servers)
        {
            _results[name] = new double[rounds][];
            server.Load(path, Clients, WarmUp);
        }

        for (int round = 0; round < rounds; round++)
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
    /// How far two runs of the same server were apart in the same round, at most: as a share of the first. What differs
    /// by less cannot be told apart here.
    /// </summary>
    internal double BandOf(string first, string second, int metric) => _results[first]
        .Zip(_results[second], (one, other) => Math.Abs((other[metric] / one[metric]) - 1)).Max();
}
