namespace Raven.Client.Documents.Smuggler;

/// <summary>How an export is compressed; an import knows both by their first bytes.</summary>
public enum ExportCompressionAlgorithm
{
    /// <summary>Every version of RavenDB reads it.</summary>
    Gzip,

    /// <summary>Smaller, and faster to read.</summary>
    Zstd,
}
