using System.Globalization;
using Microsoft.Extensions.Logging;
using Raven.Documents.Catalog;
using Raven.Security.Audit;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Server.Diagnostics;
using Raven.Storage.Errors;

namespace Raven.Server.Http.Security;

//   TRAIL-1  A change of who is trusted is in the audit log and on the disk before it is made and answered.
//   TRAIL-2  Neither keys, passwords and private keys nor contents of documents and values of parameters are in it.
//   TRAIL-3  Whoever is refused or denied writes a bounded number of lines in a minute, all callers together. The next
//            line says how many are missing before it.

/// <summary>Writes what happens to the audit log, if one is kept. Safe for all threads.</summary>
internal sealed class AuditTrail : ITrustAudit, IDisposable
{
    /// <summary>How many lines those who are refused write in a minute, and how many those who are denied.</summary>
    internal const int RefusedPerMinuteMax = 600;

    private readonly AuditLog? _log;
    private readonly bool _isRequired;
    private readonly ILogger _serverLog;
    private readonly LogThrottle _failures;
    private readonly LineBudget _refused;
    private readonly LineBudget _denied;

    private AuditTrail(AuditLog? log, bool isRequired, ILogger serverLog, TimeProvider clock)
    {
        _log = log;
        _isRequired = isRequired;
        _serverLog = serverLog;
        _failures = new LogThrottle(clock, TimeSpan.FromSeconds(1));
        _refused = new LineBudget(clock, RefusedPerMinuteMax, TimeSpan.FromMinutes(1));
        _denied = new LineBudget(clock, RefusedPerMinuteMax, TimeSpan.FromMinutes(1));
    }

    /// <summary>True if an audit log is kept.</summary>
    internal bool IsKept => _log != null;

    /// <summary>Opens the log of a folder.</summary>
    /// <param name="options">Where it is; null if none is kept.</param>
    /// <param name="key">Makes the key of its chain; asked only if a log is kept.</param>
    /// <param name="records">Hold the number and the hash of its last line, so that a cut tail shows.</param>
    /// <param name="isRequired">Whether changes are refused while it cannot be written.</param>
    /// <param name="serverLog">Takes what goes wrong.</param>
    /// <param name="clock">The clock of its lines.</param>
    /// <exception cref="IOException">It cannot be opened.</exception>
    internal static AuditTrail Open(
        AuditOptions? options, Func<byte[]> key, ServerRecords records, bool isRequired, ILogger serverLog,
        TimeProvider clock) => new(
        options == null ? null : AuditLog.Open(options, key(), new Anchor(records), clock),
        isRequired, serverLog, clock);

    /// <summary>The first use of an identity on a connection.</summary>
    internal void Accepted(Identity identity, Caller caller) => Write(
        new AuditEvent("access.accepted", AuditOutcome.Ok) { By = identity, From = caller.ToString() });

    /// <summary>A caller without an identity that counts.</summary>
    internal void Refused(Caller caller, string reason)
    {
        if (_log != null && _refused.TryTake(out long missing))
        {
            Write(new AuditEvent("access.refused", AuditOutcome.Denied)
            {
                From = caller.ToString(),
                Detail = [new("reason", reason), .. Missing(missing)],
            });
        }
    }

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
                From = request.Caller?.ToString() ?? "",
                Database = database.IsEmpty ? null : database.ToString(),
                Resource = $"{request.Method} {request.Route?.Path ?? request.Path}",
                Detail = [new("right", access.ToString()), .. Missing(missing)],
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

    /// <summary>Something that a request did.</summary>
    /// <param name="request">The request.</param>
    /// <param name="name">What, such as <c>database.deleted</c>.</param>
    /// <param name="database">The database that it was done to; null if to none.</param>
    /// <param name="resource">Which index, which identity; null if there is no such thing.</param>
    /// <param name="outcome">How it ended.</param>
    /// <param name="detail">Names and texts; nothing secret.</param>
    internal void Done(
        RequestContext request, string name, string? database = null, string? resource = null,
        AuditOutcome outcome = AuditOutcome.Ok, params IReadOnlyList<KeyValuePair<string, string>> detail)
    {
        if (_log != null)
        {
            Write(new AuditEvent(name, outcome)
            {
                By = request.Identity,
                From = request.Caller?.ToString() ?? "",
                Database = database,
                Resource = resource,
                Detail = detail,
            });
        }
    }

    /// <summary>Something that the server did by itself.</summary>
    internal void Server(
        string name, AuditOutcome outcome, params IReadOnlyList<KeyValuePair<string, string>> detail) =>
        Write(new AuditEvent(name, outcome) { Detail = detail });

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
    public void Dispose() => _log?.Dispose();

    /// <summary>How many lines of the kind are missing before this one; nothing if none are.</summary>
    private static KeyValuePair<string, string>[] Missing(long count) => count == 0
        ? []
        : [new("missing", count.ToString(CultureInfo.InvariantCulture))];

    private static AuditEvent EventOf(Identity by, TrustChange change, AuditOutcome outcome) => new(
        change.Event, outcome)
    {
        By = by,
        Resource = change.Resource,
        Detail = [new("name", change.Name), new("before", change.Before ?? ""), new("after", change.After ?? "")],
    };

    private void Write(AuditEvent what)
    {
        try
        {
            _log?.Write(what);
        }
        catch (IOException e)
        {
            LogFailure(e);
        }
    }

    private void LogFailure(IOException e)
    {
        if (_failures.TryTake(out _))
        {
            ServerLog.AuditFailed(_serverLog, e.Message);
        }
    }

    /// <summary>The end of the log in the catalog's storage.</summary>
    private sealed class Anchor(ServerRecords records) : IAuditAnchor
    {
        private const string Key = "audit/last";

        public AuditChain? Read()
        {
            if (records.Read(Key) is not [var (_, value)])
            {
                return null;
            }

            string[] parts = System.Text.Encoding.ASCII.GetString(value).Split(' ');
            return new AuditChain(
                long.Parse(parts[0], CultureInfo.InvariantCulture), parts[1]);
        }

        public void Keep(AuditChain chain)
        {
            string text = string.Create(CultureInfo.InvariantCulture, $"{chain.Number} {chain.Hash}");
            try
            {
                records.Write([new(Key, System.Text.Encoding.ASCII.GetBytes(text))]);
            }
            catch (StoragePoisonedException e)
            {
                throw new IOException(e.Message, e);
            }
        }
    }
}
