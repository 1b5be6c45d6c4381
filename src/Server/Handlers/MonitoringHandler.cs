using System.Text;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Monitoring;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes that monitoring systems of RavenDB read: no database is opened for them.</summary>
internal static class MonitoringHandler
{
    [Route("GET", "/admin/monitoring/v1/server", Access.Monitoring, Place = Place.Node,
        Summary = "Figures of the server")]
    internal static ValueTask GetServerAsync(RequestContext request)
    {
        ServerReport.Write(request.Response.BeginJson(), request.Server);
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/admin/monitoring/v1/databases", Access.Monitoring, Place = Place.Node,
        Summary = "Figures of databases", Query = "name*")]
    internal static ValueTask GetDatabasesAsync(RequestContext request)
    {
        MonitoringJson.WriteDatabases(request.Response.BeginJson(), request.Server, Names(request));
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/admin/monitoring/v1/indexes", Access.Monitoring, Place = Place.Node,
        Summary = "Figures of the indexes of open databases", Query = "name*")]
    internal static ValueTask GetIndexesAsync(RequestContext request)
    {
        MonitoringJson.WriteIndexes(request.Response.BeginJson(), request.Server, Names(request));
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/admin/monitoring/v1/collections", Access.Monitoring, Place = Place.Node,
        Summary = "Figures of the collections of open databases", Query = "name*")]
    internal static ValueTask GetCollectionsAsync(RequestContext request)
    {
        MonitoringJson.WriteCollections(request.Response.BeginJson(), request.Server, Names(request));
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/admin/monitoring/v1/prometheus", Access.Monitoring, Place = Place.Node,
        Summary = "The same figures for Prometheus, by RavenDB's names",
        Query = "skipServerMetrics:bool, skipDatabasesMetrics:bool, skipIndexesMetrics:bool, "
            + "skipCollectionsMetrics:bool, includeGcMetrics:bool")]
    internal static ValueTask GetPrometheusAsync(RequestContext request)
    {
        bool hasServer = !request.Query.GetBool("skipServerMetrics");
        bool hasDatabases = !request.Query.GetBool("skipDatabasesMetrics");
        bool hasIndexes = !request.Query.GetBool("skipIndexesMetrics");
        bool hasCollections = !request.Query.GetBool("skipCollectionsMetrics");
        bool hasCollector = request.Query.GetBool("includeGcMetrics");
        request.Response.Headers.ContentType = ContentType.Prometheus;
        var text = new MetricsText();
        List<WatchedDatabase> databases = hasDatabases || hasIndexes || hasCollections
            ? WatchedDatabase.All(request.Server)
            : [];
        if (hasServer)
        {
            PrometheusReport.WriteServer(text, request.Server);
        }

        if (hasDatabases)
        {
            PrometheusReport.WriteDatabases(text, request.Server, databases);
        }

        if (hasIndexes)
        {
            PrometheusReport.WriteIndexes(text, databases, request.Server.Time.GetUtcNow());
        }

        if (hasCollections)
        {
            PrometheusReport.WriteCollections(text, databases);
        }

        if (hasCollector)
        {
            PrometheusReport.WriteCollector(text);
        }

        request.Response.WriteText(text.Text);
        return ValueTask.CompletedTask;
    }

    /// <summary>The databases that are named; null if all are meant.</summary>
    private static HashSet<string>? Names(RequestContext request)
    {
        HashSet<string>? names = null;
        foreach (QueryParameters.Parameter parameter in request.Query)
        {
            if (parameter.Is("name"))
            {
                (names ??= new(StringComparer.OrdinalIgnoreCase)).Add(
                    Encoding.UTF8.GetString(request.Decode(parameter.Encoded, "name").Span));
            }
        }

        return names;
    }
}
