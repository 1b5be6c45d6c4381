using System.Globalization;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Monitoring;
using Raven.Storage.Paging;
using Raven.Storage.Transactions;

namespace Raven.Server.Http.Monitoring;

/// <summary>The metrics of databases: their data, storage, writes and indexes. Those of closed ones are few.</summary>
internal static class DatabaseMetricsText
{
    /// <summary>The bounds of histograms, as powers of two in microseconds: 128 us, 512 us, ... 8.4 s.</summary>
    private static readonly int[] Bounds = [7, 9, 11, 13, 15, 17, 19, 21, 23];

    private static readonly string[] BoundNames =
        [.. Bounds.Select(power => (Math.Pow(2, power) / 1e6).ToString("R", CultureInfo.InvariantCulture))];

    internal static void Write(MetricsText text, IReadOnlyList<WatchedDatabase> databases)
    {
        (string Labels, WatchedDatabase One)[] all = [.. databases.Select(one => (one.Label, one))];
        (string Labels, DatabaseFigures One)[] open =
            [.. databases.Where(one => one.Figures != null).Select(one => (one.Label, one.Figures!))];
        text.OneGauge("raven_databases", "How many databases there are.", all.Length);
        text.OneGauge("raven_databases_open", "How many of them are open.", open.Length);
        text.Gauges(
            "raven_database_open", "1 if the database is open: most other figures are those of open ones.", all,
            one => one.Figures == null ? 0 : 1);
        text.Gauges("raven_database_disabled", "1 if it is disabled.", all, one => one.Database.IsDisabled ? 1 : 0);
        text.Gauges(
            "raven_database_faulted", "1 if it cannot be used or written to; /healthz says why.", all,
            one => one.IsFaulted ? 1 : 0);
        text.Counters(
            "raven_database_requests_total", "Requests to the database that ended.", all,
            one => one.Database.Uses.Count);
        WriteCounts(text, open);
        WriteStorage(text, open);
        WriteWrites(text, open);
        WriteIndexes(text, [.. databases.Where(one => one.Figures != null).SelectMany(
            one => one.Figures!.Indexes.Select(index => (
                $"{one.Label},{MetricsText.Label("index", index.Index.Name)}", index)))]);
    }

    private static void WriteCounts(MetricsText text, (string Labels, DatabaseFigures One)[] open)
    {
        text.Gauges("raven_database_documents", "Documents.", open, one => one.Counts.DocumentCount);
        text.Gauges(
            "raven_database_tombstones", "Deletions that are remembered.", open, one => one.Counts.TombstoneCount);
        text.Gauges("raven_database_revisions", "Earlier versions of documents.", open, one => one.RevisionCount);
        text.Gauges("raven_database_attachments", "Attachments.", open, one => one.Attachments.All);
        text.Gauges("raven_database_collections", "Collections.", open, one => one.Counts.CollectionCount);
        text.Counters(
            "raven_database_changes_total", "The last etag: how many changes there were.", open,
            one => one.Counts.LastEtag);
    }

    private static void WriteStorage(MetricsText text, (string Labels, DatabaseFigures One)[] open)
    {
        text.Gauges(
            "raven_storage_data_file_bytes", "The data file of the documents.", open, one => one.Storage.DataFileBytes);
        text.Gauges(
            "raven_storage_free_bytes", "Free pages in it, which later writes use.", open,
            one => one.Storage.FreePages * (double)PageHeader.PageSizeInBytes);
        text.Gauges(
            "raven_storage_journal_bytes", "Its journal files, also those kept for their next use.", open,
            one => one.Storage.JournalFileBytes);
        text.Gauges(
            "raven_storage_journal_backlog_bytes", "The journal that an opening would have to read.", open,
            one => one.Storage.JournalBacklogBytes);
        text.Gauges(
            "raven_storage_scratch_bytes", "Changed pages that wait for the data file, in memory.", open,
            one => one.Storage.Scratch.UsedBytes);
        text.Gauges("raven_storage_readers", "Snapshots that are held.", open, one => one.Storage.Readers);
        text.Gauges(
            "raven_storage_oldest_reader_seconds", "How long the oldest of them is held.", open,
            one => one.Storage.OldestReader.Age.TotalSeconds);
        text.Counters("raven_storage_flushes_total", "Flushes to the data file.", open, one => one.Storage.Flushes);
        WriteHistogram(
            text, "raven_storage_journal_write_seconds", "How long writes of commits to the journal took.", open,
            one => one.Storage.JournalWrites);
    }

    private static void WriteWrites(MetricsText text, (string Labels, DatabaseFigures One)[] open)
    {
        text.Counters(
            "raven_merger_commits_total", "Commits that writes have shared.", open, one => one.Merger.Groups);
        text.Counters("raven_merger_writes_total", "Writes in them.", open, one => one.Merger.Writes);
        WriteHistogram(
            text, "raven_merger_write_seconds", "How long writes took until they were durable.", open,
            one => one.Merger.Latency);
    }

    private static void WriteIndexes(MetricsText text, (string Labels, IndexFigures One)[] indexes)
    {
        text.Gauges("raven_index_open", "1 if the index is open.", indexes, one => one.Storage == null ? 0 : 1);
        text.Gauges("raven_index_stale", "1 if it is behind the documents.", indexes, one => one.IsStale ? 1 : 0);
        text.Gauges("raven_index_lag_changes", "How many etags it is behind them.", indexes, one => one.Lag);
        text.Gauges(
            "raven_index_running", "0 if it is paused, disabled or has stopped.", indexes,
            one => one.Index.IsPaused || one.Index.State is IndexState.Disabled or IndexState.Error ? 0 : 1);
        text.Gauges("raven_index_faulted", "1 if it has stopped for errors.", indexes,
            one => one.Index.Fault == null ? 0 : 1);
        text.Gauges("raven_index_entries", "Its entries.", indexes, one => one.EntryCount);
        text.Gauges("raven_index_errors", "Errors that it keeps.", indexes, one => one.Index.Failures.Count);
        text.Gauges("raven_index_bytes", "Its files.", indexes, one => one.Storage?.SizeOnDiskBytes);
        text.Counters("raven_index_batches_total", "Batches that it has committed.", indexes,
            one => one.Index.Statistics.BatchCount);
        text.Counters("raven_index_batch_seconds_total", "How long they took.", indexes,
            one => one.Index.Statistics.BatchTime.TotalSeconds);
        text.Counters("raven_index_documents_total", "Documents in them.", indexes,
            one => one.Index.Statistics.DocumentCount);
        text.Gauges(
            "raven_index_last_batch_timestamp_seconds", "When the last one was committed, Unix time.", indexes,
            one => Unix(one.Index.Statistics.LastIndexingTime));
        text.Gauges(
            "raven_index_last_query_timestamp_seconds", "When it was last queried, Unix time.", indexes,
            one => Unix(one.Index.Use.LastTime));
    }

    private static void WriteHistogram(
        MetricsText text, string name, string help, (string Labels, DatabaseFigures One)[] all,
        Func<DatabaseFigures, LatencyHistogram> histogram)
    {
        if (all.Length == 0)
        {
            return;
        }

        text.Head(name, "histogram", help);
        foreach ((string labels, DatabaseFigures one) in all)
        {
            // Writes go on: what is read later is not less.
            LatencyHistogram times = histogram(one);
            long[] below = [.. Bounds.Select(times.CountBelow)];
            long count = Math.Max(times.Count, below[^1]);
            for (int i = 0; i < Bounds.Length; i++)
            {
                text.Line($"{name}_bucket", $"{labels},le=\"{BoundNames[i]}\"", below[i]);
            }

            text.Line($"{name}_bucket", $"{labels},le=\"+Inf\"", count);
            text.Line($"{name}_sum", labels, times.Sum.TotalSeconds);
            text.Line($"{name}_count", labels, count);
        }
    }

    private static double? Unix(DateTimeOffset? time) => time?.ToUnixTimeMilliseconds() / 1000.0;
}
