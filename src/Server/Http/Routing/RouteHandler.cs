namespace Raven.Server.Http.Routing;

/// <summary>The method that answers a route.</summary>
/// <param name="request">The request; valid until the returned task completes.</param>
public delegate ValueTask RouteHandler(RequestContext request);
