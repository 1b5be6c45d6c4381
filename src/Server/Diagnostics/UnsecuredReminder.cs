using Microsoft.Extensions.Logging;
using Raven.Server.Options;

namespace Raven.Server.Diagnostics;

/// <summary>Says in the log, at once and then every hour, that everyone who can connect may do everything.</summary>
internal sealed class UnsecuredReminder : IDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromHours(1);

    private readonly ILogger _log;
    private readonly string _url;
    private readonly string _access;
    private readonly ITimer _timer;

    private UnsecuredReminder(ILogger log, string url, string access, TimeProvider time)
    {
        _log = log;
        _url = url;
        _access = access;
        Remind();
        _timer = time.CreateTimer(static state => ((UnsecuredReminder)state!).Remind(), this, Interval, Interval);
    }

    /// <summary>Begins to remind, if there is a reason to.</summary>
    /// <returns>Null if there is none.</returns>
    internal static UnsecuredReminder? Begin(
        StartDecision start, ServerOptions options, string url, ILogger log, TimeProvider time) =>
        start.IsUnsecured ? new UnsecuredReminder(log, url, options.UnsecuredAccess.ToString(), time) : null;

    /// <inheritdoc/>
    public void Dispose() => _timer.Dispose();

    private void Remind() => ServerLog.Unsecured(_log, _url, StartRules.AccessKey, _access);
}
