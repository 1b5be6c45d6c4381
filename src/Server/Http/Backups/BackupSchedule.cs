using Cronos;

namespace Raven.Server.Http.Backups;

/// <summary>When a task runs next. An hour that the clock skips runs at the next time that there is; one that comes
/// twice runs once; one that was missed runs once, at once.</summary>
internal static class BackupSchedule
{
    /// <summary>The next run of a task.</summary>
    /// <param name="task">The task.</param>
    /// <param name="status">Its runs so far.</param>
    /// <param name="now">The time: a run that seems to be in the future was before the clock was set back.</param>
    /// <param name="zone">The zone of its schedules.</param>
    /// <returns>Null if it never runs.</returns>
    internal static (DateTimeOffset At, bool IsFull)? Next(
        BackupConfiguration task, BackupStatus status, DateTimeOffset now, TimeZoneInfo zone)
    {
        if (task.IsDisabled)
        {
            return null;
        }

        DateTimeOffset created = Earlier(status.CreatedAt ?? now, now);
        DateTimeOffset full = Earlier(status.LastFull ?? created, now);
        DateTimeOffset any = Later(full, Earlier(status.LastIncremental ?? created, now));
        DateTimeOffset? nextFull = Next(task.Full, full, zone);
        DateTimeOffset? nextIncremental = Next(task.Incremental, any, zone);
        if (nextFull == null && nextIncremental == null)
        {
            return null;
        }

        // A full one that is due at the same time has all of it.
        bool isFull = nextFull != null && (nextIncremental == null || nextFull <= Later(nextIncremental.Value, now));
        DateTimeOffset at = isFull ? nextFull!.Value : nextIncremental!.Value;
        return (status.DelayUntil is { } delayed ? Later(at, delayed) : at, isFull);
    }

    /// <summary>The next time of a schedule.</summary>
    internal static DateTimeOffset? Next(CronExpression? cron, DateTimeOffset from, TimeZoneInfo zone) =>
        cron?.GetNextOccurrence(from, zone)?.ToUniversalTime();

    private static DateTimeOffset Earlier(DateTimeOffset one, DateTimeOffset other) => one < other ? one : other;

    private static DateTimeOffset Later(DateTimeOffset one, DateTimeOffset other) => one > other ? one : other;
}
