using System.Net;

namespace Raven.Server.Http.Admission;

/// <summary>Reads the <c>Host</c> of a request: a name or an address, and a port behind it or not.</summary>
internal static class HostHeader
{
    /// <summary>Takes the port off.</summary>
    /// <param name="host">The header.</param>
    /// <param name="name">The name or the address, IPv6 without its brackets, a name without its last dot.</param>
    /// <returns>False if it is no host.</returns>
    internal static bool TryReadName(ReadOnlySpan<char> host, out ReadOnlySpan<char> name)
    {
        name = default;
        if (host.IsEmpty)
        {
            return false;
        }

        int end = host[0] == '[' ? host.IndexOf(']') : -1;
        int colon = host[(end + 1)..].IndexOf(':');
        ReadOnlySpan<char> whole = host;
        if (colon >= 0)
        {
            whole = host[..(end + 1 + colon)];
            if (host[(end + 2 + colon)..].ContainsAnyExceptInRange('0', '9'))
            {
                return false;
            }
        }

        if (end > 0)
        {
            name = whole[1..end];
            return whole.Length == end + 1 && name.Contains(':') && IPAddress.TryParse(name, out _);
        }

        name = whole.EndsWith('.') ? whole[..^1] : whole;
        return !name.IsEmpty;
    }

    /// <summary>True for <c>localhost</c>, 127.0.0.0/8 and <c>::1</c>.</summary>
    internal static bool IsLocal(ReadOnlySpan<char> name) =>
        IsLocalName(name) || (IPAddress.TryParse(name, out IPAddress? address) && IPAddress.IsLoopback(address));

    /// <summary>True for <c>localhost</c>.</summary>
    internal static bool IsLocalName(ReadOnlySpan<char> name) =>
        name.Equals("localhost", StringComparison.OrdinalIgnoreCase);

    /// <summary>True for an address, which no name server can give to another machine.</summary>
    internal static bool IsAddress(ReadOnlySpan<char> name) => IPAddress.TryParse(name, out _);
}
