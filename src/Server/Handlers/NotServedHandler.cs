using Raven.Server.Http;
using Raven.Server.Routing;

namespace Raven.Server.Handlers;

/// <summary>
/// What clients of RavenDB may ask for and this server does not do: a clear 501 instead of a 404, which clients take
/// for an empty result.
/// </summary>
internal static class NotServedHandler
{
    [Route("GET", "/databases/*/timeseries", Summary = "Not served: time series")]
    [Route("POST", "/databases/*/timeseries", Summary = "Not served: time series")]
    [Route("PUT", "/databases/*/subscriptions", Summary = "Not served: subscriptions")]
    [Route("GET", "/databases/*/subscriptions", Summary = "Not served: subscriptions")]
    [Route("POST", "/databases/*/smuggler/export", Summary = "Not served: exports; see tools/Import")]
    [Route("POST", "/databases/*/smuggler/import", Summary = "Not served: imports; see tools/Import")]
    [Route("GET", "/info/tcp", Summary = "Not served: connections beside HTTP")]
    [Route("GET", "/databases/*/info/tcp", Summary = "Not served: connections beside HTTP")]
    [Route("GET", "/info/remote-task/tcp", Summary = "Not served: connections beside HTTP")]
    [Route("PUT", "/admin/cluster/node", Access = Access.Operator, Summary = "Not served: clusters")]
    [Route("PUT", "/admin/databases/node", Access = Access.Operator, Summary = "Not served: clusters")]
    [Route("POST", "/admin/databases/promote", Access = Access.Operator, Summary = "Not served: clusters")]
    [Route("POST", "/admin/databases/reorder", Access = Access.Operator, Summary = "Not served: clusters")]
    [Route("POST", "/admin/databases/dynamic-node-distribution", Access = Access.Operator,
        Summary = "Not served: clusters")]
    [Route("POST", "/admin/databases/unused-ids", Access = Access.Operator, Summary = "Not served: clusters")]
    [Route("POST", "/admin/databases/topology/modify", Access = Access.Operator, Summary = "Not served: clusters")]
    [Route("PUT", "/admin/databases/orchestrator", Access = Access.Operator, Summary = "Not served: shards")]
    [Route("DELETE", "/admin/databases/orchestrator", Access = Access.Operator, Summary = "Not served: shards")]
    [Route("PUT", "/admin/databases/shard", Access = Access.Operator, Summary = "Not served: shards")]
    [Route("GET", "/admin/certificates", Access = Access.Operator, Summary = "Not served: certificates")]
    [Route("PUT", "/admin/certificates", Access = Access.Operator, Summary = "Not served: certificates")]
    [Route("POST", "/admin/certificates", Access = Access.Operator, Summary = "Not served: certificates")]
    [Route("DELETE", "/admin/certificates", Access = Access.Operator, Summary = "Not served: certificates")]
    [Route("POST", "/admin/certificates/edit", Access = Access.Operator, Summary = "Not served: certificates")]
    [Route("POST", "/admin/certificates/replace-cluster-cert", Access = Access.Operator,
        Summary = "Not served: certificates")]
    internal static ValueTask AnswerAsync(RequestContext request)
    {
        ErrorResponse.Write(
            request, 501, ErrorType.NotSupported,
            $"{request.Method} {request.Route!.Path} is not served by this server.");
        return ValueTask.CompletedTask;
    }
}
