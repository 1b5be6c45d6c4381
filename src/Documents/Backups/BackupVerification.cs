using Raven.Documents.Operations;

namespace Raven.Documents.Backups;

/// <summary>Compares files of backups with their manifests.</summary>
public static class BackupVerification
{
    private const int PieceBytes = 1 << 20;

    /// <summary>Compares all files of a chain with the hashes in their manifests.</summary>
    /// <returns>How many bytes they have.</returns>
    /// <exception cref="BackupException">A file is missing or damaged: the message names it.</exception>
    public static async Task<long> CheckFilesAsync(
        BackupFolder folder, IReadOnlyList<BackupManifest> chain, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(folder);
        ArgumentNullException.ThrowIfNull(chain);
        foreach (BackupManifest manifest in chain)
        {
            await CheckFileAsync(folder, manifest, cancellation).ConfigureAwait(false);
        }

        return chain.Sum(one => one.LengthBytes);
    }

    internal static async Task CheckFileAsync(
        BackupFolder folder, BackupManifest manifest, CancellationToken cancellation)
    {
        long? length = await folder.Files.FindLengthAsync(manifest.File, cancellation).ConfigureAwait(false);
        if (length != manifest.LengthBytes)
        {
            throw new BackupException(
                length is null
                    ? $"The file '{manifest.File}' is missing in '{folder.Name}'."
                    : $"The file '{manifest.File}' has {length} bytes, and its manifest says {manifest.LengthBytes}.");
        }

        Stream file = await folder.Files.OpenAsync(manifest.File, cancellation).ConfigureAwait(false);
        await using (file.ConfigureAwait(false))
        {
            await StreamPipe.RunAsync(
                (read, stop) => StreamPipe.CopyAsync(file, read, stop),
                read => CompareAsync(read, manifest, cancellation),
                cancellation).ConfigureAwait(false);
        }
    }

    private static async Task CompareAsync(Stream file, BackupManifest manifest, CancellationToken cancellation)
    {
        using var source = new BackupStreams.Hashed(file);
        byte[] piece = new byte[PieceBytes];
        while (await source.ReadAsync(piece, cancellation).ConfigureAwait(false) > 0)
        {
        }

        if (source.Position != manifest.LengthBytes || source.End() != manifest.Sha256)
        {
            throw new BackupException($"The file '{manifest.File}' is damaged: it does not have its hash.");
        }
    }
}
