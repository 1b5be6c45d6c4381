using Raven.Storage.Files;
using Raven.Storage.Replication;

namespace Raven.Cluster.Replication;

/// <summary>
/// The files of other histories that a folder still has (<see cref="SetAside"/>): nobody uses them, and a person
/// decides when they go.
/// </summary>
internal static class KeptAside
{
    private const string Prefix = "kept-";

    /// <summary>How many bytes they have; 0 if there are none.</summary>
    internal static long BytesOf(IFileSystem files)
    {
        long bytes = 0;
        foreach (string name in files.List())
        {
            if (name.StartsWith(Prefix, StringComparison.Ordinal) && files.Exists(name))
            {
                using IFile file = files.Open(name, FileOpenMode.Existing);
                bytes += file.Length;
            }
        }

        return bytes;
    }
}
