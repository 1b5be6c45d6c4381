using Raven.Server.Http;

namespace Raven.Server.Routing;

/// <summary>What a route is bound to.</summary>
/// <param name="request">The request; valid until the returned task completes.</param>
public delegate ValueTask RouteHandler(RequestContext request);
