using Raven.Server.Http;
using Raven.Server.Routing;

namespace Raven.Server.Handlers;

/// <summary>
/// What clients of RavenDB may ask for and this server does not do: a clear 501 instead of a 404, which clients take
/// for an empty result.
/// </summary>
internal static class NotServedHandler
{
    [Route("POST", "/databases/*/queries", Summary = "Not served: queries")]
    [Route("PATCH", "/databases/*/queries", Summary = "Not served: changes what a query finds")]
    [Route("DELETE", "/databases/*/queries", Summary = "Not served: deletes what a query finds")]
    [Route("POST", "/databases/*/streams/queries", Summary = "Not served: streams what a query finds")]
    [Route("GET", "/databases/*/timeseries", Summary = "Not served: time series")]
    [Route("POST", "/databases/*/timeseries", Summary = "Not served: time series")]
    [Route("GET", "/databases/*/indexes", Summary = "Not served: indexes")]
    [Route("PUT", "/databases/*/indexes", Summary = "Not served: indexes")]
    [Route("DELETE", "/databases/*/indexes", Summary = "Not served: indexes")]
    [Route("RESET", "/databases/*/indexes", Summary = "Not served: indexes")]
    [Route("PUT", "/databases/*/admin/indexes", Summary = "Not served: indexes")]
    [Route("PUT", "/databases/*/subscriptions", Summary = "Not served: subscriptions")]
    [Route("GET", "/databases/*/subscriptions", Summary = "Not served: subscriptions")]
    [Route("POST", "/databases/*/smuggler/export", Summary = "Not served: exports; see tools/Import")]
    [Route("POST", "/databases/*/smuggler/import", Summary = "Not served: imports; see tools/Import")]
    internal static ValueTask AnswerAsync(RequestContext request)
    {
        ErrorResponse.Write(
            request, 501, ErrorType.NotSupported,
            $"{request.Method} {request.Route!.Path} is not served by this server.");
        return ValueTask.CompletedTask;
    }
}
