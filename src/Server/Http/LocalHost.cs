using System.Net;

namespace Raven.Server.Http;

/// <summary>Whether a Host header names this machine.</summary>
internal static class LocalHost
{
    /// <summary>True for <c>localhost</c>, 127.0.0.0/8 and <c>[::1]</c>, with or without a port.</summary>
    internal static bool IsLocal(ReadOnlySpan<char> host)
    {
        if (host.IsEmpty)
        {
            return false;
        }

        ReadOnlySpan<char> name = host;
        ReadOnlySpan<char> port = default;
        int end = host[0] == '[' ? host.IndexOf(']') : -1;
        int colon = host[(end + 1)..].IndexOf(':');
        if (colon >= 0)
        {
            name = host[..(end + 1 + colon)];
            port = host[(end + 2 + colon)..];
        }

        if (port.ContainsAnyExceptInRange('0', '9'))
        {
            return false;
        }

        if (end > 0)
        {
            return name.Length == end + 1 && IPAddress.TryParse(name[1..end], out IPAddress? six)
                && IPAddress.IsLoopback(six);
        }

        return name.Equals("localhost", StringComparison.OrdinalIgnoreCase)
            || (IPAddress.TryParse(name, out IPAddress? four) && IPAddress.IsLoopback(four));
    }
}
