using System.Globalization;
using Npgsql;
using Raven.Tools.Bench.Suites.Documents;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Cluster;

/// <summary>
/// PostgreSQL with two standbys that each commit waits for (<c>FIRST 2</c>, synchronous_commit on): all three have it
/// on their disks before it is told, as a group of ours.
/// </summary>
internal sealed class PostgresGroup : IDisposable
{
    internal const string Name = "PostgreSQL, FIRST 2 of 2 standbys";

    private const int StandbyCount = 2;
    private readonly PostgresPeer _primary;
    private readonly List<string> _standbys = [];

    private PostgresGroup(PostgresPeer primary) => _primary = primary;

    /// <summary>Starts it; null, with the reason, if that is not possible.</summary>
    internal static PostgresGroup? TryStart(string directory, out string why)
    {
        if (PostgresPeer.TryStart(Path.Combine(directory, "primary"), out why) is not { } primary)
        {
            return null;
        }

        var group = new PostgresGroup(primary);
        if (group.TryFollow(directory, out why))
        {
            return group;
        }

        group.Dispose();
        return null;
    }

    /// <summary>Documents of 1 KB, put one by one: the figures of a round.</summary>
    internal double[] Put(int connections, TimeSpan duration)
    {
        var latency = new LatencyHistogram();
        double rate = _primary.Run(
            connections, duration, PostgresPeer.Upsert, BenchDatabase.IdOf, BenchDatabase.BodyOf, latency);
        return [rate, 0, latency.GetPercentile(0.99) / 1000.0, latency.GetPercentile(0.5) / 1000.0];
    }

    public void Dispose()
    {
        _primary.Dispose();
        foreach (string directory in _standbys)
        {
            _ = PeerScript.Run("postgresql.sh", "stop", directory);
        }
    }

    private bool TryFollow(string directory, out string why)
    {
        string port = _primary.Port.ToString(CultureInfo.InvariantCulture);
        for (int n = 1; n <= StandbyCount; n++)
        {
            string folder = Path.Combine(directory, $"standby{n}");
            (int exitCode, _, string error) = PeerScript.Run("postgresql.sh", "follow", folder, port, $"s{n}");
            if (exitCode != 0)
            {
                why = $"a standby of PostgreSQL did not start: {error.Trim()}";
                return false;
            }

            _standbys.Add(folder);
        }

        _primary.Execute("alter system set synchronous_standby_names = 'FIRST 2 (s1, s2)'");
        _primary.Execute("select pg_reload_conf()");
        for (int look = 0; look < 100; look++)
        {
            if (CountSynchronous() == StandbyCount)
            {
                why = "";
                return true;
            }

            Thread.Sleep(100);
        }

        why = "the standbys of PostgreSQL did not become synchronous within 10 s";
        return false;
    }

    private long CountSynchronous()
    {
        using NpgsqlCommand command = _primary.Source.CreateCommand(
            "select count(*) from pg_stat_replication where sync_state = 'sync'");
        return (long)command.ExecuteScalar()!;
    }
}
