using FastTests.Server;
using Raven.Documents.Operations;

namespace FastTests.Security;

/// <summary>A request whose route has an event in the audit log, and the line that it must make.</summary>
/// <param name="Method">The method.</param>
/// <param name="Target">The path and the query; it has the id of an operation for <c>{id}</c>.</param>
/// <param name="Body">The body.</param>
/// <param name="Event">The name of the event.</param>
/// <param name="Says">What the line must have besides.</param>
public sealed record AuditCase(string Method, string Target, string Body, string Event, string Says)
{
    private const string Made = "\"database\":\"made\"";
    private const string Names = """{"DatabaseNames":["made"]}""";
    private const string Index = "map('Users', u => ({ Name: u.Name }))";

    private const string Series = """
        {"Commands":[{"Id":"users/1","Type":"PUT","Document":{}},{"Id":"users/1","Type":"TimeSeries","TimeSeries":
        {"Name":"Heart","Appends":[{"Timestamp":"2026-01-01T00:00:00.0000000Z","Values":[60]}]}}]}
        """;

    /// <summary>One for each such route of a server without a certificate, in an order that makes sense.</summary>
    internal static IReadOnlyList<AuditCase> All { get; } =
    [
        new("PUT", "/admin/databases?name=made",
            """{"DatabaseName":"made","Settings":{"Indexing.Some":"hidden value"}}""", "database.created",
            Made + ",\"detail\":{\"members\":\"DatabaseName, Settings\"}"),
        new("PUT", "/databases/made/admin/configuration/settings", """{"Indexing.Some":"hidden value"}""",
            "database.settings.changed", Made + ",\"detail\":{\"settings\":\"Indexing.Some\"}"),
        new("POST", "/admin/databases/set-lock", """{"DatabaseNames":["made"],"Mode":"Unlock"}""",
            "database.locked", Made + ",\"detail\":{\"mode\":\"Unlock\"}"),
        new("POST", "/admin/databases/disable", Names, "database.disabled", Made),
        new("POST", "/admin/databases/enable", Names, "database.enabled", Made),
        new("PUT", "/databases/made/admin/configuration/client", """{"Disabled":false}""",
            "database.client.configured", Made),
        new("PUT", "/admin/configuration/client", """{"Disabled":false}""", "server.client.configured", "\"ok\""),
        new("POST", "/databases/made/admin/revisions/config", """{"Default":{"Disabled":false}}""",
            "revisions.configured", Made),
        new("POST", "/databases/made/admin/revisions/conflicts/config", """{"Disabled":false}""",
            "revisions.conflicts.configured", Made),
        new("POST", "/databases/made/admin/expiration/config", """{"Disabled":false}""",
            "database.expiration.configured", Made),
        new("POST", "/databases/made/admin/refresh/config", """{"Disabled":false}""",
            "database.refresh.configured", Made),
        new("POST", "/databases/made/admin/data-archival/config", """{"Disabled":false}""",
            "database.archival.configured", Made),
        new("POST", "/databases/made/admin/unique-constraints/config", """{"Collections":{}}""",
            "database.unique.configured", Made),
        new("POST", "/databases/made/admin/schema-validation/config", """{"ValidatorsPerCollection":{}}""",
            "database.schemas.configured", Made),
        new("POST", "/databases/made/admin/revisions/bin-cleaner/config", """{"Disabled":true}""",
            "revisions.bin.configured", Made),
        new("POST", "/databases/made/admin/timeseries/config", "{}", "timeseries.configured", Made),
        new("PUT", "/databases/made/admin/timeseries/policy?collection=Users",
            """{"Name":"ByHour","AggregationTime":{"Value":3600,"Unit":"Second"}}""",
            "timeseries.policy.configured", Made + ",\"resource\":\"Users\""),
        new("DELETE", "/databases/made/admin/timeseries/policy?collection=Users&name=ByHour", "",
            "timeseries.policy.removed", Made + ",\"resource\":\"Users\""),
        new("POST", "/databases/made/timeseries/names/config",
            """{"Collection":"Users","TimeSeries":"Heart","ValueNames":["BPM"]}""",
            "timeseries.names.configured", Made),
        new("DELETE", "/databases/made/admin/revisions", """{"DocumentIds":["a","b"]}""", "revisions.deleted",
            Made + ",\"detail\":{\"documents\":\"2\",\"versions\":\"0\"}"),
        new("POST", "/databases/made/admin/revisions/config/enforce", "{}", "revisions.enforced",
            "\"collections\":\"all\""),
        new("POST", "/databases/made/revisions/revert", """{"Time":"2026-01-01T00:00:00.0000000Z"}""",
            "revisions.reverted", Made),
        new("PUT", "/databases/made/indexes", $$"""{"Indexes":[{"Name":"I","Maps":["{{Index}}"]}]}""", "index.put",
            Made + ",\"resource\":\"I\",\"detail\":{\"language\":\"JavaScript\"}"),
        new("PUT", "/databases/made/admin/indexes", $$"""{"Indexes":[{"Name":"J","Maps":["{{Index}}"]}]}""",
            "index.put", Made + ",\"resource\":\"J\""),
        new("POST", "/databases/made/indexes/set-lock", """{"IndexNames":["I"],"Mode":"Unlock"}""", "index.locked",
            "\"resource\":\"I\""),
        new("POST", "/databases/made/indexes/set-priority", """{"IndexNames":["I"],"Priority":"High"}""",
            "index.prioritized", "\"Priority\":\"High\""),
        new("POST", "/databases/made/admin/indexes/stop?name=I", "", "index.stopped", "\"resource\":\"I\""),
        new("POST", "/databases/made/admin/indexes/start?name=I", "", "index.started", "\"resource\":\"I\""),
        new("POST", "/databases/made/admin/indexes/disable?name=I", "", "index.disabled", "\"resource\":\"I\""),
        new("POST", "/databases/made/admin/indexes/enable?name=I", "", "index.enabled", "\"resource\":\"I\""),
        new("RESET", "/databases/made/indexes?name=I", "", "index.reset", "\"resource\":\"I\""),
        new("DELETE", "/databases/made/indexes/errors?name=I", "", "index.errors.deleted", "\"resource\":\"I\""),
        new("DELETE", "/databases/made/indexes?name=I", "", "index.deleted", "\"resource\":\"I\""),
        new("PUT", "/databases/made/admin/analyzers", Code("Analyzers"), "analyzer.put", "\"resource\":\"None\""),
        new("PUT", "/databases/made/admin/sorters", Code("Sorters"), "sorter.put", "\"resource\":\"None\""),
        new("PUT", "/admin/analyzers", Code("Analyzers"), "analyzer.put", "\"resource\":\"None\""),
        new("PUT", "/admin/sorters", Code("Sorters"), "sorter.put", "\"resource\":\"None\""),
        new("DELETE", "/databases/made/admin/analyzers?name=None", "", "analyzer.deleted", Made),
        new("DELETE", "/databases/made/admin/sorters?name=None", "", "sorter.deleted", Made),
        new("DELETE", "/admin/analyzers?name=None", "", "analyzer.deleted", "\"resource\":\"None\""),
        new("DELETE", "/admin/sorters?name=None", "", "sorter.deleted", "\"resource\":\"None\""),
        new("DELETE", "/databases/made/queries",
            """{"Query":"from Users where Name = $p","QueryParameters":{"p":"hidden value"}}""", "data.deleted",
            "\"query\":\"from Users where Name = $p\""),
        new("PATCH", "/databases/made/queries", """{"Query":{"Query":"from Users update { this.A = 1 }"}}""",
            "data.patched", Made),
        new("GET", "/databases/made/streams/docs", "", "data.streamed", Made),
        new("POST", "/databases/made/studio/sample-data?operateOnTypes=Identities", "", "database.sampled", Made),
        new("GET", "/databases/made/streams/timeseries?docId=users/1&name=Heart", "", "data.streamed", Made),
        new("GET", "/databases/made/feed?collection=Users", "", "data.streamed", Made),
        new("PUT", "/databases/made/subscriptions", """{"Name":"news","Query":"from Users"}""",
            "subscription.put", Made + ",\"resource\":\"news\""),
        new("POST", "/databases/made/subscriptions/update", """{"Name":"news","Query":"from Orders"}""",
            "subscription.updated", Made + ",\"resource\":\"news\""),
        new("POST", "/databases/made/admin/tasks/state?taskName=news&type=Subscription&disable=true", "",
            "task.switched", Made + ",\"resource\":\"news\""),
        new("POST", "/databases/made/subscriptions/drop?name=news", "", "subscription.dropped",
            Made + ",\"resource\":\"news\""),
        new("POST", "/databases/made/subscriptions/resend?name=news", "", "subscription.resent",
            Made + ",\"resource\":\"news\""),
        new("DELETE", "/databases/made/subscriptions?taskName=news", "", "subscription.deleted",
            Made + ",\"resource\":\"news\""),
        new("POST", "/databases/made/smuggler/export", """{"OperateOnTypes":"Documents","Collections":["A"]}""",
            "data.exported", Made + ",\"detail\":{\"types\":\"Documents\",\"collections\":\"A\"}"),
        new("GET", "/databases/made/smuggler/export?options=%7B%22OperateOnTypes%22:%22Documents%22%7D", "",
            "data.exported", Made + ",\"detail\":{\"types\":\"Documents\",\"collections\":\"all\"}"),
        new("POST", "/databases/made/smuggler/import", """{"Docs":[]}""", "data.imported", Made),
        new("POST", "/databases/made/smuggler/import/csv?collection=Users", "Name\nAnn\n", "data.imported",
            Made + ",\"detail\":{\"format\":\"CSV\",\"collection\":\"Users\"}"),
        new("POST", "/databases/made/streams/timeseries?docId=users/1&name=Heart&format=csv",
            "Timestamp,Value\n2026-01-01T00:00:00Z,1\n", "data.imported", Made + ",\"detail\":{\"format\":\"CSV\"}"),
        new("POST", "/databases/made/admin/tombstones/cleanup", "", "tombstones.cleaned", Made),
        new("POST", "/databases/made/admin/periodic-backup",
            """{"Name":"t","FullBackupFrequency":"0 1 * * *","LocalSettings":{"FolderPath":"/proc/none"}}""",
            "backup.configured", Made + ",\"resource\":\"t\",\"detail\":{\"folder\":\"/proc/none\"}"),
        new("POST", "/databases/made/admin/backup/database?isFullBackup=true&taskId=1", "", "backup.started",
            Made + ",\"resource\":\"1\""),
        new("POST", "/databases/made/admin/backup", """{"LocalSettings":{"FolderPath":"/proc/none"}}""",
            "backup.started", Made + ",\"resource\":\"/proc/none\""),
        new("POST", "/admin/backup-task/delay?database=made&taskId=1&duration=01:00:00", "", "backup.delayed",
            Made + ",\"resource\":\"1\""),
        new("POST", "/admin/restore/database", """{"DatabaseName":"other","BackupLocation":"/proc/none"}""",
            "database.restored", "\"database\":\"other\",\"resource\":\"/proc/none\""),
        new("POST", "/studio-tasks/periodic-backup/test-credentials?type=S3",
            """
            {"BucketName":"backups","AwsRegionName":"eu-central-1","CustomServerUrl":"https://127.0.0.1:9",
             "AwsAccessKey":"a","AwsSecretKey":"b"}
            """,
            "backup.tested", "\"resource\":\"s3://backups\""),
        new("PUT", "/admin/configuration/server-wide/backup",
            """{"Name":"w","FullBackupFrequency":"0 1 * * *","LocalSettings":{"FolderPath":"/proc/none"}}""",
            "backup.configured", "\"resource\":\"w\",\"detail\":{\"folder\":\"/proc/none\"}"),
        new("POST", "/admin/configuration/server-wide/state?type=Backup&name=w&disable=true", "", "task.switched",
            "\"resource\":\"w\""),
        new("DELETE", "/admin/configuration/server-wide/task?type=Backup&name=w", "", "task.deleted",
            "\"resource\":\"w\""),
        new("POST", "/admin/restore/points", """{"FolderPath":"/proc/none"}""", "backup.listed",
            "\"resource\":\"/proc/none\""),
        new("POST", "/admin/backup/verify", """{"BackupLocation":"/proc/none"}""", "backup.verified",
            "\"resource\":\"/proc/none\""),
        new("DELETE", "/databases/made/admin/tasks?id=1&type=Backup", "", "task.deleted",
            Made + ",\"resource\":\"1\""),
        new("POST", "/admin/logs/configuration", """{"Logs":{"MinLevel":"Off"}}""", "server.logs.configured",
            "\"level\":\"Off\""),
        new("POST", "/admin/databases/attach", """{"DatabaseName":"other","DataDirectory":"none"}""",
            "database.attached", "\"database\":\"other\",\"resource\":\"none\""),
        new("GET", "/databases/made/admin/smuggler/import?file=/proc/none", "", "data.imported",
            Made + ",\"resource\":\"/proc/none\""),
        new("POST", "/admin/databases/indexing?name=made&enable=true", "", "database.indexing.switched",
            Made + ",\"detail\":{\"disabled\":\"false\"}"),
        new("GET", "/admin/logs/watch", "", "server.logs.watched", "\"ok\""),
        new("GET", "/admin/logs/download", "", "server.logs.downloaded", "\"ok\""),
        new("GET", "/admin/traffic-watch?resourceName=made", "", "server.traffic.watched", Made),
        new("POST", "/admin/drain?enable=false", "", "server.drained", "\"draining\":\"false\""),
        new("PUT", "/admin/configuration/studio", "{}", "server.studio.configured", "\"ok\""),
        new("PUT", "/databases/made/admin/configuration/studio", "{}", "database.studio.configured", Made),
        new("POST", "/databases/made/admin/restart", "", "database.restarted", Made),
        new("POST", "/databases/made/debug/queries/kill?id=99", "", "query.killed", Made + ",\"resource\":\"99\""),
        new("POST", "/admin/requests/kill?id=99", "", "request.killed", "\"resource\":\"99\""),
        new("POST", "/databases/made/operations/kill?id={id}", "", "operation.killed", Made),
        new("POST", "/admin/operations/kill?id={id}", "", "operation.killed", "\"resource\""),
        new("POST", "/admin/compact", """{"DatabaseName":"made","Indexes":["J"]}""", "database.compacted", Made),
        new("DELETE", "/admin/databases?name=made&hard-delete=true", "", "database.deleted",
            Made + ",\"detail\":{\"hard\":\"true\"}"),
    ];

    /// <summary>Sends it and gives its status.</summary>
    internal (int Status, string Answer) Send(InMemoryServer server)
    {
        string target = Target;
        if (target.EndsWith("{id}", StringComparison.Ordinal))
        {
            RunningOperation operation = server.State.Operations.Begin("made");
            operation.Complete();
            server.State.Operations.Ended(operation);
            target = target.Replace("{id}", $"{operation.Id}", StringComparison.Ordinal);
        }

        if (RoutePath.EndsWith("/streams/timeseries", StringComparison.Ordinal))
        {
            server.Send(new InMemoryRequest("POST", "/databases/made/bulk_docs", "", Series));
        }

        string[] parts = target.Split('?', 2);
        var request = new InMemoryRequest(Method, parts[0], parts.Length == 2 ? "?" + parts[1] : "", Body);
        int status = server.Send(request);
        return (status, request.Answer);
    }

    /// <summary>Whether it is refused for another reason: in memory there is no WebSocket, and no query runs.
    /// </summary>
    internal bool IsRefusedAnyway => Event is "server.logs.watched" or "server.traffic.watched" or "query.killed";

    /// <summary>The path of its route.</summary>
    internal string RoutePath =>
        Target.Split('?')[0].Replace("/databases/made/", "/databases/*/", StringComparison.Ordinal);

    private static string Code(string list) => $$"""{"{{list}}":[{"Name":"None","Code":"class Other { }"}]}""";
}
