namespace Raven.Documents.Backups;

//   BKP-2  A file of a backup has its name when it is whole and durable; before that nothing has it. What a killed run
//          leaves of it is removed by the next run of the same folder.

/// <summary>The files of one folder of backups. Names are plain, without a path. Any thread, one at a time for each
/// name.</summary>
public interface IBackupFiles
{
    /// <summary>What messages call the folder.</summary>
    string Description { get; }

    /// <summary>The names of all files, in no order.</summary>
    /// <exception cref="BackupException">The place does not answer as it should.</exception>
    ValueTask<IReadOnlyList<string>> ListAsync(CancellationToken cancellation);

    /// <summary>The length of a file in bytes; null if there is none.</summary>
    /// <exception cref="BackupException">The place does not answer as it should.</exception>
    ValueTask<long?> FindLengthAsync(string name, CancellationToken cancellation);

    /// <summary>A stream of a file from its start to its end, read asynchronously; the caller disposes it.</summary>
    /// <exception cref="BackupException">There is none, or the place does not answer as it should.</exception>
    ValueTask<Stream> OpenAsync(string name, CancellationToken cancellation);

    /// <summary>Begins a file.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="lengthExpected">How many bytes it may become, about: a place may make its parts by that.</param>
    /// <param name="cancellation">Ends it, until it is complete.</param>
    ValueTask<BackupFileStream> CreateAsync(string name, long lengthExpected, CancellationToken cancellation);

    /// <summary>Removes a file, if it is there.</summary>
    /// <exception cref="BackupException">The place does not answer as it should.</exception>
    ValueTask DeleteAsync(string name, CancellationToken cancellation);

    /// <summary>Removes what is left of files that were never complete. No file is being written.</summary>
    /// <exception cref="BackupException">The place does not answer as it should.</exception>
    ValueTask RemoveUnfinishedAsync(CancellationToken cancellation);
}
