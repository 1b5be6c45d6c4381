namespace Raven.Security.Audit;

/// <summary>Where the audit log is, and how much of it is kept.</summary>
public sealed record AuditOptions
{
    /// <summary>Its folder.</summary>
    public required string Folder { get; init; }

    /// <summary>From how many bytes on a file is closed, and the next one begun.</summary>
    public long FileBytesMax { get; init; } = 128L << 20;

    /// <summary>How long closed files are kept; null for ever.</summary>
    public TimeSpan? AgeMax { get; init; }

    /// <summary>How many closed files are kept; null for all.</summary>
    public int? FilesMax { get; init; }

    /// <summary>Whether closed files are compressed (gzip).</summary>
    public bool Compresses { get; init; }

    /// <summary>Opens the file that is written to; tests have it fail.</summary>
    internal Func<string, FileStreamOptions, FileStream> OpenFile { get; init; } =
        (path, options) => new FileStream(path, options);
}
