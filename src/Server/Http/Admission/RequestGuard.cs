using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Primitives;
using Raven.Server.Http.Routing;
using Raven.Server.Options;

namespace Raven.Server.Http.Admission;

//   GUARD-1  A request is answered only to a machine that may connect, by the address of the socket; no header changes
//            whom it is from.
//   GUARD-2  A request is answered only if its Host is a name of this server.
//   GUARD-3  A request that a browser sends for a page of another origin changes nothing and opens no WebSocket, unless
//            the origin is trusted.
//   GUARD-4  What was found out for a connection is kept with it; a request without Origin allocates nothing here.
//   GUARD-5  The end of a body is said by Content-Length or by chunks, and by nothing else: of another transfer coding
//            a proxy may have another opinion, and see one request if the server sees two.
//   GUARD-6  Bytes of a body are never read as a request: a connection ends behind a body that was not read to its end.

/// <summary>
/// Decides about a request before its route is looked for: who may connect, by which name, and for which pages. A
/// browser sends the requests of every page that it shows, and takes along what proves who its user is.
/// </summary>
internal sealed class RequestGuard
{
    private const int ShownMax = 200;
    private const string FetchSite = "Sec-Fetch-Site";
    private const string FetchMode = "Sec-Fetch-Mode";

    // Made once: a header value is a string array to Kestrel.
    private static readonly StringValues NoSniff = "nosniff";
    private static readonly StringValues OnlyHttps = "max-age=31536000";
    private static readonly StringValues Close = "close";
    private static readonly StringValues ByOrigin = "Origin";
    private static readonly StringValues Exposed = "ETag, Attachment-Hash, Attachment-Size, Raven-Server-Version";
    private static readonly StringValues Methods = "GET, HEAD, PUT, POST, DELETE, PATCH, RESET";

    private readonly ServerState _server;
    private readonly KnownHosts _hosts;
    private readonly PageOrigins _origins;
    private readonly bool _anyTrusted;
    private readonly bool _demandsHttps;

    internal RequestGuard(ServerState server)
    {
        _server = server;
        _hosts = new KnownHosts(server);
        _origins = server.Origins;
        _anyTrusted = _origins.AnyTrusted;
        _demandsHttps = server.Start.IsSecured && !server.Options.DisableHsts;
    }

    /// <summary>Sets the headers that every answer has, and decides; if it refuses, the answer says why.</summary>
    internal bool Admits(RequestContext request)
    {
        IHeaderDictionary answer = request.Response.Headers;
        answer.XContentTypeOptions = NoSniff;
        if (_anyTrusted)
        {
            // Also of answers without a page: a cache must not give them to one.
            answer.Vary = ByOrigin;
        }

        StringValues coding = request.Headers.TransferEncoding;
        if (coding.Count != 0 && !AdmitsCoding(request, coding))
        {
            return false;
        }

        StringValues header = request.Headers.Host;
        string host = header.Count == 1 ? header[0]! : "";
        if (!ReferenceEquals(host, request.AllowedHost) && !AdmitsConnection(request, host))
        {
            return false;
        }

        if (_demandsHttps && request.HasNamedHost)
        {
            answer.StrictTransportSecurity = OnlyHttps;
        }

        StringValues origin = request.Headers.Origin;
        return (origin.Count == 0 ? AdmitsWithoutOrigin(request) : AdmitsOrigin(request, origin))
            && AdmitsPath(request);
    }

    private static bool Refuse(RequestContext request, string reason)
    {
        UnreadBody.Limit(request);
        ErrorResponse.Write(request, StatusCodes.Status403Forbidden, ErrorType.Authorization, reason);
        return false;
    }

    /// <summary>Kestrel reads a body as chunked if that is the last of several codings.</summary>
    private static bool AdmitsCoding(RequestContext request, StringValues coding)
    {
        if (coding.Count == 1 && string.Equals(coding[0], "chunked", StringComparison.OrdinalIgnoreCase))
        {
            return true;
        }

        request.Response.Headers.Connection = Close;
        UnreadBody.CloseConnection(request);
        ErrorResponse.Write(
            request, StatusCodes.Status400BadRequest, ErrorType.Argument,
            $"'Transfer-Encoding: {Shown(coding)}' is not served: only chunked is.");
        return false;
    }

    private static string Shown(StringValues values)
    {
        string text = values.ToString();
        return text.Length <= ShownMax ? text : $"{text.AsSpan(0, ShownMax)}...";
    }

    /// <summary>Checks the peer and the host: once a connection, unless it changes the host.</summary>
    private bool AdmitsConnection(RequestContext request, string host)
    {
        if (request.Caller is { Local: not null })
        {
            // No browser and no other machine reaches the local socket, and a name does not matter there.
            request.AllowedHost = host;
            return true;
        }

        IHttpConnectionFeature? connection = request.Features.Get<IHttpConnectionFeature>();
        PeerNetwork peers = _server.Start.Peers;
        if (!peers.Contains(connection?.RemoteIpAddress))
        {
            string whom = peers == PeerNetwork.Private ? "machines of private networks" : "its own machine";
            return Refuse(
                request,
                $"This server does not answer {connection!.RemoteIpAddress}: without a certificate, and with "
                + $"{StartRules.AccessKey}={_server.Options.UnsecuredAccess}, it answers {whom} only.");
        }

        if (!_hosts.Know(host))
        {
            return Refuse(request, $"'{Shown(host)}' is no name of this server. {_hosts.Advice}");
        }

        request.AllowedHost = host;
        request.HasNamedHost = HostHeader.TryReadName(host, out ReadOnlySpan<char> name)
            && !HostHeader.IsLocalName(name) && !HostHeader.IsAddress(name);
        return true;
    }

    /// <summary>
    /// A browser names the origin of every write for a page of another one. If something took that away, and for reads,
    /// it also says in headers that no page can set how far the page is from here, and what it wants the answer for.
    /// </summary>
    private static bool AdmitsWithoutOrigin(RequestContext request)
    {
        // Each browser sends Accept-Language, and no page takes it away. It is a header that Kestrel knows: to look for
        // one that it does not costs more, and clients that are no browsers read most.
        bool isRead = request.Verb is HttpVerb.Get or HttpVerb.Head;
        if (isRead && request.Headers.AcceptLanguage.Count == 0)
        {
            return true;
        }

        // A link may lead here. What a page has fetched as an image or a script it cannot read: it would be after the
        // side effects alone.
        StringValues site = request.Headers[FetchSite];
        return site.Count == 0 || (site != "cross-site" && site != "same-site")
            || (isRead && request.Headers[FetchMode] == "navigate")
            || Refuse(
                request,
                $"This is a request of a page of another origin ({FetchSite}: {Shown(site)}), and it has no Origin, "
                + "which Security.Csrf.TrustedOrigins could list.");
    }

    private bool AdmitsOrigin(RequestContext request, StringValues origin)
    {
        string only = origin.Count == 1 ? origin[0]! : "";
        if (_origins.IsOwn(request, only))
        {
            return true;
        }

        if (_anyTrusted && _origins.IsTrusted(only))
        {
            LetRead(request, origin);
            return true;
        }

        return Refuse(
            request,
            $"This server takes no requests of pages from '{Shown(origin)}': Security.Csrf.TrustedOrigins does not "
            + "list it. If it is the url of this server itself, behind a proxy, set PublicServerUrl to it.");
    }

    /// <summary>Lets a page of a trusted origin read the answer, and answers its preflight requests (CORS).</summary>
    private static void LetRead(RequestContext request, StringValues origin)
    {
        IHeaderDictionary answer = request.Response.Headers;
        answer.AccessControlAllowOrigin = origin;
        answer.AccessControlExposeHeaders = Exposed;
        if (request.Verb == HttpVerb.Options)
        {
            answer.AccessControlAllowMethods = Methods;
            answer.AccessControlAllowHeaders = request.Headers.AccessControlRequestHeaders;
            answer.AccessControlMaxAge = "600";
        }
    }

    /// <summary>
    /// If nothing was decoded or left out, the path is as long as it was; an encoded slash stays encoded, and with it
    /// the length.
    /// </summary>
    private static bool AdmitsPath(RequestContext request)
    {
        string target = request.RawTarget;
        if ((target.Length == request.Path.Length + request.QueryString.Length && !request.Path.Contains('%'))
            || !RawPath.HasDotSegment(target))
        {
            return true;
        }

        ErrorResponse.Write(
            request, StatusCodes.Status400BadRequest, ErrorType.BadRequest,
            "The path has '.' or '..' as a segment: another reader of it could see another path.");
        return false;
    }
}
