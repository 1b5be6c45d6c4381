namespace Raven.Server.Options;

/// <summary>The keys of the options of backups.</summary>
internal static class BackupOptionKeys
{
    internal static OptionKey[] All() =>
    [
        new("Backup.LocalRootPath", "path or empty",
            "The folder below which all backups are; if it is empty, an operator says where they go.",
            (o, v) => o with { BackupRootPath = v.Length == 0 ? null : OptionTable.Folder(v) },
            o => o.BackupRootPath ?? ""),
        new("Backup.MaxNumberOfConcurrentBackups", "number, 0 for half of the cores",
            "How many backups run at one time.",
            (o, v) => o with { BackupsMax = (int)OptionTable.Number(v, 0, 1024) },
            o => OptionTable.Text(o.BackupsMax)),
        new("Backup.UseUtc", "true, false", "Whether schedules are in UTC, and not in the server's time zone.",
            (o, v) => o with { BackupsUseUtc = OptionTable.Bool(v) }, o => OptionTable.Text(o.BackupsUseUtc)),
        new("Backup.VerifyByRestore", "true, false",
            "Whether a task's last backup is restored out of sight and checked once a week.",
            (o, v) => o with { BackupsAreRestored = OptionTable.Bool(v) },
            o => OptionTable.Text(o.BackupsAreRestored)),
    ];
}
