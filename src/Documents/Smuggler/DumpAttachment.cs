namespace Raven.Documents.Smuggler;

/// <summary>The bytes of an attachment that came with a dump.</summary>
internal sealed class DumpAttachment
{
    /// <summary>The SHA-256 of the bytes.</summary>
    internal required byte[] Hash { get; init; }

    /// <summary>How many there are.</summary>
    internal required long Size { get; init; }

    /// <summary>The bytes, while they are few and not linked; else null.</summary>
    internal byte[]? Bytes { get; set; }

    /// <summary>The upload that has them, while they are not linked; else null.</summary>
    internal byte[]? UploadId { get; set; }
}
