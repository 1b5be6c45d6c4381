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

    internal const int Clients = 64;

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

    /// <summary>Runs all rounds of one path now, a few for each run.</summary>
    internal HttpRounds(IReadOnlyList<(string Name, ServerUnderTest Server)> servers, string path, int runs)
        : this([.. servers.Select(one => (one.Name, LoadOf(one.Server, path)))], runs)
    {
    }

    /// <summary>Runs all rounds now, a few for each run.</summary>
    /// <param name="loads">Loads, each with the name of its results: a load is given the time that it has.</param>
    /// <param name="runs">The runs that are asked for.</param>
    internal HttpRounds(IReadOnlyList<(string Name, Func<TimeSpan, double[]> Load)> loads, int runs)
    {
        RoundCount = runs * RoundsPerRun;
        foreach ((string name, Func<TimeSpan, double[]> load) in loads)
        {
            _results[name] = new double[RoundCount][];
            load(WarmUp);
        }

        for (int round = 0; round < RoundCount; round++)
        {
            for (int turn = 0; turn < loads.Count; turn++)
            {
                (string name, Func<TimeSpan, double[]> load) = loads[(turn + round) % loads.Count];
                _results[name][round] = load(RoundTime);
            }
        }
    }

    private static Func<TimeSpan, double[]> LoadOf(ServerUnderTest server, string path) =>
        time => server.Load(path, Clients, time);

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
