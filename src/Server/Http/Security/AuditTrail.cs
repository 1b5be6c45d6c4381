using System.Globalization;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Logging;
using Raven.Documents.Catalog;
using Raven.Security.Audit;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Server.Diagnostics;
using Raven.Server.Http.Routing;

namespace Raven.Server.Http.Security;

//   TRAIL-1  A security change is in the audit log and on the disk before it is made and answered. While the log cannot
//            be written, it is refused: changes of who is trusted, and what a route with an event does that is no note.
//   TRAIL-2  Neither keys, passwords and private keys nor contents of documents and values of parameters are in it.

//   TRAIL-3  Whoever is refused or denied, or signs a browser in or out, writes a bounded number of lines in a minute,
//            all callers together. The next line says how many are missing before it.

/// <summary>Writes what happens to the audit log, if one is kept. Safe for all threads.</summary>
internal sealed class AuditTrail : ITrustAudit, IDisposable
{
    /// <summary>How many lines those who are refused write in a minute, and how many those who are denied.</summary>
    internal const int RefusedPerMinuteMax = 600;

    /// <summary>How many lines callers write in a minute who do not say who they are.</summary>
    internal const int StrangersPerMinuteMax = 60;

    /// <summary>How many lines browsers write in a minute that sign in, or out.</summary>
    internal const int SessionsPerMinuteMax = 600;

    /// <summary>How long a line that need not be on the disk at once may not be.</summary>
    private static readonly TimeSpan FlushDelay = TimeSpan.FromSeconds(1);

    private readonly AuditLog? _log;
    private readonly bool _isRequired;
    private readonly ILogger _serverLog;
    private readonly LogThrottle _failures;
    private readonly LogThrottle _refused;
    private readonly LogThrottle _strangers;
    private readonly LogThrottle _denied;
    private readonly LogThrottle _sessions;
    private readonly ITimer? _timer;
    private int _isOwed;

    private AuditTrail(AuditLog? log, bool isRequired, ILogger serverLog, TimeProvider clock)
    {
        _log = log;
        _isRequired = isRequired;
        _serverLog = serverLog;
        _failures = new LogThrottle(clock, TimeSpan.FromSeconds(1));
        _refused = new LogThrottle(clock, TimeSpan.FromMinutes(1), RefusedPerMinuteMax);
        _strangers = new LogThrottle(clock, TimeSpan.FromMinutes(1), StrangersPerMinuteMax);
        _denied = new LogThrottle(clock, TimeSpan.FromMinutes(1), RefusedPerMinuteMax);
        _sessions = new LogThrottle(clock, TimeSpan.FromMinutes(1), SessionsPerMinuteMax);
        if (log == null)
        {
            return;
        }

        _timer = clock.CreateTimer(
            static state => ((AuditTrail)state!).Flush(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        if (log.Fault is { } fault)
        {
            ServerLog.AuditFaulty(serverLog, fault);
        }
    }

    /// <summary>True if an audit log is kept.</summary>
    internal bool IsKept => _log != null;

    /// <summary>Opens the log of a folder.</summary>
    /// <param name="options">Where it is; null if none is kept.</param>
    /// <param name="key">Makes the key of its chain; asked only if a log is kept.</param>
    /// <param name="records">Hold the numbers and hashes of its ends, so that a cut one shows.</param>
    /// <param name="isRequired">Whether changes are refused while it cannot be written.</param>
    /// <param name="serverLog">Takes what goes wrong.</param>
    /// <param name="clock">The clock of its lines.</param>
    /// <exception cref="IOException">It cannot be opened.</exception>
    internal static AuditTrail Open(
        AuditOptions? options, Func<byte[]> key, ServerRecords records, bool isRequired, ILogger serverLog,
        TimeProvider clock) => new(
        options == null ? null : AuditLog.Open(options, key(), new AuditAnchor(records), clock),
        isRequired, serverLog, clock);

    /// <summary>The first use of an identity on a connection; the end of the connection is written, too.</summary>
    internal void Accepted(Identity identity, Caller caller, IFeatureCollection connection)
    {
        if (_log == null || !IsFirst(identity, caller, connection))
        {
            return;
        }

        string from = caller.ToString();
        Write(new AuditEvent("access.accepted", AuditOutcome.Ok) { By = identity, From = from });
        connection.Get<IConnectionLifetimeFeature>()?.ConnectionClosed.Register(
            () => Write(new AuditEvent("access.closed", AuditOutcome.Ok) { By = identity, From = from }));
    }

    /// <summary>A caller without an identity that counts.</summary>
    internal void Refused(Caller caller, string reason) => Refused(caller, reason, _refused);

    /// <summary>A caller with neither a certificate nor a header: no login, and no one's failure.</summary>
    internal void RefusedStranger(Caller caller) =>
        Refused(caller, "It has neither a certificate nor an Authorization.", _strangers);

    /// <summary>An address that fails too often: its further failures of this minute are not written.</summary>
    internal void LimitReached(Caller caller)
    {
        if (_log != null && _refused.TryTake(out long missing))
        {
            Write(new AuditEvent("access.limit", AuditOutcome.Denied)
            {
                From = caller.ToString(),
                Detail = [.. Missing(missing)],
            });
        }
    }

    /// <summary>An identity without the right that a request needs.</summary>
    internal void Denied(Identity identity, RequestContext request, Access access, ReadOnlySpan<char> database)
    {
        if (_log != null && _denied.TryTake(out long missing))
        {
            Write(new AuditEvent("access.denied", AuditOutcome.Denied)
            {
                By = identity,
                From = AddressOf(request),
                Database = database.IsEmpty ? null : database.ToString(),
                Resource = $"{request.Method} {request.Route?.Path ?? request.Path}",
                Detail = [new("right", access.ToString()), .. Missing(missing)],
                RequestId = request.Id,
            });
        }
    }

    /// <summary>An identity has made a request: it is written if it is another one than before on its connection.
    /// </summary>
    internal void Seen(Identity identity, Caller caller, RequestContext request)
    {
        if (caller.AuditedKey != identity.Key)
        {
            caller.AuditedKey = identity.Key;
            Accepted(identity, caller, request.Features);
        }
    }

    /// <summary>A browser has signed in with a key, or out.</summary>
    internal void Session(string name, Identity? by, RequestContext request, string keyId)
    {
        if (_log != null && _sessions.TryTake(out long missing))
        {
            Write(new AuditEvent(name, AuditOutcome.Ok)
            {
                By = by,
                From = AddressOf(request),
                Resource = keyId,
                Detail = [.. Missing(missing)],
                RequestId = request.Id,
            });
        }
    }

    /// <summary>Something that was ended while it ran, as its identity has lost the right to it.</summary>
    internal void Ended(Identity identity, Caller caller, string resource, string reason) => Write(
        new AuditEvent("access.ended", AuditOutcome.Denied)
        {
            By = identity,
            From = caller.ToString(),
            Resource = resource,
            Detail = [new("reason", reason)],
        });

    /// <summary>
    /// What a request is about to do: the event of its route. Unless that is a note, the line is on the disk when this
    /// returns. If it is not done after all, <see cref="Finish"/> says so.
    /// </summary>
    /// <param name="request">The request.</param>
    /// <param name="name">Another name of the event; null for that of the route.</param>
    /// <param name="database">The database, if the path does not name it.</param>
    /// <param name="resource">Which index, which sorter; null if there is no such thing.</param>
    /// <param name="detail">Names and texts; nothing secret.</param>
    /// <exception cref="RegistryException">503: the log cannot be written, so that it must not be done.</exception>
    internal void Announce(
        RequestContext request, string? name = null, string? database = null, string? resource = null,
        params IReadOnlyList<KeyValuePair<string, string>> detail)
    {
        if (_log == null)
        {
            return;
        }

        Route route = request.Route!;
        AuditEvent what = EventOf(request, name ?? route.Audit!, AuditOutcome.Ok) with
        {
            Database = database ?? DatabaseOf(request),
            Resource = resource,
            Detail = detail,
        };
        if (!route.IsAuditedFirst)
        {
            Write(what);
            return;
        }

        try
        {
            _log.WriteFlushed(what);
        }
        catch (IOException e)
        {
            LogFailure(e);
            if (_isRequired)
            {
                throw new RegistryException(
                    RegistryRefusal.Unavailable,
                    $"The audit log cannot be written, so nothing has changed: {e.Message}", e);
            }
        }
    }

    /// <summary>The end of a request whose route has an event: a line if it failed. Of what was denied there is one.
    /// </summary>
    internal void Finish(RequestContext request, bool hasFailed)
    {
        int status = request.Response.Status;
        if (_log != null && (hasFailed || status >= 400) && status is not (401 or 403))
        {
            Write(EventOf(request, request.Route!.Audit!, AuditOutcome.Failed) with
            {
                Database = DatabaseOf(request),
                Detail = [new("status", status < 400 ? "cut off" : status.ToString(CultureInfo.InvariantCulture))],
            });
        }
    }

    /// <summary>Something that the server did by itself.</summary>
    internal void Server(
        string name, AuditOutcome outcome, params IReadOnlyList<KeyValuePair<string, string>> detail) =>
        Write(new AuditEvent(name, outcome) { Detail = detail });

    /// <summary>A change that the operator of the machine makes; it is on the disk when this returns.</summary>
    /// <exception cref="IOException">It cannot be written, so that the change must not be made.</exception>
    internal void Announce(Identity by, string name)
    {
        try
        {
            _log?.WriteFlushed(new AuditEvent(name, AuditOutcome.Ok) { By = by });
        }
        catch (IOException e) when (!_isRequired)
        {
            LogFailure(e);
        }
    }

    /// <summary>Checks the log whole; null if none is kept.</summary>
    /// <returns>What is wrong, first place first; empty if nothing is.</returns>
    /// <exception cref="IOException">It cannot be read.</exception>
    internal IReadOnlyList<string>? Verify() => _log?.Verify();

    /// <inheritdoc/>
    void ITrustAudit.Record(Identity by, TrustChange change)
    {
        try
        {
            _log?.WriteFlushed(EventOf(by, change, AuditOutcome.Ok));
        }
        catch (IOException e) when (!_isRequired)
        {
            LogFailure(e);
        }
    }

    /// <inheritdoc/>
    void ITrustAudit.RecordFailure(Identity by, TrustChange change) =>
        Write(EventOf(by, change, AuditOutcome.Failed));

    /// <inheritdoc/>
    public void Dispose()
    {
        _timer?.Dispose();
        try
        {
            _log?.Dispose();
        }
        catch (IOException e)
        {
            LogFailure(e);
        }
    }

    private static AuditEvent EventOf(Identity by, TrustChange change, AuditOutcome outcome) => new(
        change.Event, outcome)
    {
        By = by,
        Resource = change.Resource,
        Detail = [new("name", change.Name), new("before", change.Before ?? ""), new("after", change.After ?? "")],
    };

    private static AuditEvent EventOf(RequestContext request, string name, AuditOutcome outcome) => new(name, outcome)
    {
        By = request.Identity,
        From = AddressOf(request),
        RequestId = request.Id,
    };

    private static string AddressOf(RequestContext request) =>
        (request.Caller ?? new Caller(request.Features)).ToString();

    private static string? DatabaseOf(RequestContext request) =>
        request.Route!.NeedsDatabase ? request.Capture(0).ToString() : null;

    /// <summary>Whether a connection sees an identity for the first time. Streams of HTTP/2 share theirs.</summary>
    private static bool IsFirst(Identity identity, Caller caller, IFeatureCollection connection)
    {
        if (connection.Get<IConnectionItemsFeature>()?.Items is not { } items)
        {
            return true;
        }

        lock (items)
        {
            return items.TryAdd($"{nameof(AuditTrail)} {identity.Kind} {identity.Key} {caller.Address}", null);
        }
    }

    /// <summary>How many lines of the kind are missing before this one; nothing if none are.</summary>
    private static KeyValuePair<string, string>[] Missing(long count) => count == 0
        ? []
        : [new("missing", count.ToString(CultureInfo.InvariantCulture))];

    private void Refused(Caller caller, string reason, LogThrottle budget)
    {
        if (_log != null && budget.TryTake(out long missing))
        {
            Write(new AuditEvent("access.refused", AuditOutcome.Denied)
            {
                From = caller.ToString(),
                Detail = [new("reason", reason), .. Missing(missing)],
            });
        }
    }

    private void Write(AuditEvent what)
    {
        try
        {
            _log?.Write(what);
            FlushSoon();
        }
        catch (IOException e)
        {
            LogFailure(e);
        }
        catch (ObjectDisposedException)
        {
            // Connections may end behind the server: it has said that it stops.
        }
    }

    private void FlushSoon()
    {
        if (_timer != null && Interlocked.Exchange(ref _isOwed, 1) == 0)
        {
            _timer.Change(FlushDelay, Timeout.InfiniteTimeSpan);
        }
    }

    private void Flush()
    {
        Volatile.Write(ref _isOwed, 0);
        try
        {
            _log!.Flush();
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            LogFailure(e);
        }
    }

    private void LogFailure(Exception e)
    {
        if (_failures.TryTake(out _))
        {
            ServerLog.AuditFailed(_serverLog, e.Message);
        }
    }
}
