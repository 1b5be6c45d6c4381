using Raven.Documents.Operations;
using Raven.Security.Rights;

namespace Raven.Server.Http.Security;

/// <summary>
/// Who started an operation, or took a lease, and with which right: the caller may ask how far it is and end it, and it
/// ends with the right; with that of the key if a browser has started it, whose user may have signed out. Immutable.
/// </summary>
internal sealed class OperationStarter
{
    private readonly Identity _identity;
    private readonly Caller? _caller;
    private readonly string? _header;
    private readonly StudioSession? _session;
    private readonly Access _access;

    private OperationStarter(Identity identity, Caller? caller, Access access)
    {
        _identity = identity;
        _caller = caller;
        _header = caller?.Header;
        _session = caller?.Session;
        _access = access;
    }

    /// <summary>The starter of an operation that a request begins.</summary>
    internal static OperationStarter Of(RequestContext request) =>
        new(request.Identity, request.Caller, request.Route!.Access);

    /// <summary>Refuses a request about an operation that its caller has not started, if it lacks a right.</summary>
    /// <param name="request">The request.</param>
    /// <param name="operation">The operation.</param>
    /// <param name="otherwise">The right that is needed then.</param>
    /// <exception cref="BadRequestException">403: it lacks it.</exception>
    internal static void RequireOwn(RequestContext request, RunningOperation operation, Access otherwise)
    {
        if (!IsOwn(request, operation))
        {
            request.Require(otherwise);
        }
    }

    /// <summary>Whether the caller of a request has started an operation.</summary>
    internal static bool IsOwn(RequestContext request, RunningOperation operation) =>
        operation.Starter is OperationStarter starter && starter.Is(request.Identity);

    /// <summary>Whether the starter still has the right to the database of the operation. Any thread.</summary>
    internal bool MayGoOn(AccessGate gate, RunningOperation operation) => MayGoOn(gate, operation.Database);

    /// <summary>Whether the starter still has the right to a database. Any thread.</summary>
    internal bool MayGoOn(AccessGate gate, string database) =>
        _caller == null || gate.MayOperationGoOn(_caller, _header, _session, _identity, _access, database);

    /// <summary>Who it was, and for which right, for the audit log.</summary>
    internal void Ended(AuditTrail audit, RunningOperation operation, string reason) =>
        Ended(audit, $"operation {operation.Id} of {operation.Database}", reason);

    /// <summary>Who it was, what was ended and why, for the audit log.</summary>
    internal void Ended(AuditTrail audit, string what, string reason) =>
        audit.Ended(_identity, _caller!, what, reason);

    private bool Is(Identity other) =>
        other.Key.Length > 0 && other.Kind == _identity.Kind && other.Key == _identity.Key;
}
