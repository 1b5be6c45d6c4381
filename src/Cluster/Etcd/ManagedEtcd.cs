using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.Logging;
using Raven.Cluster.Store;

namespace Raven.Cluster.Etcd;

/// <summary>
/// An etcd that a server runs for itself: started, started again when it ends, stopped with the server, and looked
/// after. One that a killed server left behind is stopped first: by its number, if that is still an etcd with this
/// folder. Any thread; started and stopped once.
/// </summary>
public sealed class ManagedEtcd : IAsyncDisposable
{
    private static readonly TimeSpan PauseMax = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan KillMax = TimeSpan.FromSeconds(10);

    private readonly ManagedEtcdOptions _options;
    private readonly EtcdProgram _program;
    private readonly ILogger _log;
    private readonly EtcdKeeper _keeper;
    private readonly CancellationTokenSource _ended = new();
    private Task _running = Task.CompletedTask;
    private volatile Process? _process;
    private volatile EtcdHealth? _health;

    private ManagedEtcd(ManagedEtcdOptions options, EtcdProgram program, EtcdStoreOptions calls, ILogger log)
    {
        _options = options;
        _program = program;
        _log = log;
        _keeper = new EtcdKeeper(calls, options.QuotaBytes);
    }

    /// <summary>What it does.</summary>
    public EtcdState State { get; private set; }

    /// <summary>How often it has ended by itself.</summary>
    public int Restarts { get; private set; }

    /// <summary>Its process; 0 if there is none.</summary>
    public int ProcessId { get; private set; }

    /// <summary>When its quota was last used up, and room was made again; null if never.</summary>
    public DateTimeOffset? ClearedAt { get; private set; }

    /// <summary>How it was when it was last looked at; null until then.</summary>
    public EtcdHealth? Health => _health;

    private string PidFile => Path.Combine(_options.Folder, "etcd.pid");

    /// <summary>Starts it. It serves when enough of its members run.</summary>
    /// <param name="options">How.</param>
    /// <param name="calls">How this server talks to it: the first endpoint is its own.</param>
    /// <param name="log">Told of what happens to it.</param>
    /// <param name="stop">Ends the start.</param>
    /// <returns>The etcd; or null, and what is wrong.</returns>
    public static async Task<(ManagedEtcd? Etcd, string? Problem)> StartAsync(
        ManagedEtcdOptions options, EtcdStoreOptions calls, ILogger log, CancellationToken stop = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(calls);
        ArgumentNullException.ThrowIfNull(log);
        if (options.ProblemOf() is { } wrong)
        {
            return (null, wrong);
        }

        (EtcdProgram? program, string? problem) = await EtcdProgram.LookAsync(options.Program, stop)
            .ConfigureAwait(false);
        if (program is null)
        {
            return (null, problem);
        }

        var etcd = new ManagedEtcd(options, program, calls, log);
        try
        {
            MakeFolders(options);
            await etcd.EndOldAsync(stop).ConfigureAwait(false);
            etcd.Launch();
        }
        catch (Exception failed) when (failed is IOException or UnauthorizedAccessException or Win32Exception)
        {
            etcd._keeper.Dispose();
            return (null, $"etcd cannot be started: {failed.Message}");
        }

        etcd._running = Task.WhenAll(etcd.KeepRunningAsync(), etcd.KeepWellAsync());
        return (etcd, null);
    }

    /// <summary>Waits until its members have a leader, and so serve.</summary>
    /// <param name="stop">Ends the wait.</param>
    /// <returns>Why it does not serve; null if it does.</returns>
    public async Task<string?> WaitUntilReadyAsync(CancellationToken stop = default)
    {
        while (true)
        {
            EtcdHealth health = await LookAsync(stop).ConfigureAwait(false);
            if (health is { Version: not null, HasLeader: true })
            {
                return null;
            }

            if (stop.IsCancellationRequested || _ended.IsCancellationRequested)
            {
                return health.Problem ?? "etcd does not answer";
            }

            await PauseAsync(TimeSpan.FromMilliseconds(100)).ConfigureAwait(false);
        }
    }

    /// <summary>Stops it: it has a while to end by itself.</summary>
    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync().ConfigureAwait(false);
        await _running.ConfigureAwait(false);
        if (_process is { } process)
        {
            await EndAsync(process, _options.StopMax).ConfigureAwait(false);
            process.Dispose();
        }

        File.Delete(PidFile);
        State = EtcdState.Stopped;
        ProcessId = 0;
        _keeper.Dispose();
        _ended.Dispose();
    }

    private static void MakeFolders(ManagedEtcdOptions options)
    {
        foreach (string folder in (string[])[options.Folder, options.DataFolder])
        {
            if (OperatingSystem.IsWindows())
            {
                Directory.CreateDirectory(folder);
            }
            else
            {
                Directory.CreateDirectory(
                    folder, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            }
        }
    }

    /// <summary>Asks a process to end, and ends it if it does not.</summary>
    private static async Task EndAsync(Process process, TimeSpan limit)
    {
        if (process.HasExited)
        {
            return;
        }

        if (!OperatingSystem.IsWindows())
        {
            await ProgramRun.RunAsync(
                new ProcessStartInfo("/bin/kill", ["-TERM", process.Id.ToString(CultureInfo.InvariantCulture)]),
                KillMax, CancellationToken.None).ConfigureAwait(false);
            if (await HasEndedAsync(process, limit).ConfigureAwait(false))
            {
                return;
            }
        }

        process.Kill();
        await HasEndedAsync(process, KillMax).ConfigureAwait(false);
    }

    private static async Task<bool> HasEndedAsync(Process process, TimeSpan limit)
    {
        using var timeout = new CancellationTokenSource(limit, TimeProvider.System);
        await process.WaitForExitAsync(timeout.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return process.HasExited;
    }

    private void Launch()
    {
        var start = new ProcessStartInfo(_program.Path, _options.Arguments())
        {
            RedirectStandardError = true, RedirectStandardOutput = true, RedirectStandardInput = true,
        };

        // Its options are those of its command line alone.
        foreach (string name in start.Environment.Keys.Where(
            each => each.StartsWith("ETCD_", StringComparison.Ordinal)).ToArray())
        {
            start.Environment.Remove(name);
        }

        Process process = Process.Start(start)!;
        process.StandardInput.Close();
        _process = process;
        ProcessId = process.Id;
        State = EtcdState.Running;
        File.WriteAllText(PidFile, process.Id.ToString(CultureInfo.InvariantCulture));
        EtcdLog.Started(_log, _program.Version, process.Id, _options.LogFile);
    }

    private async Task KeepRunningAsync()
    {
        TimeSpan pause = _options.RestartPause;
        while (!_ended.IsCancellationRequested)
        {
            long began = _options.Clock.GetTimestamp();
            string last = await LastWordsAsync(_process!).ConfigureAwait(false);
            if (_ended.IsCancellationRequested)
            {
                return;
            }

            // One that has run for a while is not one that cannot start.
            pause = _options.Clock.GetElapsedTime(began) > PauseMax ? _options.RestartPause : pause;
            State = EtcdState.Waiting;
            Restarts++;
            EtcdLog.Ended(_log, _process!.ExitCode, pause, last);
            await PauseAsync(pause).ConfigureAwait(false);
            pause = TimeSpan.FromTicks(Math.Min(PauseMax.Ticks, pause.Ticks * 2));
            if (_ended.IsCancellationRequested)
            {
                return;
            }

            _process.Dispose();
            try
            {
                Launch();
            }
            catch (Exception failed) when (failed is IOException or UnauthorizedAccessException or Win32Exception)
            {
                // The program may be in the middle of an upgrade.
                EtcdLog.Unwell(_log, $"it cannot be started again: {failed.Message}");
                _process = await RelaunchAsync().ConfigureAwait(false);
            }
        }
    }

    private async Task<Process?> RelaunchAsync()
    {
        while (!_ended.IsCancellationRequested)
        {
            await PauseAsync(PauseMax / 4).ConfigureAwait(false);
            try
            {
                Launch();
                return _process;
            }
            catch (Exception failed) when (failed is IOException or UnauthorizedAccessException or Win32Exception)
            {
                EtcdLog.Unwell(_log, $"it cannot be started again: {failed.Message}");
            }
        }

        return null;
    }

    /// <summary>Waits for the end of a process.</summary>
    /// <returns>The last that it has written beside its log: what was wrong before it had one.</returns>
    private async Task<string> LastWordsAsync(Process process)
    {
        string last = "";
        try
        {
            Task<string> output = process.StandardOutput.ReadToEndAsync(_ended.Token);
            while (await process.StandardError.ReadLineAsync(_ended.Token).ConfigureAwait(false) is { } line)
            {
                last = line.Length > 0 ? line : last;
            }

            await output.ConfigureAwait(false);
            await process.WaitForExitAsync(_ended.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The server ends.
        }

        return last;
    }

    private async Task KeepWellAsync()
    {
        while (!_ended.IsCancellationRequested)
        {
            await PauseAsync(_options.CheckEvery).ConfigureAwait(false);
            if (_ended.IsCancellationRequested || State != EtcdState.Running)
            {
                continue;
            }

            string? before = _health?.Problem;
            EtcdHealth now = await LookAsync(_ended.Token).ConfigureAwait(false);
            if (now.Problem is { } problem && !_ended.IsCancellationRequested)
            {
                EtcdLog.Unwell(_log, problem);
            }
            else if (before is not null && now.Problem is null)
            {
                EtcdLog.Well(_log);
            }
        }
    }

    private async Task<EtcdHealth> LookAsync(CancellationToken stop)
    {
        bool wasFull = false;
        EtcdHealth now = await _keeper.CheckAsync(() => wasFull = true, stop).ConfigureAwait(false);
        if (wasFull && !now.IsFull)
        {
            ClearedAt = _options.Clock.GetUtcNow();
            EtcdLog.Cleared(_log);
        }

        _health = now;
        return now;
    }

    /// <summary>Ends the etcd that a killed server has left: two cannot have one folder.</summary>
    private async Task EndOldAsync(CancellationToken stop)
    {
        if (!File.Exists(PidFile)
            || !int.TryParse(
                await File.ReadAllTextAsync(PidFile, stop).ConfigureAwait(false), NumberStyles.None,
                CultureInfo.InvariantCulture, out int pid)
            || !IsOurs(pid))
        {
            return;
        }

        try
        {
            using Process old = Process.GetProcessById(pid);
            EtcdLog.StoppedOld(_log, pid);
            await EndAsync(old, _options.StopMax).ConfigureAwait(false);
        }
        catch (ArgumentException)
        {
            // It has ended meanwhile.
        }
    }

    private bool IsOurs(int pid)
    {
        string file = $"/proc/{pid}/cmdline";
        try
        {
            return File.Exists(file)
                && File.ReadAllText(file).Split('\0')
                    .Contains($"--data-dir={_options.DataFolder}", StringComparer.Ordinal);
        }
        catch (IOException)
        {
            return false;
        }
    }

    private async Task PauseAsync(TimeSpan time) => await Task.Delay(time, _options.Clock, _ended.Token)
        .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
}
