using System.Net;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Http.Features;
using Raven.Security.Certificates;
using Raven.Security.Rights;

namespace Raven.Server.Http.Security;

/// <summary>
/// Who is at the other end of a connection, and what was found out about that caller. Belongs to the one request
/// context of the connection (or of the HTTP/2 stream); one thread at a time.
/// </summary>
internal sealed class Caller
{
    /// <summary>Reads what the connection says.</summary>
    internal Caller(IFeatureCollection connection)
    {
        Certificate = connection.Get<ITlsConnectionFeature>()?.ClientCertificate;
        IHttpConnectionFeature? peer = connection.Get<IHttpConnectionFeature>();
        Address = peer?.RemoteIpAddress ?? IPAddress.Loopback;
        Port = peer?.RemotePort ?? 0;
    }

    /// <summary>The certificate of the handshake, whose key the peer has proven to own; null without one.</summary>
    internal X509Certificate2? Certificate { get; }

    /// <summary>What the certificate is recognised by; null if there is none.</summary>
    internal string? Digest =>
        field ??= Certificate == null ? null : ClientCertificate.DigestOf(Certificate);

    /// <summary>The peer's address, by the socket: no header changes it.</summary>
    internal IPAddress Address { get; }

    /// <summary>The peer's port.</summary>
    internal int Port { get; }

    /// <summary>The identity that was found last; null if none was.</summary>
    internal Identity? Identity { get; set; }

    /// <summary>The <c>Authorization</c> with which it was found; null if there was none.</summary>
    internal string? Header { get; set; }

    /// <summary>The version of the registry in which it was found.</summary>
    internal long Version { get; set; }

    /// <summary>The time stamp until which the identity counts without another look.</summary>
    internal long CountsUntil { get; set; }

    /// <summary>The key of the identity whose first use on this connection is in the audit log.</summary>
    internal string? AuditedKey { get; set; }

    /// <summary>For the audit log: address and port.</summary>
    public override string ToString() => new IPEndPoint(Address, Port).ToString();
}
