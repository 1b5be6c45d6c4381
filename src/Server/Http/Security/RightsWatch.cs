using Microsoft.Extensions.Logging;
using Raven.Documents.Operations;
using Raven.Security.Rights;
using Raven.Server.Diagnostics;

namespace Raven.Server.Http.Security;

//   WATCH-1  What a request was let in for ends with the right to it: once the identity is found without the right, or
//            is found no more, all that goes on is ended within 5 seconds. A request that begins later is the gate's.
//   WATCH-2  A request that is found without its right once is only noted: it may be the one that took the right away,
//            and about to be answered. Found so twice, it is asked to end if it can be asked, and is cut if it cannot,
//            or does not end in time.

/// <summary>
/// Ends requests and operations whose identity has lost its right while they run: it was narrowed or deleted, or its
/// time is over. It looks at all that run in turn; requests pay nothing for it. Sweeps take turns.
/// </summary>
internal sealed class RightsWatch : IDisposable
{
    private const int MissesMax = 2;

    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    private readonly List<RequestContext> _contexts = [];
    private readonly ServerSecurity _security;
    private readonly RunningRequests _requests;
    private readonly OperationRegistry _operations;
    private readonly TimeProvider _clock;
    private readonly ILogger _log;
    private readonly ITimer? _timer;

    internal RightsWatch(
        ServerSecurity security, RunningRequests requests, OperationRegistry operations, TimeProvider clock,
        ILogger log)
    {
        _security = security;
        _requests = requests;
        _operations = operations;
        _clock = clock;
        _log = log;
        _timer = security.IsSecured
            ? clock.CreateTimer(static watch => ((RightsWatch)watch!).Sweep(), this, Interval, Interval)
            : null;
    }

    /// <inheritdoc/>
    public void Dispose() => _timer?.Dispose();

    /// <summary>Looks at all requests and operations that run.</summary>
    private void Sweep()
    {
        // A sweep that takes longer than the interval is not overtaken.
        if (!Monitor.TryEnter(_contexts))
        {
            return;
        }

        try
        {
            _requests.CopyTo(_contexts);
            long version = _security.Trust.Current.Version;
            DateTimeOffset now = _clock.GetUtcNow();
            foreach (RequestContext context in _contexts)
            {
                Look(context, version, now);
            }

            foreach (RunningOperation operation in _operations.All)
            {
                Look(operation);
            }
        }
#pragma warning disable CA1031 // On a timer's thread: whatever it is, the next sweep comes.
        catch (Exception e)
#pragma warning restore CA1031
        {
            ServerLog.WatchFailed(_log, e);
        }
        finally
        {
            _contexts.Clear();
            Monitor.Exit(_contexts);
        }
    }

    private void Look(RequestContext context, long version, DateTimeOffset now)
    {
        // All of this is of one request if the count is the same before and behind it.
        long request = context.ServedCount;
        if (context.Admitted is not { } identity || context.Caller is not { } caller)
        {
            return;
        }

        ref RightsCheck check = ref context.RightsCheck;
        if (check.Request != request)
        {
            check = new RightsCheck { Request = request, Version = caller.Version };
        }

        Access needed = context.Needed;
        string? database = context.OpenedDatabase?.Name;
        if (database == null && needed is Access.Read or Access.ReadWrite or Access.DatabaseAdmin)
        {
            // It is not open yet, or not any more.
            return;
        }

        // A key may end without a change of the registry: the one before a rotation.
        bool isKnown = check.Version == version && identity.Kind != IdentityKind.ApiKey && identity.IsValidAt(now);
        bool mayGoOn = isKnown
            || _security.Gate.MayGoOn(caller, caller.Header, caller.Session, identity, needed, database);
        if (context.ServedCount != request)
        {
            return;
        }

        if (mayGoOn)
        {
            check.Version = version;
            check.Misses = 0;
        }
        else if (++check.Misses >= MissesMax)
        {
            End(context, ref check, identity, needed, now);
        }
    }

    private void End(
        RequestContext context, ref RightsCheck check, Identity identity, Access needed, DateTimeOffset now)
    {
        if (check.AskedAt is { } askedAt)
        {
            if (_clock.GetElapsedTime(askedAt) >= Patience)
            {
                context.Abort();
            }

            return;
        }

        check.AskedAt = _clock.GetTimestamp();
        string reason = ReasonOf(identity, needed, now);
        string what = context.Running is { } running ? $"{running.Method} {running.Path}" : "";
        ServerLog.RightEnded(_log, identity.Name, what, reason);
        _security.Audit.Ended(identity, context.Caller!, what, reason);
        if (!context.TryEnd(reason))
        {
            context.Abort();
        }
    }

    /// <summary>Bulk inserts are not among them: their requests end them, with an answer.</summary>
    private void Look(RunningOperation operation)
    {
        if (operation.BulkInsert == null && operation.State.Status == OperationStatus.InProgress
            && operation.Starter is OperationStarter starter && !starter.MayGoOn(_security.Gate, operation))
        {
            const string reason = "who started it has lost the right to do so.";
            starter.Ended(_security.Audit, operation, reason);
            operation.Kill();
        }
    }

    private static string ReasonOf(Identity identity, Access needed, DateTimeOffset now) => identity.IsValidAt(now)
        ? $"The right {AccessGate.NameOf(needed)}, which this needs, was taken away."
        : $"The identity of this request has expired at {identity.NotAfter:yyyy-MM-dd HH:mm}Z.";
}
