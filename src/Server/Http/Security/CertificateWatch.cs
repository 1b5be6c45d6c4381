using Microsoft.Extensions.Logging;
using Raven.Security.Audit;
using Raven.Security.Certificates;
using Raven.Security.Registry;
using Raven.Server.Diagnostics;

namespace Raven.Server.Http.Security;

/// <summary>
/// Looks after the certificate of a server that runs: has a new one presented when its files have changed, and warns in
/// the log of certificates and keys that end soon. Safe for all threads.
/// </summary>
internal sealed class CertificateWatch : IDisposable
{
    /// <summary>How often it looks, whether the system has said that a file changed or not.</summary>
    internal static readonly TimeSpan PollInterval = TimeSpan.FromSeconds(60);

    /// <summary>After which time a certificate and a key that do not fit each other are read again.</summary>
    internal static readonly TimeSpan RetryDelay = TimeSpan.FromSeconds(2);

    /// <summary>From when on it warns of an end.</summary>
    internal static readonly TimeSpan WarnAhead = TimeSpan.FromDays(14);

    /// <summary>Whoever renews writes several files: they are read together.</summary>
    private static readonly TimeSpan HintDelay = TimeSpan.FromMilliseconds(500);

    private static readonly TimeSpan WarnInterval = TimeSpan.FromDays(1);
    private static readonly TimeSpan SameFailureInterval = TimeSpan.FromHours(1);

    private readonly Lock _looking = new();
    private readonly ServerCertificate _certificate;
    private readonly TrustRegistry _trust;
    private readonly ILogger _log;
    private readonly TimeProvider _clock;
    private readonly AuditTrail? _audit;
    private readonly ITimer _timer;
    private readonly List<FileSystemWatcher> _watchers;
    private DateTimeOffset _warnedAt = DateTimeOffset.MinValue;
    private DateTimeOffset _loggedAt;
    private string? _loggedFailure;
    private bool _hasRetried;
    private int _isHinted;

    /// <summary>Begins to look.</summary>
    /// <param name="certificate">The certificate of the server.</param>
    /// <param name="trust">The certificates and keys of its clients.</param>
    /// <param name="log">Takes what happened and what will.</param>
    /// <param name="clock">The clock of the looks and the warnings.</param>
    /// <param name="audit">Takes what has changed; null if no one asks.</param>
    internal CertificateWatch(
        ServerCertificate certificate, TrustRegistry trust, ILogger log, TimeProvider clock, AuditTrail? audit = null)
    {
        _audit = audit;
        _certificate = certificate;
        _trust = trust;
        _log = log;
        _clock = clock;
        WarnOfEnds();
        _timer = clock.CreateTimer(
            static state => ((CertificateWatch)state!).Look(), this, PollInterval, PollInterval);
        _watchers = [.. certificate.Folders.Select(Watch).OfType<FileSystemWatcher>()];
    }

    /// <summary>Reads the certificate again, whether its files look changed or not.</summary>
    /// <param name="isByRequest">Whether a request asks for it, which has a line of its own in the audit log.</param>
    /// <exception cref="CertificateException">It cannot be used; the one before stays.</exception>
    internal void Refresh(bool isByRequest)
    {
        AuditTrail? audit = isByRequest ? null : _audit;
        lock (_looking)
        {
            try
            {
                Take(always: true, audit);
            }
            catch (CertificateException e)
            {
                LogFailure(e.Message, always: true, audit);
                throw;
            }
        }
    }

    /// <summary>Replaces the certificate and its file, as a request asks.</summary>
    /// <exception cref="CertificateException">It cannot be done; nothing has changed.</exception>
    internal void Replace(ReadOnlySpan<byte> pkcs12)
    {
        lock (_looking)
        {
            _certificate.Replace(pkcs12);
            LogNew();
            ForgetFailure();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (FileSystemWatcher watcher in _watchers)
        {
            watcher.Dispose();
        }

        _timer.Dispose();
    }

    private void Look()
    {
        lock (_looking)
        {
            Volatile.Write(ref _isHinted, 0);
            try
            {
                Take(always: false, _audit);
            }
            catch (CertificateException e)
            {
                if (e.MayBeHalfWritten && !_hasRetried)
                {
                    _hasRetried = true;
                    _timer.Change(RetryDelay, PollInterval);
                }
                else
                {
                    LogFailure(e.Message, always: false, _audit);
                }
            }

            WarnOfEnds();
        }
    }

    private void Take(bool always, AuditTrail? audit)
    {
        if (_certificate.Reload(always))
        {
            LogNew();
            audit?.Server(
                "server.certificate.reloaded", AuditOutcome.Ok, new KeyValuePair<string, string>(
                    "thumbprint", _certificate.Current.Thumbprint));
        }

        if (_certificate.LastFailure == null)
        {
            ForgetFailure();
        }
    }

    /// <summary>The next look warns of its end, if that is soon.</summary>
    private void LogNew()
    {
        ServerLog.CertificateReloaded(_log, _certificate.Current.Thumbprint, _certificate.NotAfter);
        _warnedAt = DateTimeOffset.MinValue;
    }

    private void ForgetFailure()
    {
        _hasRetried = false;
        _loggedFailure = null;
    }

    /// <summary>What stays wrong is logged once an hour, not at each look.</summary>
    private void LogFailure(string reason, bool always, AuditTrail? audit)
    {
        DateTimeOffset now = _clock.GetUtcNow();
        if (always || reason != _loggedFailure || (now - _loggedAt).Duration() >= SameFailureInterval)
        {
            _loggedFailure = reason;
            _loggedAt = now;
            ServerLog.CertificateNotReloaded(_log, reason);
            audit?.Server(
                "server.certificate.reloaded", AuditOutcome.Failed, new KeyValuePair<string, string>("reason", reason));
        }
    }

    private void WarnOfEnds()
    {
        DateTimeOffset now = _clock.GetUtcNow();
        if ((now - _warnedAt).Duration() < WarnInterval)
        {
            return;
        }

        _warnedAt = now;
        if (now > _certificate.NotAfter)
        {
            ServerLog.CertificateEnded(_log, _certificate.NotAfter);
        }
        else if (EndsSoon(now, _certificate.NotAfter, out int left))
        {
            ServerLog.CertificateEnds(_log, "of the server", _certificate.NotAfter, left);
        }

        foreach (RegisteredCertificate one in _trust.Current.Certificates)
        {
            if (EndsSoon(now, one.Certificate.NotAfter, out int days))
            {
                ServerLog.CertificateEnds(
                    _log, $"'{one.Name}' ({one.Certificate.Thumbprint})", one.Certificate.NotAfter, days);
            }
        }

        foreach (RegisteredKey key in _trust.Current.Keys)
        {
            if (key.ExpiresAt is { } end && EndsSoon(now, end, out int days))
            {
                ServerLog.KeyEnds(_log, key.Name, key.Id, end, days);
            }
        }
    }

    private static bool EndsSoon(DateTimeOffset now, DateTimeOffset end, out int days)
    {
        days = (int)(end - now).TotalDays;
        return end > now && end - now <= WarnAhead;
    }

    /// <summary>
    /// The system says soon when a file changes, but not always: not for each kind of disk, and not if it watches many.
    /// </summary>
    private FileSystemWatcher? Watch(string folder)
    {
        FileSystemWatcher? watcher = null;
        try
        {
            watcher = new FileSystemWatcher(folder);
            watcher.Changed += (_, _) => Hint();
            watcher.Created += (_, _) => Hint();
            watcher.Renamed += (_, _) => Hint();
            watcher.EnableRaisingEvents = true;
            return watcher;
        }
        catch (Exception e) when (e is IOException or ArgumentException or UnauthorizedAccessException)
        {
            // What changes is found out by the next look.
            watcher?.Dispose();
            return null;
        }
    }

    private void Hint()
    {
        if (Interlocked.Exchange(ref _isHinted, 1) == 0)
        {
            _timer.Change(HintDelay, PollInterval);
        }
    }
}
