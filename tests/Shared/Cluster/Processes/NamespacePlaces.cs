using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Shared.Cluster.Processes;

/// <summary>
/// Each process in a network namespace of its own, on one bridge. The bridge and the clients are in another one, so
/// nothing of the machine's own network changes. The addresses are of loopback, which is a network like any other
/// here: so servers take one another without certificates. A way from one to another is cut silently, in this
/// direction alone, by a neighbour's address that nobody has. Takes root and <c>ip</c>.
/// </summary>
internal sealed class NamespacePlaces : IProcessPlaces
{
    /// <summary>The name under which the clients' way is cut.</summary>
    internal const string Clients = "";

    private const string Ip = "/usr/sbin/ip";
    private const string NoHardware = "02:77:00:00:01:00";
    private const int ClientsNumber = 254;
    private const int PortBase = 8_000;
    private static int _made;

    private readonly string _id = $"raven{Environment.ProcessId}n{Interlocked.Increment(ref _made)}";
    private readonly Dictionary<string, int> _numbers = [];
    private readonly HashSet<(string From, string To)> _cuts = [];
    private readonly Lock _gate = new();
    private readonly NamespaceSockets _sockets;

    private NamespacePlaces(IEnumerable<string> names)
    {
        foreach (string name in names)
        {
            _numbers[name] = _numbers.Count + 1;
        }

        _numbers[Clients] = ClientsNumber;
        try
        {
            Build();
            _sockets = SocketsOf(Clients);
        }
        catch
        {
            Remove();
            throw;
        }
    }

    /// <summary>Why there can be none on this machine; null if there can.</summary>
    internal static string? Problem() =>
        !OperatingSystem.IsLinux() ? "Network namespaces are Linux's."
        : Environment.UserName != "root" ? "It takes root (CAP_NET_ADMIN) to make network namespaces."
        : !File.Exists(Ip) ? $"{Ip} is not there: apt-get install iproute2"
        : Run(Ip, ["netns", "list"], null) is { Code: not 0 } failed ? $"ip netns: {failed.Said}"
        : null;

    /// <summary>Makes the networks of some processes.</summary>
    internal static NamespacePlaces Make(IEnumerable<string> names) => new(names);

    /// <inheritdoc/>
    public string UrlOf(string name, int port = 0) =>
        string.Create(CultureInfo.InvariantCulture, $"http://{AddressOf(name)}:{PortBase + port}");

    /// <inheritdoc/>
    public IReadOnlyList<string> PrefixOf(string name) => ["/usr/bin/nsenter", $"--net={FileOf(name)}"];

    /// <inheritdoc/>
    public SocketsHttpHandler CreateHandler() => new()
    {
        UseProxy = false,
        UseCookies = false,
        ConnectTimeout = TimeSpan.FromSeconds(2),
        ConnectCallback = ConnectAsync,
    };

    /// <summary>Opens sockets where a process runs, or the clients.</summary>
    internal NamespaceSockets SocketsOf(string name) => new(FileOf(name));

    /// <summary>Cuts the way of packets from one process to another; what comes back is not concerned.</summary>
    internal void Cut(string from, string to) => Change([(from, to)], isCut: true);

    /// <summary>Cuts ways in one moment, as far as that can be.</summary>
    internal void Cut(IReadOnlyCollection<(string From, string To)> ways) => Change(ways, isCut: true);

    /// <summary>Ends the cuts of these ways.</summary>
    internal void Heal(IReadOnlyCollection<(string From, string To)> ways) => Change(ways, isCut: false);

    /// <summary>Ends all cuts.</summary>
    internal void HealAll()
    {
        lock (_gate)
        {
            Change([.. _cuts], isCut: false);
        }
    }

    public ValueTask DisposeAsync()
    {
        _sockets.Dispose();
        Remove();
        return ValueTask.CompletedTask;
    }

    private async ValueTask<Stream> ConnectAsync(SocketsHttpConnectionContext context, CancellationToken stop)
    {
        Socket socket = await _sockets.OpenAsync();
        try
        {
            await socket.ConnectAsync(IPAddress.Parse(context.DnsEndPoint.Host), context.DnsEndPoint.Port, stop);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private void Change(IReadOnlyCollection<(string From, string To)> ways, bool isCut)
    {
        lock (_gate)
        {
            foreach (IGrouping<string, (string From, string To)> each in ways.ToArray().GroupBy(way => way.From))
            {
                Batch(each.Key, each.Select(way => Neighbour(way.To, isCut ? NoHardware : HardwareOf(way.To))));
            }

            foreach ((string From, string To) way in ways.ToArray())
            {
                _ = isCut ? _cuts.Add(way) : _cuts.Remove(way);
            }
        }
    }

    private void Build()
    {
        foreach (string name in _numbers.Keys)
        {
            Require(Ip, ["netns", "add", SpaceOf(name)], null);
        }

        Batch(Clients, [
            $"link add e0 address {HardwareOf(Clients)} type bridge",
            .. _numbers.Where(each => each.Key != Clients).SelectMany(each => new[]
            {
                $"link add v{each.Value} type veth peer name e0 address {HardwareOf(each.Key)} "
                    + $"netns {SpaceOf(each.Key)}",
                $"link set v{each.Value} master e0 up",
            }),
        ]);
        foreach (string name in _numbers.Keys)
        {
            Batch(name, [
                "link set lo up",
                "link set e0 up",
                "route del local 127.0.0.0/8 dev lo table local",
                $"addr add {AddressOf(name)}/24 dev e0",
                .. _numbers.Keys.Where(other => other != name).Select(other => Neighbour(other, HardwareOf(other))),
            ]);
            Require("/usr/bin/nsenter", [
                $"--net={FileOf(name)}", "/bin/sh", "-c",
                "for each in all e0; do echo 1 > /proc/sys/net/ipv4/conf/$each/route_localnet; done"], null);
        }
    }

    private void Remove()
    {
        foreach (string name in _numbers.Keys)
        {
            Run(Ip, ["netns", "del", SpaceOf(name)], null);
        }
    }

    private string Neighbour(string name, string hardware) =>
        $"neigh replace {AddressOf(name)} lladdr {hardware} dev e0 nud permanent";

    private string AddressOf(string name) =>
        string.Create(CultureInfo.InvariantCulture, $"127.77.0.{_numbers[name]}");

    private string HardwareOf(string name) =>
        string.Create(CultureInfo.InvariantCulture, $"02:77:00:00:00:{_numbers[name]:x2}");

    private string SpaceOf(string name) => $"{_id}-{_numbers[name]}";

    private string FileOf(string name) => $"/run/netns/{SpaceOf(name)}";

    private void Batch(string name, IEnumerable<string> commands) =>
        Require(Ip, ["-n", SpaceOf(name), "-batch", "-"], string.Join('\n', commands) + "\n");

    private static void Require(string program, IReadOnlyList<string> arguments, string? input)
    {
        if (Run(program, arguments, input) is { Code: not 0 } failed)
        {
            throw new InvalidOperationException(
                $"`{program} {string.Join(' ', arguments)}` failed ({failed.Code}): {failed.Said}");
        }
    }

    private static (int Code, string Said) Run(string program, IReadOnlyList<string> arguments, string? input)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardError = true,
            RedirectStandardOutput = true,
        };
        using Process process = Process.Start(start)!;
        process.StandardInput.Write(input);
        process.StandardInput.Close();
        string said = process.StandardError.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, said);
    }
}
