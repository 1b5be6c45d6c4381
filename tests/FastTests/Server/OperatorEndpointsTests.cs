using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Each request that operators, their tools and the pages of a Studio know for dumps, backups, monitoring and
/// the managing of databases is answered, or refused by its name.</summary>
public sealed class OperatorEndpointsTests
{
    private const string Db = "/databases/db";

    /// <summary>Method, target, body and status. A bad request is an answer of the route: it says what it misses.
    /// </summary>
    private static readonly (string Method, string Target, string Body, int Status)[] Served =
    [
        // Backups.
        ("POST", $"{Db}/admin/periodic-backup", """{"Name":"t","FullBackupFrequency":"0 1 * * *"}""", 400),
        ("POST", $"{Db}/admin/backup/database?isFullBackup=true&taskId=9", "", 404),
        ("POST", $"{Db}/admin/backup", "{}", 400),
        ("GET", "/periodic-backup/status?name=db&taskId=9", "", 404),
        ("GET", "/periodic-backup?name=db&taskId=9", "", 404),
        ("GET", $"{Db}/admin/periodic-backup/config", "", 200),
        ("GET", $"{Db}/admin/backup/running", "", 200),
        ("GET", $"{Db}/admin/backup-data-directory?path=/tmp/none", "", 200),
        ("POST", "/admin/backup-task/delay?database=db&taskId=9&duration=01:00:00", "", 404),
        ("GET", $"{Db}/task?key=9&type=Backup", "", 404),
        ("DELETE", $"{Db}/admin/tasks?id=9&type=Backup", "", 404),
        ("POST", $"{Db}/admin/tasks/state?key=9&type=Backup&disable=true", "", 404),
        ("POST", "/admin/restore/database", "{}", 400),
        ("POST", "/admin/restore/points?type=Local", """{"FolderPath":"/tmp/none"}""", 400),
        ("POST", "/admin/backup/verify", """{"BackupLocation":"/tmp/none"}""", 400),
        ("GET", "/admin/configuration/server-wide/tasks?type=Backup", "", 200),
        ("PUT", "/admin/configuration/server-wide/backup", """{"Name":"w"}""", 400),
        ("DELETE", "/admin/configuration/server-wide/task?type=Backup&name=w", "", 404),
        ("POST", "/admin/configuration/server-wide/state?type=Backup&name=w&disable=true", "", 404),
        ("POST", "/studio-tasks/periodic-backup/test-credentials?type=S3", "{}", 400),
        ("GET", "/studio-tasks/next-cron-expression-occurrence?expression=0%201%20*%20*%20*", "", 200),

        // Dumps.
        ("GET", $"{Db}/operations/next-operation-id", "", 200),
        ("POST", $"{Db}/smuggler/export", "{}", 200),
        ("POST", $"{Db}/smuggler/import", """{"Docs":[]}""", 200),
        ("POST", $"{Db}/smuggler/validate-options", "{}", 204),
        ("POST", $"{Db}/smuggler/import/csv?collection=Users", "Name\nAnn\n", 200),
        ("GET", $"{Db}/streams/queries?query=from%20Users&format=csv", "", 200),
        ("GET", $"{Db}/admin/smuggler/import?file=/tmp/none", "", 400),

        // Monitoring.
        ("GET", "/healthz", "", 200),
        ("GET", "/healthz/ready", "", 200),
        ("GET", "/setup/alive", "", 204),
        ("GET", "/metrics", "", 200),
        ("GET", "/admin/monitoring/v1/prometheus", "", 200),
        ("GET", "/admin/monitoring/v1/server", "", 200),
        ("GET", "/admin/monitoring/v1/databases", "", 200),
        ("GET", "/admin/monitoring/v1/indexes", "", 200),
        ("GET", "/admin/monitoring/v1/collections", "", 200),
        ("GET", $"{Db}/debug/queries/running", "", 200),
        ("POST", $"{Db}/debug/queries/kill?id=9", "", 404),
        ("GET", $"{Db}/debug/queries/cache/list", "", 200),
        ("GET", "/admin/requests/slow", "", 200),
        ("GET", "/admin/metrics", "", 200),
        ("GET", $"{Db}/metrics", "", 200),
        ("GET", "/admin/stats", "", 200),
        ("GET", "/admin/debug/memory/stats", "", 200),
        ("GET", "/admin/debug/threads/runaway", "", 200),
        ("GET", "/admin/debug/cpu/stats", "", 200),
        ("GET", "/admin/debug/databases/idle", "", 200),
        ("GET", $"{Db}/debug/io-metrics", "", 200),
        ("GET", $"{Db}/debug/documents/huge", "", 200),
        ("GET", $"{Db}/debug/storage/report", "", 200),
        ("GET", "/admin/debug/info-package", "", 200),
        ("GET", $"{Db}/debug/info-package", "", 200),
        ("GET", "/admin/logs/configuration", "", 200),
        ("POST", "/admin/logs/configuration", """{"Logs":{"MinLevel":"Info"}}""", 204),
        ("GET", "/admin/logs/watch", "", 426),
        ("GET", "/admin/logs/download", "", 200),
        ("GET", "/admin/traffic-watch", "", 426),
        ("GET", $"{Db}/operations", "", 200),
        ("GET", $"{Db}/tasks", "", 200),
        ("GET", $"{Db}/notifications", "", 200),
        ("GET", $"{Db}/notification-center/watch", "", 426),
        ("GET", "/server/notification-center/watch", "", 426),
        ("GET", "/debug/routes", "", 200),
        ("GET", "/debug/server-id", "", 200),

        // Databases as things to manage.
        ("GET", "/admin/databases?name=db", "", 200),
        ("PUT", "/admin/databases?name=other", """{"DatabaseName":"other"}""", 201),
        ("POST", "/admin/databases/disable", """{"DatabaseNames":["other"]}""", 200),
        ("POST", "/admin/databases/enable", """{"DatabaseNames":["other"]}""", 200),
        ("POST", "/admin/databases/set-lock", """{"DatabaseNames":["other"],"Mode":"Unlock"}""", 204),
        ("POST", "/admin/databases/indexing?name=other&enable=true", "", 200),
        ("DELETE", "/admin/databases?name=other", "", 200),
        ("POST", "/admin/databases/attach", """{"DatabaseName":"none"}""", 400),
        ("POST", "/admin/compact", """{"DatabaseName":"db","Documents":true}""", 200),
        ("GET", $"{Db}/admin/configuration/settings?scope=Database", "", 200),
        ("PUT", $"{Db}/admin/configuration/settings", "{}", 204),
        ("GET", "/admin/configuration/settings", "", 200),
        ("POST", $"{Db}/admin/restart", "", 204),
        ("PUT", "/admin/configuration/client", """{"MaxNumberOfRequestsPerSession":50}""", 204),
        ("GET", "/admin/configuration/client", "", 200),
        ("PUT", $"{Db}/admin/configuration/client", """{"MaxNumberOfRequestsPerSession":50}""", 204),
        ("GET", $"{Db}/admin/configuration/client", "", 200),
        ("PUT", "/admin/configuration/studio", "{}", 204),
        ("GET", "/admin/configuration/studio", "", 200),
        ("PUT", $"{Db}/admin/configuration/studio", "{}", 204),
        ("GET", $"{Db}/configuration/studio", "", 200),
        ("GET", $"{Db}/admin/tombstones/state", "", 200),
        ("POST", $"{Db}/admin/tombstones/cleanup", "", 200),
    ];

    private static readonly (string Method, string Target)[] NotServed =
    [
        ("GET", $"{Db}/admin/smuggler/import-dir"), ("GET", $"{Db}/admin/smuggler/import-s3-dir"),
        ("GET", $"{Db}/admin/smuggler/import?url=http%3A%2F%2F127.0.0.1%3A1"),
        ("GET", "/admin/debug/dump"), ("GET", "/admin/debug/gcdump"), ("POST", "/admin/memory/gc"),
        ("GET", "/admin/debug/threads/stack-trace"), ("GET", "/admin/debug/proc/meminfo"),
        ("GET", "/admin/debug/storage/environment/report"), ("GET", "/admin/debug/operations/longest-running"),
        ("GET", $"{Db}/debug/perf-metrics"), ("GET", $"{Db}/debug/storage/trees"),
        ("GET", $"{Db}/debug/storage/btree-structure"), ("GET", $"{Db}/debug/storage/environment/report"),
        ("GET", $"{Db}/debug/storage/all-environments/report"), ("POST", "/admin/console"),
        ("GET", "/admin/traffic-watch/configuration"), ("POST", "/admin/traffic-watch/configuration"),
    ];

    [Fact]
    public void Each_of_them_answers_or_is_refused_by_its_name()
    {
        using var server = new InMemoryServer();
        List<string> wrong = [];
        foreach ((string method, string target, string body, int status) in Served)
        {
            InMemoryRequest request = Of(method, target, body);
            int actual = server.Send(request);
            string? type = actual >= 400 && request.Answer.StartsWith('{')
                ? (string?)JsonNode.Parse(request.Answer)!["Type"]
                : "none";
            if (actual != status || type == null
                || request.Answer.Contains("There is no route", StringComparison.Ordinal))
            {
                wrong.Add($"{method} {target}: {actual} and not {status}: {request.Answer}");
            }
        }

        foreach ((string method, string target) in NotServed)
        {
            InMemoryRequest request = Of(method, target, "");
            string path = target.Split('?')[0].Replace("/databases/db/", "/databases/*/", StringComparison.Ordinal);
            string name = path.Contains("/proc/", StringComparison.Ordinal) ? "/admin/debug/proc/" : path;
            if (server.Send(request) != 501
                || !(request.Answer.Contains(name, StringComparison.Ordinal)
                    || request.Answer.Contains("url is not served", StringComparison.Ordinal)))
            {
                wrong.Add($"{method} {target}: {request.StatusCode} and not 501 by name: {request.Answer}");
            }
        }

        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
    }

    [Fact]
    public void The_tasks_of_a_database_are_listed_with_its_subscriptions()
    {
        string folder = Path.Combine(Path.GetTempPath(), "raven-none");
        using var server = new InMemoryServer();
        Assert.Equal(200, server.Send(Of(
            "POST", $"{Db}/admin/periodic-backup",
            $$"""
            {"Name":"nightly","FullBackupFrequency":"0 1 * * *","LocalSettings":{"FolderPath":"{{folder}}"} }
            """)));
        Assert.Equal(201, server.Send(Of("PUT", $"{Db}/subscriptions", """{"Name":"news","Query":"from Users"}""")));
        InMemoryRequest request = Of("GET", $"{Db}/tasks", "");
        Assert.Equal(200, server.Send(request));
        JsonNode all = JsonNode.Parse(request.Answer)!;
        Assert.Equal(
            [("Backup", "nightly"), ("Subscription", "news")],
            all["OngoingTasks"]!.AsArray().Select(one => ((string)one!["TaskType"]!, (string)one["TaskName"]!)));
        Assert.Equal(1, (int)all["SubscriptionsCount"]!);
        Assert.Empty(all["PullReplications"]!.AsArray());
    }

    private static InMemoryRequest Of(string method, string target, string body)
    {
        string[] parts = target.Split('?', 2);
        return new InMemoryRequest(method, parts[0], parts.Length == 2 ? "?" + parts[1] : "", body);
    }
}
