using System.Globalization;
using Raven.Security.Certificates;
using Raven.Server.Diagnostics;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;

namespace Raven.Server.Http.Monitoring;

/// <summary>The metrics of the server itself: its requests, memory, disk, certificate and logins.</summary>
internal static class ServerMetricsText
{
    internal static void Write(MetricsText text, ServerState server)
    {
        text.Head("raven_info", "gauge", "The version of the server.");
        text.Line("raven_info", MetricsText.Label("version", ServerVersion.Program), 1);
        WriteRequests(text, server);
        WriteDurations(text, server.Counters);
        text.OneCounter("raven_slow_requests_total", "Requests above Logs.SlowRequestMsMin.", server.Slow.Count);
        text.OneCounter("raven_slow_queries_total", "Queries above Logs.SlowQueryMsMin.", server.SlowQueries.Count);
        WriteProcess(text, server);
        WriteMachine(text, server);
        WriteCertificate(text, server.Security.Certificate);
        WriteFloods(text, server.Security);
    }

    private static void WriteMachine(MetricsText text, ServerState server)
    {
        text.OneCounter(
            "raven_process_cpu_seconds_total", "Processor time of the process.",
            Environment.CpuUsage.TotalTime.TotalSeconds);
        text.OneCounter(
            "raven_gc_pause_seconds_total", "How long collections have stopped all threads.",
            GC.GetTotalPauseDuration().TotalSeconds);
        text.OneGauge("raven_thread_pool_threads", "Threads of the pool.", ThreadPool.ThreadCount);
        text.OneGauge("raven_thread_pool_queue", "Work that waits for a thread.", ThreadPool.PendingWorkItemCount);
        text.OneGauge(
            "raven_memory_limit_bytes", "From how many bytes requests are refused.", server.Memory.LimitBytes);
        text.OneGauge("raven_memory_refusing", "1 if they are refused now.", server.Memory.IsOpen ? 0 : 1);
        if (server.Descriptors.Limit < long.MaxValue)
        {
            text.OneGauge("raven_file_descriptors_limit", "How many the process may have.", server.Descriptors.Limit);
            text.OneGauge(
                "raven_file_descriptors_left", "How many are left for storage.", server.Descriptors.LeftForStorage);
        }

        text.OneGauge("raven_connections", "Connections, those of the local socket left out.", server.ConnectionCount);
        var disk = new DriveInfo(server.DataFolder);
        text.OneGauge("raven_disk_free_bytes", "Free room on the disk of the data.", disk.AvailableFreeSpace);
        text.OneGauge("raven_disk_size_bytes", "The size of that disk.", disk.TotalSize);
        text.OneGauge(
            "raven_operations_running", "Operations, such as imports, that run.",
            server.Operations.All.Count(one => !one.Ended.IsCompleted));
    }

    private static void WriteRequests(MetricsText text, ServerState server)
    {
        RequestCounters counters = server.Counters;
        text.Head("raven_requests_active", "gauge", "Requests that are running.");
        text.Line("raven_requests_active", "", counters.Active);
        text.Head("raven_requests_total", "counter", "Requests that ended, by route and kind of answer.");
        foreach (Route route in server.Routes.Routes)
        {
            (long count, double _, long clientErrors, long serverErrors) = counters.Of(route.Number);
            if (count > 0)
            {
                string labels = $"method=\"{HttpVerbs.Name(route.Verb)}\",route=\"{route.Path}\"";
                text.Line("raven_requests_total", $"{labels},status=\"ok\"", count - clientErrors - serverErrors);
                text.Line("raven_requests_total", $"{labels},status=\"4xx\"", clientErrors);
                text.Line("raven_requests_total", $"{labels},status=\"5xx\"", serverErrors);
            }
        }

        long unrouted = counters.Of(counters.NoRoute).Count;
        text.Line("raven_requests_total", "method=\"\",route=\"none\",status=\"4xx\"", unrouted);
        text.Head("raven_request_seconds_total", "counter", "Time spent in requests, by route.");
        foreach (Route route in server.Routes.Routes)
        {
            (long count, double seconds, _, _) = counters.Of(route.Number);
            if (count > 0)
            {
                string labels = $"method=\"{HttpVerbs.Name(route.Verb)}\",route=\"{route.Path}\"";
                text.Line("raven_request_seconds_total", labels, seconds);
            }
        }
    }

    private static void WriteDurations(MetricsText text, RequestCounters counters)
    {
        text.Head("raven_request_duration_seconds", "histogram", "How long requests took.");
        long sum = 0;
        for (int i = 0; i < RequestCounters.DurationClasses; i++)
        {
            sum += counters.InClass(i);
            string bound = (Math.Pow(2, i) / 1e6).ToString("R", CultureInfo.InvariantCulture);
            text.Line("raven_request_duration_seconds_bucket", $"le=\"{bound}\"", sum);
        }

        text.Line("raven_request_duration_seconds_bucket", "le=\"+Inf\"", sum);
        text.Line("raven_request_duration_seconds_count", "", sum);
        text.Line("raven_request_duration_seconds_sum", "", counters.TotalSeconds);
    }

    private static void WriteProcess(MetricsText text, ServerState server)
    {
        GCMemoryInfo memory = GC.GetGCMemoryInfo();
        text.Head("raven_uptime_seconds", "gauge", "How long the server runs.");
        text.Line("raven_uptime_seconds", "", server.Uptime.TotalSeconds);
        text.Head("raven_unsecured", "gauge", "1 if other machines can connect and need no certificate or key.");
        text.Line("raven_unsecured", "", server.Start.IsUnsecured ? 1 : 0);
        text.Head("raven_managed_heap_bytes", "gauge", "Managed memory after the last collection.");
        text.Line("raven_managed_heap_bytes", "", memory.HeapSizeBytes);
        text.Head("raven_managed_allocated_bytes_total", "counter", "Managed memory allocated.");
        text.Line("raven_managed_allocated_bytes_total", "", GC.GetTotalAllocatedBytes());
        text.Head("raven_working_set_bytes", "gauge", "Resident memory of the process, mapped files included.");
        text.Line("raven_working_set_bytes", "", Environment.WorkingSet);
        text.Head("raven_anonymous_bytes", "gauge", "Memory that is in no file: what the process can give back.");
        text.Line("raven_anonymous_bytes", "", MemoryGate.UsedBytes());
        text.Head("raven_pool_bytes", "gauge", "Memory of the server's own pools, in use or kept.");
        text.Line("raven_pool_bytes", "pool=\"contexts\"", server.Contexts.GetStatistics().CommittedBytes);
        text.Line("raven_pool_bytes", "pool=\"answers\"", server.Answers.UsedBytes);
        text.Line("raven_pool_bytes", "pool=\"scratch\"", server.Scratch.UsedBytes);
        text.Head("raven_answers_spilled_bytes", "gauge", "Bytes of answers that wait in files for their clients.");
        text.Line("raven_answers_spilled_bytes", "", server.Answers.SpilledBytes);
        text.Head("raven_memory_given_back_total", "counter", "How often idle memory was given back.");
        text.Line("raven_memory_given_back_total", "", server.Idle.Count);
        text.Head("raven_collections_total", "counter", "Garbage collections by generation.");
        for (int generation = 0; generation <= GC.MaxGeneration; generation++)
        {
            text.Line("raven_collections_total", $"generation=\"{generation}\"", GC.CollectionCount(generation));
        }
    }

    private static void WriteCertificate(MetricsText text, ServerCertificate? certificate)
    {
        if (certificate != null)
        {
            text.Head("raven_certificate_expiry_seconds", "gauge",
                "How long the server's certificate lasts; negative if it has ended.");
            text.Line("raven_certificate_expiry_seconds", "", certificate.Left.TotalSeconds);
            text.Head("raven_certificate_reload_failures_total", "counter",
                "How often a new certificate could not be used.");
            text.Line("raven_certificate_reload_failures_total", "", certificate.FailureCount);
        }
    }

    private static void WriteFloods(MetricsText text, ServerSecurity security)
    {
        if (security.IsSecured)
        {
            text.Head("raven_handshakes", "gauge", "TLS handshakes that are under way.");
            text.Line("raven_handshakes", "", security.Handshakes.Count);
            text.Head("raven_handshakes_refused_total", "counter",
                "Connections that were ended before their TLS handshake: too many at one time, or failed logins.");
            text.Line("raven_handshakes_refused_total", "", security.Handshakes.RefusedCount);
            text.Head("raven_failed_logins_total", "counter", "Certificates, keys and tokens that did not count.");
            text.Line("raven_failed_logins_total", "", security.FailureCount);
        }
    }
}
