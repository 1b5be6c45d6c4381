using Raven.Documents;
using Raven.Documents.Subscriptions;
using Raven.Server.Http.Backups;

namespace Raven.Server.Http.Monitoring;

/// <summary>The metrics of tasks: subscriptions and backups.</summary>
internal static class TaskMetricsText
{
    internal static void Write(MetricsText text, ServerState server)
    {
        WriteSubscriptions(text, server);
        WriteBackups(text, server);
    }

    private static void WriteSubscriptions(MetricsText text, ServerState server)
    {
        List<(string Labels, SubscriptionInfo Info)> all = [];
        foreach (string name in server.Databases.Names())
        {
            if (server.Databases.TryGet(name, out Database? database))
            {
                all.AddRange(database.Subscriptions(server.Queries).ListIfOpen().Select(info =>
                    ($"{MetricsText.Label("database", name)},"
                        + MetricsText.Label("subscription", info.Definition.Name), info)));
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
            text.Head($"raven_subscription_{what}", type, help);
            foreach ((string labels, SubscriptionInfo info) in all)
            {
                text.Line($"raven_subscription_{what}", labels, value(info));
            }
        }
    }

    private static void WriteBackups(MetricsText text, ServerState server)
    {
        text.OneGauge("raven_backups_running", "Backups that run.", server.Backups.RunningCount);
        DateTimeOffset now = server.Time.GetUtcNow();
        List<(string Labels, BackupStatus Status)> all = [];
        foreach (string name in server.Databases.Names())
        {
            all.AddRange(server.Backups.Tasks.Of(name).Where(task => !task.IsDisabled).Select(task => (
                $"{MetricsText.Label("database", name)},{MetricsText.Label("task", task.Name)}",
                server.Backups.StatusOf(name, task.TaskId))));
        }

        if (all.Count == 0)
        {
            return;
        }

        text.Head(
            "raven_backup_age_seconds", "gauge",
            "How old the last backup is; since when there is the task if none is.");
        foreach ((string labels, BackupStatus status) in all)
        {
            DateTimeOffset? last = status.LastIncremental > status.LastFull || status.LastFull == null
                ? status.LastIncremental
                : status.LastFull;
            text.Line("raven_backup_age_seconds", labels, (now - (last ?? status.CreatedAt ?? now)).TotalSeconds);
        }

        text.Head("raven_backup_failed", "gauge", "1 if the last run of the task, or its verification, has failed.");
        foreach ((string labels, BackupStatus status) in all)
        {
            text.Line("raven_backup_failed", labels, status.Error == null ? 0 : 1);
        }
    }
}
