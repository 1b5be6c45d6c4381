namespace Raven.Storage.Files;

/// <summary>How a file is opened.</summary>
[Flags]
public enum FileOpenMode
{
    /// <summary>To read and write what is there; it must exist.</summary>
    Existing = 0,

    /// <summary>Creates the file if it does not exist.</summary>
    Create = 1,

    /// <summary>
    /// Around the page cache (O_DIRECT): offsets, lengths and memory are multiples of
    /// <see cref="IFile.DirectAlignmentBytes"/>. A platform without it opens the file normally.
    /// </summary>
    Direct = 2,

    /// <summary>Each write returns when it is on the medium (O_DSYNC).</summary>
    WriteThrough = 4,
}
