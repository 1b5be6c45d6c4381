using System.Diagnostics;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Raven.Server.Routing;

namespace Raven.Server.Http;

/// <summary>
/// One request while it is served. Kestrel keeps one per connection (or HTTP/2 stream), so a request costs no object;
/// what it borrows (buffers, the operation context) it gives back when the handler is done. Used by one operation at a
/// time, though that may change threads over an await.
/// </summary>
public sealed class RequestContext
{
    private IHttpRequestFeature _request = null!;
    private RouteCaptures _captures;

    internal RequestContext(ServerState server)
    {
        Server = server;
        Response = new ResponseWriter();
    }

    /// <summary>What the server shares between requests.</summary>
    public ServerState Server { get; }

    /// <summary>Kestrel's features of this request.</summary>
    public IFeatureCollection Features { get; private set; } = null!;

    /// <summary>The method.</summary>
    public HttpVerb Verb { get; private set; }

    /// <summary>The path, percent-decoded except for <c>%2F</c>.</summary>
    public string Path => _request.Path;

    /// <summary>The query as it stands in the url, with its <c>?</c>, or empty.</summary>
    public string QueryString => _request.QueryString;

    /// <summary>The query, read in place.</summary>
    public QueryParameters Query => new(_request.QueryString);

    /// <summary>The method as it was sent.</summary>
    public string Method => _request.Method;

    /// <summary>The scheme, <c>http</c> or <c>https</c>.</summary>
    public string Scheme => _request.Scheme;

    /// <summary>The headers. Reading one known to Kestrel, such as <c>IfMatch</c>, touches no other.</summary>
    public IHeaderDictionary Headers => _request.Headers;

    /// <summary>The answer.</summary>
    public ResponseWriter Response { get; }

    /// <summary>The route that was found, or null.</summary>
    public Route? Route { get; internal set; }

    /// <summary>
    /// Cancelled when the client goes away. Costs a source where it is asked for: only where something is awaited.
    /// </summary>
    public CancellationToken Aborted => Features.Get<IHttpRequestLifetimeFeature>()?.RequestAborted ?? default;

    /// <summary>When the request began, as the server's clock counts.</summary>
    internal long StartedTimestamp { get; private set; }

    /// <summary>
    /// The host header that was last found to be allowed on this connection, so that it is judged once.
    /// </summary>
    internal string? AllowedHost { get; set; }

    internal ref RouteCaptures Captures => ref _captures;

    /// <summary>What a <c>*</c> or <c>$</c> of the route matched: a part of <see cref="Path"/>.</summary>
    public ReadOnlySpan<char> Capture(int index) => _captures.Of(_request.Path, index);

    /// <summary>Ends the connection at once: the only error that can be told once an answer has started.</summary>
    public void Abort() => Features.Get<IHttpRequestLifetimeFeature>()?.Abort();

    internal void Begin(IFeatureCollection features)
    {
        Features = features;
        _request = features.Get<IHttpRequestFeature>()!;
        Debug.Assert(_request != null);
        Verb = HttpVerbs.Parse(_request.Method);
        Route = null;
        _captures.Count = 0;
        StartedTimestamp = Server.Time.GetTimestamp();
        Response.Begin(features);
    }

    /// <summary>The handler is done: everything that was borrowed goes back. May be called again.</summary>
    internal void Release() => Response.End();
}
