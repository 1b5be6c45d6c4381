using System.Net;
using System.Net.Sockets;

namespace Raven.Security.Floods;

/// <summary>What counts as one source of requests.</summary>
internal static class SourceKey
{
    private const int AddressSizeBytes = 16;
    private const int NetworkSizeBytes = 8;

    /// <summary>
    /// One IPv4 address, or the 64 bits of IPv6 that one customer of a provider gets. Allocates nothing, but for an
    /// IPv4 address in the form of IPv6.
    /// </summary>
    internal static UInt128 Of(IPAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        Span<byte> bytes = stackalloc byte[AddressSizeBytes];
        IPAddress plain = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
        plain.TryWriteBytes(bytes, out int length);
        UInt128 key = (uint)length;
        foreach (byte b in bytes[..(plain.AddressFamily == AddressFamily.InterNetworkV6 ? NetworkSizeBytes : length)])
        {
            key = (key << 8) | b;
        }

        return key;
    }
}
