using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>
/// The routes of RavenDB that this server does not serve: a clear 501 instead of a 404, which clients take for an empty
/// result, or even for success. One table has all of them.
/// </summary>
internal static class NotServedHandler
{
    private const string Ai = "agents and embeddings";
    private const string Backups = "backups";
    private const string Certificates = "certificates of a cluster";
    private const string Clusters = "clusters";
    private const string Etl = "ETL, sinks and connection strings";
    private const string Memory = "dumps of memory over HTTP: they hold keys and documents";
    private const string Recording = "recordings of transactions";
    private const string Replication = "replication";
    private const string Shards = "shards";
    private const string Storage = "reports of storage but debug/storage/report";
    private const string Tasks = "tasks";

    private const Access Admin = Access.DatabaseAdmin;
    private const Access ClusterAdmin = Access.ClusterAdmin;
    private const Access Operator = Access.Operator;
    private const Access Read = Access.Read;
    private const Access Write = Access.ReadWrite;

    private static readonly (string Methods, string Path, Access Access, string Topic)[] Table =
    [
        ("GET", "/databases/*/admin/smuggler/import-dir", Operator, "imports of folders that the server opens"),
        ("GET", "/databases/*/admin/smuggler/import-s3-dir", Operator, "imports of buckets that the server opens"),
        ("GET PUT DELETE", "/databases/*/admin/connection-strings", Admin, Etl),
        ("PUT RESET", "/databases/*/admin/etl", Admin, Etl),
        ("PUT", "/databases/*/admin/queue-sink", Admin, Etl),
        ("POST", "/databases/*/admin/tasks/external-replication", Admin, Replication),
        ("POST", "/databases/*/admin/tasks/sink-pull-replication", Admin, Replication),
        ("PUT", "/databases/*/admin/tasks/pull-replication/hub", Admin, Replication),
        ("GET", "/databases/*/tasks/pull-replication/hub", Read, Replication),
        ("GET PUT DELETE", "/databases/*/admin/tasks/pull-replication/hub/access", Admin, Replication),
        ("GET", "/databases/*/replication/conflicts", Read, Replication),
        ("POST", "/admin/replication/conflicts/solver", Operator, Replication),
        ("POST", "/admin/backup", Operator, Backups),
        ("PUT", "/admin/configuration/server-wide/external-replication", Operator, Tasks),
        ("POST", "/databases/*/admin/documents-compression/config", Admin, "compression of documents"),
        ("PUT GET", "/databases/*/admin/attachments/remote/config", Admin, "attachments that are kept elsewhere"),
        ("POST", "/databases/*/admin/transactions/start-recording", Admin, Recording),
        ("POST", "/databases/*/admin/transactions/stop-recording", Admin, Recording),
        ("PUT GET DELETE", "/databases/*/admin/ai/agent", Admin, Ai),
        ("POST", "/databases/*/ai/agent", Write, Ai),
        ("GET POST", "/admin/traffic-watch/configuration", Operator, "the keeping of traffic in files"),
        ("GET", "/admin/debug/dump", ClusterAdmin, Memory),
        ("GET", "/admin/debug/gcdump", ClusterAdmin, Memory),
        ("POST", "/admin/memory/gc", Operator, "garbage collection by hand"),
        ("GET", "/admin/debug/threads/stack-trace", Operator, "stacks of threads"),
        ("GET", "/admin/debug/proc/$", Operator, "files of the system"),
        ("GET", "/admin/debug/storage/environment/report", Operator, "reports of the catalog's storage"),
        ("GET", "/admin/debug/operations/longest-running", Operator, "the longest operations of the catalog"),
        ("GET", "/databases/*/debug/perf-metrics", Admin, "single transactions; metrics has their histogram"),
        ("GET", "/databases/*/debug/storage/trees", Admin, Storage),
        ("GET", "/databases/*/debug/storage/btree-structure", Admin, Storage),
        ("GET", "/databases/*/debug/storage/all-environments/report", Admin, Storage),
        ("GET", "/databases/*/debug/storage/environment/report", Admin, Storage),
        ("POST", "/admin/console", ClusterAdmin, "scripts of administrators"),
        ("POST", "/admin/databases/dynamic-node-distribution", Operator, Clusters),
        ("POST", "/admin/databases/unused-ids", Operator, Clusters),
        ("PUT DELETE", "/admin/databases/orchestrator", Operator, Shards),
        ("PUT", "/admin/databases/shard", Operator, Shards),
        ("GET", "/admin/certificates/mode", Operator, Certificates),
        ("GET", "/admin/certificates/cluster-domains", Operator, Certificates),
        ("GET", "/admin/certificates/local-state", Operator, Certificates),
        ("GET POST", "/admin/certificates/letsencrypt/$", ClusterAdmin, "certificates of Let's Encrypt"),
        ("GET PUT POST DELETE", "/admin/certificates/2fa/$", Operator, "a second factor"),
        ("GET POST", "/admin/certificates/replacement/$", ClusterAdmin, Certificates),
        ("GET PUT POST DELETE", "/admin/certificates/sso/$", ClusterAdmin, "single sign-on"),
    ];

    /// <summary>The routes, for the table of all routes.</summary>
    [RouteList]
    internal static IEnumerable<(RouteAttribute Attribute, RouteHandler Handler)> Routes() =>
        from row in Table
        from method in row.Methods.Split(' ')
        select (
            new RouteAttribute(method, row.Path, row.Access)
            {
                Place = Place.Node, Summary = $"Not served: {row.Topic}",
            },
            new RouteHandler(AnswerAsync));

    /// <summary>Answers that a route is not served.</summary>
    internal static ValueTask AnswerAsync(RequestContext request)
    {
        ErrorResponse.Write(
            request, 501, ErrorType.NotSupported,
            $"{request.Method} {request.Route!.Path} is not served by this server.");
        return ValueTask.CompletedTask;
    }
}
