namespace Raven.Server.Options;

/// <summary>The keys of the options of backups.</summary>
internal static class BackupOptionKeys
{
    private static readonly TimeSpan DelayMax = TimeSpan.FromDays(1);

    internal static OptionKey[] All() =>
    [
        new("Backup.AllowedAwsRegions", "regions with ; between them, or empty",
            "The regions of Amazon that backups may go to; if it is empty, all.",
            (o, v) => o with { BackupRegions = List(v) }, o => string.Join(';', o.BackupRegions)),
        new("Backup.AllowedDestinations", "Local, S3 (or AmazonS3), with ; between them, or empty",
            "Where backups may go; if it is empty, to all of them.",
            (o, v) => o with { BackupKinds = Kinds(v) }, o => string.Join(';', o.BackupKinds)),
        new("Backup.AllowedHosts", "hosts with ; between them, with or without a port, or empty",
            "Servers of S3 that may be at any address, and be spoken to over http.",
            (o, v) => o with { BackupHosts = List(v) }, o => string.Join(';', o.BackupHosts)),
        new("Backup.ConcurrentBackupsDelayInSec", "seconds",
            "How long a scheduled backup is put off when as many as may run at one time run already.",
            (o, v) => o with { BackupsDelay = Seconds(v) }, o => OptionTable.Text((long)o.BackupsDelay.TotalSeconds)),
        new("Backup.LowMemoryBackupDelayInMin", "minutes",
            "How long a scheduled backup is put off when the server is short of memory.",
            (o, v) => o with { BackupsLowMemoryDelay = TimeSpan.FromMinutes(OptionTable.Number(v, 1, 1440)) },
            o => OptionTable.Text((long)o.BackupsLowMemoryDelay.TotalMinutes)),
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

    private static TimeSpan Seconds(string text) =>
        TimeSpan.FromSeconds(OptionTable.Number(text, 1, (long)DelayMax.TotalSeconds));

    private static string[] List(string text) =>
        text.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);

    private static string[] Kinds(string text)
    {
        string[] kinds = [.. List(text).Select(static kind => kind == "AmazonS3" ? "S3" : kind)];
        return Array.Find(kinds, kind => kind is not ("Local" or "S3")) is { } wrong
            ? throw new FormatException($"'{wrong}' is neither Local nor S3.")
            : kinds;
    }
}
