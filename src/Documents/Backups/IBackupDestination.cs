namespace Raven.Documents.Backups;

/// <summary>Where backups are: folders with files, at a place that may be slow, far away or gone. Names are plain,
/// without a path. Any thread.</summary>
public interface IBackupDestination : IDisposable
{
    /// <summary>What messages call it.</summary>
    string Description { get; }

    /// <summary>Tells it apart from all other places; it holds no secret.</summary>
    string Key { get; }

    /// <summary>Whether there is a folder.</summary>
    /// <exception cref="BackupException">The place does not answer as it should.</exception>
    ValueTask<bool> ExistsAsync(string folder, CancellationToken cancellation);

    /// <summary>The names of all folders.</summary>
    /// <exception cref="BackupException">The place does not answer as it should.</exception>
    ValueTask<IReadOnlyList<string>> ListAsync(CancellationToken cancellation);

    /// <summary>The files of a folder, which need not be there.</summary>
    IBackupFiles Open(string folder);

    /// <summary>Removes a folder with all that is in it, if it is there.</summary>
    /// <exception cref="BackupException">The place does not answer as it should.</exception>
    ValueTask DeleteAsync(string folder, CancellationToken cancellation);
}
