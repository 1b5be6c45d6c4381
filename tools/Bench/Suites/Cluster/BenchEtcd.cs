using System.Diagnostics;
using System.Net;
using System.Text;
using Raven.Cluster.Etcd;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Cluster;

/// <summary>Three members of etcd on loopback, in a folder of this run: the store of the cluster, and by puts of 1 KB a
/// peer of it. They are ended with it.</summary>
internal sealed class BenchEtcd : IDisposable
{
    private const int MemberCount = 3;
    private static readonly TimeSpan ReadyMax = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(100);

    private readonly List<Process> _members = [];
    private readonly Uri[] _clients;

    private BenchEtcd(string program, string directory)
    {
        string[] names = [.. Enumerable.Range(0, MemberCount).Select(n => $"e{n}")];
        _clients = [.. names.Select(_ => FreePorts.Url())];
        Uri[] peers = [.. names.Select(_ => FreePorts.Url())];
        Dictionary<string, Uri> members = names.Zip(peers).ToDictionary(pair => pair.First, pair => pair.Second);
        for (int n = 0; n < MemberCount; n++)
        {
            var options = new ManagedEtcdOptions
            {
                Program = program,
                Folder = Path.Combine(directory, names[n]),
                Name = names[n],
                ClientUrl = _clients[n],
                PeerUrl = peers[n],
                Members = members,
                Token = "bench",
            };
            Directory.CreateDirectory(options.Folder);
            _members.Add(
                Process.Start(new ProcessStartInfo(program, options.Arguments()))
                ?? throw new InvalidOperationException("etcd did not start"));
        }
    }

    /// <summary>Where servers reach them, as an option has it.</summary>
    internal string Urls => string.Join(',', _clients.Select(url => url.GetLeftPart(UriPartial.Authority)));

    /// <summary>Starts them; null, with the reason, if that is not possible.</summary>
    internal static BenchEtcd? TryStart(string directory, out string why)
    {
        (EtcdProgram? program, string? problem) = Find(directory);
        why = problem ?? "";
        if (program is null)
        {
            return null;
        }

        var etcd = new BenchEtcd(program.Path, directory);
        if (etcd.IsReady())
        {
            return etcd;
        }

        etcd.Dispose();
        why = $"etcd did not answer within {ReadyMax.TotalSeconds:0} s";
        return null;
    }

    /// <summary>Puts of 1 KB by the gateway of its leader: the load of one round.</summary>
    internal double[] Put(int connections, TimeSpan duration, Uri member)
    {
        // Digits are letters of base64, so that each request can have a key of its own.
        string value = Convert.ToBase64String(Encoding.ASCII.GetBytes(new string('x', 1024)));
        byte[] body = Encoding.ASCII.GetBytes($$"""{"key":"YmVuY2gv{n}AA","value":"{{value}}"}""");
        LoadReport report = LoadRun.RunAsync(new LoadOptions
        {
            Server = new IPEndPoint(IPAddress.Loopback, member.Port),
            Requests = [RequestTemplate.Create("POST", new Uri(member, "/v3/kv/put").AbsoluteUri, body, true, [])],
            Clients = connections,
            Duration = duration,
            NumberCount = 10_000,
        }).GetAwaiter().GetResult();
        return report.Successful == report.Requests
            ? ClusterLoad.FiguresOf(report, 0)
            : throw new InvalidOperationException($"etcd: {report.FirstFailure}");
    }

    /// <summary>The member that leads: others would pass each put on.</summary>
    internal Uri Leader()
    {
        foreach (Uri member in _clients)
        {
            System.Text.Json.Nodes.JsonNode status = ClusterHttp.Post(new Uri(member, "/v3/maintenance/status"), "{}");
            if ($"{status["leader"]}" == $"{status["header"]!["member_id"]}")
            {
                return member;
            }
        }

        return _clients[0];
    }

    public void Dispose()
    {
        foreach (Process member in _members)
        {
            if (!member.HasExited)
            {
                member.Kill();
                member.WaitForExit();
            }

            member.Dispose();
        }

        _members.Clear();
    }

    /// <summary>The program of this machine, or the one that users get by <c>raven cluster install-etcd</c>.</summary>
    private static (EtcdProgram? Program, string? Problem) Find(string directory)
    {
        (EtcdProgram? there, _) = EtcdProgram.FindAsync(EtcdProgram.PlacesFrom(AppContext.BaseDirectory))
            .GetAwaiter().GetResult();
        return there is not null
            ? (there, null)
            : EtcdInstaller.InstallAsync(Path.Combine(directory, "program"), _ => { }).GetAwaiter().GetResult();
    }

    private bool IsReady()
    {
        long start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) < ReadyMax)
        {
            try
            {
                foreach (Uri member in _clients)
                {
                    // A linearizable read is answered when there is a leader.
                    ClusterHttp.Post(new Uri(member, "/v3/kv/range"), """{"key":"YQ=="}""");
                }

                return true;
            }
            catch (Exception early) when (early is HttpRequestException or OperationCanceledException)
            {
                Thread.Sleep(LookEvery);
            }
        }

        return false;
    }
}
