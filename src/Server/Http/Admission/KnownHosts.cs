using System.Net;
using Raven.Server.Options;

namespace Raven.Server.Http.Admission;

/// <summary>
/// The names by which a server is called. A page on the web can have a name of its own resolve to the address of this
/// server, and is then of the same origin to its browser (DNS rebinding): but that name is none of these.
/// </summary>
internal sealed class KnownHosts
{
    private readonly ServerState _server;
    private readonly bool _isLocal;
    private readonly HashSet<string>.AlternateLookup<ReadOnlySpan<char>> _names;

    internal KnownHosts(ServerState server)
    {
        _server = server;
        ServerOptions options = server.Options;
        _isLocal = options.IsLoopback && !server.Start.IsSecured;
        var names = new HashSet<string>(options.AllowedHosts, StringComparer.OrdinalIgnoreCase);
        if (!_isLocal)
        {
            names.UnionWith([Environment.MachineName, Dns.GetHostName(), .. options.Urls().Select(url => url.Host)]);
            if (options.PublicServerUrl is { } known)
            {
                names.Add(known.Host);
            }
        }

        _names = names.GetAlternateLookup<ReadOnlySpan<char>>();
    }

    /// <summary>What a server may be called that is asked by a wrong name.</summary>
    internal string Advice => _isLocal
        ? "This server answers this machine only: call it localhost or 127.0.0.1, or list the name in "
            + "Security.AllowedHosts if it is one of this server."
        : "List it in Security.AllowedHosts, or set PublicServerUrl to the url that clients use, if it is one.";

    /// <summary>Whether a request is meant for this server.</summary>
    /// <param name="host">Its <c>Host</c>; empty if it has none, which is never so in a browser.</param>
    internal bool Know(ReadOnlySpan<char> host)
    {
        if (host.IsEmpty)
        {
            return !_isLocal;
        }

        if (!HostHeader.TryReadName(host, out ReadOnlySpan<char> name))
        {
            return false;
        }

        // Names without a dot are those of a network of one's own: containers, machines next door.
        return _isLocal
            ? HostHeader.IsLocal(name) || _names.Contains(name)
            : !name.Contains('.') || HostHeader.IsAddress(name) || _names.Contains(name)
                || (_server.CertificateCovers is { } covers && covers(name.ToString()));
    }
}
