using Raven.Storage.Files;

namespace Raven.Documents.Backups;

/// <summary>Compares files of backups with their manifests.</summary>
public static class BackupVerification
{
    private const int PieceBytes = 1 << 20;

    /// <summary>Compares all files of a chain with the hashes in their manifests.</summary>
    /// <returns>How many bytes they have.</returns>
    /// <exception cref="BackupException">A file is missing or damaged: the message names it.</exception>
    public static long CheckFiles(
        BackupFolder folder, IReadOnlyList<BackupManifest> chain, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(folder);
        ArgumentNullException.ThrowIfNull(chain);
        foreach (BackupManifest manifest in chain)
        {
            CheckFile(folder, manifest, cancellation);
        }

        return chain.Sum(one => one.LengthBytes);
    }

    internal static void CheckFile(BackupFolder folder, BackupManifest manifest, CancellationToken cancellation)
    {
        using IFile file = folder.Open(manifest);
        if (file.Length != manifest.LengthBytes)
        {
            throw new BackupException(
                $"The file '{manifest.File}' has {file.Length} bytes, and its manifest says {manifest.LengthBytes}.");
        }

        using var source = new BackupStreams.FileStream(file, isWritten: false);
        byte[] piece = new byte[PieceBytes];
        while (source.Read(piece) > 0)
        {
            cancellation.ThrowIfCancellationRequested();
        }

        if (source.End() != manifest.Sha256)
        {
            throw new BackupException($"The file '{manifest.File}' is damaged: it does not have its hash.");
        }
    }
}
