using Raven.Documents.Backups;

namespace Raven.Server.Http.Backups;

/// <summary>The destinations of a run: backups are made at the first, and copied to the second.</summary>
internal sealed class BackupPlaces(IBackupDestination? local, IBackupDestination? s3) : IDisposable
{
    /// <summary>Where backups are made: the folder, or the bucket if there is no folder.</summary>
    internal IBackupDestination Main => local ?? s3!;

    /// <summary>The bucket that they are copied to; null for none.</summary>
    internal IBackupDestination? Second => local == null ? null : s3;

    /// <summary>Whether backups are in a folder of this machine.</summary>
    internal bool HasLocal => local != null;

    /// <summary>Whether backups are in a bucket.</summary>
    internal bool HasS3 => s3 != null;

    /// <inheritdoc/>
    public void Dispose()
    {
        local?.Dispose();
        s3?.Dispose();
    }
}
