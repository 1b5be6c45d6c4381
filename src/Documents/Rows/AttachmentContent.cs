using Raven.Blittable.Memory;

namespace Raven.Documents.Rows;

/// <summary>What an attachment is to be: its name and its bytes, which are uploaded already or lie in memory.</summary>
public readonly record struct AttachmentContent
{
    /// <summary>The name, UTF-8.</summary>
    public NativeSlice Name { get; init; }

    /// <summary>The content type, UTF-8; may be empty.</summary>
    public NativeSlice ContentType { get; init; }

    /// <summary>The SHA-256 of the bytes.</summary>
    public NativeSlice Hash { get; init; }

    /// <summary>How many bytes there are.</summary>
    public long Size { get; init; }

    /// <summary>The bytes, if they are few.</summary>
    public NativeSlice Bytes { get; init; }

    /// <summary>The upload that has them, if they are many; else empty.</summary>
    public NativeSlice UploadId { get; init; }
}
