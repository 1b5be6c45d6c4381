namespace Raven.Storage.Errors;

/// <summary>A file was written by a newer Raven than this one, which does not interpret unknown formats.</summary>
public sealed class StorageVersionException : Exception
{
    /// <summary>Reports a newer format.</summary>
    /// <param name="file">The file.</param>
    /// <param name="found">The format version in it.</param>
    /// <param name="supported">The newest that this build reads.</param>
    public StorageVersionException(string file, int found, int supported)
        : base($"{file}: format version {found} is newer than {supported}, the newest that this build reads. " +
            "Open it with the release that wrote it, or a later one.")
    {
        Found = found;
        Supported = supported;
    }

    /// <summary>The version in the file.</summary>
    public int Found { get; }

    /// <summary>The newest version that this build reads.</summary>
    public int Supported { get; }
}
