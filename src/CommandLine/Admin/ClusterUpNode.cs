using System.Diagnostics;
using System.Globalization;

namespace Raven.CommandLine.Admin;

/// <summary>A server of <c>raven cluster up</c>: a process of this program, with its output in a file.</summary>
/// <param name="tag">Its tag.</param>
/// <param name="port">Its port.</param>
/// <param name="folder">Its folder.</param>
internal sealed class ClusterUpNode(string tag, int port, string folder) : IDisposable
{
    private static readonly TimeSpan KillMax = TimeSpan.FromSeconds(5);

    private readonly Lock _gate = new();
    private Process? _process;
    private StreamWriter? _log;
    private string _lastLine = "";

    /// <summary>The tag.</summary>
    internal string Tag => tag;

    /// <summary>Where it serves.</summary>
    internal string Url { get; } = string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{port}");

    /// <summary>Where its output is kept.</summary>
    internal string LogFile => Path.Combine(folder, "server.log");

    /// <summary>True if the process has ended.</summary>
    internal bool HasEnded => _process is { HasExited: true };

    /// <summary>The number of the process.</summary>
    internal int ProcessId => _process!.Id;

    /// <summary>With which code.</summary>
    internal int ExitCode => _process!.ExitCode;

    /// <inheritdoc/>
    public void Dispose()
    {
        _process?.Dispose();
        lock (_gate)
        {
            _log?.Dispose();
            _log = null;
        }
    }

    /// <summary>Starts it.</summary>
    /// <param name="all">The servers of the cluster.</param>
    /// <param name="etcd">The program etcd.</param>
    /// <param name="options">More options, as Key=Value.</param>
    internal void Start(IEnumerable<ClusterUpNode> all, string etcd, IEnumerable<string> options)
    {
        Directory.CreateDirectory(folder);
        _log = new StreamWriter(LogFile, append: true) { AutoFlush = true };
        string program = Environment.ProcessPath!;
        var start = new ProcessStartInfo(program)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        if (Path.GetFileNameWithoutExtension(program).Equals("dotnet", StringComparison.OrdinalIgnoreCase))
        {
            start.ArgumentList.Add(Path.Combine(AppContext.BaseDirectory, "raven.dll"));
        }

        start.ArgumentList.Add(ServerVerb.Name);
        foreach (string option in (string[])
            [
                $"ServerUrl={Url}", $"DataDir={folder}", $"Cluster.Node={tag}", $"Cluster.EtcdPath={etcd}",
                $"Security.KeysFolder={Path.GetFullPath(folder)}-keys",
                $"Cluster.Peers={string.Join(',', all.Select(node => $"{node.Tag}={node.Url}"))}", .. options,
            ])
        {
            start.ArgumentList.Add("--" + option);
        }

        _process = Process.Start(start)!;
        _process.OutputDataReceived += (_, line) => Keep(line.Data);
        _process.ErrorDataReceived += (_, line) => Keep(line.Data);
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>The last line that it has written.</summary>
    internal string LastLine()
    {
        lock (_gate)
        {
            return _lastLine;
        }
    }

    /// <summary>Asks it to end, and ends it if that takes too long.</summary>
    internal async Task StopAsync(TimeSpan limit)
    {
        if (_process is { HasExited: false } process)
        {
            await EndAsync(process, limit);
        }

        await EndOrphanAsync();
    }

    private static async Task EndAsync(Process process, TimeSpan limit)
    {
        if (!OperatingSystem.IsWindows())
        {
            using Process? kill = Process.Start(
                new ProcessStartInfo("/bin/kill", ["-TERM", process.Id.ToString(CultureInfo.InvariantCulture)]));
            await WaitAsync(process, limit);
        }

        if (!process.HasExited)
        {
            process.Kill(entireProcessTree: true);
            await WaitAsync(process, KillMax);
        }
    }

    /// <summary>Ends the etcd of a server that was killed: it has left the number of the process.</summary>
    private async Task EndOrphanAsync()
    {
        string file = Path.Combine(folder, "etcd", "etcd.pid");
        if (!File.Exists(file)
            || !int.TryParse(await File.ReadAllTextAsync(file), CultureInfo.InvariantCulture, out int id))
        {
            return;
        }

        try
        {
            using var etcd = Process.GetProcessById(id);
            if (etcd.ProcessName == "etcd" && OwnsFolder(id))
            {
                await EndAsync(etcd, KillMax);
            }
        }
        catch (ArgumentException)
        {
            // It has ended.
        }
    }

    /// <summary>Whether a process was started with the folder of this server: another one may have the number by now.
    /// </summary>
    private bool OwnsFolder(int id)
    {
        string line = $"/proc/{id.ToString(CultureInfo.InvariantCulture)}/cmdline";
        return File.Exists(line)
            && File.ReadAllText(line).Contains(Path.Combine(folder, "etcd"), StringComparison.Ordinal);
    }

    private static async Task WaitAsync(Process process, TimeSpan limit)
    {
        using var late = new CancellationTokenSource(limit, TimeProvider.System);
        await process.WaitForExitAsync(late.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    private void Keep(string? line)
    {
        if (line is null)
        {
            return;
        }

        lock (_gate)
        {
            _lastLine = line;
            _log?.WriteLine(line);
        }
    }
}
