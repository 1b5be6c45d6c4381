namespace Raven.Documents.Backups;

/// <summary>How a file of a backup is compressed.</summary>
public enum BackupCompression
{
    /// <summary>Zstandard, at its fastest level.</summary>
    Zstd,

    /// <summary>Deflate with the frame of zlib, at its fastest level.</summary>
    Deflate,

    /// <summary>Not at all.</summary>
    None,
}
