using Raven.Storage.Errors;

namespace Raven.Storage.Files;

/// <summary>Who has it may write an environment's files in the folder: who opens it, and who copies another there.
/// </summary>
internal static class FolderLock
{
    /// <summary>It stays when the lock is let go: were it deleted, two could each lock a file of this name.</summary>
    internal const string Name = "voron.lock";

    /// <summary>Takes the lock, which is let go when the file is disposed.</summary>
    /// <exception cref="StorageInUseException">Somebody else has it.</exception>
    /// <exception cref="StorageIOException">The disk refused.</exception>
    internal static IFile Take(IFileSystem files)
    {
        IFile file = files.Open(Name, FileOpenMode.Create);
        try
        {
            return file.TryLock() ? file : throw new StorageInUseException(files.Description);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }
}
