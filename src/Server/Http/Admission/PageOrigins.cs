using Microsoft.Extensions.Primitives;

namespace Raven.Server.Http.Admission;

/// <summary>The origins (scheme, host and port) of pages whose requests a server takes: its own, and those that its
/// operator trusts.</summary>
internal sealed class PageOrigins
{
    private readonly ServerState _server;
    private readonly string? _public;

    internal PageOrigins(ServerState server)
    {
        _server = server;
        _public = server.Options.PublicServerUrl?.GetLeftPart(UriPartial.Authority);
    }

    /// <summary>Whether any but its own are trusted.</summary>
    internal bool AnyTrusted => _server.Options.TrustedOrigins.Count > 0;

    /// <summary>Whether the operator trusts an origin.</summary>
    internal bool IsTrusted(string origin)
    {
        IReadOnlyList<string> trusted = _server.Options.TrustedOrigins;
        for (int i = 0; i < trusted.Count; i++)
        {
            if (trusted[i].Equals(origin, StringComparison.OrdinalIgnoreCase))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>
    /// Whether a page is from this server: by the scheme and the host of its request, which is a known one, by the url
    /// that the server listens on, or by the one that its clients use.
    /// </summary>
    internal bool IsOwn(RequestContext request, string origin)
    {
        int scheme = origin.IndexOf("://", StringComparison.Ordinal);
        if (scheme <= 0)
        {
            return false;
        }

        StringValues host = request.Headers.Host;
        return (host.Count == 1
                && origin.AsSpan(0, scheme).Equals(request.Scheme, StringComparison.OrdinalIgnoreCase)
                && Bare(origin.AsSpan(scheme + 3), request.Scheme).Equals(
                    Bare(host[0], request.Scheme), StringComparison.OrdinalIgnoreCase))
            || Is(origin, _server.Url)
            || (_public != null && Is(origin, _public));
    }

    /// <summary>Whether an origin is that of a url. Neither names the port that its scheme has anyway.</summary>
    private static bool Is(string origin, string url) => origin.Equals(url, StringComparison.OrdinalIgnoreCase);

    /// <summary>A host without the port that its scheme has anyway.</summary>
    private static ReadOnlySpan<char> Bare(ReadOnlySpan<char> host, string scheme)
    {
        string port = scheme == Uri.UriSchemeHttps ? ":443" : ":80";
        return host.EndsWith(port, StringComparison.Ordinal) ? host[..^port.Length] : host;
    }
}
