using System.Diagnostics;
using System.Globalization;

namespace Raven.Tools.Stress;

/// <summary>The server under test: known by its command line, its one line of output, and HTTP.</summary>
internal sealed class ServerProcess : IAsyncDisposable
{
    private const string Announcement = "Server available on: ";
    private readonly Process _process;
    private readonly TaskCompletionSource<string> _url = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Queue<string> _lastLines = new();
    private int _killedId;

    private ServerProcess(ProcessStartInfo start)
    {
        _process = new Process { StartInfo = start, EnableRaisingEvents = true };
        _process.OutputDataReceived += (_, line) => Note(line.Data);
        _process.ErrorDataReceived += (_, line) => Note(line.Data);
        _process.Exited += (_, _) => _url.TrySetException(
            new InvalidOperationException("the server ended before it served"));
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>Whether the process is gone.</summary>
    internal bool HasEnded => _process.HasExited;

    /// <summary>The last lines that it wrote, for a report.</summary>
    internal string LastLines
    {
        get
        {
            lock (_lastLines)
            {
                return string.Join(Environment.NewLine, _lastLines);
            }
        }
    }

    /// <summary>
    /// Starts the server on a free port, under strace with an injection if one is given, and with a managed heap that
    /// cannot grow beyond a limit if one is given.
    /// </summary>
    /// <param name="options">What the run does.</param>
    /// <param name="security">What makes it speak https; null for http.</param>
    /// <param name="injection">The injection.</param>
    /// <param name="heapBytesMax">The limit.</param>
    internal static ServerProcess Start(
        StressOptions options, StressSecurity? security, string? injection, long? heapBytesMax)
    {
        List<string> command = options.ServerPath.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
            ? ["dotnet", options.ServerPath]
            : [options.ServerPath];
        if (injection is not null)
        {
            string calls = injection[..injection.IndexOf(':', StringComparison.Ordinal)];
            command.InsertRange(
                0, ["strace", "-f", "-qq", "-o", "/dev/null", "-e", $"trace={calls}", "-e", $"inject={injection}"]);
        }

        IReadOnlyList<string> address = security?.ServerArguments ?? ["--ServerUrl=http://127.0.0.1:0"];
        var start = new ProcessStartInfo(command[0], command.Skip(1)
            .Concat(address).Append($"--DataDir={options.DataDirectory}").Concat(EngineOf(options)))
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
        };
        if (heapBytesMax is not null)
        {
            start.Environment["DOTNET_GCHeapHardLimit"] =
                heapBytesMax.Value.ToString("x", CultureInfo.InvariantCulture);
        }

        return new ServerProcess(start);
    }

    /// <summary>Waits until the server serves; its url.</summary>
    internal Task<string> WaitUntilServingAsync(TimeSpan patience) => _url.Task.WaitAsync(patience);

    /// <summary>Kills the process with SIGKILL and, if it ran under strace, strace with it.</summary>
    internal async Task KillAsync()
    {
        if (Interlocked.Exchange(ref _killedId, 1) == 0 && !_process.HasExited)
        {
            try
            {
                _process.Kill(entireProcessTree: true);
            }
            catch (InvalidOperationException)
            {
                // It ended by itself in this very moment.
            }
        }

        await _process.WaitForExitAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await KillAsync();
        _process.Dispose();
    }

    private static string[] EngineOf(StressOptions options) => options.Engine is { } engine
        ? [$"--Indexing.Static.SearchEngineType={engine}", $"--Indexing.Auto.SearchEngineType={engine}"]
        : [];

    private void Note(string? line)
    {
        if (line is null)
        {
            return;
        }

        lock (_lastLines)
        {
            _lastLines.Enqueue(line);
            if (_lastLines.Count > 30)
            {
                _lastLines.Dequeue();
            }
        }

        if (line.StartsWith(Announcement, StringComparison.Ordinal))
        {
            _url.TrySetResult(line[Announcement.Length..].Trim().Split(' ')[0]); // the Studio's url may follow
        }
    }
}
