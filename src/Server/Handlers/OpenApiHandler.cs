using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The route that lists all routes, for people and for tools.</summary>
internal static class OpenApiHandler
{
    private static readonly Lazy<byte[]> Document = new(() => OpenApiDocument.Write(RouteTable.Default.Routes));

    [Route("GET", "/openapi.json", Access.Anyone, Place = Place.Node, Summary = "All routes as an OpenAPI document")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        request.Response.Headers.ContentType = ContentType.Json;
        request.Response.Write(Document.Value);
        return ValueTask.CompletedTask;
    }
}
