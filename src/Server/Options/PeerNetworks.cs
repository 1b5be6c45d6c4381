using System.Net;
using System.Net.Sockets;

namespace Raven.Server.Options;

/// <summary>Which addresses belong to a <see cref="PeerNetwork"/>.</summary>
internal static class PeerNetworks
{
    /// <summary>Whether a machine may connect.</summary>
    /// <param name="network">The machines that may.</param>
    /// <param name="address">The address of its end of the socket; null if the socket has none, as within a
    /// process.</param>
    internal static bool Contains(this PeerNetwork network, IPAddress? address)
    {
        if (network == PeerNetwork.Any || address is null)
        {
            return true;
        }

        // A socket for both families has IPv4 addresses in the form of IPv6.
        IPAddress plain = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
        return IPAddress.IsLoopback(plain) || (network == PeerNetwork.Private && IsPrivate(plain));
    }

    /// <summary>RFC 1918, RFC 6598 (of carriers), RFC 3927 and RFC 4193, and link-local IPv6.</summary>
    private static bool IsPrivate(IPAddress address)
    {
        if (address.AddressFamily == AddressFamily.InterNetworkV6)
        {
            return address.IsIPv6LinkLocal || address.IsIPv6UniqueLocal;
        }

        Span<byte> bytes = stackalloc byte[4];
        return address.TryWriteBytes(bytes, out int length) && length == bytes.Length
            && (bytes[0] == 10
                || (bytes[0] == 172 && bytes[1] is >= 16 and < 32)
                || (bytes[0] == 192 && bytes[1] == 168)
                || (bytes[0] == 100 && bytes[1] is >= 64 and < 128)
                || (bytes[0] == 169 && bytes[1] == 254));
    }
}
