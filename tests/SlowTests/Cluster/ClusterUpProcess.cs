using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Http.Json;
using System.Net.Sockets;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace SlowTests.Cluster;

/// <summary><c>raven cluster up --nodes 3</c> as a person runs it, on ports that were free and in a folder that goes
/// with it.</summary>
internal sealed partial class ClusterUpProcess : IAsyncDisposable
{
    /// <summary>The port of the first server in the docs.</summary>
    private const int WrittenPort = 8080;
    private const int PortsMax = 40;

    private static readonly TimeSpan Hang = TimeSpan.FromMinutes(2);

    private readonly Process _process;
    private readonly List<string> _printed = [];
    private readonly HttpClient _http = new() { Timeout = TimeSpan.FromSeconds(20) };

    private ClusterUpProcess(string folder, int port, string etcd)
    {
        Folder = folder;
        Port = port;
        Etcd = etcd;
        _process = StartRaven(
            "cluster", "up", "--nodes", "3", "--data", folder, "--port", port.ToString(CultureInfo.InvariantCulture));
    }

    /// <summary>Where all of its data are.</summary>
    internal string Folder { get; }

    /// <summary>The port of the first server.</summary>
    internal int Port { get; }

    /// <summary>The program etcd.</summary>
    internal string Etcd { get; }

    /// <summary>The lines that it has printed so far.</summary>
    internal string Printed
    {
        get
        {
            lock (_printed)
            {
                return string.Join('\n', _printed);
            }
        }
    }

    /// <summary>Starts it, and waits until three nodes live. Without etcd the test is skipped, but under CI it fails.
    /// </summary>
    internal static async Task<ClusterUpProcess> StartAsync()
    {
        var up = new ClusterUpProcess(
            Directory.CreateTempSubdirectory("raven-up-").FullName, FreePorts(),
            (await EtcdOfDebian.ProgramAsync()).Path);
        try
        {
            await up.AliveAsync(3);
            return up;
        }
        catch
        {
            await up.DisposeAsync();
            throw;
        }
    }

    /// <summary>Where a server is reached that the docs have at a port.</summary>
    internal string UrlOf(int writtenPort) =>
        string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{Port + writtenPort - WrittenPort}");

    /// <summary>A command of the docs, for this place: its ports, its folder, and the program that was built.</summary>
    internal string Here(string command) => WrittenAddress()
        .Replace(
            command, match => UrlOf(int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture))["http://".Length..])
        .Replace("./c", Folder, StringComparison.Ordinal);

    /// <summary>Starts the program <c>raven</c>.</summary>
    internal Process StartRaven(params string[] arguments)
    {
        // As ServerProcess does: the signals as a terminal gives them.
        var start = new ProcessStartInfo("env")
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
            ArgumentList = { "--default-signal=INT", "dotnet", Path.Combine(AppContext.BaseDirectory, "raven.dll") },
        };
        Array.ForEach(arguments, start.ArgumentList.Add);
        start.Environment["PATH"] = $"{Path.GetDirectoryName(Etcd)}:{start.Environment["PATH"]}";
        Process process = Process.Start(start)!;
        process.OutputDataReceived += (_, line) => Keep(line.Data);
        process.ErrorDataReceived += (_, line) => Keep(line.Data);
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return process;
    }

    /// <summary>What a node says of the cluster; null if it does not answer.</summary>
    internal async Task<JsonNode?> HealthAsync(int writtenPort = WrittenPort)
    {
        try
        {
            return await _http.GetFromJsonAsync<JsonNode>(UrlOf(writtenPort) + "/admin/cluster/health");
        }
        catch (Exception e) when (e is HttpRequestException or JsonException or OperationCanceledException)
        {
            return null;
        }
    }

    /// <summary>Waits until so many nodes live.</summary>
    internal Task AliveAsync(int count) => UntilAsync(
        health => health["Nodes"]!.AsArray().Count(node => node!["IsAlive"]!.GetValue<bool>()) == count,
        $"not {count} nodes are alive");

    /// <summary>Waits until each node of each database is in sync.</summary>
    internal Task InSyncAsync() => UntilAsync(
        health => health["Databases"]!.AsArray().All(group => group!["Nodes"]!.AsArray().All(
            node => $"{node!["Role"]}" is "Primary" or "Member")),
        "not all nodes are in sync");

    /// <summary>Waits until what a node says is so.</summary>
    internal async Task UntilAsync(Func<JsonNode, bool> isSo, string problem)
    {
        using var late = new CancellationTokenSource(Hang);
        JsonNode? health = null;
        while (health is null || !isSo(health))
        {
            Assert.False(late.IsCancellationRequested, $"{problem}: {health?.ToJsonString()}\n{Printed}");
            Assert.False(_process.HasExited, Printed);
            await Task.Delay(100, CancellationToken.None);
            health = await HealthAsync();
        }
    }

    /// <summary>SIGKILL to a server, by the number that is printed.</summary>
    internal void Kill(string tag)
    {
        string number = ProcessOf().Matches(Printed).Last(match => match.Groups[1].Value == tag).Groups[2].Value;
        using var server = Process.GetProcessById(int.Parse(number, CultureInfo.InvariantCulture));
        server.Kill();
    }

    /// <summary>Ctrl+C, and what it ends with.</summary>
    internal async Task<int> StopAsync()
    {
        await EndAsync(_process, "INT");
        return _process.ExitCode;
    }

    /// <summary>Ends a process by a signal, and in the end by force.</summary>
    internal static async Task EndAsync(Process process, string signal)
    {
        if (process.HasExited)
        {
            return;
        }

        using (Process kill = Process.Start(
            "kill", [$"-{signal}", process.Id.ToString(CultureInfo.InvariantCulture)]))
        {
            await kill.WaitForExitAsync();
        }

        using var late = new CancellationTokenSource(Hang);
        await process.WaitForExitAsync(late.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!process.HasExited)
        {
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await EndAsync(_process, "INT");
        _process.Dispose();
        _http.Dispose();
        Directory.Delete(Folder, recursive: true);
    }

    /// <summary>A port that is free, as are those behind it that a cluster of four takes.</summary>
    private static int FreePorts()
    {
        while (true)
        {
            using var first = new TcpListener(IPAddress.Loopback, 0);
            first.Start();
            int port = ((IPEndPoint)first.LocalEndpoint).Port;
            if (port + PortsMax < 65_536 && Enumerable.Range(port + 1, PortsMax).All(IsFree))
            {
                return port;
            }
        }
    }

    private static bool IsFree(int port)
    {
        try
        {
            using var listener = new TcpListener(IPAddress.Loopback, port);
            listener.Start();
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private void Keep(string? line)
    {
        lock (_printed)
        {
            if (line is not null)
            {
                _printed.Add(line);
            }
        }
    }

    [GeneratedRegex(@"127\.0\.0\.1:(8[01]\d\d)\b")]
    private static partial Regex WrittenAddress();

    [GeneratedRegex(@"^([A-Z])  \S+  process (\d+)  ", RegexOptions.Multiline)]
    private static partial Regex ProcessOf();
}
