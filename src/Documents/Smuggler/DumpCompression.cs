namespace Raven.Documents.Smuggler;

/// <summary>How a dump is compressed; the names are those that clients send.</summary>
public enum DumpCompression
{
    /// <summary>RFC 1952, which every version of RavenDB reads.</summary>
    Gzip,

    /// <summary>Zstandard, RFC 8878.</summary>
    Zstd,
}
