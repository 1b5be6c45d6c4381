using Raven.Storage.Errors;

namespace Raven.Storage.Files;

/// <summary>
/// The lock on writing an environment's files in a folder. It is held while the environment is open, or while another
/// one is copied there.
/// </summary>
internal static class FolderLock
{
    /// <summary>
    /// It stays when the lock is released: if it were deleted, two processes could each lock a file of this name.
    /// </summary>
    internal const string Name = "voron.lock";

    /// <summary>Takes the lock, which is released when the file is disposed.</summary>
    /// <exception cref="StorageInUseException">Another holder has it.</exception>
    /// <exception cref="StorageIOException">The disk refused.</exception>
    internal static IFile Acquire(IFileSystem files)
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
