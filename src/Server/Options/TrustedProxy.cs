using System.Net;

namespace Raven.Server.Options;

/// <summary>A proxy that ends TLS before the server, and says for whom it sends a request.</summary>
/// <param name="Network">The addresses that it may connect from.</param>
/// <param name="Digest">SHA-256 of its own client certificate, 64 hexadecimal digits in capitals.</param>
public sealed record TrustedProxy(IPNetwork Network, string Digest)
{
    private const int DigestLength = 64;

    /// <summary>Reads <c>10.0.0.0/8=3F:A0:...</c>, the fingerprint with or without colons.</summary>
    /// <exception cref="FormatException">It is something else.</exception>
    internal static TrustedProxy Parse(string text)
    {
        string[] parts = text.Split('=', 2, StringSplitOptions.TrimEntries);
        string digest = parts.Length == 2 ? parts[1].Replace(":", "", StringComparison.Ordinal).ToUpperInvariant() : "";
        return digest.Length == DigestLength && digest.All(char.IsAsciiHexDigit)
            && TryParseNetwork(parts[0], out IPNetwork network)
            ? new TrustedProxy(network, digest)
            : throw new FormatException(
                $"'{text}' is no network and fingerprint such as 10.0.0.0/8=3FA0...: the SHA-256 of the proxy's client "
                + "certificate, 64 hexadecimal digits (openssl x509 -noout -fingerprint -sha256 -in proxy.crt).");
    }

    /// <inheritdoc/>
    public override string ToString() => $"{Network}={Digest}";

    private static bool TryParseNetwork(string text, out IPNetwork network)
    {
        if (IPAddress.TryParse(text, out IPAddress? address))
        {
            network = new IPNetwork(address, address.GetAddressBytes().Length * 8);
            return true;
        }

        return IPNetwork.TryParse(text, out network);
    }
}
