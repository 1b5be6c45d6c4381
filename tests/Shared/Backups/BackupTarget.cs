namespace Shared.Backups;

/// <summary>Where the backups of a random history go.</summary>
/// <param name="Settings">Gives the members of a task that say so, by the name of the database.</param>
/// <param name="Source">Gives the members of a restore, by the name of the database and the folder of the backup.
/// </param>
internal sealed record BackupTarget(Func<string, string> Settings, Func<string, string, string> Source)
{
    /// <summary>Folders of databases below a folder.</summary>
    internal static BackupTarget Local(string root) => new(
        name => $$""","LocalSettings":{"FolderPath":"{{root}}/{{name}}"}""",
        (name, folder) => $$""","BackupLocation":"{{root}}/{{name}}/{{folder}}" """);
}
