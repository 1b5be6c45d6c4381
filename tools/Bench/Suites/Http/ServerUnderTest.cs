using System.Diagnostics;
using System.Globalization;
using System.Net;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Http;

/// <summary>A server in a process of its own, ours or a peer, with the CPU and memory that it uses.</summary>
internal sealed class ServerUnderTest : IDisposable
{
    private const string Announcement = "Server available on: ";
    private static readonly double SecondsPerTick = 1.0 / 100; // USER_HZ of Linux, fixed for /proc
    private readonly Process _process;
    private readonly Action? _stop;
    private bool _isDisposed;

    private ServerUnderTest(string name, Process process, Uri url, Action? stop = null)
    {
        Name = name;
        _process = process;
        _stop = stop;
        Url = url;
    }

    internal string Name { get; }

    internal Uri Url { get; }

    /// <summary>Our server, as it is built beside this program, with a data folder of its own.</summary>
    internal static ServerUnderTest StartOurs(string dataDirectory, params string[] options) => Start(
        "Raven",
        typeof(Raven.Server.Program).Assembly.Location,
        ["--ServerUrl=http://127.0.0.1:0", $"--DataDir={dataDirectory}", "--Logs.Level=Warning", .. options]);

    /// <summary>The same at an address that others know before it runs.</summary>
    internal static ServerUnderTest StartOursAt(Uri url, string dataDirectory, params string[] options) => Start(
        "Raven",
        typeof(Raven.Server.Program).Assembly.Location,
        [$"--ServerUrl={url.GetLeftPart(UriPartial.Authority)}", $"--DataDir={dataDirectory}", "--Logs.Level=Warning",
            .. options]);

    /// <summary>The same over https.</summary>
    internal static ServerUnderTest StartSecured(string dataDirectory, params string[] options) => Start(
        "Raven",
        typeof(Raven.Server.Program).Assembly.Location,
        ["--ServerUrl=https://127.0.0.1:0", $"--DataDir={dataDirectory}", "--Logs.Level=Warning", .. options]);

    /// <summary>A peer: <see cref="PeerServer"/> of this program.</summary>
    internal static ServerUnderTest StartPeer(string kind, string bodyFile) =>
        StartChild(kind, PeerServer.ProgramName, kind, bodyFile);

    /// <summary>A child program of this one.</summary>
    internal static ServerUnderTest StartChild(string name, string program, params string[] arguments) => Start(
        name, typeof(ServerUnderTest).Assembly.Location, [ChildProcess.Verb, program, .. arguments]);

    /// <summary>A server that runs already.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="process">Its process, whose children belong to it.</param>
    /// <param name="url">The url of the server.</param>
    /// <param name="stop">Ends it.</param>
    internal static ServerUnderTest Adopt(string name, Process process, Uri url, Action stop) =>
        new(name, process, url, stop);

    /// <summary>CPU time of all threads of it and of its children so far, from /proc.</summary>
    internal double ReadCpuSeconds()
    {
        string children = File.ReadAllText($"/proc/{_process.Id}/task/{_process.Id}/children");
        return children.Split(' ', StringSplitOptions.RemoveEmptyEntries)
            .Append(_process.Id.ToString(CultureInfo.InvariantCulture)).Sum(ReadCpuSeconds);
    }

    /// <summary>Resident memory, in MB.</summary>
    internal double ReadResidentMegabytes() => ReadStatus("VmRSS:") * 1024 / 1e6;

    /// <summary>Resident memory that is in no file, in MB.</summary>
    internal double ReadAnonymousMegabytes() => ReadStatus("RssAnon:") * 1024 / 1e6;

    /// <summary>How many threads it has.</summary>
    internal int ReadThreads() => (int)ReadStatus("Threads:");

    /// <summary>Loads it with GETs of one path: requests/s, CPU us a request, p99 us.</summary>
    internal double[] Load(string path, int clients, TimeSpan duration, long requestsPerClient = 0) => Load(
        new LoadOptions
        {
            Server = new IPEndPoint(IPAddress.Loopback, Url.Port),
            Requests = [RequestTemplate.Create("GET", new Uri(Url, path).AbsoluteUri, body: null, keepAlive: true, [])],
            Clients = clients,
            Duration = duration,
            RequestsPerClient = requestsPerClient,
        });

    /// <summary>
    /// Loads it: requests/s, CPU us a request, p99 us. The handshakes of connections that stay are made before.
    /// </summary>
    /// <exception cref="InvalidOperationException">A request failed.</exception>
    internal double[] Load(LoadOptions options)
    {
        double before = ReadCpuSeconds();
        LoadReport report = LoadRun.RunAsync(
            options.Tls != null && options.KeepAlive
                ? options with { Connected = () => before = ReadCpuSeconds() }
                : options).GetAwaiter().GetResult();
        double cpu = ReadCpuSeconds() - before;
        if (report.Successful != report.Requests || report.Requests == 0)
        {
            throw new InvalidOperationException(
                $"{Name}: {report.Requests - report.Successful} of {report.Requests} requests failed: " +
                report.FirstFailure);
        }

        return [report.RequestsPerSecond, cpu * 1e6 / report.Requests, report.Latency.GetPercentile(0.99) / 1000.0];
    }

    /// <summary>Sends one kind of request from many connections.</summary>
    /// <exception cref="InvalidOperationException">A request failed.</exception>
    internal LoadReport Load(
        RequestTemplate request, int connections, TimeSpan duration, double rate, long first, long count)
    {
        LoadReport report = LoadRun.RunAsync(new LoadOptions
        {
            Server = new IPEndPoint(IPAddress.Loopback, Url.Port),
            Requests = [request],
            Clients = connections,
            Duration = duration,
            RatePerSecond = rate,
            FirstNumber = first,
            NumberCount = count,
        }).GetAwaiter().GetResult();
        return report.Successful == report.Requests
            ? report
            : throw new InvalidOperationException(
                $"{report.Requests - report.Successful} of {report.Requests} requests failed: {report.FirstFailure}");
    }

    /// <summary>Ends the process. A second call does nothing: a suite may own one server by two names.</summary>
    public void Dispose()
    {
        if (_isDisposed)
        {
            return;
        }

        _isDisposed = true;
        if (_stop is not null)
        {
            _stop();
        }
        else if (!_process.HasExited)
        {
            _process.Kill();
            _process.WaitForExit();
        }

        _process.Dispose();
    }

    private static double ReadCpuSeconds(string process)
    {
        string stat = File.ReadAllText($"/proc/{process}/stat");
        string[] fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
        long user = long.Parse(fields[11], CultureInfo.InvariantCulture);
        long system = long.Parse(fields[12], CultureInfo.InvariantCulture);
        return (user + system) * SecondsPerTick;
    }

    /// <summary>A number of /proc/PID/status, in kB if it is of memory.</summary>
    private long ReadStatus(string name)
    {
        string line = File.ReadLines($"/proc/{_process.Id}/status")
            .First(each => each.StartsWith(name, StringComparison.Ordinal));
        return long.Parse(
            line.Split((char[])['\t', ' '], StringSplitOptions.RemoveEmptyEntries)[1], CultureInfo.InvariantCulture);
    }

    private static ServerUnderTest Start(string name, string assembly, params string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet", [assembly, .. arguments])
        {
            RedirectStandardOutput = true,
            UseShellExecute = false,
        };
        start.Environment.Remove(LoadRun.InlineCompletionsVariable); // it is for the load generator alone
        Process process = Process.Start(start) ?? throw new InvalidOperationException("dotnet did not start");
        while (process.StandardOutput.ReadLine() is { } line)
        {
            if (line.StartsWith(Announcement, StringComparison.Ordinal))
            {
                _ = process.StandardOutput.BaseStream.CopyToAsync(Stream.Null); // a full pipe would stop it
                // The Studio's url may follow.
                return new ServerUnderTest(name, process, new Uri(line[Announcement.Length..].Trim().Split(' ')[0]));
            }
        }

        process.WaitForExit();
        throw new InvalidOperationException($"{name} ended with {process.ExitCode} before it served");
    }
}
