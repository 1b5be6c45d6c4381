using System.Diagnostics;

namespace SlowTests.Support;

/// <summary>The real server in a process of its own, on a free port and a data folder of its own.</summary>
internal sealed class ServerProcess : IDisposable
{
    private const string Announcement = "Server available on: ";
    private static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(30);

    private readonly Process _process;
    private readonly bool _ownsFolder;
    private readonly List<string> _printed = [];
    private bool _isDisposed;

    private ServerProcess(Process process, string dataFolder, bool ownsFolder)
    {
        _process = process;
        _ownsFolder = ownsFolder;
        DataFolder = dataFolder;
    }

    /// <summary>Its address, without a slash at the end.</summary>
    internal string Url { get; private set; } = "";

    internal string DataFolder { get; }

    internal int ProcessId => _process.Id;

    /// <summary>The lines that it has printed so far: its log.</summary>
    internal IReadOnlyList<string> Printed
    {
        get
        {
            lock (_printed)
            {
                return [.. _printed];
            }
        }
    }

    /// <summary>Starts a server and waits until it says that it can serve.</summary>
    /// <param name="dataFolder">Its data, kept afterwards; null for a new folder that goes with the server.</param>
    /// <param name="options">More options, as on a command line.</param>
    internal static ServerProcess Start(string? dataFolder = null, params string[] options) =>
        Start(dataFolder, new Dictionary<string, string>(), options);

    /// <summary>The same with environment variables of its own.</summary>
    internal static ServerProcess Start(
        string? dataFolder, IReadOnlyDictionary<string, string> environment, params string[] options)
    {
        string folder = dataFolder ?? Directory.CreateTempSubdirectory("raven-slow-").FullName;
        // `env` runs the server in its own place, with the signal as a terminal gives it: a shell lets what it runs in
        // the background ignore SIGINT, and what that starts inherits it.
        ProcessStartInfo start = new("env")
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
            ArgumentList = { "--default-signal=INT", "dotnet" },
        };
        start.ArgumentList.Add(Path.Combine(AppContext.BaseDirectory, "Raven.Server.dll"));
        start.ArgumentList.Add("--ServerUrl=http://127.0.0.1:0");
        start.ArgumentList.Add($"--DataDir={folder}");
        foreach (string option in options)
        {
            start.ArgumentList.Add(option);
        }

        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        Process process = Process.Start(start)!;
        ServerProcess server = new(process, folder, dataFolder is null);
        try
        {
            server.Url = server.WaitForUrl();
            return server;
        }
        catch
        {
            server.Dispose();
            throw;
        }
    }

    /// <summary>Ends the process as a power cut of the program would: SIGKILL, no chance to clean up.</summary>
    internal void Kill()
    {
        _process.Kill(entireProcessTree: true);
        _process.WaitForExit();
    }

    /// <summary>Sends a signal, and returns at once.</summary>
    /// <param name="name">As <c>kill</c> names it: <c>TERM</c>, <c>INT</c>.</param>
    internal void Signal(string name)
    {
        using Process kill = Process.Start(
            "kill", [$"-{name}", _process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
        Assert.Equal(0, kill.ExitCode);
    }

    /// <summary>Its exit code; null if it runs on for that long.</summary>
    internal int? ExitCodeWithin(TimeSpan limit) => _process.WaitForExit(limit) ? _process.ExitCode : null;

    /// <summary>Its memory that is in no file.</summary>
    internal long AnonymousBytes()
    {
        string line = File.ReadLines($"/proc/{_process.Id}/status")
            .First(each => each.StartsWith("RssAnon:", StringComparison.Ordinal));
        string kilobytes = line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1];
        return 1024 * long.Parse(kilobytes, System.Globalization.CultureInfo.InvariantCulture);
    }

    public void Dispose()
    {
        if (_isDisposed)
        {
            // Whoever starts it again and fails disposes of it twice, and wants to see why the start failed.
            return;
        }

        _isDisposed = true;
        if (!_process.HasExited)
        {
            Signal("TERM");
            if (!_process.WaitForExit(StopLimit))
            {
                Kill();
            }
        }

        _process.Dispose();
        if (_ownsFolder)
        {
            Directory.Delete(DataFolder, recursive: true);
        }
    }

    private string WaitForUrl()
    {
        TaskCompletionSource<string> available = new();
        void Read(string? line)
        {
            if (line is null)
            {
                return;
            }

            lock (_printed)
            {
                _printed.Add(line);
            }

            int at = line.IndexOf(Announcement, StringComparison.Ordinal);
            if (at >= 0)
            {
                // The Studio's url may follow.
                available.TrySetResult(line[(at + Announcement.Length)..].Trim().Split(' ')[0].TrimEnd('/'));
            }
        }

        _process.OutputDataReceived += (_, line) => Read(line.Data);
        _process.ErrorDataReceived += (_, line) => Read(line.Data);
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
        Task exited = _process.WaitForExitAsync();
        if (Task.WaitAny([available.Task, exited], StartLimit) != 0)
        {
            throw new InvalidOperationException(
                "The server did not start:" + Environment.NewLine + string.Join(Environment.NewLine, Printed));
        }

        return available.Task.Result;
    }
}
