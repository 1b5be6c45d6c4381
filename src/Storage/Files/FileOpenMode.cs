namespace Raven.Storage.Files;

/// <summary>How a file is opened.</summary>
[Flags]
public enum FileOpenMode
{
    /// <summary>To read and write what is there; it must exist.</summary>
    Existing = 0,

    /// <summary>Make it when it is not there.</summary>
    Create = 1,

    /// <summary>
    /// Around the page cache (O_DIRECT): offsets, lengths and memory are multiples of
    /// <see cref="IFile.DirectAlignmentBytes"/>.
    /// Where the platform has no such thing the file is opened without.
    /// </summary>
    Direct = 2,

    /// <summary>Each write returns when it is on the medium (O_DSYNC).</summary>
    WriteThrough = 4,
}
