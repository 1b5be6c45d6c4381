using System.Net;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Primitives;
using Raven.Security.Certificates;
using Raven.Security.Rights;
using Raven.Server.Http.Connections;

namespace Raven.Server.Http.Security;

/// <summary>
/// Who is at the other end of a connection, and what was found out about that caller. Belongs to the one request
/// context of the connection (or of the HTTP/2 stream); one thread at a time.
/// </summary>
internal sealed class Caller
{
    private string? _proxy;
    private string? _peerDigest;
    private X509Certificate2? _peerCertificate;
    private IPAddress? _peerAddress;
    private string? _sentCertificate;
    private StringValues _sentAddresses;

    /// <summary>Reads what the connection says.</summary>
    internal Caller(IFeatureCollection connection)
    {
        Local = connection.Get<LocalPeer>();
        Certificate = connection.Get<ITlsConnectionFeature>()?.ClientCertificate;
        IHttpConnectionFeature? peer = connection.Get<IHttpConnectionFeature>();
        Address = peer?.RemoteIpAddress ?? IPAddress.Loopback;
        Port = peer?.RemotePort ?? 0;
    }

    /// <summary>Reads what a connection says that is not one of HTTP.</summary>
    internal Caller(ConnectionContext connection)
    {
        Certificate = connection.Features.Get<ITlsConnectionFeature>()?.ClientCertificate;
        Address = (connection.RemoteEndPoint as IPEndPoint)?.Address ?? IPAddress.Loopback;
        Port = (connection.RemoteEndPoint as IPEndPoint)?.Port ?? 0;
    }

    /// <summary>The process of this machine that has connected the local socket; null for all others.</summary>
    internal LocalPeer? Local { get; }

    /// <summary>The certificate of the handshake, whose key the peer has proven to own, or that of the client for whom
    /// a trusted proxy sends the request; null without one.</summary>
    internal X509Certificate2? Certificate { get; private set; }

    /// <summary>What the certificate is recognised by; null if there is none.</summary>
    internal string? Digest
    {
        get => field ??= Certificate == null ? null : ClientCertificate.DigestOf(Certificate);
        private set;
    }

    /// <summary>What the certificate of the connection itself is recognised by, whoever its requests are for; null if
    /// it has none.</summary>
    internal string? PeerDigest => _proxy == null ? Digest : _peerDigest;

    /// <summary>The peer's address, by the socket, or that which a trusted proxy says: no other header changes it.
    /// </summary>
    internal IPAddress Address { get; private set; }

    /// <summary>Whether the connection is that of a trusted proxy; null if that was not looked up.</summary>
    internal bool? IsProxy { get; set; }

    /// <summary>The peer's port.</summary>
    internal int Port { get; }

    /// <summary>The identity that was found last; null if none was.</summary>
    internal Identity? Identity { get; set; }

    /// <summary>The <c>Authorization</c> with which it was found; null if there was none.</summary>
    internal string? Header { get; set; }

    /// <summary>The session by whose cookie it was found; null if it was found otherwise.</summary>
    internal StudioSession? Session { get; set; }

    /// <summary>The id of the key with which the client has signed in at the node that passes its request on; null if
    /// it came otherwise.</summary>
    internal string? SignedInWith { get; set; }

    /// <summary>The version of the registry in which it was found.</summary>
    internal long Version { get; set; }

    /// <summary>The time stamp until which the identity counts without another look.</summary>
    internal long CountsUntil { get; set; }

    /// <summary>The version of the registry in which the certificate was not registered; 0 if it was not looked for.
    /// </summary>
    internal long UnknownIn { get; set; }

    /// <summary>The key of the identity whose first use on this connection is in the audit log.</summary>
    internal string? AuditedKey { get; set; }

    /// <summary>Whether it is the client of a proxy, whose connection others share.</summary>
    internal bool IsBehindProxy => _proxy != null;

    /// <summary>Whether the headers of a proxy are those that the caller was made the client of last.</summary>
    internal bool IsFor(string certificate, StringValues addresses) =>
        _proxy != null && string.Equals(certificate, _sentCertificate) && addresses == _sentAddresses;

    /// <summary>Becomes the client of a request that a trusted proxy passes on: what was found is void.</summary>
    internal void BecomeFor(
        IPAddress client, X509Certificate2? certificate, string sentCertificate, StringValues sentAddresses)
    {
        if (_proxy == null)
        {
            _peerDigest = Digest;
            _peerCertificate = Certificate;
            _peerAddress = Address;
            _proxy = new IPEndPoint(Address, Port).ToString();
        }

        _sentCertificate = sentCertificate;
        _sentAddresses = sentAddresses;
        Address = client;
        Certificate = certificate;
        Digest = null;
        Identity = null;
        Header = null;
        Session = null;
        UnknownIn = 0;
    }

    /// <summary>Becomes the peer itself again, for a request that it does not pass on.</summary>
    internal void BecomeSelf()
    {
        if (_proxy == null)
        {
            return;
        }

        BecomeFor(_peerAddress!, _peerCertificate, "", default);
        _proxy = null;
    }

    /// <summary>For the audit log: address and port, the client's address and those of its proxy, or the user of the
    /// local socket.</summary>
    public override string ToString() => Local?.ToString()
        ?? (_proxy == null ? new IPEndPoint(Address, Port).ToString() : $"{Address} through {_proxy}");
}
