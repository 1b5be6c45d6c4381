namespace Raven.Documents.Backups;

//   BKP-9  A second place has a file of a backup after it was compared with its hash there, and then its manifest. What
//          is missing there is copied by the next run.

/// <summary>Copies backups to a second place.</summary>
public static class BackupMirror
{
    /// <summary>Copies what a place does not have: files of a chain, and pieces of the journal beside it.</summary>
    /// <param name="source">The folder with the chain.</param>
    /// <param name="target">The second place, which gets a folder of the same name.</param>
    /// <param name="copied">Called with the bytes that were copied so far.</param>
    /// <param name="cancellation">Ends it: files that are whole stay.</param>
    /// <returns>How many bytes were copied.</returns>
    /// <exception cref="BackupException">A place does not answer as it should, or a file is damaged.</exception>
    public static async Task<long> CopyAsync(
        BackupFolder source, IBackupDestination target, Action<long> copied, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(copied);
        var folder = new BackupFolder(source.Name, target.Open(source.Name));
        IReadOnlyList<BackupManifest> chain = await source.ReadChainAsync(null, cancellation).ConfigureAwait(false);
        HashSet<string> there = [.. await folder.Files.ListAsync(cancellation).ConfigureAwait(false)];
        bool IsMissing(string file) => !there.Contains(file + BackupManifest.Suffix) || !there.Contains(file);
        BackupManifest[] missing =
        [
            .. chain.Where(one => IsMissing(one.File)),
            .. await source.ReadJournalAsync(IsMissing, cancellation).ConfigureAwait(false),
        ];
        if (missing.Length > 0 && there.Count > 0)
        {
            await folder.RemoveUnfinishedAsync(cancellation).ConfigureAwait(false);
        }

        long bytes = 0;
        foreach (BackupManifest manifest in missing)
        {
            await CopyAsync(source, folder, manifest, done => copied(bytes + done), cancellation).ConfigureAwait(false);
            bytes += manifest.LengthBytes;
        }

        return bytes;
    }

    private static async Task CopyAsync(
        BackupFolder source, BackupFolder target, BackupManifest manifest, Action<long> copied,
        CancellationToken cancellation)
    {
        const int pieceBytes = 1 << 20;
        Stream from = await source.Files.OpenAsync(manifest.File, cancellation).ConfigureAwait(false);
        await using (from.ConfigureAwait(false))
        {
            BackupFileStream to = await target.Files.CreateAsync(manifest.File, manifest.LengthBytes, cancellation)
                .ConfigureAwait(false);
            await using (to.ConfigureAwait(false))
            {
                byte[] piece = new byte[pieceBytes];
                long done = 0;
                for (int read; (read = await from.ReadAsync(piece, cancellation).ConfigureAwait(false)) > 0;)
                {
                    await to.WriteAsync(piece.AsMemory(0, read), cancellation).ConfigureAwait(false);
                    copied(done += read);
                }

                await to.CompleteAsync(cancellation).ConfigureAwait(false);
            }
        }

        await BackupVerification.CheckFileAsync(target, manifest, cancellation).ConfigureAwait(false);
        await target.WriteAsync(manifest, isVerified: true, cancellation).ConfigureAwait(false);
    }
}
