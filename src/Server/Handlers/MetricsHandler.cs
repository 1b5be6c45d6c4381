using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Monitoring;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The route of metrics, in Prometheus' text format 0.0.4. To ask for them opens no database.</summary>
internal static class MetricsHandler
{
    [Route("GET", "/metrics", Access.Monitoring, Place = Place.Node, Summary = "Counters and timings, for Prometheus")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        request.Response.Headers.ContentType = ContentType.Prometheus;
        var text = new MetricsText();
        ServerMetricsText.Write(text, request.Server);
        DatabaseMetricsText.Write(text, WatchedDatabase.All(request.Server));
        TaskMetricsText.Write(text, request.Server);
        request.Response.WriteText(text.Text);
        return ValueTask.CompletedTask;
    }
}
