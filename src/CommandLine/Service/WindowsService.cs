using System.Runtime.Versioning;
using System.ServiceProcess;
using Microsoft.Extensions.Logging;
using Raven.Server;

namespace Raven.CommandLine.Service;

/// <summary>What the manager of services of Windows calls. Warnings and errors go to the event log.</summary>
[SupportedOSPlatform("windows")]
internal sealed class WindowsService : ServiceBase
{
    // "An exception occurred in the service": a code by which the manager starts it again.
    private const int Failed = 1064;

    private readonly string[] _options;
    private readonly ServiceRun _run = new(Raven.Server.Program.ServeAsync, TimeSpan.FromSeconds(5));
    private int _isAskedToStop;

    internal WindowsService(string name, string[] options)
    {
        ServiceName = name;
        CanShutdown = true;
        _options = options;
    }

    /// <inheritdoc/>
    protected override void OnStart(string[] args)
    {
        var owner = new ProcessOwner(
            _options, _ => { },
            why => EventLog.WriteEntry(why, System.Diagnostics.EventLogEntryType.Error),
            logging => logging.AddEventLog(settings =>
            {
                settings.SourceName = ServiceName;
                settings.Filter = (_, level) => level >= LogLevel.Warning;
            }),
            CancellationToken.None);
        if (!_run.StartAsync(owner, AskForTime).GetAwaiter().GetResult())
        {
            ExitCode = Failed;
            throw new ServiceException("The server did not start; the entry before this one says why.");
        }

        _ = EndWithAsync();
    }

    /// <inheritdoc/>
    protected override void OnStop() => Stop(AskForTime);

    /// <summary>The machine ends: there is the time that Windows gives to all services, and more cannot be asked for.
    /// </summary>
    protected override void OnShutdown() => Stop(_ => { });

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _run.Dispose();
        }

        base.Dispose(disposing);
    }

    /// <summary>A server that ends by itself ends the service, with a code that has it started again.</summary>
    private async Task EndWithAsync()
    {
        await _run.Ended.ConfigureAwait(false);
        if (Interlocked.Exchange(ref _isAskedToStop, 1) == 0)
        {
            ExitCode = Failed;
            Stop();
        }
    }

    private void Stop(Action<TimeSpan> moreTime)
    {
        if (Interlocked.Exchange(ref _isAskedToStop, 1) == 0 && _run.StopAsync(moreTime).GetAwaiter().GetResult() != 0)
        {
            ExitCode = Failed;
        }
    }

    private void AskForTime(TimeSpan time) => RequestAdditionalTime((int)time.TotalMilliseconds);
}
