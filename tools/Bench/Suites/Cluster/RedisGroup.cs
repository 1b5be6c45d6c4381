using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Raven.Tools.Bench.Suites.Documents;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Cluster;

/// <summary>
/// Redis with two replicas, each of which syncs its log at every write: <c>SET</c> and <c>WAIT 2</c> in one packet. A
/// replica says that it has received a write, not that its disk has it: less than a group of ours says.
/// </summary>
internal sealed class RedisGroup : IDisposable
{
    internal const string Name = "Redis SET + WAIT 2, appendfsync always";

    private const int ReplicaCount = 2;
    private readonly List<string> _directories = [];
    private int _port;

    /// <summary>Starts it; null, with the reason, if that is not possible.</summary>
    internal static RedisGroup? TryStart(string directory, out string why)
    {
        var group = new RedisGroup();
        for (int n = 0; n <= ReplicaCount; n++)
        {
            string folder = Path.Combine(directory, $"redis{n}");
            (int exitCode, string output, string error) = PeerScript.Run("redis.sh", "start", folder);
            if (exitCode != 0
                || !int.TryParse(output.Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out int port))
            {
                group.Dispose();
                why = $"Redis did not start: {error.Trim()}";
                return null;
            }

            group._directories.Add(folder);
            if (n == 0)
            {
                group._port = port;
            }
            else
            {
                group.Follow(port);
            }
        }

        why = "";
        return group;
    }

    /// <summary>Values of 1 KB, set one by one: the figures of a round.</summary>
    internal double[] Put(int connections, TimeSpan duration)
    {
        var latency = new LatencyHistogram();
        long end = Stopwatch.GetTimestamp() + (long)(duration.TotalSeconds * Stopwatch.Frequency);
        long start = Stopwatch.GetTimestamp();
        IEnumerable<Task> clients = Enumerable.Range(0, connections)
            .Select(n => Task.Run(() => RunAsync(n, connections, end, latency)));
        Task.WhenAll(clients).GetAwaiter().GetResult();
        double rate = latency.Count / Stopwatch.GetElapsedTime(start).TotalSeconds;
        return [rate, 0, latency.GetPercentile(0.99) / 1000.0, latency.GetPercentile(0.5) / 1000.0];
    }

    public void Dispose() => _directories.ForEach(each => _ = PeerScript.Run("redis.sh", "stop", each));

    private static byte[] CommandOf(params string[] words) => Encoding.ASCII.GetBytes(
        $"*{words.Length}\r\n" + string.Concat(words.Select(word => $"${word.Length}\r\n{word}\r\n")));

    private static async Task<string> AskAsync(Socket socket, byte[] request, int answerLines)
    {
        await socket.SendAsync(request, SocketFlags.None);
        byte[] buffer = new byte[256];
        int length = 0;
        while (buffer.AsSpan(0, length).Count((byte)'\n') < answerLines)
        {
            int read = await socket.ReceiveAsync(buffer.AsMemory(length), SocketFlags.None);
            length += read > 0 ? read : throw new IOException("Redis closed the connection");
        }

        return Encoding.ASCII.GetString(buffer, 0, length);
    }

    private static async Task<Socket> ConnectAsync(int port)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, port));
        return socket;
    }

    /// <summary>Makes the one at a port a replica, and waits until a write has come to it.</summary>
    private void Follow(int port)
    {
        string own = _port.ToString(CultureInfo.InvariantCulture);
        string replicas = (_directories.Count - 1).ToString(CultureInfo.InvariantCulture);
        using Socket replica = ConnectAsync(port).GetAwaiter().GetResult();
        _ = AskAsync(replica, CommandOf("REPLICAOF", "127.0.0.1", own), 1).GetAwaiter().GetResult();
        using Socket primary = ConnectAsync(_port).GetAwaiter().GetResult();
        byte[] request = [.. CommandOf("SET", "first", "1"), .. CommandOf("WAIT", replicas, "30000")];
        string answer = AskAsync(primary, request, 2).GetAwaiter().GetResult();
        if (answer != $"+OK\r\n:{replicas}\r\n")
        {
            throw new InvalidOperationException($"A replica of Redis does not follow: {answer}");
        }
    }

    private async Task RunAsync(int client, int connections, long end, LatencyHistogram latency)
    {
        using Socket socket = await ConnectAsync(_port);
        string value = new('x', 1024);
        var own = new LatencyHistogram();
        for (long n = client; Stopwatch.GetTimestamp() < end; n += connections)
        {
            byte[] request =
                [.. CommandOf("SET", BenchDatabase.IdOf(n), value), .. CommandOf("WAIT", "2", "10000")];
            long begin = Stopwatch.GetTimestamp();
            string answer = await AskAsync(socket, request, 2);
            if (answer != "+OK\r\n:2\r\n")
            {
                throw new InvalidOperationException($"Redis: {answer}");
            }

            own.Record((long)Stopwatch.GetElapsedTime(begin).TotalNanoseconds);
        }

        lock (latency)
        {
            latency.Add(own);
        }
    }
}
