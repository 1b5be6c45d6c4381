using Microsoft.Extensions.Logging;

namespace Raven.Server.Diagnostics;

/// <summary>The log lines of the server; an event id, once given, stays with its meaning.</summary>
internal static partial class ServerLog
{
    [LoggerMessage(1001, LogLevel.Information, "Serving {Url}; data in {DataDirectory}")]
    internal static partial void Started(ILogger logger, string url, string dataDirectory);

    [LoggerMessage(1002, LogLevel.Information, "Stopping: waiting for {Active} running requests")]
    internal static partial void Stopping(ILogger logger, long active);

    [LoggerMessage(1003, LogLevel.Information, "Stopped")]
    internal static partial void Stopped(ILogger logger);

    [LoggerMessage(1004, LogLevel.Critical,
        "UNSECURED: {Url} can be reached from other machines ({Key}={Access}) and there is no certificate. "
        + "Everyone who can connect can read and change everything")]
    internal static partial void Unsecured(ILogger logger, string url, string key, string access);

    [LoggerMessage(1005, LogLevel.Warning, "{Warning}")]
    internal static partial void OptionIgnored(ILogger logger, string warning);

    [LoggerMessage(1006, LogLevel.Warning,
        "File descriptors are few: the process {Limit}. {Left} are left for databases and indexes, of which each needs "
        + "several; those that need more are refused, and so are connections that would take more than half of all")]
    internal static partial void FewDescriptors(ILogger logger, string limit, long left);

    [LoggerMessage(1020, LogLevel.Error, "The audit log cannot be written: {Reason}")]
    internal static partial void AuditFailed(ILogger logger, string reason);

    [LoggerMessage(1021, LogLevel.Warning, "The certificate was not reloaded, the one before stays: {Reason}")]
    internal static partial void CertificateNotReloaded(ILogger logger, string reason);

    [LoggerMessage(1022, LogLevel.Information, "The certificate was reloaded: {Thumbprint}, which ends at {NotAfter}")]
    internal static partial void CertificateReloaded(ILogger logger, string thumbprint, DateTimeOffset notAfter);

    [LoggerMessage(1023, LogLevel.Warning, "The certificate {Name} ends at {NotAfter}, in {Days} days")]
    internal static partial void CertificateEnds(ILogger logger, string name, DateTimeOffset notAfter, int days);

    [LoggerMessage(1024, LogLevel.Warning,
        "The API key {Id} came from {Address} without encryption, so that others have seen it: it is disabled")]
    internal static partial void KeyInTheClear(ILogger logger, string id, string address);

    [LoggerMessage(1025, LogLevel.Warning, "No certificate and no key is registered, so that the server lets no one "
        + "in. On its machine: --setup dev-cert, --setup add-admin FILE, or Security.WellKnownCertificates.Admin")]
    internal static partial void NobodyTrusted(ILogger logger);

    [LoggerMessage(1026, LogLevel.Warning, "{Reason}")]
    internal static partial void IssuerFailed(ILogger logger, string reason);

    [LoggerMessage(1027, LogLevel.Error,
        "The certificate of the server ended at {NotAfter}: clients refuse to connect until there is a new one")]
    internal static partial void CertificateEnded(ILogger logger, DateTimeOffset notAfter);

    [LoggerMessage(1028, LogLevel.Warning, "The API key '{Name}' ({Id}) ends at {NotAfter}, in {Days} days")]
    internal static partial void KeyEnds(ILogger logger, string name, string id, DateTimeOffset notAfter, int days);

    [LoggerMessage(1031, LogLevel.Critical,
        "The audit log was changed behind the server's back, or a part of it is lost: {Reason} It goes on; its check "
        + "names the place")]
    internal static partial void AuditFaulty(ILogger logger, string reason);

    [LoggerMessage(1030, LogLevel.Critical, "{Reason} Until then no secret can be opened or stored")]
    internal static partial void SecretsClosed(ILogger logger, string reason);

    [LoggerMessage(1029, LogLevel.Warning,
        "A connection of {Address} was ended before its TLS handshake: {Count} are under way, or too many logins from "
        + "there have failed ({More} more like it since the last line)")]
    internal static partial void HandshakesRefused(ILogger logger, string address, int count, long more);

    [LoggerMessage(1010, LogLevel.Error, "Error {Id}: {Method} {Path} failed")]
    internal static partial void RequestFailed(
        ILogger logger, Exception exception, string id, string method, string path);

    [LoggerMessage(1013, LogLevel.Error,
        "{Method} {Path} refused with {Status}: {Reason} ({More} more like it since the last line)")]
    internal static partial void StorageRefused(
        ILogger logger, string method, string path, int status, string reason, long more);

    [LoggerMessage(1011, LogLevel.Warning, "Slow request: {Method} {Path} took {Milliseconds} ms, answered {Status}")]
    internal static partial void SlowRequest(
        ILogger logger, string method, string path, long milliseconds, int status);

    [LoggerMessage(1060, LogLevel.Warning, "A process of the user {User} was refused at the local socket")]
    internal static partial void LocalPeerRefused(ILogger logger, uint user);

    [LoggerMessage(1061, LogLevel.Warning, "There is no local socket: {Reason}")]
    internal static partial void NoLocalSocket(ILogger logger, string reason);

    [LoggerMessage(1040, LogLevel.Warning, "What '{Name}' held open was ended ({What}): {Reason}")]
    internal static partial void RightEnded(ILogger logger, string name, string what, string reason);

    [LoggerMessage(1041, LogLevel.Error, "A look at who still has the right to what runs has failed")]
    internal static partial void WatchFailed(ILogger logger, Exception exception);

    [LoggerMessage(1014, LogLevel.Error, "A look at what is wrong has failed")]
    internal static partial void LookFailed(ILogger logger, Exception exception);

    [LoggerMessage(1015, LogLevel.Warning, "The server is drained ({IsDraining}): /healthz/ready says so")]
    internal static partial void Draining(ILogger logger, bool isDraining);

    [LoggerMessage(1012, LogLevel.Debug, "The client of {Method} {Path} went away")]
    internal static partial void ClientGone(ILogger logger, string method, string path);
}
