using System.Net;

namespace Raven.Server.Options;

//   START-1  Without a certificate a server is on loopback, unless an option says from where else it may be reached.
//   START-2  A certificate that is set is used by every url: no http:// beside https://, where all callers would be
//            administrators.
//   START-3  Nothing is opened before the decision: neither a port nor a file.

/// <summary>
/// What starts and what does not: by the urls, whether there is a certificate, and
/// <c>Security.UnsecuredAccessAllowed</c>. A function of these alone.
/// </summary>
internal static class StartRules
{
    internal const string AccessKey = "Security.UnsecuredAccessAllowed";

    private const string CertificateKey = "Security.Certificate.Path";

    private const string WaysOut =
        "Give it a certificate (https:// in ServerUrl, and " + CertificateKey + "); or let raven --setup dev-cert make "
        + "one for a start; or set " + AccessKey + "=PrivateNetwork or PublicNetwork: everyone who can connect may "
        + "then read and change everything. Or let it listen on http://127.0.0.1:8080 behind a proxy that speaks "
        + "TLS, with PublicServerUrl set to its url: docs/operations.md has a configuration for nginx.";

    /// <summary>Decides about a start.</summary>
    /// <param name="options">The configuration.</param>
    /// <param name="hasCertificate">Whether it names a certificate.</param>
    /// <param name="covers">Whether a name is one of the certificate's; null as long as it was not read.</param>
    internal static StartDecision Decide(
        ServerOptions options, bool hasCertificate, Func<string, bool>? covers = null)
    {
        bool isSecured = options.ServerUrl.Scheme == Uri.UriSchemeHttps;
        if (isSecured && options.Http2Url != null)
        {
            return StartDecision.Refuse(
                "Http2Url",
                "With https:// HTTP/2 is negotiated on the port of ServerUrl, and a port without TLS beside it would "
                + "let everyone in: leave it empty.");
        }

        foreach (Uri url in options.Urls())
        {
            string key = url == options.ServerUrl ? "ServerUrl" : "Http2Url";
            if (RefusalOf(url, hasCertificate, options.UnsecuredAccess) is { } reason)
            {
                return StartDecision.Refuse(key, reason);
            }
        }

        return new StartDecision
        {
            IsSecured = isSecured,
            IsUnsecured = !isSecured && !options.IsLoopback,
            Peers = PeersOf(options, isSecured),
            Warnings = isSecured ? [.. WarningsOfSecured(options, covers)] : [],
        };
    }

    /// <summary>Whether only this machine can connect to a url.</summary>
    internal static bool IsLoopback(Uri url) =>
        url.Host == "localhost"
        || (IPAddress.TryParse(url.Host.AsSpan().Trim("[]"), out IPAddress? address) && IPAddress.IsLoopback(address));

    private static string? RefusalOf(Uri url, bool hasCertificate, UnsecuredAccess access)
    {
        string shown = url.GetLeftPart(UriPartial.Authority);
        if (url.Scheme == Uri.UriSchemeHttps)
        {
            return hasCertificate ? null : $"'{shown}' needs a certificate, and none is set. {WaysOut}";
        }

        if (hasCertificate)
        {
            return $"'{shown}' does not use the certificate that is set: make it https://, or remove {CertificateKey}.";
        }

        if (IsLoopback(url))
        {
            return access == UnsecuredAccess.None
                ? $"'{shown}' is without a certificate, and {AccessKey} is None. {WaysOut}"
                : null;
        }

        return access is UnsecuredAccess.PrivateNetwork or UnsecuredAccess.PublicNetwork
            ? null
            : $"'{url.Host}' can be reached from other machines, and the server has no certificate. {WaysOut}";
    }

    private static PeerNetwork PeersOf(ServerOptions options, bool isSecured) =>
        isSecured ? PeerNetwork.Any
        : options.IsLoopback ? PeerNetwork.Loopback
        : options.UnsecuredAccess == UnsecuredAccess.PrivateNetwork ? PeerNetwork.Private
        : PeerNetwork.Any;

    private static IEnumerable<string> WarningsOfSecured(ServerOptions options, Func<string, bool>? covers)
    {
        if (options.IsUnsecuredAccessSet)
        {
            yield return $"{AccessKey}={options.UnsecuredAccess} is ignored: the server has a certificate.";
        }

        if (covers != null && options.PublicServerUrl is { } known && !covers(known.Host.Trim('[', ']')))
        {
            yield return $"The certificate is not for '{known.Host}', the host of PublicServerUrl: clients that check "
                + "it will refuse to connect.";
        }
    }
}
