using System.Diagnostics;
using System.Globalization;

namespace Shared.Cluster.Processes;

/// <summary>A program that runs, and what it prints: the last lines here, all of them in a file.</summary>
internal sealed class ChildProcess : IDisposable
{
    private const int LinesMax = 30;

    private readonly Process _process;
    private readonly StreamWriter _log;
    private readonly Queue<string> _lastLines = new();

    private ChildProcess(ProcessStartInfo start, string logFile)
    {
        _log = new StreamWriter(logFile, append: true) { AutoFlush = true };
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, line) => Note(line.Data);
        _process.ErrorDataReceived += (_, line) => Note(line.Data);
        _process.Start();
        Id = _process.Id;
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    internal int Id { get; }

    /// <summary>Whether it has ended, by itself or not.</summary>
    internal bool HasEnded => _process.HasExited;

    /// <summary>What it printed last, for a report.</summary>
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

    /// <summary>Starts one.</summary>
    /// <param name="command">The program and its arguments.</param>
    /// <param name="environment">Variables beside those of this process.</param>
    /// <param name="logFile">The file to which its lines are added.</param>
    internal static ChildProcess Start(
        IReadOnlyList<string> command, IReadOnlyDictionary<string, string> environment, string logFile)
    {
        var start = new ProcessStartInfo(command[0], command.Skip(1))
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        return new ChildProcess(start, logFile);
    }

    /// <summary>SIGKILL, also to one that was stopped; returns when it is gone.</summary>
    internal void Kill()
    {
        _process.Kill();
        _process.WaitForExit();
    }

    /// <summary>Sends a signal to a process that runs, and returns at once.</summary>
    /// <param name="name">As <c>kill</c> names it: <c>STOP</c>, <c>CONT</c>, <c>TERM</c>.</param>
    internal void Signal(string name)
    {
        using Process kill = Process.Start(
            "/bin/kill", ["-" + name, Id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    /// <summary>Waits until it has ended.</summary>
    internal Task EndedAsync(CancellationToken stop = default) => _process.WaitForExitAsync(stop);

    public void Dispose()
    {
        Kill();
        _process.Dispose();
        lock (_lastLines)
        {
            _log.Dispose();
        }
    }

    private void Note(string? line)
    {
        if (line is null)
        {
            return;
        }

        lock (_lastLines)
        {
            _lastLines.Enqueue(line);
            if (_lastLines.Count > LinesMax)
            {
                _lastLines.Dequeue();
            }

            if (_log.BaseStream is not null)
            {
                _log.WriteLine(line);
            }
        }
    }
}
