using Raven.Storage.Files;

namespace Raven.Server.Documents;

/// <summary>
/// The folders of all databases: the seam that lets tests keep them in memory. A folder's name is plain, without
/// a path.
/// </summary>
public interface IDatabaseFolders
{
    /// <summary>True where the folder is there.</summary>
    bool Exists(string folder);

    /// <summary>The folder's files; the folder is made where it is missing, durably.</summary>
    IFileSystem Open(string folder);

    /// <summary>The folders below a folder, which are removed with it.</summary>
    IDatabaseFolders Within(string folder);

    /// <summary>The names of all folders.</summary>
    IReadOnlyList<string> List();

    /// <summary>Removes the folder and all that is in it, where it is there. Nobody has it open.</summary>
    void Delete(string folder);
}
