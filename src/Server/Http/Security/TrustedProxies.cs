using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Primitives;
using Raven.Server.Options;

namespace Raven.Server.Http.Security;

//   PROXY-1  Only a connection from a listed network, with the client certificate that is listed beside it, names the
//            client for whom a request is. From all others these headers have no effect.
//   PROXY-2  A proxy's own certificate gives no right to the requests that it passes on. The same holds for a node of
//            the cluster, whose requests for clients have the same headers (FWD-5).

/// <summary>
/// Reads from the requests of a trusted proxy which client they are for: its address is the last of
/// <c>X-Forwarded-For</c>, which the proxy itself has added, and its certificate that of <c>X-Raven-Client-Cert</c>,
/// PEM in URL encoding (nginx: <c>$ssl_client_escaped_cert</c>) or DER in base64. Safe for all threads.
/// </summary>
internal sealed class TrustedProxies(IReadOnlyList<TrustedProxy> proxies)
{
    /// <summary>The header with the client's certificate.</summary>
    internal const string CertificateHeader = "X-Raven-Client-Cert";

    /// <summary>The header with the client's address.</summary>
    internal const string AddressHeader = "X-Forwarded-For";

    private const string PemBegin = "-----BEGIN";

    /// <summary>Whether a connection is that of a trusted proxy.</summary>
    internal bool IsProxy(IPAddress address, string? digest)
    {
        if (digest == null)
        {
            return false;
        }

        IPAddress plain = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
        foreach (TrustedProxy proxy in proxies)
        {
            if (proxy.Digest == digest && proxy.Network.Contains(plain))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>If the connection is that of a proxy, lets its caller be the client of this request.</summary>
    /// <returns>False if the headers of a proxy cannot be read, which is a mistake of its configuration.</returns>
    internal bool TryPass(RequestContext request, Caller caller, out Refusal refusal)
    {
        refusal = default;
        if (!request.IsForwarded)
        {
            if (caller.IsBehindProxy && caller.IsProxy != true)
            {
                // The node at the other end asks for itself this time.
                caller.BecomeSelf();
            }

            if (proxies.Count == 0 || !(caller.IsProxy ??= IsProxy(caller.Address, caller.Digest)))
            {
                return true;
            }
        }

        StringValues certificates = request.Headers[CertificateHeader];
        StringValues addresses = request.Headers[AddressHeader];
        string sent = certificates.ToString();
        if (caller.IsFor(sent, addresses))
        {
            return true;
        }

        X509Certificate2? certificate = null;
        if (certificates.Count > 1 || (sent.Length > 0 && !TryRead(sent, out certificate)))
        {
            refusal = new Refusal(
                RefusalKind.Forbidden,
                $"The proxy's {CertificateHeader} is no certificate: it takes PEM in URL encoding, or DER in base64.");
            return false;
        }

        if (!TryReadLast(addresses, out IPAddress? address))
        {
            refusal = new Refusal(
                RefusalKind.Forbidden,
                $"The proxy's {AddressHeader} does not end with the address of its client.");
            return false;
        }

        caller.BecomeFor(address!, certificate, sent, addresses);
        return true;
    }

    private static bool TryRead(string text, out X509Certificate2? certificate)
    {
        certificate = null;
        try
        {
            // A plus is a character of base64 here, and no space.
            string plain = text.Contains('%') ? Uri.UnescapeDataString(text) : text;
            certificate = plain.StartsWith(PemBegin, StringComparison.Ordinal)
                ? X509Certificate2.CreateFromPem(plain)
                : X509CertificateLoader.LoadCertificate(Convert.FromBase64String(plain));
            return true;
        }
        catch (Exception e) when (e is CryptographicException or FormatException)
        {
            return false;
        }
    }

    /// <summary>What stands before the last address came from the client, who can write anything.</summary>
    private static bool TryReadLast(StringValues values, out IPAddress? address)
    {
        address = null;
        string? last = values.Count == 0 ? null : values[^1];
        return last != null
            && IPAddress.TryParse(last.AsSpan(last.LastIndexOf(',') + 1).Trim(), out address);
    }
}
