using Raven.Storage.Files;

namespace Raven.Documents;

/// <summary>
/// The folders of all databases, an interface that lets tests keep them in memory. A folder's name is plain, without
/// a path.
/// </summary>
public interface IDatabaseFolders
{
    /// <summary>True if the folder exists.</summary>
    bool Exists(string folder);

    /// <summary>The folder's files; the folder is created durably if it is missing.</summary>
    IFileSystem Open(string folder);

    /// <summary>The folders below a folder, which are removed with it.</summary>
    IDatabaseFolders Within(string folder);

    /// <summary>How many bytes the files of a folder have, those of the folders below it included; 0 if that is not
    /// known. No file is opened for it.</summary>
    long SizeOf(string folder) => 0;

    /// <summary>The names of all folders.</summary>
    IReadOnlyList<string> List();

    /// <summary>Removes the folder and all that is in it, if it exists. No database has it open.</summary>
    void Delete(string folder);
}
