using System.Globalization;
using System.Text;
using Raven.Documents;
using Raven.Documents.Subscriptions;
using Raven.Security.Certificates;
using Raven.Security.Rights;
using Raven.Server.Diagnostics;
using Raven.Server.Http;
using Raven.Server.Http.Backups;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;

namespace Raven.Server.Handlers;

/// <summary>The route of metrics, in Prometheus' text format 0.0.4.</summary>
internal static class MetricsHandler
{
    [Route("GET", "/metrics", Access.Monitoring, Summary = "Counters and timings, for Prometheus")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        request.Response.Headers.ContentType = ContentType.Prometheus;
        var text = new StringBuilder(8 * 1024);
        WriteRequests(text, request.Server);
        WriteDurations(text, request.Server.Counters);
        WriteProcess(text, request.Server);
        WriteCertificate(text, request.Server.Security.Certificate);
        WriteFloods(text, request.Server.Security);
        WriteSubscriptions(text, request.Server);
        WriteBackups(text, request.Server);
        request.Response.WriteText(text);
        return ValueTask.CompletedTask;
    }

    private static void WriteRequests(StringBuilder text, ServerState server)
    {
        RequestCounters counters = server.Counters;
        Head(text, "raven_requests_active", "gauge", "Requests that are running.");
        Line(text, "raven_requests_active", "", counters.Active);
        Head(text, "raven_requests_total", "counter", "Requests that ended, by route and kind of answer.");
        foreach (Route route in server.Routes.Routes)
        {
            (long count, double _, long clientErrors, long serverErrors) = counters.Of(route.Number);
            if (count > 0)
            {
                string labels = $"method=\"{HttpVerbs.Name(route.Verb)}\",route=\"{route.Path}\"";
                Line(text, "raven_requests_total", $"{labels},status=\"ok\"", count - clientErrors - serverErrors);
                Line(text, "raven_requests_total", $"{labels},status=\"4xx\"", clientErrors);
                Line(text, "raven_requests_total", $"{labels},status=\"5xx\"", serverErrors);
            }
        }

        long unrouted = counters.Of(counters.NoRoute).Count;
        Line(text, "raven_requests_total", "method=\"\",route=\"none\",status=\"4xx\"", unrouted);
        Head(text, "raven_request_seconds_total", "counter", "Time spent in requests, by route.");
        foreach (Route route in server.Routes.Routes)
        {
            (long count, double seconds, _, _) = counters.Of(route.Number);
            if (count > 0)
            {
                string labels = $"method=\"{HttpVerbs.Name(route.Verb)}\",route=\"{route.Path}\"";
                Line(text, "raven_request_seconds_total", labels, seconds);
            }
        }
    }

    private static void WriteDurations(StringBuilder text, RequestCounters counters)
    {
        Head(text, "raven_request_duration_seconds", "histogram", "How long requests took.");
        long sum = 0;
        for (int i = 0; i < RequestCounters.DurationClasses; i++)
        {
            sum += counters.InClass(i);
            string bound = (Math.Pow(2, i) / 1e6).ToString("R", CultureInfo.InvariantCulture);
            Line(text, "raven_request_duration_seconds_bucket", $"le=\"{bound}\"", sum);
        }

        Line(text, "raven_request_duration_seconds_bucket", "le=\"+Inf\"", sum);
        Line(text, "raven_request_duration_seconds_count", "", sum);
        Line(text, "raven_request_duration_seconds_sum", "", counters.TotalSeconds);
    }

    private static void WriteProcess(StringBuilder text, ServerState server)
    {
        GCMemoryInfo memory = GC.GetGCMemoryInfo();
        Head(text, "raven_uptime_seconds", "gauge", "How long the server runs.");
        Line(text, "raven_uptime_seconds", "", server.Uptime.TotalSeconds);
        Head(text, "raven_unsecured", "gauge", "1 if other machines can connect and need no certificate or key.");
        Line(text, "raven_unsecured", "", server.Start.IsUnsecured ? 1 : 0);
        Head(text, "raven_managed_heap_bytes", "gauge", "Managed memory after the last collection.");
        Line(text, "raven_managed_heap_bytes", "", memory.HeapSizeBytes);
        Head(text, "raven_managed_allocated_bytes_total", "counter", "Managed memory allocated.");
        Line(text, "raven_managed_allocated_bytes_total", "", GC.GetTotalAllocatedBytes());
        Head(text, "raven_working_set_bytes", "gauge", "Resident memory of the process, mapped files included.");
        Line(text, "raven_working_set_bytes", "", Environment.WorkingSet);
        Head(text, "raven_anonymous_bytes", "gauge", "Memory that is in no file: what the process can give back.");
        Line(text, "raven_anonymous_bytes", "", MemoryGate.UsedBytes());
        Head(text, "raven_pool_bytes", "gauge", "Memory of the server's own pools, in use or kept.");
        Line(text, "raven_pool_bytes", "pool=\"contexts\"", server.Contexts.GetStatistics().CommittedBytes);
        Line(text, "raven_pool_bytes", "pool=\"answers\"", server.Answers.UsedBytes);
        Line(text, "raven_pool_bytes", "pool=\"scratch\"", server.Scratch.UsedBytes);
        Head(text, "raven_answers_spilled_bytes", "gauge", "Bytes of answers that wait in files for their clients.");
        Line(text, "raven_answers_spilled_bytes", "", server.Answers.SpilledBytes);
        Head(text, "raven_memory_given_back_total", "counter", "How often idle memory was given back.");
        Line(text, "raven_memory_given_back_total", "", server.Idle.Count);
        Head(text, "raven_collections_total", "counter", "Garbage collections by generation.");
        for (int generation = 0; generation <= GC.MaxGeneration; generation++)
        {
            Line(text, "raven_collections_total", $"generation=\"{generation}\"", GC.CollectionCount(generation));
        }
    }

    private static void WriteCertificate(StringBuilder text, ServerCertificate? certificate)
    {
        if (certificate != null)
        {
            Head(
                text, "raven_certificate_expiry_seconds", "gauge",
                "How long the server's certificate lasts; negative if it has ended.");
            Line(text, "raven_certificate_expiry_seconds", "", certificate.Left.TotalSeconds);
            Head(
                text, "raven_certificate_reload_failures_total", "counter",
                "How often a new certificate could not be used.");
            Line(text, "raven_certificate_reload_failures_total", "", certificate.FailureCount);
        }
    }

    private static void WriteFloods(StringBuilder text, ServerSecurity security)
    {
        if (security.IsSecured)
        {
            Head(text, "raven_handshakes", "gauge", "TLS handshakes that are under way.");
            Line(text, "raven_handshakes", "", security.Handshakes.Count);
            Head(
                text, "raven_handshakes_refused_total", "counter",
                "Connections that were ended before their TLS handshake: too many at one time, or failed logins.");
            Line(text, "raven_handshakes_refused_total", "", security.Handshakes.RefusedCount);
            Head(text, "raven_failed_logins_total", "counter", "Certificates, keys and tokens that did not count.");
            Line(text, "raven_failed_logins_total", "", security.FailureCount);
        }
    }

    /// <summary>Those of databases that are open: to ask for figures opens none.</summary>
    private static void WriteSubscriptions(StringBuilder text, ServerState server)
    {
        List<(string Labels, SubscriptionInfo Info)> all = [];
        foreach (string name in server.Databases.Names())
        {
            if (server.Databases.TryGet(name, out Database? database))
            {
                all.AddRange(database.Subscriptions(server.Queries).ListIfOpen().Select(info =>
                    ($"database=\"{Escape(name)}\",subscription=\"{Escape(info.Definition.Name)}\"", info)));
            }
        }

        if (all.Count == 0)
        {
            return;
        }

        Write("lag_changes", "gauge", "How many changes are behind the position.", info => info.Lag);
        Write("workers", "gauge", "How many workers are connected.", info => info.Workers.Count);
        Write("owed_documents", "gauge", "How many are with workers or to be sent again.", info => info.OwedCount);
        Write("aside_documents", "gauge", "How many documents failed too often.", info => info.AsideCount);
        Write("documents_total", "counter", "How many documents were sent.", info => info.Counters.DocumentsSent);
        Write("batches_total", "counter", "How many were acknowledged.", info => info.Counters.BatchesAcknowledged);
        Write(
            "last_acknowledgement_timestamp_seconds", "gauge", "When one was acknowledged, Unix time; 0 if none was.",
            info => info.Position.AcknowledgedTicks == 0
                ? 0
                : (info.Position.AcknowledgedTicks - DateTimeOffset.UnixEpoch.Ticks) / (double)TimeSpan.TicksPerSecond);
        Write("failures_total", "counter", "At how many documents the script failed.", info => info.Counters.Failures);

        void Write(string what, string type, string help, Func<SubscriptionInfo, double> value)
        {
            Head(text, $"raven_subscription_{what}", type, help);
            foreach ((string labels, SubscriptionInfo info) in all)
            {
                Line(text, $"raven_subscription_{what}", labels, value(info));
            }
        }
    }

    /// <summary>Those of the tasks of backups. They are in the records of databases, of which none is opened.</summary>
    private static void WriteBackups(StringBuilder text, ServerState server)
    {
        DateTimeOffset now = server.Time.GetUtcNow();
        List<(string Labels, BackupStatus Status)> all = [];
        foreach (string name in server.Databases.Names())
        {
            all.AddRange(server.Backups.Tasks.Of(name).Where(task => !task.IsDisabled).Select(task => (
                $"database=\"{Escape(name)}\",task=\"{Escape(task.Name)}\"",
                server.Backups.StatusOf(name, task.TaskId))));
        }

        if (all.Count == 0)
        {
            return;
        }

        Head(
            text, "raven_backup_age_seconds", "gauge",
            "How old the last backup is; since when there is the task if none is.");
        foreach ((string labels, BackupStatus status) in all)
        {
            DateTimeOffset? last = status.LastIncremental > status.LastFull || status.LastFull == null
                ? status.LastIncremental
                : status.LastFull;
            Line(text, "raven_backup_age_seconds", labels, (now - (last ?? status.CreatedAt ?? now)).TotalSeconds);
        }

        Head(text, "raven_backup_failed", "gauge", "1 if the last run of the task, or its verification, has failed.");
        foreach ((string labels, BackupStatus status) in all)
        {
            Line(text, "raven_backup_failed", labels, status.Error == null ? 0 : 1);
        }
    }

    private static string Escape(string label) => label.Replace("\\", "\\\\", StringComparison.Ordinal)
        .Replace("\"", "\\\"", StringComparison.Ordinal).Replace("\n", "\\n", StringComparison.Ordinal);

    private static void Head(StringBuilder text, string name, string type, string help) =>
        text.Append("# HELP ").Append(name).Append(' ').Append(help).Append("\n# TYPE ").Append(name).Append(' ')
            .Append(type).Append('\n');

    private static void Line(StringBuilder text, string name, string labels, double value)
    {
        text.Append(name);
        if (labels.Length > 0)
        {
            text.Append('{').Append(labels).Append('}');
        }

        text.Append(' ').Append(value.ToString("R", CultureInfo.InvariantCulture)).Append('\n');
    }
}
