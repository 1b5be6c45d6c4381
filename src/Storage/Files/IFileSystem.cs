using Raven.Storage.Errors;

namespace Raven.Storage.Files;

/// <summary>
/// One folder of files: the only way by which storage touches a disk, so that tests can cut the power at every
/// operation. Names are plain, without a path. Errors are <see cref="StorageIOException"/>.
/// </summary>
public interface IFileSystem
{
    /// <summary>What logs call this folder: its path.</summary>
    string Description { get; }

    /// <summary>True if a file of that name exists; false only if it is known that none does.</summary>
    bool Exists(string name);

    /// <summary>The names of all files, in no order.</summary>
    IReadOnlyList<string> List();

    /// <summary>Opens a file; its name is durable only after <see cref="SyncDirectory"/>.</summary>
    IFile Open(string name, FileOpenMode mode);

    /// <summary>
    /// Gives a file another name, replacing one that has it; durable after <see cref="SyncDirectory"/>.
    /// </summary>
    void Rename(string from, string to);

    /// <summary>Removes a file, if it exists; durable after <see cref="SyncDirectory"/>.</summary>
    void Delete(string name);

    /// <summary>Makes creations, renames and deletions durable.</summary>
    void SyncDirectory();
}
