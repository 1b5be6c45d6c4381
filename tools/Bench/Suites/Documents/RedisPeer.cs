using System.Diagnostics;
using System.Globalization;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>
/// Redis that syncs its log at every write, loaded by its own <c>redis-benchmark</c> without pipelining. Started by
/// <c>peers/redis.sh</c> on loopback, in a folder of this run, and stopped with it.
/// </summary>
internal sealed class RedisPeer : IDisposable
{
    private readonly string _directory;
    private readonly int _port;

    private RedisPeer(string directory, int port)
    {
        _directory = directory;
        _port = port;
    }

    /// <summary>Starts it; null, with the reason, if that is not possible.</summary>
    internal static RedisPeer? TryStart(string directory, out string why)
    {
        (int exitCode, string output, string error) = PeerScript.Run("redis.sh", "start", directory);
        bool isStarted = exitCode == 0
            & int.TryParse(output.Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out int port);
        why = isStarted ? "" : $"Redis did not start: {error.Trim()}";
        return isStarted ? new RedisPeer(directory, port) : null;
    }

    /// <summary>Requests/s of SET or GET of 1 KB.</summary>
    /// <param name="connections">Connections, each with one request under way.</param>
    /// <param name="requests">Requests of all of them.</param>
    /// <param name="isWrite">SET, or GET.</param>
    /// <param name="keys">How many keys there are.</param>
    internal double Run(int connections, int requests, bool isWrite, int keys)
    {
        string arguments = string.Create(
            CultureInfo.InvariantCulture,
            $"-h 127.0.0.1 -p {_port} -c {connections} -n {requests} -r {keys} -d 1024 --csv ")
            + (isWrite ? "-t set" : "-t get");
        using Process process = Process.Start(
            new ProcessStartInfo("redis-benchmark", arguments) { RedirectStandardOutput = true })
            ?? throw new InvalidOperationException("redis-benchmark did not start");
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();

        // "test","rps",... and then "SET","47393.36",...
        string[] fields = output.Split('\n', StringSplitOptions.RemoveEmptyEntries)[^1].Split(',');
        return double.Parse(fields[1].Trim('"'), CultureInfo.InvariantCulture);
    }

    public void Dispose() => PeerScript.Run("redis.sh", "stop", _directory);
}
