using Raven.Storage.Errors;

namespace Raven.Storage.Files;

/// <summary>
/// One folder of files: the only way by which storage touches a disk, so that tests can cut the power at every
/// operation. Names are plain, without a path. Errors are <see cref="StorageIOException"/>.
/// </summary>
public interface IFileSystem
{
    /// <summary>What a person calls this folder: its path.</summary>
    string Description { get; }

    /// <summary>True where something of that name is there; false only where it is known that nothing is.</summary>
    bool Exists(string name);

    /// <summary>The names of all files, in no order.</summary>
    IReadOnlyList<string> List();

    /// <summary>Opens a file; its name is durable only after <see cref="SyncDirectory"/>.</summary>
    IFile Open(string name, FileOpenMode mode);

    /// <summary>Gives a file another name, replacing one that has it; durable after <see
    /// cref="SyncDirectory"/>.</summary>
    void Rename(string from, string to);

    /// <summary>Removes a file, where it is there; durable after <see cref="SyncDirectory"/>.</summary>
    void Delete(string name);

    /// <summary>Makes creations, renames and deletions durable.</summary>
    void SyncDirectory();
}
