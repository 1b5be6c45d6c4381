using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Monitoring;
using Raven.Server.Diagnostics;
using Raven.Storage.Paging;

namespace Raven.Server.Http.Monitoring;

/// <summary>
/// The figures of the JSON endpoints of monitoring as Prometheus' text, by the names of RavenDB, for its dashboards and
/// collectors. What <c>/metrics</c> has by our names is more.
/// </summary>
internal static class PrometheusReport
{
    private const string Prefix = "ravendb_";

    /// <summary>How many series of collections or of indexes there are at most: more would cost the one who collects
    /// them more than they tell.</summary>
    internal const int SeriesMax = 5000;

    internal static void WriteServer(MetricsText text, ServerState server)
    {
        text.Head(Prefix + "server_info", "gauge", "The version of the server.");
        text.Line(
            Prefix + "server_info",
            $"{MetricsText.Label("server_version", ServerVersion.Product)},"
                + MetricsText.Label("server_full_version", ServerVersion.Program), 1);
        One("uptime_seconds", "How long the server runs.", (long)server.Uptime.TotalSeconds);
        One("server_process_id", "The id of the process.", Environment.ProcessId);
        One("backup_current_number_of_running_backups", "Backups that run.", server.Backups.RunningCount);
        One("backup_max_number_of_concurrent_backups", "How many run at one time.", server.Backups.PlaceCount);
        One("cpu_process_usage_percentage", "The part of all processors in use by the process.",
            ServerReport.ProcessUsage(server));
        if (ServerReport.MachineUsage(server) is { } machine)
        {
            One("cpu_machine_usage_percentage", "The part of all processors in use.", machine.Busy);
            One("cpu_machine_io_wait_percentage", "The part that waits for disks.", machine.IoWait);
        }

        One("cpu_processor_count", "The processors.", Environment.ProcessorCount);
        One("memory_allocated_bytes", "The memory of the process that is in no file.", MemoryGate.UsedBytes());
        One("memory_physical_bytes", "The memory of the machine.",
            MachineFigures.Memory().GetValueOrDefault("MemTotal"));
        One("memory_dirty_bytes", "Changed pages that wait for data files.", server.Scratch.UsedBytes);
        var disk = new DriveInfo(server.DataFolder);
        One("disk_free_bytes", "Free room on the disk of the data.", disk.AvailableFreeSpace);
        One("disk_remaining_percentage", "The free part of that disk.",
            disk.TotalSize == 0 ? 0 : Math.Round(100.0 * disk.AvailableFreeSpace / disk.TotalSize, 2));
        One("network_tcp_active_connections", "Connections.", server.ConnectionCount);
        One("network_concurrent_requests_count", "Requests that run.", server.Counters.Active);
        One("network_requests_per_second", "Requests that ended, a second.",
            server.Rates.Of("requests", server.Counters.Count));
        text.OneCounter(Prefix + "network_requests_total", "Requests that began.", server.Counters.Started);
        if (server.Security.Certificate is { } certificate)
        {
            One("certificate_server_certificate_expiration_left_seconds", "How long the certificate lasts.",
                certificate.Left.TotalSeconds);
        }

        One("databases_total_count", "Databases.", server.Databases.Count);
        One("databases_loaded_count", "Those that are open.", ServerReport.LoadedCount(server));

        void One(string name, string help, double value) => text.OneGauge(Prefix + name, help, value);
    }

    internal static void WriteCollections(MetricsText text, IReadOnlyList<WatchedDatabase> databases)
    {
        List<(string Labels, CollectionFigures One)> all = [];
        foreach (WatchedDatabase one in databases)
        {
            int room = Math.Min(MonitoringJson.CollectionsMax, SeriesMax - all.Count);
            all.AddRange((DatabaseFigures.ReadCollectionsIfOpen(one.Database, room) ?? []).Select(collection => (
                $"{Name(one)},{MetricsText.Label("collection_name", collection.Name)}", collection)));
        }

        text.Gauges(Prefix + "collection_documents_count", "Documents.", all, one => one.DocumentCount);
        text.Gauges(Prefix + "collection_total_size_bytes", "All of it, estimated.", all, one => one.Sizes.Bytes);
        text.Gauges(
            Prefix + "collection_documents_size_bytes", "Its documents, estimated.", all,
            one => one.Sizes.DocumentBytes);
        text.Gauges(
            Prefix + "collection_tombstones_size_bytes", "Its deletions, estimated.", all,
            one => one.Sizes.TombstoneBytes);
        text.Gauges(
            Prefix + "collection_revisions_size_bytes", "Its revisions, estimated.", all,
            one => one.Sizes.RevisionBytes);
    }

    internal static void WriteIndexes(MetricsText text, IReadOnlyList<WatchedDatabase> databases, DateTimeOffset now)
    {
        (string Labels, IndexFigures One)[] all =
        [
            .. databases.SelectMany(one => (one.Figures?.Indexes ?? []).Select(index => (
                $"{Name(one)},{MetricsText.Label("index_name", index.Index.Name)}", index))).Take(SeriesMax),
        ];
        text.Gauges(Prefix + "index_errors", "Errors that it keeps.", all, one => one.Index.Failures.Count);
        text.Gauges(Prefix + "index_is_invalid", "1 if it has stopped.", all,
            one => one.Index.State == IndexState.Error ? 1 : 0);
        text.Gauges(Prefix + "index_is_stale", "1 if it is behind.", all, one => one.IsStale ? 1 : 0);
        text.Gauges(Prefix + "index_entries_count", "Its entries.", all, one => one.EntryCount);
        text.Gauges(Prefix + "index_time_since_last_query_seconds", "Since it was last queried.", all,
            one => (now - one.Index.Use.LastTime)?.TotalSeconds);
        text.Gauges(Prefix + "index_time_since_last_indexing_seconds", "Since its last batch.", all,
            one => (now - one.Index.Statistics.LastIndexingTime)?.TotalSeconds);
    }

    internal static void WriteDatabases(MetricsText text, ServerState server, IReadOnlyList<WatchedDatabase> databases)
    {
        (string Labels, WatchedDatabase One)[] all = [.. databases.Select(one => (Name(one), one))];
        (string Labels, DatabaseFigures One)[] open =
            [.. databases.Where(one => one.Figures != null).Select(one => (Name(one), one.Figures!))];
        text.Gauges(Prefix + "database_is_loaded", "1 if it is open.", all, one => one.Figures == null ? 0 : 1);
        text.Gauges(Prefix + "database_time_since_last_backup_seconds", "Since its last backup.", all,
            one => MonitoringJson.SinceLastBackup(server, one.Name));
        text.Counters(Prefix + "database_requests_total", "Requests that ended.", all, one => one.Database.Uses.Count);
        text.Gauges(Prefix + "database_documents_count", "Documents.", open, one => one.Counts.DocumentCount);
        text.Gauges(Prefix + "database_revisions_count", "Revisions.", open, one => one.RevisionCount);
        text.Gauges(Prefix + "database_attachments_count", "Attachments.", open, one => one.Attachments.All);
        text.Gauges(Prefix + "database_unique_attachments_count", "Their contents.", open,
            one => one.Attachments.Unique);
        text.Gauges(Prefix + "database_indexes_count", "Indexes.", open, one => one.Indexes.Count);
        text.Gauges(Prefix + "database_stale_indexes_count", "Stale indexes.", open,
            one => one.Indexes.Count(index => index.IsStale));
        text.Gauges(Prefix + "database_errored_indexes_count", "Indexes that have stopped.", open,
            one => one.Indexes.Count(index => index.Index.State == IndexState.Error));
        text.Gauges(Prefix + "database_index_errors_count", "Errors of indexes.", open,
            one => one.Indexes.Sum(index => index.Index.Failures.Count));
        text.Gauges(Prefix + "database_documents_data_file_bytes", "The data file of the documents.", open,
            one => one.Storage.DataFileBytes);
        text.Gauges(Prefix + "database_documents_used_bytes", "What of it is in use.", open,
            one => one.Storage.DataFileBytes - one.Storage.FreePages * (double)PageHeader.PageSizeInBytes);
        text.Gauges(Prefix + "database_indexes_data_file_bytes", "The data files of the indexes.", open,
            one => one.Indexes.Sum(index => index.Storage?.DataFileBytes ?? 0));
    }

    /// <summary>The metrics of garbage collection.</summary>
    internal static void WriteCollector(MetricsText text)
    {
        text.Head(Prefix + "gc_collections_total", "counter", "Collections by generation.");
        for (int generation = 0; generation <= GC.MaxGeneration; generation++)
        {
            text.Line(
                Prefix + "gc_collections_total", $"generation=\"{generation}\"", GC.CollectionCount(generation));
        }

        text.OneCounter(Prefix + "gc_pause_seconds_total", "How long they have stopped all threads.",
            GC.GetTotalPauseDuration().TotalSeconds);
        text.OneGauge(Prefix + "gc_heap_bytes", "The managed heap.", GC.GetGCMemoryInfo().HeapSizeBytes);
    }

    private static string Name(WatchedDatabase database) => MetricsText.Label("database_name", database.Name);
}
