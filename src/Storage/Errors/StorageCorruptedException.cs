namespace Raven.Storage.Errors;

/// <summary>
/// Bytes on disk are not what was written. The message names the file and the offset or page. What was read is never
/// returned as data.
/// </summary>
public sealed class StorageCorruptedException : Exception
{
    /// <summary>Reports damage.</summary>
    /// <param name="file">The file, as its name in the environment's folder.</param>
    /// <param name="offset">The byte offset in that file, or -1 if it is not known.</param>
    /// <param name="what">What is wrong there.</param>
    public StorageCorruptedException(string file, long offset, string what)
        : base($"{file}, offset {offset}: {what}")
    {
        File = file;
        Offset = offset;
    }

    /// <summary>The damaged file's name.</summary>
    public string File { get; }

    /// <summary>The byte offset in <see cref="File"/>, or -1.</summary>
    public long Offset { get; }
}
